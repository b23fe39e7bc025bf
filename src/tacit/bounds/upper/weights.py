"""Multiplicative weights and trees: answers to many queries by noisy updates and sums."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import exp, log, sqrt

from tacit.bounds.formula import ln, numbers
from tacit.bounds.search import least
from tacit.core import BadInput, Claim, SampleBound, theorem
from tacit.core.numbers import exact, whole
from tacit.exact.balls import Ball, ball, below, ceiling, certainly_less

PROOF = "problems/finite/sanitizers_upper.proof.md"

BNS_25 = Claim(
    paper="BNS19",
    locator="Theorem 25",
    statement="multiplicative weights with T rounds of selection and noise err by at most "
    "a/n + sqrt(ln|X|/(2T) + (b/n)^2); constants ours",
    proof=PROOF,
)
BNS_26 = Claim(
    paper="BNS19",
    locator="Proposition 26",
    statement="thresholds: noisy sums over a B-ary tree answer every prefix within alpha; stands "
    "in for the log* sanitizer, whose constants are published nowhere",
    proof=PROOF,
)


def concentrated(*, epsilon: Fraction, delta: Fraction) -> Fraction:
    """The greatest ``rho`` whose zCDP gives ``(epsilon, delta)``, rounded down.

    ``rho a + ln(1 - 1/a) - ln(delta a)/(a - 1) <= epsilon`` for some order ``a > 1``; every order
    proves it, so the best one may be sought in floats.

    >>> round(float(concentrated(epsilon=Fraction(1), delta=Fraction(1, 10**6))), 5)
    0.02436
    """
    order = _order(float(epsilon), _ln_float(delta))

    def budget() -> Ball:
        a = ball(order)
        turned = (1 - 1 / a).log() - (ln(delta) + a.log()) / (a - 1)
        return (ball(epsilon) - turned) / a

    most = max(below(budget), below(lambda: _classical(epsilon, delta)))
    # A hair less: whoever adds up the costs chooses an order of his own, and rounds up.
    return most * (1 - Fraction(1, 10**10))


def _classical(epsilon: Fraction, delta: Fraction) -> Ball:
    room = -ln(delta)
    return ((room + ball(epsilon)).sqrt() - room.sqrt()) ** 2


def _ln_float(value: Fraction) -> float:
    return log(value.numerator) - log(value.denominator)


def _order(epsilon: float, log_delta: float) -> Fraction:
    # The order that allows the greatest rho, by golden section on its logarithm.
    def allowed(t: float) -> float:
        over = exp(t)
        return (epsilon - log(over / (1 + over)) + (log_delta + log(1 + over)) / over) / (1 + over)

    low, high = log(1e-3), log(1e9)
    for _ in range(120):
        one, two = low + 0.382 * (high - low), low + 0.618 * (high - low)
        if allowed(one) < allowed(two):
            low = one
        else:
            high = two
    return 1 + Fraction(exp((low + high) / 2)).limit_denominator(10**9)


@theorem(
    BNS_25,
    kind="upper",
    setting="sanitizer for a finite class; pure or approximate; records",
    formula=r"\tfrac an+\sqrt{\tfrac{\ln|X|}{2T}+(\tfrac bn)^2}\le\alpha,\quad "
    r"a=\tfrac2{e_0}\ln\tfrac{2|Q|T}\beta,\ b=\tfrac1{e_0}\ln\tfrac{4T}{(1+e^{-e_0})\beta}",
)
def multiplicative_weights(
    *,
    size: int,
    domain_size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
) -> SampleBound:
    """Records to answer ``size`` queries over ``domain_size`` values within ``alpha``.

    Pure: ``e0 = epsilon/(2T)`` for each selection and each noisy answer. Approximate: the
    rounds share a zCDP budget, ``e0 = sqrt(4 rho/T)`` and Gaussian noise.
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    lost = exact(delta, name="delta")
    size = whole(size, name="size", least=1)
    domain = whole(domain_size, name="domain_size", least=2)
    rho = concentrated(epsilon=epsilon, delta=lost) if lost else None

    def parts(rounds: int) -> tuple[Ball, Ball]:
        if rho is None:
            e0 = ball(epsilon) / (2 * rounds)
            noise = (4 * rounds / ball(beta) / (1 + (-e0).exp())).log() / e0
        else:
            e0 = (4 * ball(rho) / rounds).sqrt()
            noise = (rounds / ball(rho)).sqrt() * (2 * (4 * rounds / ball(beta)).log()).sqrt()
        return 2 / e0 * (2 * size * rounds / ball(beta)).log(), noise

    rounds = _rounds(parts, domain=domain, alpha=float(alpha))

    def error(n: int) -> Ball:
        a, b = parts(rounds)
        return a / n + (ln(domain) / (2 * rounds) + (b / n) ** 2).sqrt()

    n = least(lambda m: certainly_less(lambda: error(m), lambda: ball(alpha)))
    a, b = parts(rounds)
    return SampleBound(
        n=n,
        claim=BNS_25,
        terms={"selections": float(a / ball(alpha)), "noisy answers": float(b / ball(alpha))},
        choices={"rounds": rounds, "epsilon": epsilon},
    )


