"""How many records may stay when the others are starred (BBKN13 Lemma 4.4)."""

from __future__ import annotations

from fractions import Fraction

from tacit.core import Claim, theorem
from tacit.core.numbers import positive
from tacit.exact.balls import ball, below

_GRID = 1 << 64

LEMMA_4_4 = Claim(
    paper="BBKN13",
    locator="Lemma 4.4",
    statement="keeping each record with probability (e^eps - 1)/(e^eps* - 1) and starring "
    "the rest turns an eps*-DP mechanism into an eps-DP one; the rate is larger than printed",
    proof="mechanisms/star_sampling.proof.md",
)


@theorem(
    LEMMA_4_4,
    kind="fact",
    setting="pure; replace-one; a star is an ordinary entry",
    formula=r"q=\frac{e^{\epsilon}-1}{e^{\epsilon^*}-1}",
)
def star_rate(*, epsilon: Fraction, inner: Fraction) -> Fraction:
    """The chance to stay that turns ``inner``-DP into ``epsilon``-DP, rounded down.

    >>> round(float(star_rate(epsilon=Fraction(1), inner=Fraction(2))), 6)
    0.268941
    """
    epsilon, inner = positive(epsilon, name="epsilon"), positive(inner, name="inner")
    if epsilon >= inner:
        return Fraction(1)
    rate = below(lambda: ball(epsilon).expm1() / ball(inner).expm1())
    return Fraction(int(rate * _GRID), _GRID)


def printed_star_rate(*, epsilon: Fraction, inner: Fraction) -> Fraction:
    """The smaller rate of the paper, rounded down."""

    def rate() -> object:
        grown, high = ball(epsilon).exp(), ball(inner).exp()
        return (grown - 1) / (high + grown - ball(epsilon - inner).exp() - 1)

    return Fraction(int(below(rate) * _GRID), _GRID)
