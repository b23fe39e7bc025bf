"""Certified real arithmetic: rationals in, balls through, safe rationals out.

Every function takes its precision as an argument; flint's global precision is set
only by ``at``, for all threads. A comparison of balls is true only when it is certain.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from threading import Lock, get_ident
from typing import Any, ClassVar, TypeAlias

import flint

from tacit.core import NumericalDoubt

# flint ships no types; a ball is an `arb`.
Ball: TypeAlias = Any

_LIMIT = 1 << 14  # bits after which a comparison counts as undecidable


class at:  # noqa: N801 - reads as a word: ``with at(128):``
    """Compute with at least ``bits`` bits inside this block.

    flint has one precision for all threads. Each thread's innermost block is therefore
    remembered, and the precision is the greatest that any of them asks for: a thread alone
    has exactly ``bits``, and no thread ever has fewer because of another one.
    """

    __slots__ = ("_before", "_bits")
    _asked: ClassVar[dict[int, int]] = {}
    _usual: ClassVar[int] = flint.ctx.prec
    _lock: ClassVar[Lock] = Lock()

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._before: int | None = None

    def __enter__(self) -> None:
        thread = get_ident()
        with at._lock:
            if not at._asked:
                at._usual = flint.ctx.prec
            self._before = at._asked.get(thread)
            at._asked[thread] = self._bits
            flint.ctx.prec = max(at._asked.values())

    def __exit__(self, *_: object) -> None:
        thread = get_ident()
        with at._lock:
            if self._before is None:
                del at._asked[thread]
            else:
                at._asked[thread] = self._before
            flint.ctx.prec = max(at._asked.values(), default=at._usual)

    @classmethod
    def forked(cls) -> None:
        """In a forked child no other thread lives on, and the lock may have been held by one."""
        cls._lock = Lock()
        own = get_ident()
        cls._asked = {thread: bits for thread, bits in cls._asked.items() if thread == own}


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=at.forked)


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


def _ends(compute: Callable[[], Ball], bits: int) -> tuple[Ball, Ball]:
    # The ends of a finite ball around the number, at the precision at which it was found.
    precision = bits
    while precision <= _LIMIT:
        with at(precision):
            value = compute()
            if value.is_finite():
                return value.lower(), value.upper()
        precision *= 2
    raise NumericalDoubt("a real number could not be enclosed; its inputs are out of range")


def enclose(compute: Callable[[], Ball], *, bits: int = 128) -> tuple[Fraction, Fraction]:
    """Rationals below and above the number that ``compute`` encloses."""
    low, high = _ends(compute, bits)
    return _rational(low), _rational(high)


def above(compute: Callable[[], Ball], *, bits: int = 128) -> Fraction:
    """A rational that is certainly not below the number."""
    return _rational(_ends(compute, bits)[1])


def below(compute: Callable[[], Ball], *, bits: int = 128) -> Fraction:
    """A rational that is certainly not above the number."""
    return _rational(_ends(compute, bits)[0])


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
