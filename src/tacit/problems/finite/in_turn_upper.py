"""Questions answered one by one: records that suffice."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import log, sqrt

from tacit.bounds.formula import ln, numbers
from tacit.bounds.upper.weights import concentrated
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import exact, whole
from tacit.exact.balls import Ball, ball, ceiling
from tacit.exact.gaussian_tails import gaussian_reach
from tacit.exact.geometric_tails import reach, width
from tacit.mechanisms.calibration import count_scale, firing_scales, one_variance

PROOF = "problems/finite/in_turn_upper.proof.md"
MOST_RECORDS = 1 << 38
"""So many records at most: with more, the rounding of weights would have to be looked at."""

IN_TURN = Claim(
    paper="BNS19",
    locator="Theorem 25",
    statement="k questions, each chosen after the earlier answers, are answered within alpha; the "
    "weights are corrected at most U times, 2 (U + 1) (alpha - (2 w + 1)/n)^2 > ln|X|, w what all "
    "noise stays within; constants ours",
    proof=PROOF,
)
NOISY = Claim(
    paper="own",
    locator="Theorem 2 of in_turn_upper.proof.md",
    statement="k questions, each chosen after the earlier answers, are answered within alpha with "
    "noise on each, of scale k/epsilon or of variance k/(2 rho)",
    proof=PROOF,
)


@theorem(
    IN_TURN,
    kind="upper",
    setting="answers to k adaptive questions; pure or approximate; substitution",
    formula=r"n>\frac{2w+1}{\alpha-\sqrt{\ln|X|/(2(U+1))}},\quad "
    r"w\approx\tfrac1{s\epsilon}\ln\tfrac8\beta+\tfrac{2U}{(1-s)\epsilon}\ln\tfrac{8(k+U)}{3\beta}",
)
def in_turn(
    *,
    questions: int,
    domain_size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
) -> SampleBound:
    """Records to answer ``questions`` questions as they come, each within ``alpha``.

    >>> in_turn(questions=1000, domain_size=121, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...         epsilon=Fraction(1)).n
    713675
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    lost = exact(delta, name="delta")
    k = whole(questions, name="questions", least=1)
    domain = max(2, whole(domain_size, name="domain_size", least=1))
    found = _in_turn(k, domain, alpha, beta, epsilon, None)
    if lost:
        rho = concentrated(epsilon=epsilon, delta=lost)
        found = min(found, _in_turn(k, domain, alpha, beta, epsilon, rho), key=lambda one: one.n)
    if found.n > MOST_RECORDS:
        raise BadInput(f"would need {found.n} records, and is proved up to {MOST_RECORDS}")
    return found


@theorem(
    NOISY,
    kind="upper",
    setting="answers to k adaptive questions; pure or approximate; substitution",
    formula=r"\alpha n\ge\tfrac k\epsilon\ln\tfrac{2k}\beta,\quad "
    r"\alpha n\ge\sqrt{\tfrac k{\rho}\ln\tfrac{2k}\beta}+1",
)
def noisy_answers(
    *,
    questions: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
) -> SampleBound:
    """Records to answer ``questions`` questions as they come, each with noise of its own.

    >>> noisy_answers(questions=1000, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...               epsilon=Fraction(1), delta=Fraction(1, 10**6)).n
    5820
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    lost = exact(delta, name="delta")
    k = whole(questions, name="questions", least=1)
    scale = count_scale(epsilon=epsilon / k, relation=Relation.REPLACE_ONE)
    ways: list[tuple[int, Fraction | None]] = [(width(scale, beta / k), None)]
    if lost:
        rho = concentrated(epsilon=epsilon, delta=lost)
        ways.append((gaussian_reach(one_variance(rho / k), beta / (2 * k)) - 1, rho))
    noise, rho_or_none = min(ways, key=lambda way: way[0])
    n = max(1, math.ceil(noise / alpha))
    return SampleBound(
        n=n,
        claim=NOISY,
        terms={"noise on answers": float(n)},
        choices={"epsilon": epsilon if rho_or_none is None else None, "rho": rho_or_none},
    )


@lru_cache(maxsize=1024)
def _in_turn(
    k: int, domain: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, rho: Fraction | None
) -> SampleBound:
    _, corrections, share = min(
        _estimate(u, k, domain, float(alpha), float(beta), float(epsilon), rho)
        for u in _numbers(domain, float(alpha))
    )
    noise = _noise(k, corrections, share, beta, epsilon, rho)

    def records() -> Ball:
        # A trifle more than ln|X|, for the rounding of the step.
        start = ln(domain) * (1 + ball(Fraction(1, 1 << 40)))
        return (2 * noise + 1) / (ball(alpha) - (start / (2 * (corrections + 1))).sqrt())

    n = ceiling(records) + 1
    return SampleBound(
        n=n,
        claim=IN_TURN,
        terms={"noise on tests": float(n)},
        choices={
            "corrections": corrections,
            "share": share,
            "noise": noise,
            "epsilon": epsilon if rho is None else None,
            "rho": rho,
        },
    )


def _noise(
    k: int,
    corrections: int,
    share: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    rho: Fraction | None,
) -> int:
    """What all noise stays within, but for a probability of ``beta``."""
    bar, test = firing_scales(corrections, share, epsilon=None if rho else epsilon, rho=rho)
    bars = 1 if rho is None else corrections
    return width(bar, beta / (4 * bars)) + reach(test, 3 * beta / (8 * (k + corrections))) - 1


def _numbers(domain: int, alpha: float) -> Iterator[int]:
    first = int(log(domain) / (2 * alpha**2)) + 1
    yield from sorted({first * step // 16 + 1 for step in range(17, 160, 3)})


def _estimate(
    u: int, k: int, domain: int, alpha: float, beta: float, epsilon: float, rho: Fraction | None
) -> tuple[float, int, Fraction]:
    # Every number of corrections and every share is valid; floats propose good ones.
    room = alpha - sqrt(log(domain) / (2 * (u + 1)))
    bars, once = (1, epsilon / u) if rho is None else (u, sqrt(2 * float(rho) / u))
    bar = log(8 * bars / beta) / (u if rho is None else 1)
    test = 2 * log(8 * (k + u) / (3 * beta))
    part = sqrt(bar) / (sqrt(bar) + sqrt(test))
    share = Fraction(max(1, round(part * 4096)), 4096)
    total = (sqrt(bar) + sqrt(test)) ** 2 / once
    return (2 * total / room if room > 1e-9 else float("inf"), u, share)


def shape(*, bound: SampleBound, alpha: Fraction, n: int) -> tuple[int, Fraction]:
    """The threshold of the tests and the step of the corrections for ``n`` records."""
    noise: int = bound.choices["noise"]
    least = int(alpha * n)
    return max(1, least + 1 - noise), Fraction(4 * max(1, least - 2 * noise), max(1, n))
