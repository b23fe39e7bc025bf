r"""Interior point and robust minimum: how many records suffice on every data set."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import log

from tacit.bounds.split import best_shares
from tacit.bounds.upper.histograms import lead
from tacit.bounds.upper.selection import check_selector
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.geometric_tails import reach
from tacit.mechanisms.calibration import release_threshold, spread

PURE = Claim(
    paper="B20",
    locator="Theorem 13",
    statement="2h - 1 records suffice for an interior point of R values, and ranks 2h - 3 apart "
    "for a robust minimum, h = ln((R-1)(1-beta)/beta) / rate; constants ours",
    proof="mechanisms/interior_point.proof.md",
)
STABLE = Claim(
    paper="B20",
    locator="Theorem 13",
    statement="2A + 3g + s - 3 records suffice for an interior point of d-bit values: A covers "
    "the stability histogram, g the choice among d + 1 lengths, s that of a side; in place of "
    "the log-star algorithm; constants ours",
    proof="mechanisms/stable_prefix.proof.md",
)


@theorem(
    PURE,
    kind="upper",
    setting="interior point; pure; all relations; every data set",
    formula=r"n = 2\left\lceil\tfrac{w}{\epsilon}\ln\tfrac{(R-1)(1-\beta)}{\beta}\right\rceil-1",
)
def pure(
    *,
    size: int,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
    selector: str = "exponential",
) -> SampleBound:
    """Records for an interior point among ``size`` values.

    >>> pure(size=2**64, beta=Fraction(1, 20), epsilon=Fraction(1)).n
    189
    """
    check_selector(selector)
    epsilon = positive(epsilon, name="epsilon")
    rate = epsilon / spread(relation)
    depth = lead(wrong=size - 1, beta=probability(beta, name="beta"), rate=rate)
    terms = {"size of the domain": 2 * log(size) / float(rate)}
    return SampleBound(n=max(1, 2 * depth - 1), claim=PURE, terms=terms, choices={"depth": depth})


def rank_window(*, size: int, beta: Fraction, epsilon: Fraction) -> int:
    """How far apart the ranks of a robust minimum must be: ``high - low`` (rate epsilon/2)."""
    depth = lead(wrong=size - 1, beta=beta, rate=epsilon / 2)
    return max(0, 2 * (depth - 1) - 1)


@theorem(
    STABLE,
    kind="upper",
    setting="interior point; approximate; all relations; every data set",
    formula=r"n = 2A+3g+s-3,\quad A = T-2+r(w/\epsilon_2,\beta_2),\ "
    r"g = \tfrac{2}{\epsilon_1}\ln\tfrac{d(1-\beta_1)}{\beta_1},\ s = r(w/\epsilon_3,\beta_3)",
)
def stable_prefix(
    *,
    bits: int,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records for an interior point of values of ``bits`` bits.

    ``choices`` are the parameters of ``tacit.mechanisms.stable_prefix.StablePrefix``.

    >>> stable_prefix(bits=1000, beta=Fraction(1, 20), epsilon=Fraction(1),
    ...               delta=Fraction(1, 10**6)).n
    358
    """
    return _stable_prefix(
        bits=whole(bits, name="bits", least=1),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        delta=probability(delta, name="delta"),
        relation=relation,
    )


@lru_cache(maxsize=1024)
def _stable_prefix(
    *, bits: int, beta: Fraction, epsilon: Fraction, delta: Fraction, relation: Relation
) -> SampleBound:
    moved = spread(relation)

    def rough(shares: tuple[int, ...]) -> float:
        one, two, three, b1, b2, b3 = shares
        whole_e, whole_b = one + two + three, b1 + b2 + b3
        e1, e2, e3 = (float(epsilon) * part / whole_e for part in (one, two, three))
        p1, p2, p3 = (float(beta) * part / whole_b for part in (b1, b2, b3))
        return (
            2 * moved / e2 * (log(1 / delta) + log(1 / p2))
            + 6 / e1 * log(bits / p1)
            + moved / e3 * log(1 / p3)
        )

    shares = best_shares(rough, parts=6, units=192)
    e1, e2, e3 = (epsilon * part / sum(shares[:3]) for part in shares[:3])
    b1, b2, b3 = (beta * part / sum(shares[3:]) for part in shares[3:])
    threshold = release_threshold(epsilon=e2, delta=delta, relation=relation)
    low = threshold - 2 + reach(moved / e2, b2)
    gain = lead(wrong=bits, beta=b1, rate=e1 / 2)
    high = 2 * low + 3 * gain - 2
    side = reach(moved / e3, b3)
    return SampleBound(
        n=high - 1 + side,
        claim=STABLE,
        terms={
            "popular prefix": 2.0 * low,
            "length of the prefix": 3.0 * gain,
            "side of the prefix": float(side),
        },
        choices={
            "epsilon_length": e1,
            "epsilon_prefix": e2,
            "epsilon_side": e3,
            "low": low,
            "high": high,
        },
    )
