r"""Several concepts, one selection each, by the best bound for one of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tacit.bounds.upper import deviations
from tacit.core import Relation, SampleBound, theorem
from tacit.problems.several import several_upper
from tacit.problems.thresholds import thresholds_upper


@theorem(
    several_upper.BNS_34,
    kind="upper",
    setting="k thresholds; proper; realizable or agnostic; pure or approximate",
    formula=r"n_{\rm thresholds}(|C|,\alpha,\beta/k,\epsilon'),\quad"
    r"\epsilon'=\max\{\epsilon/k,\sqrt{8\rho/k}\}",
)
def several_thresholds(
    *,
    size: int,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
    setting: str = "agnostic",
) -> SampleBound:
    """Records to learn ``k`` thresholds, one selection each, by the bound for one threshold.

    >>> several_thresholds(size=2**64 + 1, k=100, alpha=Fraction(1, 10), beta=Fraction(1, 10),
    ...                    epsilon=Fraction(1), delta=Fraction(1, 10**6)).n
    27778
    """
    each, failure, _ = several_upper.one_of(epsilon, delta, k, beta)
    bound = deviations.thresholds if setting == "agnostic" else thresholds_upper.exact_tail
    inner = bound(size=size, alpha=alpha, beta=failure, epsilon=each, relation=relation)
    return SampleBound(
        n=inner.n, claim=several_upper.BNS_34, terms=inner.terms, choices=inner.choices
    )


@theorem(
    several_upper.BNS_34,
    kind="upper",
    setting="k concepts of a class of known growth function; proper; agnostic; pure or approximate",
    formula=r"n_{\rm growth}(|C|,\Pi,\alpha,\beta/k,\epsilon'),\quad"
    r"\epsilon'=\max\{\epsilon/k,\sqrt{8\rho/k}\}",
)
def several_growing(
    *,
    size: int,
    log_growth: Callable[[int], float],
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to come within ``alpha`` of the best of ``k`` concepts, one selection each.

    >>> from tacit.problems.finite.growth_functions import intervals
    >>> several_growing(size=2**127, log_growth=intervals, k=10, alpha=Fraction(1, 10),
    ...                 beta=Fraction(1, 10), epsilon=Fraction(1)).n
    28908
    """
    each, failure, _ = several_upper.one_of(epsilon, delta, k, beta)
    inner = deviations.growth(
        size=size,
        log_growth=log_growth,
        alpha=alpha,
        beta=failure,
        epsilon=each,
        relation=relation,
    )
    return SampleBound(
        n=inner.n, claim=several_upper.BNS_34, terms=inner.terms, choices=inner.choices
    )
