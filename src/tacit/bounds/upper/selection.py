r"""The master bounds: selection from a finite class by its number of mistakes.

Weights are ``exp(-rate * mistakes)``. For a hypothesis ``h`` and a fixed comparator
``h0`` both selectors choose ``h`` with probability at most
``exp(-rate * (mistakes(h) - mistakes(h0)))`` given the records. Taking expectations
over independent records *before* the union bound turns this into an ``n``-th power,
with no separate generalisation term. ``bounds/upper/selection.proof.md`` has the proof.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import log

from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import exact, positive, probability, whole
from tacit.exact.balls import Ball, at, ball, below, ceiling
from tacit.mechanisms.calibration import round_down, spread

SELECTORS = ("exponential", "permute-and-flip")

REALIZABLE = Claim(
    paper="BBKN13",
    locator="Theorem 3.2",
    statement="n = ln((|H|-1)/beta) / -ln(1 - alpha(1-e^-rate) + rho(e^rate-1)) records suffice "
    "to select a hypothesis of error at most alpha, if one of error at most rho exists; "
    "constants ours",
    proof="bounds/upper/selection.proof.md",
)
AGNOSTIC = Claim(
    paper="BNS19",
    locator="Theorem 27",
    statement="n = ln((|H|-1)/beta) / -ln((1+g)/2 e^-rate + (1-g)/2 e^rate) records suffice to "
    "select a hypothesis within alpha = rho + g of the best concept; constants ours",
    proof="bounds/upper/selection.proof.md",
)


def check_selector(selector: str) -> str:
    if selector not in SELECTORS:
        raise BadInput(f"selector must be one of {SELECTORS}")
    return selector


def realizable_factor(*, alpha: Fraction, rho: Fraction, rate: Fraction) -> Ball:
    """``E exp(-rate (mistakes(h) - mistakes(h0)))`` for one record, at worst."""
    grow = ball(rate)
    return 1 + ball(alpha) * (-grow).expm1() + ball(rho) * grow.expm1()


def agnostic_factor(*, gain: Fraction, rate: Fraction) -> Ball:
    """The same when ``h`` errs by ``gain`` more than ``h0`` and nothing else is known."""
    grow = ball(rate)
    return ball((1 + gain) / 2) * (-grow).exp() + ball((1 - gain) / 2) * grow.exp()


def best_rate(*, full: Fraction, odds: Fraction | None) -> Fraction:
    """``min(full, ln(odds) / 2)``, rounded down; ``odds = None`` stands for infinity."""
    if odds is None:
        return full
    half = round_down(below(lambda: ball(odds).log() / 2))
    if half <= 0:
        raise BadInput("alpha must be greater than the error of the representation")
    return min(full, half)


def union_records(*, wrong: Fraction, beta: Fraction, shrink: Ball) -> Ball:
    """``ln(wrong / beta) / -ln(shrink)``: solves ``wrong * shrink**n = beta``."""
    return ball(wrong / beta).log() / -shrink.log()


def _terms(*, wrong: Fraction, beta: Fraction, speed: float, free: float) -> dict[str, float]:
    # Sampling is what the same argument costs as epsilon grows without bound.
    size, confidence = _ln(max(wrong, Fraction(1))), _ln(1 / beta)
    return {
        "sampling": (size + confidence) / free,
        "privacy, size of the class": size * (1 / speed - 1 / free),
        "privacy, confidence": confidence * (1 / speed - 1 / free),
    }


def _speed(factor: Callable[..., Ball], **parameters: Fraction) -> float:
    # For display only: the decay per record, as a float.
    with at(128):
        return -float(factor(**parameters).log())


def _ln(value: Fraction) -> float:
    return log(value.numerator) - log(value.denominator)


def _wrong(*, size: int, selector: str, rho: Fraction) -> Fraction:
    # The comparator itself is never wrong. With permute-and-flip and a comparator that
    # makes no mistake, a chosen wrong hypothesis has beaten it in a fair draw.
    halved = selector == "permute-and-flip" and rho == 0
    return Fraction(size - 1, 2 if halved else 1)


@theorem(
    REALIZABLE,
    kind="upper",
    setting="realizable; pure; all relations; any marginal",
    formula=r"n = \frac{\ln((|H|-1)/\beta)}"
    r"{-\ln(1-\alpha(1-e^{-\lambda})+\rho(e^{\lambda}-1))},\quad"
    r"\lambda=\min\{\epsilon/w,\tfrac12\ln(\alpha/\rho)\}",
)
def realizable(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
    rho: Fraction | int = 0,
    selector: str = "exponential",
) -> SampleBound:
    """Records for error ``alpha`` from ``size`` hypotheses, one of error at most ``rho``.

    ``choices["epsilon"]`` is what the selection must spend: less than ``epsilon`` when a
    gentler selection learns faster.

    >>> realizable(size=2**64, alpha=Fraction(1, 10), beta=Fraction(1, 10),
    ...            epsilon=Fraction(1)).n
    1163
    """
    return _realizable(
        size=whole(size, name="size", least=1),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        relation=relation,
        rho=exact(rho, name="rho"),
        selector=check_selector(selector),
    )


@lru_cache(maxsize=4096)
def _realizable(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation,
    rho: Fraction,
    selector: str,
) -> SampleBound:
    if not 0 <= rho < alpha:
        raise BadInput("rho must be at least 0 and below alpha")
    full = epsilon / spread(relation)
    rate = best_rate(full=full, odds=alpha / rho if rho else None)
    wrong = _wrong(size=size, selector=selector, rho=rho)

    def records() -> Ball:
        shrink = realizable_factor(alpha=alpha, rho=rho, rate=rate)
        return union_records(wrong=wrong, beta=beta, shrink=shrink)

    n = max(1, ceiling(records)) if wrong > beta else 1
    best = Fraction(64) if not rho else best_rate(full=Fraction(64), odds=alpha / rho)
    return SampleBound(
        n=n,
        claim=REALIZABLE,
        terms=_terms(
            wrong=wrong,
            beta=beta,
            speed=_speed(realizable_factor, alpha=alpha, rho=rho, rate=rate),
            free=_speed(realizable_factor, alpha=alpha, rho=rho, rate=best),
        ),
        choices={"epsilon": rate * spread(relation), "selector": selector},
    )


@theorem(
    AGNOSTIC,
    kind="upper",
    setting="agnostic; pure; all relations; any marginal",
    formula=r"n = \frac{\ln((|H|-1)/\beta)}"
    r"{-\ln(\frac{1+g}{2}e^{-\lambda}+\frac{1-g}{2}e^{\lambda})},\quad"
    r"g=\alpha-\rho,\ \lambda=\min\{\epsilon/w,\tfrac12\ln\frac{1+g}{1-g}\}",
)
def agnostic(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
    rho: Fraction | int = 0,
    selector: str = "exponential",
) -> SampleBound:
    """Records to come within ``alpha`` of the best concept from ``size`` hypotheses,
    one of which is within ``rho`` of it.

    >>> agnostic(size=2**16, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...          epsilon=Fraction(1)).n
    2804
    """
    return _agnostic(
        size=whole(size, name="size", least=1),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        relation=relation,
        rho=exact(rho, name="rho"),
        selector=check_selector(selector),
    )


@lru_cache(maxsize=4096)
def _agnostic(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation,
    rho: Fraction,
    selector: str,
) -> SampleBound:
    if not 0 <= rho < alpha:
        raise BadInput("rho must be at least 0 and below alpha")
    gain = alpha - rho
    odds = (1 + gain) / (1 - gain)
    rate = best_rate(full=epsilon / spread(relation), odds=odds)
    wrong = Fraction(size - 1)

    def records() -> Ball:
        shrink = agnostic_factor(gain=gain, rate=rate)
        return union_records(wrong=wrong, beta=beta, shrink=shrink)

    n = max(1, ceiling(records)) if wrong > beta else 1
    best = best_rate(full=Fraction(64), odds=odds)
    return SampleBound(
        n=n,
        claim=AGNOSTIC,
        terms=_terms(
            wrong=wrong,
            beta=beta,
            speed=_speed(agnostic_factor, gain=gain, rate=rate),
            free=_speed(agnostic_factor, gain=gain, rate=best),
        ),
        choices={"epsilon": rate * spread(relation), "selector": selector},
    )
