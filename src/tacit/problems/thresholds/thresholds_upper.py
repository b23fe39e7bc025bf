r"""Thresholds, proper and realizable: the exact tail instead of the union bound.

The wrong thresholds on the left of the target form a run; each makes at least as many
mistakes as the nearest one, whose error region has probability above ``alpha``. The
same holds on the right. With ``L`` and ``R`` the counts of two disjoint regions of
probability ``alpha``, selection fails with probability at most
``E G(a exp(-rate L) + (N-a) exp(-rate R))``, which is concave and symmetric in ``a``, so
``a = N/2`` is the worst (``thresholds_upper.proof.md``).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import log

import numpy as np

from tacit.bounds.search import crossing
from tacit.bounds.tails import SLACK, binomial, fading, failure
from tacit.bounds.upper import selection
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import above, ball
from tacit.mechanisms.calibration import spread

CLAIM = Claim(
    paper="own",
    locator="thresholds, exact tail",
    statement="proper thresholds, realizable: n records suffice once E[w/(1+w)] is at most "
    "beta, w = N/2 (exp(-rate L) + exp(-rate R)), (L, R) multinomial(n; alpha, alpha)",
    proof="problems/thresholds/thresholds_upper.proof.md",
)

_ROWS = 256
"""Totals are grouped into at most this many rows, each judged by its least total."""

_LONGEST = 1 << 21
"""Above this many mistakes the union bound serves: the tables would only grow."""


@theorem(
    CLAIM,
    kind="upper",
    setting="thresholds; proper; realizable; pure; all relations",
    formula=r"\mathbb{E}\frac{w}{1+w}\le\beta,\quad "
    r"w=\tfrac{|C|-1}{2}(e^{-\lambda L}+e^{-\lambda R}),\ "
    r"(L,R)\sim\mathrm{Mult}(n;\alpha,\alpha)",
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
    """Records to select a threshold of error at most ``alpha`` among ``size`` thresholds.

    >>> exact_tail(size=2**64, alpha=Fraction(1, 10), beta=Fraction(1, 10),
    ...            epsilon=Fraction(1)).n
    1041
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

    def excess(n: int) -> float:
        tail = _tail(n=n, wrong=size - 1, alpha=alpha, rate=rate, selector=selector)
        distance = abs(log(tail) - log(beta))
        return -distance if tail <= beta else max(distance, 1e-9)

    n = 1
    if rough.n * alpha > _LONGEST:
        n = rough.n
    elif size > 1:
        n = crossing(excess, most=rough.n)
    scale = n / rough.n
    return SampleBound(
        n=n,
        claim=CLAIM,
        terms={name: scale * part for name, part in rough.terms.items()},
        choices={"epsilon": epsilon, "selector": selector},
    )


def _tail(*, n: int, wrong: int, alpha: Fraction, rate: Fraction, selector: str) -> Fraction:
    # Not below the expectation. Two disjoint regions above 1/2 do not exist: then one
    # side is empty and a single region of probability alpha remains.
    if 2 * alpha >= 1:
        return _one_side(n=n, wrong=wrong, alpha=alpha, rate=rate, selector=selector)
    totals = binomial(n, 2 * alpha)
    step = -(-len(totals.weights) // _ROWS)
    chances = np.add.reduceat(totals.weights, np.arange(0, len(totals.weights), step))
    log_half = above(lambda: ball(wrong).log() - ball(2).log())
    table = fading(log_size=log_half, rate=rate, start=0, count=totals.stop + 1)
    mirror = table[::-1]
    expected = 0.0
    for row, chance in enumerate(chances):
        total = totals.start + row * step
        split = binomial(total, Fraction(1, 2))
        turn = totals.stop - total
        left = table[split.start : split.stop]
        right = mirror[turn + split.start : turn + split.stop]
        both = failure(left + right, selector=selector)
        expected += float(chance) * (float(np.dot(split.weights, both)) + split.missing)
    return Fraction(expected * SLACK + totals.missing)


def _one_side(*, n: int, wrong: int, alpha: Fraction, rate: Fraction, selector: str) -> Fraction:
    window = binomial(n, alpha)
    log_size = above(lambda: ball(wrong).log())
    side = fading(log_size=log_size, rate=rate, start=window.start, count=len(window.weights))
    total = float(np.dot(window.weights, failure(side, selector=selector)))
    return Fraction(total * SLACK + window.missing)
