r"""Agnostic selection without a union bound: all wrong rules deviate together.

Weights are ``exp(-rate * mistakes)``. Let ``X`` be the least lead in mistakes, on the records, of
the best concept over a wrong one. Given the records, a wrong one among ``N`` is drawn with
probability at most ``G(N exp(-rate X))``, ``G(w) = w/(1+w)``; so a bound on ``P[X <= x]`` for
every ``x`` bounds the failure, and the size of the class is paid for by privacy only, not by
sampling as well. ``bounds/upper/deviations.proof.md`` has the proof.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil, inf, log, nextafter, sqrt

import numpy as np

from tacit.bounds.search import least
from tacit.bounds.tails import SLACK, Floats, fading, float_above
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import above, ball
from tacit.mechanisms.calibration import spread

_PROOF = "bounds/upper/deviations.proof.md"

CUTS = Claim(
    paper="own",
    locator="Theorem 2 of bounds/upper/deviations.proof.md",
    statement="the exponential mechanism over all thresholds comes within alpha of the best once "
    "sum_x (G(x) - G(x+1)) min(1, 4 exp(-(alpha n - x)^2/(2n))) <= beta: two labels on two sides "
    "deviate by half each, whatever the domain",
    proof=_PROOF,
)
GROWTH = Claim(
    paper="own",
    locator="Theorem 3 of bounds/upper/deviations.proof.md",
    statement="the exponential mechanism over a class of growth function Pi comes within alpha of "
    "the best once sum_x (G(x) - G(x+1)) exp(-(alpha n - x - sqrt(2 n ln Pi(n)))^2/(2n)) <= beta",
    proof=_PROOF,
)

Least = Callable[[Floats, int], Floats]
"""``least(x, n)`` is not below ``P[X <= x]`` with ``n`` records, for each ``x``."""


def _below(value: Fraction) -> float:
    return -float_above(-value)


def _excess(n: int, alpha: Fraction, x: Floats, expected: float = 0.0) -> Floats:
    # alpha n - x - expected, not above the truth; only what is positive matters.
    left = _below(alpha * n) - x - expected
    return np.maximum(left * (1 - 1e-12), 0.0)


def four_halves(alpha: Fraction) -> Least:
    """Thresholds: two labels on both sides of the best cut, each off by half of the lead."""

    def chance(x: Floats, n: int) -> Floats:
        one = np.exp(-(_excess(n, alpha, x) ** 2) / (2 * n))
        # The inequality of Dvoretzky, Kiefer, Wolfowitz and Massart holds up to 1/2.
        return np.where(one <= 0.5, np.minimum(1.0, 4 * one), 1.0)

    return chance


def by_growth(alpha: Fraction, log_growth: Callable[[int], float]) -> Least:
    """Every class: what is expected of the largest deviation, and a difference of it."""

    def chance(x: Floats, n: int) -> Floats:
        expected = sqrt(2 * n * log_growth(n)) * SLACK
        spare: Floats = np.exp(-(_excess(n, alpha, x, expected) ** 2) / (2 * n))
        return spare

    return chance


def failure(
    *, n: int, log_wrong: Fraction, alpha: Fraction, beta: Fraction, rate: Fraction, least: Least
) -> float:
    """Not below the chance of a wrong rule with ``n`` records (Theorem 1 of the proof).

    ``x`` runs over a window around ``ln(N)/rate``; a lead below it counts as a failure.
    """
    start = max(0, int((log_wrong - 45) / rate))
    reach = ceil((log_wrong + 45 + int(-log(beta))) / rate)
    stop = min(int(alpha * n), reach)
    if stop <= start:
        return 1.0
    weights = fading(log_size=log_wrong, rate=rate, start=start, count=stop - start + 2)
    chances = least(np.arange(start, stop + 1, dtype=np.float64), n)
    step = float_above(above(lambda: -ball(-rate).expm1()))
    # G(x) - G(x+1) = (1 - e^-rate) w / ((1 + w)(1 + w e^-rate)), without cancellation.
    with np.errstate(over="ignore", divide="ignore"):
        drops = step / ((1 + 1 / weights[:-1]) * (1 + weights[1:]))
    total = float(chances[0]) / (1 + float(weights[0]))
    total += float(np.dot(drops, chances))
    total += 1 / (1 + 1 / float(weights[-1]))
    return nextafter(total * SLACK + 1e-250 * len(drops), inf)


def _bound(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation,
    least_lead: Least,
    claim: Claim,
) -> SampleBound:
    rate = epsilon / spread(relation)
    choices = {"epsilon": epsilon, "selector": "exponential"}
    if size < 2:
        return SampleBound(n=1, claim=claim, choices=choices)
    log_wrong = above(lambda: ball(size - 1).log())

    def suffices(n: int) -> bool:
        chance = failure(
            n=n, log_wrong=log_wrong, alpha=alpha, beta=beta, rate=rate, least=least_lead
        )
        return Fraction(chance) <= beta

    n = least(suffices)
    privacy = min(float(n), float(log_wrong / rate / alpha))
    terms = {"privacy, size of the class": privacy, "sampling and confidence": n - privacy}
    return SampleBound(n=n, claim=claim, terms=terms, choices=choices)


@theorem(
    CUTS,
    kind="upper",
    setting="thresholds; proper; agnostic; pure; all relations; any marginal",
    formula=r"\sum_x\bigl(G(x)-G(x+1)\bigr)\min\{1,4e^{-(\alpha n-x)^2/2n}\}\le\beta,\quad "
    r"G(x)=\frac{w}{1+w},\ w=(|C|-1)e^{-\lambda x}",
)
def thresholds(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to come within ``alpha`` of the best of ``size`` thresholds.

    >>> thresholds(size=2**64 + 1, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...            epsilon=Fraction(1)).n
    2309
    """
    return _thresholds(
        size=whole(size, name="size", least=1),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        relation=relation,
    )


@lru_cache(maxsize=4096)
def _thresholds(
    *, size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, relation: Relation
) -> SampleBound:
    return _bound(
        size=size,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        relation=relation,
        least_lead=four_halves(alpha),
        claim=CUTS,
    )


@theorem(
    GROWTH,
    kind="upper",
    setting="any finite class with a known growth function; proper; agnostic; pure; all relations",
    formula=r"\sum_x\bigl(G(x)-G(x+1)\bigr)e^{-(\alpha n-x-\sqrt{2n\ln\Pi(n)})_+^2/2n}\le\beta",
)
def growth(
    *,
    size: int,
    log_growth: Callable[[int], float],
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to come within ``alpha`` of the best of ``size`` concepts that label ``n`` values
    in at most ``exp(log_growth(n))`` ways.

    >>> from tacit.problems.finite.growth_functions import intervals
    >>> growth(size=2**127, log_growth=intervals, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...        epsilon=Fraction(1)).n
    6652
    """
    alpha = probability(alpha, name="alpha")
    return _bound(
        size=whole(size, name="size", least=1),
        alpha=alpha,
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        relation=relation,
        least_lead=by_growth(alpha, log_growth),
        claim=GROWTH,
    )
