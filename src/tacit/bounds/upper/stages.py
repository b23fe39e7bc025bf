r"""Records for draws that spend all they were granted, in one step or in several.

``whole_budget`` inverts the comparator bound of ``occam.py`` at the full rate. ``staged`` needs
only that a rule makes at most so many mistakes more than a comparator, on every table, with
some probability over the coins. ``stages.proof.md`` has the proofs.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import cosh, log, sinh, sqrt

from tacit.bounds.search import least_near
from tacit.bounds.upper.occam import COMPARATOR, agnostic_excess
from tacit.core import Claim, NumericalDoubt, SampleBound, theorem
from tacit.core.numbers import exact, positive, probability
from tacit.exact.balls import Ball, above, ball, ceiling

_MOST = 1 << 60  # records beyond which a bound is given up
_FLOAT_REACH = 700  # exp(700) is still a float

STAGES = Claim(
    paper="own",
    locator="Stages, Theorem 1",
    statement="if a released rule makes at most K mistakes more on the table than a fixed "
    "comparator with probability 1 - beta/2, then from n records on with K/n + "
    "sqrt(ln(4/beta)/2n) + sqrt(ln(4/(least prior * beta))/2n) <= alpha it errs at most alpha "
    "more than the comparator, with probability 1 - beta",
    proof="bounds/upper/stages.proof.md",
)


def mistakes_of_one_draw(*, prior: Fraction, rate: Fraction, beta: Fraction) -> Fraction:
    """How many mistakes more than a comparator of this prior one draw makes, but for ``beta``."""
    return above(lambda: (1 / (ball(prior) * ball(beta))).log() / ball(rate))


@theorem(
    STAGES,
    kind="upper",
    setting="agnostic; any relation; any marginal; public prior; any number of draws",
    formula=r"n=\Big(\frac{c+\sqrt{c^2+4\alpha K}}{2\alpha}\Big)^2,\quad "
    r"c=\sqrt{\tfrac12\ln\tfrac4\beta}+\sqrt{\tfrac12\ln\tfrac4{\pi_{\min}\beta}}",
)
def staged(
    *, extra: Fraction, least_prior: Fraction, alpha: Fraction, beta: Fraction
) -> SampleBound:
    """Records for an error of ``alpha`` above a comparator, ``extra`` mistakes being lost to draws.

    ``extra`` must hold with probability ``1 - beta/2`` over the coins, on every table.

    >>> staged(extra=Fraction(100), least_prior=Fraction(1, 10**6), alpha=Fraction(1, 10),
    ...        beta=Fraction(1, 20)).n
    3756
    """
    extra, prior = exact(extra, name="extra"), positive(least_prior, name="least_prior")
    alpha, beta = probability(alpha, name="alpha"), probability(beta, name="beta")

    def sampling() -> Ball:
        one = (ball(4 / beta).log() / 2).sqrt()
        return one + (ball(4 / (prior * beta)).log() / 2).sqrt()

    def records() -> Ball:
        c = sampling()
        root = (c + (c * c + 4 * ball(alpha) * ball(extra)).sqrt()) / (2 * ball(alpha))
        return root * root

    free = float(above(sampling)) ** 2 / float(alpha) ** 2
    n = ceiling(records)
    return SampleBound(
        n=max(1, n), claim=STAGES, terms={"sampling": free, "privacy": max(0.0, n - free)}
    )


@lru_cache(maxsize=4096)
def whole_budget(
    *, prior: Fraction, least_prior: Fraction, rate: Fraction, alpha: Fraction, beta: Fraction
) -> SampleBound:
    """Records from which one draw at this rate errs at most ``alpha`` above a comparator.

    The least ``n`` at which ``agnostic_excess``, which falls in ``n``, is at most ``alpha``.
    """

    def enough(n: int) -> bool:
        if n > _MOST:
            raise NumericalDoubt("more records than can be computed")
        excess = agnostic_excess(n=n, rate=rate, prior=prior, least_prior=least_prior, beta=beta)
        return excess <= alpha

    seems = _seems_enough(prior=prior, least_prior=least_prior, rate=rate, alpha=alpha, beta=beta)
    high = least_near(enough, min(seems, _MOST))
    odds = above(lambda: ball(3 / (prior * beta)).log())
    privacy = min(float(high), float(odds / rate / alpha))
    return SampleBound(
        n=high, claim=COMPARATOR, terms={"sampling": high - privacy, "privacy": privacy}
    )


def _seems_enough(
    *, prior: Fraction, least_prior: Fraction, rate: Fraction, alpha: Fraction, beta: Fraction
) -> float:
    """About where ``agnostic_excess`` comes down to ``alpha``; only says where to look first."""
    fast, small, sure = float(rate), float(alpha), -_log(beta)
    three = log(3)
    root = sqrt((three + sure) / 2) + sqrt((three + sure - _log(least_prior)) / 2)
    lost = (three + sure - _log(prior)) / fast
    seems = ((root + sqrt(root * root + 4 * small * lost)) / (2 * small)) ** 2
    left = cosh(fast) - small * sinh(fast) if fast < _FLOAT_REACH else 1.0
    return min(seems, (sure - _log(prior)) / -log(left)) if 0 < left < 1 else seems


def _log(value: Fraction) -> float:
    # Of a prior that may be too small for a float.
    return log(value.numerator) - log(value.denominator)
