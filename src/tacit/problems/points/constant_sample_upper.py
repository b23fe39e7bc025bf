r"""Points from a number of records that is free of the domain, the way of BBKN13 section 4.2.

A try sees ``m`` records, keeps each with probability ``c = pick * star rate``, answers with
the only point it can be and blurs it with a random set of density ``q = 2**-bits``. It
fails to come within ``rho`` with probability at most ``f`` if, for some ``0 < t < 1``,

    q + q / ((1 - t) rho) <= f     and     q + q / rho + (1 - c t rho)^m <= f,

so ``N`` tries and a selection fail with probability at most ``f^N`` plus the selection's own
(``problems/points/constant_sample.proof.md``). Everything is optimised; the paper's own constants
stand beside as ``printed``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import exp, expm1, log

import numpy as np

from tacit.bounds.upper import selection
from tacit.core import BadInput, Claim, SampleBound, theorem
from tacit.core.numbers import positive, probability
from tacit.exact.balls import Ball, ball, ceiling
from tacit.mechanisms.calibration import pick_rate, star_rate, try_epsilon

_PROOF = "problems/points/constant_sample.proof.md"

CLAIM_4_5 = Claim(
    paper="BBKN13",
    locator="Claim 4.5",
    statement="improper points, realizable, as printed: N ceil(24576 ln 4/(eps alpha^2)) + "
    "ceil(24 ln(3/b^2)/(eps alpha)) records, N = ceil(ln(5/b)/ln 1.25), b = min(beta, 0.01)",
    proof=_PROOF,
)
THEOREM_4_8 = Claim(
    paper="BBKN13",
    locator="Theorem 4.8",
    statement="improper points, realizable, efficient: N m + n_R(|H| = N, rho) records suffice on "
    "every domain, when a try on m records fails with probability at most f, f^N < beta",
    proof=_PROOF,
)


@theorem(
    CLAIM_4_5,
    kind="upper",
    setting="points; improper; realizable; pure; replace-one; epsilon below 1, alpha below 1/2",
    formula=r"N\lceil 24576\ln 4/(\epsilon\alpha^2)\rceil+\lceil 24\ln(3/b^2)/(\epsilon\alpha)"
    r"\rceil,\quad N=\lceil\ln(5/b)/\ln 1.25\rceil,\ b=\min\{\beta,0.01\}",
)
def printed(*, alpha: Fraction, beta: Fraction, epsilon: Fraction) -> int:
    """Records by the constants that the paper itself writes down, its slips repaired.

    >>> printed(alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1))
    95397299
    """
    b = min(beta, Fraction(1, 100))
    tries = ceiling(lambda: ball(5 / b).log() / ball(Fraction(5, 4)).log())
    each = ceiling(lambda: 24576 * ball(4).log() / ball(epsilon * alpha**2))
    return tries * each + ceiling(lambda: 24 * ball(3 / b**2).log() / ball(epsilon * alpha))


def keep_rate(*, bits: int, epsilon: Fraction) -> Fraction:
    """Star rate times pick rate, rounded down as the learner rounds it."""
    stay = star_rate(epsilon=epsilon, inner=try_epsilon(epsilon))
    return stay * pick_rate(bits=bits, epsilon=epsilon)


@theorem(
    THEOREM_4_8,
    kind="upper",
    setting="points; improper; realizable; pure; replace-one and label",
    formula=r"\min\, N m+n_R(N,\alpha,\beta-f^N,\rho),\quad "
    r"m=\Big\lceil\frac{\ln(f-q-q/\rho)}{\ln(1-c\,t\rho)}\Big\rceil,\ q=2^{-b},\ "
    r"t=1-\frac{q}{\rho(f-q)}",
)
def constant_points(*, alpha: Fraction, beta: Fraction, epsilon: Fraction) -> SampleBound:
    """Records to learn a point function over any domain by boosting a noisy try."""
    return _constant_points(
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
    )


@lru_cache(maxsize=256)
def _constant_points(*, alpha: Fraction, beta: Fraction, epsilon: Fraction) -> SampleBound:
    bits, rho, fail, tries = _search(alpha=float(alpha), beta=float(beta), epsilon=float(epsilon))
    error, chance = alpha * rho, Fraction(fail, 100)
    q = Fraction(1, 1 << bits)
    rest = chance - q - q / error
    share = 1 - q / (error * (chance - q))
    if rest <= 0 or share <= 0:
        raise BadInput("alpha or epsilon is too small for this learner")
    hit = keep_rate(bits=bits, epsilon=epsilon) * share * error

    def records() -> Ball:
        return ball(rest).log() / (-ball(hit)).log1p()

    each = ceiling(records)
    inner = selection.realizable(
        size=tries, alpha=alpha, beta=beta - chance**tries, epsilon=epsilon, rho=error
    )
    return SampleBound(
        n=tries * each + inner.n,
        claim=THEOREM_4_8,
        terms={"tries": float(tries * each), "selection": float(inner.n)},
        printed=printed(alpha=alpha, beta=beta, epsilon=epsilon),
        choices={"bits": bits, "tries": tries, "records": each, "selection": inner.choices},
    )


def _search(*, alpha: float, beta: float, epsilon: float) -> tuple[int, Fraction, int, int]:
    # Floats only propose; `_constant_points` then counts exactly.
    i, bits, fail, more = np.ogrid[1:32, 1:34, 5:100:5, 0:5]
    rho, q, f = alpha * i / 32, 0.5**bits, fail / 100
    lam = np.minimum(epsilon / 2, np.log(alpha / rho) / 2)
    speed = -np.log1p(alpha * np.expm1(-lam) + rho * np.expm1(lam))
    keep = q * expm1(min(epsilon, 500)) / (1 + (max(4.0, exp(min(epsilon, 500))) - 1) * q)
    tries = np.ceil(log(beta) / np.log(f)) + more
    with np.errstate(all="ignore"):
        rest, share = f - q - q / rho, 1 - q / (rho * (f - q))
        each = np.log(rest) / np.log1p(-np.minimum(0.999, keep * share * rho))
        left = beta - f**tries
        choice = np.where(tries > 1, np.log(np.maximum(1, tries - 1) / left) / speed, 1.0)
        fits = (f > q) & (rest > 0) & (share > 0) & (left > 0)
        n = np.where(fits, tries * each + choice, np.inf)
    best = np.unravel_index(int(np.nanargmin(n)), n.shape)
    if not np.isfinite(n[best]):
        raise BadInput("alpha or beta is too small for this learner")
    chosen = int(np.broadcast_to(tries, n.shape)[best])
    at_i, at_bits, at_fail, _ = (int(place) for place in best)
    return at_bits + 1, Fraction(at_i + 1, 32), 5 * at_fail + 5, chosen
