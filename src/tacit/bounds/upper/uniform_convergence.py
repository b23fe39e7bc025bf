"""How far frequencies on records are from probabilities, for a whole class at once (CH11)."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.formula import ln
from tacit.bounds.search import least
from tacit.core import BadInput, Claim, SampleBound, Status, theorem
from tacit.core.numbers import exact, probability, whole
from tacit.exact.balls import Ball, above, ball, certainly_less

LEMMA_16 = Claim(
    paper="CH11",
    locator="Lemma 16",
    statement="with probability 1 - beta for each direction, all functions of a class of growth "
    "function s have P <= F + sqrt(P e) and F <= P + sqrt(P e) + e, F their frequency on n "
    "records and e = (4/n)(ln s(2n) + ln(4/beta)); after Vapnik and Chervonenkis",
    status=Status.CITED,
)
LEMMA_17 = Claim(
    paper="CH11",
    locator="Lemma 17",
    statement="the same for the disagreement of any two of a class of VC dimension V, with "
    "e = (8 V ln(2en/V) + 4 ln(4/beta))/n and n >= V/2",
    proof="bounds/upper/uniform_convergence.proof.md",
)
LEMMA_23 = Claim(
    paper="CH11",
    locator="Lemma 23",
    statement="with n records such that Lemma 17's e at beta = 1/4 is at most r/2, with "
    "probability 1/2: pairs that differ on more than 2r of the records differ by more than r, "
    "and every 6r-packing of a ball of radius 12r is a 4r-packing of one of radius 16r on the "
    "records; an explicit number in place of the constant C",
    proof="bounds/upper/uniform_convergence.proof.md",
)


@theorem(
    LEMMA_16,
    kind="fact",
    setting="any class of 0/1 functions; independent records",
    formula=r"e=\tfrac4n\left(\ln s(2n)+\ln\tfrac4\beta\right)",
)
def lemma_16(*, n: int, ways: int, beta: Fraction) -> Fraction:
    """The ``e`` of relative deviations, where the class labels ``2n`` points in ``ways`` ways.

    >>> float(lemma_16(n=1000, ways=2001, beta=Fraction(1, 20)))  # doctest: +ELLIPSIS
    0.0479...
    """
    records, labels = whole(n, name="n", least=1), whole(ways, name="ways", least=1)
    failure = probability(beta, name="beta")
    return above(lambda: 4 * (ln(labels) + ln(4 / failure)) / records)


@theorem(
    LEMMA_17,
    kind="fact",
    setting="disagreements of two concepts; VC dimension V; independent records",
    formula=r"e=\tfrac1n\left(8V\ln\tfrac{2en}{V}+4\ln\tfrac4\beta\right)",
)
def lemma_17(*, n: int, vc: int, beta: Fraction) -> Fraction:
    """The ``e`` of relative deviations, for the disagreement of any two concepts.

    >>> float(lemma_17(n=1000, vc=1, beta=Fraction(1, 4)))  # doctest: +ELLIPSIS
    0.0798...
    """
    records, dimension = whole(n, name="n", least=1), whole(vc, name="vc", least=1)
    failure = probability(beta, name="beta")
    if 2 * records < dimension:
        raise BadInput("n must be at least half the VC dimension")
    return above(lambda: _pairs(records, dimension, failure))


def _pairs(n: int, vc: int, beta: Fraction) -> Ball:
    growth = 8 * vc * (ball(Fraction(2 * n, vc)).log() + 1)
    return (growth + 4 * ln(4 / beta)) / n


@theorem(
    LEMMA_23,
    kind="upper",
    setting="VC dimension V; any law of the features; r in (0, 1)",
    formula=r"8V\ln\tfrac{2en}{V}+4\ln16\le\tfrac{rn}{2}",
)
def lemma_23(*, vc: int, radius: Fraction) -> SampleBound:
    """Records on which packings look as they are, with probability one half.

    >>> lemma_23(vc=2, radius=Fraction(1, 10)).n
    3116
    """
    dimension, r = whole(vc, name="vc", least=1), exact(radius, name="radius")
    if not 0 < r < 1:
        raise BadInput("radius must be between 0 and 1")

    def holds(n: int) -> bool:
        if 2 * n < dimension:
            return False
        return certainly_less(lambda: _pairs(n, dimension, Fraction(1, 4)), lambda: ball(r / 2))

    return SampleBound(n=least(holds), claim=LEMMA_23)
