r"""What a rule errs in expectation that was drawn by prior times ``exp(-rate * mistakes)``.

One draw over many rules pays for the rule it is compared with, not for those that it could have
named: from some privacy on downwards, richer rules in the same draw cost nothing on new records.
``expected.proof.md`` has the proofs.
"""

from __future__ import annotations

from fractions import Fraction

from tacit.core import Claim, theorem
from tacit.core.numbers import positive, whole
from tacit.exact.balls import Ball, above, at, ball

_GRID = 10**4

EXPECTED = Claim(
    paper="own",
    locator="Expected, Theorem 1",
    statement="on average over the records and the draw, a rule drawn by prior * exp(-rate * "
    "mistakes) errs at most as much as a fixed comparator, plus ln(1/prior) of the comparator / "
    "(rate n), plus rate/8 or less",
    proof="bounds/upper/expected.proof.md",
)


@theorem(
    EXPECTED,
    kind="upper",
    setting="agnostic; pure; all relations; any marginal; public prior; in expectation",
    formula=r"g = \frac{\ln(1/\pi(h_0))}{\lambda n} + \min_{0<t\le\lambda}\Big\{\frac t8 + "
    r"\frac{\ln(1/\pi_{\min})}{n}\Big(\frac1t-\frac1\lambda\Big)\Big\}",
)
def expected_excess(*, n: int, rate: Fraction, prior: Fraction, least_prior: Fraction) -> Fraction:
    """How much more than a fixed comparator of this prior a drawn rule errs, on average.

    >>> float(expected_excess(n=10000, rate=Fraction(1, 20), prior=Fraction(1, 1000),
    ...                       least_prior=Fraction(1, 10**6)))
    0.0201
    """
    n = whole(n, name="n", least=0)
    rate, prior = positive(rate, name="rate"), positive(prior, name="prior")
    least = min(positive(least_prior, name="least_prior"), prior)
    if n == 0:
        return Fraction(1)
    with at(128):  # where in doubt, rate/8 holds as well
        inner = bool(ball(rate) * ball(rate) * n > 8 * (1 / ball(least)).log())

    def bound() -> Ball:
        privacy = (1 / ball(prior)).log() / (ball(rate) * n)
        if not inner:
            return privacy + ball(rate) / 8
        most = (1 / ball(least)).log()
        return privacy + (most / (2 * n)).sqrt() - most / (ball(rate) * n)

    return min(Fraction(1), Fraction(-(-above(bound) * _GRID // 1), _GRID))
