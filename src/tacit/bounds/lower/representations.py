"""Classes in which every concept is the only good answer somewhere, and their size."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.lower.packing import Budget, everything
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import probability, whole

THEOREM_3_6 = Claim(
    paper="BBKN13",
    locator="Theorem 3.6",
    statement="learning with an alpha-minimal representation of size |H| needs "
    "(1/eps) ln((|H|-1)(1-beta)/beta) records",
    proof="bounds/lower/packing.proof.md",
)
LEMMA_3_10 = Claim(
    paper="BBKN13",
    locator="Lemma 3.10",
    statement="every class that alpha-represents the points of d bits, alpha < 1/2, has at "
    "least d hypotheses",
    proof="bounds/lower/packing.proof.md",
)


@theorem(
    THEOREM_3_6,
    kind="lower",
    setting="alpha-minimal representations; realizable and agnostic; pure or approximate; records",
    formula=r"n\ge\frac1\epsilon\ln\frac{(|H|-1)(1-\beta)}{\beta}",
)
def minimal(
    *,
    size: int,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
    claim: Claim = THEOREM_3_6,
) -> SampleBound:
    """``size`` hypotheses, each the only good answer for some concept and distribution.

    >>> minimal(size=1000, beta=Fraction(1, 10), epsilon=Fraction(1, 2)).n
    19
    """
    n = everything(
        alternatives=whole(size, name="size", least=1) - 1,
        beta=probability(beta, name="beta"),
        budget=Budget.of(epsilon=epsilon, delta=delta, relation=relation),
    )
    return SampleBound(n=n, claim=claim, terms={"telling concepts apart": float(n)})


@theorem(
    LEMMA_3_10,
    kind="fact",
    setting="points of d bits; alpha < 1/2",
    formula=r"|H|\ge d",
)
def representation_size(*, bits: int) -> int:
    """Two points that the class separates must be separated by the representation.

    >>> representation_size(bits=64)
    64
    """
    return whole(bits, name="bits", least=1)