def _rounds(parts: Callable[[int], tuple[Ball, Ball]], *, domain: int, alpha: float) -> int:
    # Each number of rounds is valid; floats propose a good one.
    first = int(log(domain) / (2 * alpha**2)) + 1
    best, choice = float("inf"), first
    for rounds in {first * k // 16 for k in range(17, 160, 3)}:
        left = alpha**2 - log(domain) / (2 * rounds)
        if left <= 0:
            continue
        a, b = (float(part) for part in parts(rounds))
        # Solves a/n + sqrt(L + (b/n)^2) = alpha for 1/n.
        root = (alpha * a - sqrt(max(0.0, (alpha * a) ** 2 - (a * a - b * b) * left))) / (
            a * a - b * b
        )
        if root > 0 and 1 / root < best:
            best, choice = 1 / root, rounds
    if best == float("inf"):
        raise BadInput("no number of rounds answers within this alpha")
    return choice


@theorem(
    BNS_26,
    kind="upper",
    setting="sanitizer for thresholds; pure or approximate; records",
    formula=r"\alpha n\ge\min_{u}\frac{h\ln\sum_{j<B}(1-u^2)^{-j}+\ln(2/\beta)}{u}\cdot"
    r"\frac{2h}\epsilon,\quad h=\lceil d/\log_2B\rceil",
)
def tree(
    *,
    bits: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
) -> SampleBound:
    """Records to answer every threshold query over ``bits`` bits within ``alpha``.

    >>> tree(bits=16, alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1)).n
    4186
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    lost = exact(delta, name="delta")
    bits = whole(bits, name="bits", least=1)
    rho = concentrated(epsilon=epsilon, delta=lost) if lost else None
    noise = "gaussian" if lost else "geometric"
    best: tuple[float, int, Fraction] | None = None
    for width in range(1, min(bits, 6) + 1):
        for step in range(1, 60):
            u = Fraction(step, 60)
            value = _estimate(bits, width, float(u), float(beta), noise)
            if best is None or value < best[0]:
                best = (value, width, u)
    assert best is not None
    _, width, u = best
    levels = -(-bits // width)

    def records() -> Ball:
        if rho is None:
            growth = sum(((1 - ball(u) ** 2) ** -j for j in range(1 << width)), ball(0))
            scale = ball(2 * levels) / ball(epsilon)
        else:
            growth = sum(((ball(u) ** 2 * j / 2).exp() for j in range(1 << width)), ball(0))
            scale = (ball(levels) / ball(rho)).sqrt()
        return scale * (levels * growth.log() + ln(2 / beta)) / ball(u * alpha)

    n = ceiling(records)
    return SampleBound(
        n=n,
        claim=BNS_26,
        terms={"noise on the nodes": float(n)},
        choices={"branching": 1 << width, "levels": levels, "epsilon": epsilon},
    )


def _estimate(bits: int, width: int, u: float, beta: float, noise: str) -> float:
    levels = -(-bits // width)
    if noise == "geometric":
        growth = sum((1 - u * u) ** -j for j in range(1 << width))
        scale = float(levels)
    else:
        growth = sum(exp(j * u * u / 2) for j in range(1 << width))
        scale = sqrt(levels)
    return scale * (levels * log(growth) + log(2 / beta)) / u
