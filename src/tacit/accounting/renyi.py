"""Renyi divergences of one order: of a step, and what they say about (epsilon, delta).

Every exact value is rounded up; floats only choose the order, and any order is valid.
Proved in ``composition.proof.md``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tacit.accounting.cost import Cost, Kind
from tacit.core import NumericalDoubt
from tacit.exact.balls import above, ball

_BITS = 192  # precision of the balls
_GRID = 1 << 128  # totals are rounded up to a multiple of 1/_GRID
_LARGE = 500  # an epsilon from which on the sharper bounds gain nothing that counts
_GOLDEN = (math.sqrt(5) - 1) / 2  # golden section search for the best order


def _round_up(value: Fraction) -> Fraction:
    """Up to a common grid, so that long sums keep short denominators."""
    return Fraction(-((-value * _GRID) // 1), _GRID)


@lru_cache(maxsize=4096)
def divergence(one: Cost, *, order: Fraction) -> Fraction:
    """An upper bound on the step's Renyi divergence of this order, over all neighbours.

    An ``APPROXIMATE`` step counts with its epsilon; its delta is added elsewhere.
    """
    amount = one.amount
    if one.kind is Kind.ZCDP:
        return order * amount
    if one.kind is Kind.APPROXIMATE or amount > _LARGE:
        return amount
    if one.kind is Kind.PURE:
        rational, sharp = order * amount**2 / 2, _two_point
    else:
        rational, sharp = order * amount**2 / 8, _bounded_range
    simple = min(amount, rational)
    try:
        return min(simple, _round_up(sharp(amount, order)))
    except NumericalDoubt:  # a tiny amount: the rational bound is as good
        return simple


def _two_point(epsilon: Fraction, order: Fraction) -> Fraction:
    """Randomised response, the worst pair of a pure step."""

    def value() -> object:
        a, e = ball(order), ball(epsilon)
        return (((a * e).exp() + ((1 - a) * e).exp()) / (1 + e.exp())).log() / (a - 1)

    return above(value, bits=_BITS)


def _bounded_range(epsilon: Fraction, order: Fraction) -> Fraction:
    """The worst pair of a selection, over all places of the interval."""

    def value() -> object:
        a, e = ball(order), ball(epsilon)
        top, low = 1 - (-a * e).exp(), (-e).exp() - (-a * e).exp()
        shift = ((a - 1) * top / (a * low)).log()
        return shift + ((top / a).log() - (1 - (-e).exp()).log()) / (a - 1)

    return above(value, bits=_BITS)


@lru_cache(maxsize=1024)
def conversion(*, order: Fraction, delta: Fraction) -> Fraction:
    """What is added to a divergence of this order to get an epsilon at ``delta``."""

    def value() -> object:
        a = ball(order)
        return (1 - 1 / a).log() - (ball(delta) * a).log() / (a - 1)

    return _round_up(above(value, bits=_BITS))


def order_for_budget(*, epsilon: Fraction, delta: Fraction) -> Fraction:
    """The order at which a budget holds the most zCDP. Every order is valid."""
    log_delta = _log(delta)

    def negative_rho(a: float) -> float:
        return (_conversion(a, log_delta) - _float(epsilon)) / a

    return _search(negative_rho, log_delta)


def order_for_costs(costs: Iterable[tuple[Cost, int]], *, delta: Fraction) -> Fraction:
    """The order at which these steps have the smallest epsilon. Every order is valid."""
    return _order_for_costs(tuple(costs), delta=delta)


@lru_cache(maxsize=64)
def _order_for_costs(costs: tuple[tuple[Cost, int], ...], *, delta: Fraction) -> Fraction:
    known: dict[Kind, list[tuple[float, int]]] = {kind: [] for kind in Kind}
    for one, count in costs:
        known[one.kind].append((_float(one.amount), count))
    pure, selection = (_columns(known[kind]) for kind in (Kind.PURE, Kind.SELECTION))
    rho = sum(amount * count for amount, count in known[Kind.ZCDP])
    log_delta = _log(delta)

    def epsilon(a: float) -> float:
        steps = 0.0
        with np.errstate(all="ignore"):
            if pure[0].size:
                steps += float(pure[1] @ _two_point_float(pure[0], a))
            if selection[0].size:
                steps += float(selection[1] @ _bounded_range_float(selection[0], a))
        return steps + a * rho + _conversion(a, log_delta)

    return _search(epsilon, log_delta)


def _columns(rows: list[tuple[float, int]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    table = np.array(rows, dtype=float).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _two_point_float(e: NDArray[np.float64], a: float) -> NDArray[np.float64]:
    sharp = (a * e + np.log1p(np.exp((1 - 2 * a) * e)) - np.logaddexp(0, e)) / (a - 1)
    return np.where(a * e < 1e-3, a * e * e / 2, np.minimum(sharp, e))


def _bounded_range_float(e: NDArray[np.float64], a: float) -> NDArray[np.float64]:
    small = a * e < 1e-3
    safe = np.where(small, 1.0, e)
    top = np.log(-np.expm1(-a * safe))
    shift = math.log1p(-1 / a) + top + safe - np.log(-np.expm1(-(a - 1) * safe))
    sharp = shift + (top - math.log(a) - np.log(-np.expm1(-safe))) / (a - 1)
    return np.where(small, a * e * e / 8, np.minimum(sharp, e))


def _conversion(a: float, log_delta: float) -> float:
    return math.log1p(-1 / a) - (log_delta + math.log(a)) / (a - 1)


def _float(value: Fraction) -> float:
    return float(min(value, Fraction(10) ** 100))


def _log(value: Fraction) -> float:
    return math.log(value.numerator) - math.log(value.denominator)


def _search(function: Callable[[float], float], log_delta: float) -> Fraction:
    """Golden section over ``ln(a - 1)``; the functions here have one valley."""
    low, high = -20.0, min(20.0 - log_delta, 300.0)
    while high - low > 1e-6:
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if function(1 + math.exp(left)) <= function(1 + math.exp(right)):
            high = right
        else:
            low = left
    mantissa, exponent = math.frexp(math.exp((low + high) / 2))
    return 1 + Fraction(round(mantissa * 2**24)) * Fraction(2) ** (exponent - 24)
