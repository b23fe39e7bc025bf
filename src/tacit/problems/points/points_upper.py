r"""Points, proper and realizable: the exact tail instead of the union bound.

Let the target have probability ``p``. If ``p > alpha`` the other ``N`` points are all
wrong and each makes at least ``K ~ Bin(n, p)`` mistakes, so selection fails with
probability at most ``E G(N exp(-rate K))``, ``G(w) = w/(1+w)``. If ``p <= alpha``, a wrong point
has probability above ``alpha - p``, so there are fewer than ``1/q`` of them, with
``q = (alpha-p)/(1-p)``. Both cases are covered by intervals of ``q``: see ``_suffices`` and
``points_upper.proof.md``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np

from tacit.bounds.search import least
from tacit.bounds.tails import SLACK, binomial, fading, failure
from tacit.bounds.upper import selection
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import Ball, above, ball, below
from tacit.mechanisms.calibration import spread

CLAIM = Claim(
    paper="BBKN13",
    locator="Lemma 3.4",
    statement="proper points, realizable: n records suffice once the exact tail "
    "E[w/(1+w)], w = N exp(-rate K), K ~ Bin(n, alpha), and its cover are at most beta; "
    "constants ours",
    proof="problems/points/points_upper.proof.md",
)

_DEPTH = 10


@theorem(
    CLAIM,
    kind="upper",
    setting="points; proper; realizable; pure; all relations",
    formula=r"\mathbb{E}\frac{w}{1+w}\le\beta,\quad w=(|C|-1)e^{-\lambda K},\ "
    r"K\sim\mathrm{Bin}(n,\alpha),\ \lambda=\epsilon/w_{\rm rel}",
)
def exact_tail(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
    selector: str = "exponential",
) -> SampleBound:
    """Records to select a point of error at most ``alpha`` among ``size`` points.

    >>> exact_tail(size=2**64, alpha=Fraction(1, 10), beta=Fraction(1, 10),
    ...            epsilon=Fraction(1)).n
    1018
    """
    return _exact_tail(
        size=whole(size, name="size", least=1),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        relation=relation,
        selector=selection.check_selector(selector),
    )


@lru_cache(maxsize=4096)
def _exact_tail(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation,
    selector: str,
) -> SampleBound:
    rough = selection.realizable(
        size=size, alpha=alpha, beta=beta, epsilon=epsilon, relation=relation, selector=selector
    )
    rate = epsilon / spread(relation)
    n = least(
        lambda m: _suffices(
            n=m, wrong=size - 1, alpha=alpha, beta=beta, rate=rate, selector=selector
        ),
        most=rough.n,
    )
    scale = n / rough.n
    return SampleBound(
        n=n,
        claim=CLAIM,
        terms={name: scale * part for name, part in rough.terms.items()},
        choices={"epsilon": epsilon, "selector": selector},
    )


def _suffices(
    *, n: int, wrong: int, alpha: Fraction, beta: Fraction, rate: Fraction, selector: str
) -> bool:
    # Up to `few` wrong points are harmless by the union bound, however their mass lies.
    few = _harmless(n=n, alpha=alpha, beta=beta, rate=rate, selector=selector)
    if wrong <= few:
        return True
    end = min(Fraction(1, few + 1), alpha) if few else alpha
    start = min(Fraction(1, wrong), end)
    # Every cover of what lies up to `start` holds its end: too few records are known by it alone.
    mass = (alpha - start) / (1 - start)
    if _tail(n=n, p=mass, count=wrong, spare=start, rate=rate, selector=selector) > beta:
        return False
    intervals = [(start, end, 0), (Fraction(0), start, 0)]
    while intervals:
        low, high, depth = intervals.pop()
        count = min(wrong, (low.denominator - 1) // low.numerator) if low else wrong
        mass = (alpha - high) / (1 - high)
        tail = _tail(n=n, p=mass, count=count, spare=low, rate=rate, selector=selector)
        if tail <= beta:
            continue
        if depth == _DEPTH:
            return False
        middle = _middle(low, high)
        intervals += [(low, middle, depth + 1), (middle, high, depth + 1)]
    return True


def _harmless(*, n: int, alpha: Fraction, beta: Fraction, rate: Fraction, selector: str) -> int:
    # The greatest m known to satisfy m * shrink**n <= beta (times 2 for permute-and-flip).
    halves = 2 if selector == "permute-and-flip" else 1

    def ratio() -> Ball:
        shrink = selection.realizable_factor(alpha=alpha, rho=Fraction(0), rate=rate)
        return ball(beta * halves) / shrink**n

    return int(below(ratio))


def _middle(low: Fraction, high: Fraction) -> Fraction:
    # About the geometric mean of far ends, the mean of near ones.
    if low and high > 4 * low:
        steps = (int(high / low).bit_length() - 1) // 2
        return low * (1 << steps)
    return (low + high) / 2


def _tail(
    *, n: int, p: Fraction, count: int, spare: Fraction, rate: Fraction, selector: str
) -> Fraction:
    # Not below E G(count exp(-rate K) (1 - spare (1 - exp(-rate)))**(n - K)), K ~ Bin(n, p).
    def relief() -> Ball:
        return (1 + ball(spare) * ball(-rate).expm1()).log()

    window = binomial(n, p)
    log_size = above(lambda: ball(count).log() + n * relief())
    slope = below(lambda: ball(rate) + relief())
    weights = fading(log_size=log_size, rate=slope, start=window.start, count=len(window.weights))
    total = float(np.dot(window.weights, failure(weights, selector=selector)))
    return Fraction(total * SLACK + window.missing)
