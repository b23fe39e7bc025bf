"""Certified real arithmetic: rationals in, balls through, safe rationals out.

Every function takes its precision as an argument; flint's precision is one number for
all threads, so it is set inside ``at`` only, which one thread at a time may be in. A
comparison of balls is true only when it is certain.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeAlias

import flint

from tacit.core import NumericalDoubt

# flint ships no types; a ball is an `arb`.
Ball: TypeAlias = Any

_LIMIT = 1 << 14


_TURN = threading.RLock()


def _new_turn() -> None:
    """After a fork: a thread that is not here any more may have held the lock."""
    global _TURN
    _TURN = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_new_turn)


@contextmanager
def at(bits: int) -> Iterator[None]:
    """Compute with ``bits`` bits inside this block; other threads wait for their turn."""
    with _TURN:
        before = flint.ctx.prec
        flint.ctx.prec = bits
        try:
            yield
        finally:
            flint.ctx.prec = before


def ball(value: Fraction | int) -> Ball:
    """A ball around an exact number, at the working precision."""
    if isinstance(value, int):
        return flint.arb(value)
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def _rational(point: Ball) -> Fraction:
    mantissa, exponent = point.man_exp()
    mantissa, exponent = int(mantissa), int(exponent)
    if exponent >= 0:
        return Fraction(mantissa << exponent)
    return Fraction(mantissa, 1 << -exponent)


def enclose(compute: Callable[[], Ball], *, bits: int = 128) -> tuple[Fraction, Fraction]:
    """Rationals below and above the number that ``compute`` encloses."""
    precision = bits
    while precision <= _LIMIT:
        with at(precision):
            value = compute()
            if value.is_finite():
                return _rational(value.lower()), _rational(value.upper())
        precision *= 2
    raise NumericalDoubt("a real number could not be enclosed; its inputs are out of range")


def above(compute: Callable[[], Ball], *, bits: int = 128) -> Fraction:
    """A rational that is certainly not below the number."""
    return enclose(compute, bits=bits)[1]


def below(compute: Callable[[], Ball], *, bits: int = 128) -> Fraction:
    """A rational that is certainly not above the number."""
    return enclose(compute, bits=bits)[0]


def certainly_less(left: Callable[[], Ball], right: Callable[[], Ball]) -> bool:
    """Decide ``left < right`` for different reals; raise if they cannot be told apart.

    >>> certainly_less(lambda: ball(1).exp(), lambda: ball(Fraction(2719, 1000)))
    True
    """
    precision = 64
    while precision <= _LIMIT:
        with at(precision):
            a, b = left(), right()
            if a < b:
                return True
            if a > b:
                return False
        precision *= 2
    raise NumericalDoubt("two numbers are too close to be told apart")


def ceiling(compute: Callable[[], Ball]) -> int:
    """The least integer not below the number, or one more if it may be an integer itself.

    Outward by construction: the answer is never below the true ceiling.

    >>> ceiling(lambda: ball(10).log())
    3
    """
    low, high = enclose(compute)
    for bits in (512, 2048):
        if -(-low // 1) == -(-high // 1):
            break
        low, high = enclose(compute, bits=bits)
    return int(-(-high // 1))


def log(value: Fraction | int) -> Callable[[], Ball]:
    """``ln value`` as something to enclose."""
    return lambda: ball(value).log()


def exp(value: Fraction | int) -> Callable[[], Ball]:
    """``exp(value)`` as something to enclose."""
    return lambda: ball(value).exp()
