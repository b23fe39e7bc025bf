"""Exact permute-and-flip over score levels of any size.

Permute-and-flip visits the candidates in random order and returns the first whose
coin of probability ``p = exp(-rate * (error - least))`` comes up heads. With
``S(s) = prod (1 - p s)^count`` its law is that of two real uniforms: ``s`` solves
``S(s) = U``, then a level is chosen with weight ``count * p / (1 - p s)``
(``flips.proof.md``). Everything is decided by balls.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import flint
import numpy as np

from tacit.core import NumericalDoubt, Rng
from tacit.exact.balls import Ball, at, ball
from tacit.exact.lazy import Lazy
from tacit.exact.levels import Levels, cell_of, exact_sum

_NEWTON_STEPS = 400
_LARGEST = (1 << 63) - 1


class _Head:
    """The levels that matter at a precision, and a bound on all the others.

    A level far above the best is not skipped: its whole weight, ``tail``, widens
    every ball that it could have moved.
    """

    def __init__(self, levels: Levels, rate: Fraction, bits: int) -> None:
        least = int(levels.errors[0])
        reach = least + int((bits + levels.total.bit_length()) / rate)
        head = int(np.searchsorted(levels.errors, min(reach, _LARGEST), side="right"))
        errors, counts = levels.errors[:head].tolist(), levels.counts[:head].tolist()
        step = ball(rate)
        self.counts = [ball(int(count)) for count in counts]
        self.heads = [(-step * (error - least)).exp() for error in errors]
        self.tail = ball(0)
        if head < len(levels.errors):
            rest = exact_sum(levels.counts[head:])
            self.tail = ball(rest) * (-step * (int(levels.errors[head]) - least)).exp()

    def log_survival(self, s: Ball) -> Ball:
        """``ln S(s)``; a tail coin has ``p s <= 1/2``, so it adds between ``-2 p`` and 0."""
        terms = (n * (-p * s).log1p() for n, p in zip(self.counts, self.heads, strict=True))
        value = sum(terms, ball(0))
        return value - flint.arb(self.tail, self.tail) if self.tail > 0 else value

    def weights(self, s: Ball) -> Iterator[Ball]:
        """``count p / (1 - p s)`` of the head levels, in order."""
        for n, p in zip(self.counts, self.heads, strict=True):
            yield n * p / (1 - p * s)

    def total(self, s: Ball) -> Ball:
        """The weight of all levels; a tail coin adds between 0 and ``2 p``."""
        value = sum(self.weights(s), ball(0))
        return value + flint.arb(self.tail, self.tail) if self.tail > 0 else value


def _solve(head: _Head, log_u: Ball, bits: int) -> Ball | None:
    """A ball that certainly contains the ``s`` with ``ln S(s) = ln U``, or ``None``.

    ``ln S`` is concave and decreasing. Newton's steps from the right of the root
    stay right of it; the bracket they end in is checked by sign, so the steps
    themselves need no certificate.
    """
    goal = log_u.mid()
    s = (-(goal / head.counts[0]).expm1()).mid()
    for _ in range(_NEWTON_STEPS):
        slope: Ball = sum(head.weights(s), ball(0))
        value = (head.log_survival(s).mid() - goal).mid()
        step = (value / slope.mid()).mid()
        s = (s + step).mid()
        if not abs(step) > abs(s) * flint.arb((1, -(bits // 2))):
            break
    for width in (bits - 24, bits // 2):
        slack = flint.arb((1, -width))
        low, high = (s * (1 - slack)).mid(), (s * (1 + slack)).mid()
        bracket = low > 0 and high < 1
        if bracket and head.log_survival(low) > log_u and head.log_survival(high) < log_u:
            return low.union(high)
    return None


def flip_level(rng: Rng, levels: Levels, *, rate: Fraction) -> int:
    """Draw the index of the level that permute-and-flip's winner has, exactly."""
    first, second = Lazy(rng), Lazy(rng)
    bits = 96
    while bits < 1 << 16:
        first.extend(bits)
        second.extend(bits)
        with at(2 * bits + levels.total.bit_length()):
            head = _Head(levels, rate, bits)
            s = _solve(head, first.ball().log(), bits) if first.prefix else None
            if s is not None:
                index = cell_of(second.ball() * head.total(s), head.weights(s))
                if index is not None:
                    return index
        bits *= 2
    raise NumericalDoubt("permute-and-flip could not be settled")
