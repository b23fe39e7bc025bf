"""Points at pseudorandom positions: what an efficient learner cannot do."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.lower.packing import Budget, everything
from tacit.core import BadInput, Claim, Relation, SampleBound, Status, theorem
from tacit.core.numbers import exact, probability, whole

CLAIM = Claim(
    paper="BBKN13",
    locator="Theorem 6.1",
    statement="an efficient proper private learner of 2^l points at pseudorandom positions among "
    "2^d needs (1/eps) ln((2^d-1)(1-b)/b) records, b = beta + the distinguishing advantage, if "
    "the generator is pseudorandom",
    status=Status.IDEALISED,
)


@theorem(
    CLAIM,
    kind="lower",
    setting="points at pseudorandom positions; proper, efficient; pure; a generator is assumed",
    formula=r"n\ge\tfrac1\epsilon\ln\tfrac{(2^d-1)(1-b)}b,\quad b=\beta+\mathrm{adv}",
)
def efficient(
    *,
    bits: int,
    beta: Fraction,
    epsilon: Fraction,
    advantage: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records an efficient learner needs, as if all ``2**bits`` positions were possible."""
    b = probability(beta, name="beta") + exact(advantage, name="advantage")
    if not 0 < b < 1:
        raise BadInput("beta plus the advantage must be below 1")
    n = everything(
        alternatives=(1 << whole(bits, name="bits", least=1)) - 1,
        beta=b,
        budget=Budget.of(epsilon=epsilon, relation=relation),
    )
    return SampleBound(n=n, claim=CLAIM, terms={"telling positions apart": float(n)})
