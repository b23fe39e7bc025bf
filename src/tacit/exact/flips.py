"""Exact permute-and-flip over score levels of any size.

Permute-and-flip visits the candidates in random order and returns the first whose
coin of probability ``p = exp(-rate * (error - least))`` comes up heads. With
``S(s) = prod (1 - p s)^count`` its law is that of two real uniforms: ``s`` solves
``S(s) = U``, then a level is chosen with weight ``count * p / (1 - p s)``
(``flips.proof.md``). Everything is decided by balls.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

import flint
import numpy as np
import numpy.typing as npt

from tacit.core import ErrorCounts, NumericalDoubt, Rng
from tacit.exact.balls import Ball, at, ball
from tacit.exact.lazy import Lazy
from tacit.exact.levels import Levels, cell_of, exact_sum, upper_weight

_NEWTON_STEPS = 400  # steps after which a root is given up
_FEW = 16
_LARGEST = (1 << 63) - 1
_FLOAT_BITS, _FLOAT_NATS = 800, 600


class _Head:
    """The levels that matter at a precision, and a bound on all the others.

    A level far above the best is not skipped: its whole weight, ``tail``, widens
    every ball that it could have moved. Levels between, whose coins hardly ever show heads,
    are taken together: ``-ln(1 - x)`` lies between ``x`` and ``x + x**2``.
    """

    def __init__(
        self,
        levels: ErrorCounts,
        rate: Fraction,
        bits: int,
        *,
        before: Sequence[ErrorCounts] = (),
        rest: ErrorCounts | None = None,
    ) -> None:
        least = min(int(part.errors[0]) for part in (*before, levels))
        # With this reach the tail weighs less than 2**-(bits // 2 + 8) of a best candidate.
        nats = Fraction(7, 10) * (bits // 2 + 8 + levels.total.bit_length())
        reach = min(least + int(nats / rate), _LARGEST)
        head = int(np.searchsorted(levels.errors, reach, side="right"))
        self.counts: list[Ball] = []
        self.heads: list[Ball] = []
        near = [Levels(levels.errors[:head], levels.counts[:head])] if head else []
        for part in (*before, *near):
            self.counts += [ball(int(count)) for count in part.counts.tolist()]
            self.heads += _powers(part.errors, rate, least)
        self.tail = ball(0)
        if head < len(levels.errors):
            far = exact_sum(levels.counts[head:])
            self.tail += ball(far) * (-ball(rate) * (int(levels.errors[head]) - least)).exp()
        if rest is not None:
            self.tail += _whole_weight(rest, rate, least)
        rare = flint.arb((1, -(bits // 3 + 8)))
        pairs = list(zip(self.counts, self.heads, strict=True))
        self._often = [(n, p) for n, p in pairs if not p < rare]
        seldom = [(n, p) for n, p in pairs if p < rare]
        self._rare = sum((n * p for n, p in seldom), ball(0))
        self._rarer = sum((n * p * p for n, p in seldom), ball(0))

    def log_survival(self, s: Ball) -> Ball:
        """``ln S(s)``; a tail coin has ``p s <= 1/2``, so it adds between ``-2 p s`` and 0."""
        value: Ball = sum((n * (-(p * s)).log1p() for n, p in self._often), ball(0))
        value -= self._rare * s + ball(0).union(self._rarer * s * s)
        return value - ball(0).union(2 * self.tail * s)

    def weights(self, s: Ball) -> Iterator[Ball]:
        """``count p / (1 - p s)`` of the head levels, in order."""
        for n, p in zip(self.counts, self.heads, strict=True):
            yield n * p / (1 - p * s)

    def total(self, s: Ball) -> Ball:
        """The weight of all levels; a tail coin adds between 0 and ``2 p``."""
        value: Ball = sum((n * p / (1 - p * s) for n, p in self._often), ball(0))
        value += self._rare + ball(0).union(2 * self._rarer * s)
        return value + ball(0).union(2 * self.tail)


def _whole_weight(levels: ErrorCounts, rate: Fraction, least: int) -> Ball:
    """Not below the sum of ``count * exp(-rate * (error - least))``; finite."""
    reach = min(least + int(_FLOAT_NATS / rate), _LARGEST)
    head = int(np.searchsorted(levels.errors, reach, side="right"))
    weight = ball(0)
    if head < len(levels.errors):
        far = (-ball(rate) * (int(levels.errors[head]) - least)).exp()
        weight += ball(exact_sum(levels.counts[head:])) * far
    if head:
        counts = [int(count) for count in levels.counts[:head].tolist()]
        # Rounded up to multiples of a power of 2 that leaves numbers a float can hold.
        shift = max(0, max(counts).bit_length() - _FLOAT_BITS)
        fewer = np.array([-(-count >> shift) for count in counts], dtype=object)
        bound = upper_weight(Levels(levels.errors[:head], fewer), rate, least=least)
        weight += flint.arb(bound) * flint.arb((1, shift))
    return weight


def _powers(errors: npt.NDArray[np.int64], rate: Fraction, least: int) -> list[Ball]:
    """``exp(-rate * (error - least))`` for ascending errors, each from the one before it."""
    step = -ball(rate)
    places = errors.tolist()
    powers = [(step * (places[0] - least)).exp()]
    factors: dict[int, Ball] = {}
    for left, right in pairwise(places):
        gap = right - left
        if gap not in factors:
            factors[gap] = (step * gap).exp()
        powers.append(powers[-1] * factors[gap])
    return powers


def _guess(head: _Head, log_u: Ball) -> Ball | None:
    """About where ``ln S(s) = ln U``, by floats; ``None`` where they do not reach."""
    pairs = [(float(n), float(p)) for n, p in zip(head.counts, head.heads, strict=True)]
    counts, heads = np.array(pairs).T
    goal = float(log_u.mid())
    s = -math.expm1(goal / pairs[0][0])
    if not math.isfinite(counts.sum()):
        return None
    for _ in range(_NEWTON_STEPS):
        if not 1e-250 < s < 1:
            return None
        if len(pairs) <= _FEW:  # an array would take longer to make than to use
            slope = sum(n * p / (1 - p * s) for n, p in pairs)
            value = sum(n * math.log1p(-p * s) for n, p in pairs)
        else:
            slope = float((counts * heads / (1 - heads * s)).sum())
            value = float((counts * np.log1p(-heads * s)).sum())
        step = (value - goal) / slope
        s += step
        if not abs(step) > 1e-13 * abs(s):
            return flint.arb(s) if 0 < s < 1 else None
    return None


def _solve(head: _Head, log_u: Ball, bits: int) -> Ball | None:
    """A ball that certainly contains the ``s`` with ``ln S(s) = ln U``, or ``None``.

    ``ln S`` is concave and decreasing. Newton's steps from the right of the root
    stay right of it; the bracket they end in is checked by sign, so the steps
    themselves, and the floats they begin with, need no certificate.
    """
    goal = log_u.mid()
    s = _guess(head, log_u) or (-(goal / head.counts[0]).expm1()).mid()
    for _ in range(_NEWTON_STEPS):
        slope = head.total(s)
        value = (head.log_survival(s).mid() - goal).mid()
        step = (value / slope.mid()).mid()
        s = (s + step).mid()
        if not abs(step) > abs(s) * flint.arb((1, -(bits // 3))):
            break
    for width in (bits // 2, bits // 3):
        slack = flint.arb((1, -width))
        low, high = (s * (1 - slack)).mid(), (s * (1 + slack)).mid()
        bracket = low > 0 and high < 1
        if bracket and head.log_survival(low) > log_u and head.log_survival(high) < log_u:
            return low.union(high)
    return None


def settle_flip(
    known: Sequence[ErrorCounts],
    rest: ErrorCounts | None,
    *,
    rate: Fraction,
    first: Lazy,
    second: Lazy,
    bits: int,
) -> int | None:
    """The cell of the winner for two uniforms, if ``bits`` bits of both leave no doubt.

    The cells are the levels of all parts of ``known``, in order. ``rest`` counts further
    candidates by bounds that are not above their errors; ``None`` says there are none.
    """
    least = min(int(levels.errors[0]) for levels in known)
    if rest is not None and not (int(rest.errors[0]) - least) * rate >= 1:
        return None
    first.extend(bits)
    second.extend(bits)
    *before, last = known
    with at(bits + 64):
        head = _Head(last, rate, bits, before=before, rest=rest)
        s = _solve(head, first.ball().log(), bits) if first.prefix else None
        if s is None:
            return None
        return cell_of(second.ball() * head.total(s), head.weights(s))


def flip_level(rng: Rng, levels: ErrorCounts, *, rate: Fraction) -> int:
    """Draw the index of the level that permute-and-flip's winner has, exactly."""
    first, second = Lazy(rng), Lazy(rng)
    bits = 96
    while bits < 1 << 16:
        index = settle_flip([levels], None, rate=rate, first=first, second=second, bits=bits)
        if index is not None:
            return index
        bits *= 2
    raise NumericalDoubt("permute-and-flip could not be settled")
