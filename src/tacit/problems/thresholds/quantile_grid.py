"""Thresholds under the uniform law: select among a public grid of cuts."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np

from tacit.bounds.search import least
from tacit.bounds.tails import SLACK, float_above
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Relation,
    SampleBound,
    Size,
    Task,
    Tiny,
    theorem,
)
from tacit.core.numbers import positive, probability, whole
from tacit.core.tiny import COARSE, labelled
from tacit.exact.balls import above, ball, below
from tacit.mechanisms.calibration import spread
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.thresholds.some_thresholds import SomeThresholds
from tacit.problems.thresholds.thresholds import Thresholds

CLAIM = Claim(
    paper="CH11",
    locator="Theorem 9",
    statement="thresholds under the uniform law, realizable: selecting among m + 1 cuts of equal "
    "spacing succeeds once w/(1+w) <= beta, w summed over the wrong cuts on either side; a cover "
    "of the class, weighed cut by cut",
    proof="problems/thresholds/quantile_grid.proof.md",
)

_MOST_TIMES = 12


def _odds(*, n: int, steps: int, values: int, alpha: Fraction, rate: Fraction) -> float:
    # Not below the expected weight of all wrong cuts against the one nearest to the target.
    gap, near = Fraction(1, steps) - Fraction(1, values), Fraction(1, steps) + Fraction(1, values)
    off = float_above(near / 2)
    places = np.arange(int((1 - alpha) / gap) + 1)
    apart = -float_above(-alpha) - float_above(-gap) * places
    drop = -float_above(-below(lambda: -ball(-rate).expm1()))
    rise = float_above(above(lambda: ball(rate).expm1()))
    same = np.clip(1 - (apart - off) * drop * (1 - 1e-12), 0, None)
    opposite = 1 - apart * drop * (1 - 1e-12) + off * rise
    with np.errstate(under="ignore"):
        return float(np.sum(same**n) + np.sum(np.clip(opposite, 0, None) ** n)) * SLACK


@theorem(
    CLAIM,
    kind="upper",
    setting="thresholds; proper; realizable; pure; uniform marginal; all relations",
    formula=r"w=\sum_i(1-(\alpha-o+is)(1-e^{-\lambda}))^n+"
    r"(1-(\alpha+is)(1-e^{-\lambda})+o(e^\lambda-1))^n,\ \tfrac{w}{1+w}\le\beta",
)
def quantile_grid(
    *,
    values: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records for a threshold of error at most ``alpha`` over ``values`` equally likely values.

    >>> quantile_grid(values=2**32, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...               epsilon=Fraction(1)).n
    119
    """
    return _quantile_grid(
        whole(values, name="values", least=1),
        probability(alpha, name="alpha"),
        probability(beta, name="beta"),
        positive(epsilon, name="epsilon"),
        relation,
    )


@lru_cache(maxsize=512)
def _quantile_grid(
    values: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, relation: Relation
) -> SampleBound:
    rate = epsilon / spread(relation)
    most = float(beta / (1 - beta)) * (1 - 1e-12)
    # Nearer than this to the target, the comparator beats every wrong cut on average.
    reach = below(lambda: ball(alpha) * -ball(-rate).expm1() / ball(rate).expm1())
    best: tuple[int, int] | None = None
    for times in range(2, _MOST_TIMES):
        steps = int(-(-times // alpha))
        off = (Fraction(1, steps) + Fraction(1, values)) / 2
        if 2 * steps > values or off > alpha or off >= reach:
            continue

        def suffices(n: int, steps: int = steps) -> bool:
            return _odds(n=n, steps=steps, values=values, alpha=alpha, rate=rate) <= most

        n = least(suffices, most=None if best is None else best[0])
        if best is None or n < best[0]:
            best = (n, steps)
    if best is None:
        raise BadInput("no grid is fine enough: the domain is too small, or epsilon too large")
    return SampleBound(
        n=best[0],
        claim=CLAIM,
        terms={"telling cuts apart": float(best[0])},
        choices={"steps": best[1], "epsilon": epsilon},
    )


def grid(base: Thresholds, steps: int) -> SomeThresholds:
    """``steps + 1`` boundaries of equal spacing, as far as whole numbers allow."""
    cuts = {max(base.first, i * base.domain.size // steps) for i in range(steps + 1)}
    return SomeThresholds(base, tuple(sorted(cuts)))


def _bound(task: Task) -> SampleBound:
    return quantile_grid(
        values=task.concept_class.domain.size,
        **task.asked("alpha", "beta", "epsilon", "relation"),
    )


def _build(task: Task, bound: SampleBound, _size: Size) -> FiniteClassLearner:
    base = task.of(Thresholds)
    return FiniteClassLearner(
        concept_class=grid(base, bound.choices["steps"]),
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
    )


def _tiny(_entry: Algorithm) -> Tiny:
    return Tiny(
        make=lambda e: FiniteClassLearner(concept_class=grid(Thresholds(size=4), 2), epsilon=e),
        records=labelled((0, 3)),
        n=2,
        only=[(((0, 1), (3, 0)), ((0, 0), (3, 0))), (((0, 1), (3, 0)), ((3, 1), (3, 0)))],
        faint=COARSE,
    )


QUANTILE_GRID = ALGORITHMS.add(
    Algorithm(
        name="threshold-grid",
        summary="select among public cuts of equal spacing; records do not grow with the domain",
        applies=Applies(proper=True, classes=(Thresholds,), settings=("realizable",), uniform=True),
        claim=CLAIM,
        bound=_bound,
        build=_build,
        certify=DRAWN,
        tiny=_tiny,
    )
)
