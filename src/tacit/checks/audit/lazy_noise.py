"""Noise that is not drawn further than the mechanism looks at it.

A mechanism that only asks whether a count plus noise reaches a threshold needs two branches,
not one for every value of the noise. ``Noise`` knows an interval that its value lies in; each
comparison splits the interval, and only arithmetic that needs the number settles it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Protocol

from tacit.exact.balls import Ball, at, ball
from tacit.exact.geometric_tails import at_least, mass, reach

_BITS = 160
WINDOW = 24
"""Released noisy numbers from here on, on either side, are told apart no further."""


class Chooser(Protocol):
    """What a branching source of randomness offers."""

    faint: Fraction

    def choose(self, weights: Callable[[], Sequence[Ball]]) -> int: ...


@dataclass(frozen=True, slots=True)
class GeometricCells:
    """Two-sided geometric noise: what an interval weighs. ``None`` is an open end."""

    scale: Fraction

    def between(self, low: int | None, high: int | None) -> Ball:
        if high is not None and high < 0:
            # The light tail is measured from its own side, which keeps its relative precision.
            low, high = -high, None if low is None else -low
        upper = ball(0) if high is None else at_least(self.scale, high + 1)
        lower = ball(1) if low is None else at_least(self.scale, low)
        return lower - upper

    def reach(self, faint: Fraction) -> int:
        """Beyond this, on either side, lies less than ``faint``."""
        return reach(self.scale, faint)

    def at(self, z: int) -> Ball:
        return mass(self.scale, z)

    @property
    def window(self) -> int:
        """From here on, shifting the noise changes the weights of all values by one factor.

        It does so beyond every shift; further out the values would only be too faint.
        """
        return min(WINDOW, 12 * math.ceil(self.scale))


@lru_cache(maxsize=64)
def _bell(variance: Fraction) -> tuple[list[Ball], Ball]:
    """Weights of 0, 1, 2, ... and a ball around the weight of all numbers."""
    with at(_BITS):
        last = 1
        while not (-ball(Fraction(last * last) / (2 * variance))).exp() < ball(
            Fraction(1, 1 << 150)
        ):
            last += 1
        weights = [(-ball(Fraction(z * z) / (2 * variance))).exp() for z in range(last + 1)]
        # z^2 >= last^2 + 2 last (z - last) beyond the list: at most a geometric series.
        ratio = (-ball(Fraction(last) / variance)).exp()
        beyond = weights[-1] * ratio / (1 - ratio)
        inside = weights[0] + 2 * sum(weights[1:], ball(0))
        return weights, inside.union(inside + 2 * beyond)


@dataclass(frozen=True, slots=True)
class GaussianCells:
    """Discrete Gaussian noise: what an interval weighs, up to less than ``2^-140``."""

    variance: Fraction

    def between(self, low: int | None, high: int | None) -> Ball:
        weights, total = _bell(self.variance)
        last = len(weights) - 1
        start = -last if low is None else max(-last, low)
        end = last if high is None else min(last, high)
        inside = sum((weights[abs(z)] for z in range(start, end + 1)), ball(0))
        # Values beyond the list weigh less than one part in 2^140 together.
        return (inside / total).union(inside / total + ball(Fraction(1, 1 << 140)))

    def reach(self, faint: Fraction) -> int:
        weights, _ = _bell(self.variance)
        z = len(weights) - 1
        while z > 1 and (self.between(z - 1, None) < ball(faint)):
            z -= 1
        return z

    def at(self, z: int) -> Ball:
        return self.between(z, z)

    @property
    def window(self) -> int:
        """Nowhere: the factor grows for ever."""
        return 0


Cells = GeometricCells | GaussianCells


@lru_cache(maxsize=1024)
def _divided(cells: Cells, low: int | None, bound: int, high: int | None) -> list[Ball]:
    """How an interval's weight is shared by what lies below a bound and the rest."""
    with at(_BITS):
        below, above = cells.between(low, bound - 1), cells.between(bound, high)
        return [below / (below + above), above / (below + above)]


@lru_cache(maxsize=1024)
def _each(cells: Cells, low: int | None, high: int | None, start: int, end: int) -> list[Ball]:
    """The shares of the values from ``start`` to ``end`` in an interval's weight."""
    with at(_BITS):
        all_of_it = cells.between(low, high)
        return [cells.at(z) / all_of_it for z in range(start, end + 1)]


@lru_cache(maxsize=1024)
def _reach(cells: Cells, faint: Fraction) -> int:
    """How far a draw is followed: every draw of a law asks."""
    with at(_BITS):
        return cells.reach(faint)


