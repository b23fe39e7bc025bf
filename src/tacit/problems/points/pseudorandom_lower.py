"""Points at pseudorandom positions: what an efficient learner cannot do."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.lower.packing import Budget, packed
from tacit.core import BadInput, Claim, Relation, SampleBound, Status, theorem
from tacit.core.numbers import exact, probability, whole

CLAIM = Claim(
    paper="BBKN13",
    locator="Theorem 6.1",
    statement="an efficient private learner of 2^l points at pseudorandom positions among 2^d that "
    "answers by points needs n with (2^d - 1) phi_b(n) <= b, K ~ Bin(n, alpha), b = beta + the "
    "distinguishing advantage, if the generator is pseudorandom",
    status=Status.IDEALISED,
    proof="problems/points/pseudorandom_lower.proof.md",
)


@theorem(
    CLAIM,
    kind="lower",
    setting="points at pseudorandom positions; answers are points; efficient; pure; a generator is "
    "assumed",
    formula=r"(2^d-1)\,\varphi_b(n)\le b,\ K\sim\mathrm{Bin}(n,\alpha),\quad b=\beta+\mathrm{adv}",
)
def efficient(
    *,
    bits: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    advantage: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records an efficient learner needs, as if all ``2**bits`` positions were possible.

    >>> efficient(bits=64, alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1)).n
    548
    """
    b = probability(beta, name="beta") + exact(advantage, name="advantage")
    if not 0 < b < 1:
        raise BadInput("beta plus the advantage must be below 1")
    n = packed(
        alternatives=(1 << whole(bits, name="bits", least=1)) - 1,
        p=probability(alpha, name="alpha"),
        beta=b,
        budget=Budget.of(epsilon=epsilon, relation=relation),
    )
    return SampleBound(n=n, claim=CLAIM, terms={"telling positions apart": float(n)})
