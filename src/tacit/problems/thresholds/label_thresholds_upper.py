r"""Thresholds when only labels are private: no domain and no logarithm of it."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np

from tacit.bounds.search import least
from tacit.bounds.tails import SLACK, Floats, binomial, fading, failure
from tacit.bounds.upper import deviations
from tacit.core import Claim, SampleBound, theorem
from tacit.core.numbers import positive, probability
from tacit.exact.balls import above, ball

_PROOF = "problems/thresholds/label_thresholds.proof.md"
_ROWS = 256

REALIZABLE = Claim(
    paper="own",
    locator="Theorem 2 of problems/thresholds/label_thresholds.proof.md",
    statement="one threshold a gap of the public values, selected by mistakes, errs by at most "
    "alpha once E[1 if min(L, R) = 0, else G((e^(-rate L) + e^(-rate R))/(1 - e^-rate))] <= beta, "
    "(L, R) multinomial(n; alpha, alpha), for every domain",
    proof=_PROOF,
)
AGNOSTIC = Claim(
    paper="own",
    locator="Theorem 3 of problems/thresholds/label_thresholds.proof.md",
    statement="one threshold a gap of the public values, selected by mistakes, comes within alpha "
    "of the best once sum_x (G(x) - G(x+1)) min(1, 4 exp(-(alpha n - x)^2/(2n))) <= beta with "
    "N = n, for every domain",
    proof=_PROOF,
)


@theorem(
    REALIZABLE,
    kind="upper",
    setting="thresholds; proper; realizable; label privacy; any domain",
    formula=r"\mathbb{E}\Bigl[[\min(L,R)=0]+[\min(L,R)>0]\,"
    r"G\bigl(\tfrac{e^{-\lambda L}+e^{-\lambda R}}{1-e^{-\lambda}}\bigr)\Bigr]\le\beta",
)
def realizable(*, alpha: Fraction, beta: Fraction, epsilon: Fraction) -> SampleBound:
    """Records for a threshold of error at most ``alpha``, whatever the domain.

    >>> realizable(alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1)).n
    112
    """
    return _realizable(
        probability(alpha, name="alpha"),
        probability(beta, name="beta"),
        positive(epsilon, name="epsilon"),
    )


@lru_cache(maxsize=1024)
def _realizable(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> SampleBound:
    rate = epsilon / 2
    n = least(lambda count: Fraction(_tail(count, alpha, rate)) <= beta)
    choices = {"epsilon": epsilon, "selector": "exponential"}
    return SampleBound(n=n, claim=REALIZABLE, terms={"records": float(n)}, choices=choices)


def _tail(n: int, alpha: Fraction, rate: Fraction) -> float:
    # Not below the expectation, which falls with n.
    scale = above(lambda: -((-(-ball(rate)).expm1()).log()))
    if 2 * alpha >= 1:
        window = binomial(n, alpha)
        side = fading(log_size=scale, rate=rate, start=window.start, count=len(window.weights))
        chances = _charged(side, window.start)
        return float(np.dot(window.weights, chances)) * SLACK + window.missing
    totals = binomial(n, 2 * alpha)
    step = -(-len(totals.weights) // _ROWS)
    rows = np.add.reduceat(totals.weights, np.arange(0, len(totals.weights), step))
    table = fading(log_size=scale, rate=rate, start=0, count=totals.stop + 1)
    expected = 0.0
    for row, chance in enumerate(rows):
        total = totals.start + row * step
        split = binomial(total, Fraction(1, 2))
        left = table[split.start : split.stop]
        right = table[total - split.stop + 1 : total - split.start + 1][::-1]
        both = failure(left + right, selector="exponential")
        if split.start == 0:
            both[0] = 1.0
        if split.stop == total + 1:
            both[-1] = 1.0
        expected += float(chance) * (float(np.dot(split.weights, both)) + split.missing)
    return expected * SLACK + totals.missing


def _charged(side: Floats, start: int) -> Floats:
    # No record in the region: the gap may reach beyond it, so this counts as a failure.
    chances = failure(side, selector="exponential")
    if start == 0:
        chances[0] = 1.0
    return chances


@theorem(
    AGNOSTIC,
    kind="upper",
    setting="thresholds; proper; agnostic; label privacy; any domain",
    formula=r"\sum_x\bigl(G(x)-G(x+1)\bigr)\min\{1,4e^{-(\alpha n-x)^2/2n}\}\le\beta,\ N=n",
)
def agnostic(*, alpha: Fraction, beta: Fraction, epsilon: Fraction) -> SampleBound:
    """Records to come within ``alpha`` of the best threshold, whatever the domain.

    >>> agnostic(alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1)).n
    1141
    """
    return _agnostic(
        probability(alpha, name="alpha"),
        probability(beta, name="beta"),
        positive(epsilon, name="epsilon"),
    )


@lru_cache(maxsize=1024)
def _agnostic(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> SampleBound:
    rate = epsilon / 2
    chance = deviations.four_halves(alpha)

    def failure_at(n: int, leads: deviations.Least) -> Fraction:
        log_wrong = above(lambda: ball(n).log())
        return Fraction(
            deviations.failure(
                n=n, log_wrong=log_wrong, alpha=alpha, beta=beta, rate=rate, least=leads
            )
        )

    def for_good(n: int) -> bool:
        # Judged between whole leads too, the bound falls with n from here on.
        settled = n >= 8 and alpha * n * rate >= 2
        return settled and failure_at(n, lambda x, m: chance(x + 1, m)) <= beta

    n = least(for_good)
    while n > 1 and failure_at(n - 1, chance) <= beta:
        n -= 1
    choices = {"epsilon": epsilon, "selector": "exponential"}
    return SampleBound(n=n, claim=AGNOSTIC, terms={"records": float(n)}, choices=choices)