class _State:
    """One draw: its law and the interval that is known of it."""

    __slots__ = ("cells", "high", "low", "tree")

    def __init__(self, tree: Chooser, cells: Cells) -> None:
        self.tree, self.cells = tree, cells
        self.low: int | None = None
        self.high: int | None = None

    def at_least(self, bound: int) -> bool:
        if self.low is not None and bound <= self.low:
            return True
        if self.high is not None and bound > self.high:
            return False
        if self.tree.choose(partial(_divided, self.cells, self.low, bound, self.high)):
            self.low = bound
            return True
        self.high = bound - 1
        return False

    def settle(self) -> int:
        far = _reach(self.cells, self.tree.faint)
        low = min(0, self.high or 0) - far if self.low is None else self.low
        high = max(0, self.low or 0) + far if self.high is None else self.high
        if low < high:
            low += self.tree.choose(partial(_each, self.cells, self.low, self.high, low, high))
        self.low = self.high = low
        return low


class Noise:
    """A whole number plus noise, known as far as anybody asked."""

    __array_ufunc__ = None
    __slots__ = ("_shift", "_state")

    def __init__(self, state: _State, shift: int = 0) -> None:
        self._state, self._shift = state, shift

    @classmethod
    def drawn(cls, tree: Chooser, cells: Cells) -> Noise:
        """Fresh noise, about which nothing is known."""
        return cls(_State(tree, cells))

    def settled(self) -> int:
        """The number, one branch for each value."""
        return self._shift + self._state.settle()

    def shown(self) -> int:
        """The number as an observer of it may see it, without loss.

        Far from all true counts, geometric noise changes the chance of every value by the
        same factor if the count moves, so that all far values may be shown as one.
        """
        window = self._state.cells.window
        if abs(self._shift) < window:
            if self >= window:
                return window
            if self <= -window:
                return -window
        return self.settled()

    def _reaches(self, other: Any, *, strictly: bool) -> bool:
        number = other.settled() if isinstance(other, Noise) else other
        bound = Fraction(number) - self._shift
        return self._state.at_least(math.floor(bound) + 1 if strictly else math.ceil(bound))

    def __ge__(self, other: object) -> bool:
        return self._reaches(other, strictly=False)

    def __gt__(self, other: object) -> bool:
        return self._reaches(other, strictly=True)

    def __le__(self, other: object) -> bool:
        return not self > other

    def __lt__(self, other: object) -> bool:
        return not self >= other

    def __eq__(self, other: object) -> bool:
        return self >= other and self <= other

    def __hash__(self) -> int:
        return hash(self.settled())

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Noise):
            return self + other.settled()
        if Fraction(other).denominator == 1:
            return Noise(self._state, self._shift + int(other))
        return self.settled() + other

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -int(other) if isinstance(other, Noise) else self + -other

    def __rsub__(self, other: Any) -> Any:
        return other - self.settled()

    def __mul__(self, other: Any) -> Any:
        return self if other == 1 else self.settled() * other

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return self.settled() // int(other)

    def __rfloordiv__(self, other: Any) -> Any:
        return other // self.settled()

    def __truediv__(self, other: Any) -> Any:
        return _Share(self, int(other))

    def __int__(self) -> int:
        return self.settled()

    __index__ = __int__


def rewinding(noises: Iterable[Noise]) -> Callable[[], None]:
    """Something to call that takes noise back to what is known of it now."""
    known = [(noise._state, noise._state.low, noise._state.high) for noise in noises]

    def rewind() -> None:
        for state, low, high in known:
            state.low, state.high = low, high

    return rewind


class _Share:
    """Noisy count over a number of records, compared with 0 and 1 before it is used."""

    __slots__ = ("_noise", "_records")

    def __init__(self, noise: Noise, records: int) -> None:
        self._noise, self._records = noise, records

    def __gt__(self, other: Any) -> bool:
        return self._noise > 0 if other == 0 else float(self) > other

    def __lt__(self, other: Any) -> bool:
        return self._noise < self._records if other == 1 else float(self) < other

    def __sub__(self, other: Any) -> float:
        return float(self) - float(other)

    def __float__(self) -> float:
        return self._noise.settled() / self._records


def geometric(tree: Chooser, scale: Fraction) -> Noise:
    """Stands in for ``two_sided_geometric``."""
    return Noise.drawn(tree, GeometricCells(scale))


def gaussian(tree: Chooser, variance: Fraction) -> Noise:
    """Stands in for ``discrete_gaussian``."""
    return Noise.drawn(tree, GaussianCells(variance))
