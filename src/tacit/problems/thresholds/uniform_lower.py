"""Thresholds under the uniform distribution: the records stay, only labels change."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.lower.applies import ALL, privacy
from tacit.bounds.lower.packing import Budget, packed
from tacit.core import (
    LOWER_BOUNDS,
    Claim,
    LowerBound,
    Relation,
    SampleBound,
    Speaks,
    Task,
    theorem,
)
from tacit.core.numbers import probability, whole
from tacit.problems.thresholds.thresholds import Thresholds

CLAIM = Claim(
    paper="own",
    locator="thresholds, uniform",
    statement="learning thresholds under the uniform distribution on T values in any way needs n "
    "with 2 phi(n) <= beta, K ~ Bin(n, d/T), d = floor(2 alpha T) + 1",
    proof="bounds/lower/packing.proof.md",
)


@theorem(
    CLAIM,
    kind="lower",
    setting="thresholds; uniform distribution; any answer; any setting; every relation",
    formula=r"2\,\varphi(n)\le\beta,\quad K\sim\mathrm{Bin}(n,d/T),\ d=\lfloor2\alpha T\rfloor+1",
)
def shifted_cuts(
    *,
    size: int,
    domain_size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """A cut in the middle and one more than ``2 alpha`` away on either side, if there is room.

    >>> shifted_cuts(size=2**32, domain_size=2**32, alpha=Fraction(1, 100),
    ...              beta=Fraction(1, 20), epsilon=Fraction(1)).n
    240
    """
    size = whole(size, name="size", least=1)
    values = whole(domain_size, name="domain_size", least=1)
    apart = int(2 * probability(alpha, name="alpha") * values) + 1
    n = packed(
        alternatives=min(2, (size - 1) // apart),
        p=Fraction(apart, values),
        beta=probability(beta, name="beta"),
        budget=Budget.of(epsilon=epsilon, delta=delta, relation=relation),
    )
    return SampleBound(n=n, claim=CLAIM, terms={"telling cuts apart": float(n)})


def _records(task: Task) -> SampleBound:
    accuracy = task.accuracy
    return shifted_cuts(
        size=task.concept_class.size or 0,
        domain_size=task.concept_class.domain.size,
        alpha=accuracy.alpha,
        beta=accuracy.beta,
        **privacy(task),
    )


LOWER_BOUNDS.add(
    LowerBound(
        name="shifted cuts",
        applies=Speaks(classes=(Thresholds,), relations=ALL, marginals=("uniform",)),
        claim=CLAIM,
        records=_records,
    )
)
