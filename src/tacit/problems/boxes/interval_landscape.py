"""The mistakes of all intervals over whole numbers, grouped by where their ends lie.

Between two neighbouring values that occur, an end may lie anywhere and the mistakes are the same.
So the ends form runs, one more than there are values, and an interval is a pair of ends: nothing
of the size of the domain is written down, and pairs of runs are counted by products of polynomials.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import isqrt

import flint
import numpy as np

from tacit.exact.arrays import Counts, Placed
from tacit.exact.levels import Levels

_PLAIN = 1 << 10
"""So many pairs of runs are counted one by one."""


def number_of(low: int, high: int) -> int:
    """The candidate ``low <= x < high``; 0 is the empty interval."""
    return 1 + high * (high - 1) // 2 + low


def ends_of(candidate: int) -> tuple[int, int]:
    """What ``number_of`` numbered; both ends are 0 for the empty interval."""
    if candidate == 0:
        return 0, 0
    high = _larger(candidate - 1)
    return candidate - 1 - high * (high - 1) // 2, high


def _larger(rank: int) -> int:
    """The larger of the ``rank``-th pair ``low < high`` of whole numbers, by ``high``."""
    return (1 + isqrt(1 + 8 * rank)) // 2


@dataclass(frozen=True, slots=True, eq=False)
class IntervalLandscape:
    """Mistakes of the intervals ``low <= x < high`` of ``0 .. size-1``, and of none. Private.

    ``starts``  the first end of each run, ``sizes`` how many ends it has.
    ``below``   records of label 1 less those of label 0 below an end of the run.
    """

    starts: list[int]
    sizes: list[int]
    below: list[int]
    ones: int

    def __repr__(self) -> str:
        return "IntervalLandscape(private)"

    @classmethod
    def of(cls, size: int, values: Placed, zeros: Counts, ones: Counts) -> IntervalLandscape:
        """From the labels of the ascending ``values``."""
        starts = [0, *(int(value) + 1 for value in values.tolist())]
        ends = [*starts[1:], size + 1]
        below = [0, *np.cumsum(ones - zeros).tolist()]
        sizes = [end - start for start, end in zip(starts, ends, strict=True)]
        return cls(starts, sizes, below, int(ones.sum()))

    def levels(self) -> Levels:
        """How many intervals make each number of mistakes."""
        gains = self._across(0, len(self.sizes))
        gains[0] += 1 + sum(size * (size - 1) // 2 for size in self.sizes)
        errors = sorted(self.ones - gain for gain, count in gains.items() if count)
        counts = np.array([gains[self.ones - error] for error in errors], dtype=object)
        return Levels(np.array(errors, dtype=np.int64), counts)

    def _across(self, first: int, last: int) -> Counter[int]:
        """How many pairs of ends of different runs gain how much, of the runs from ``first``."""
        if last - first < 2:
            return Counter()
        middle = (first + last) // 2
        found = self._across(first, middle)
        found.update(self._across(middle, last))
        left, right = self._by_gain(first, middle), self._by_gain(middle, last)
        found.update(_differences(left, right))
        return found

    def _by_gain(self, first: int, last: int) -> Counter[int]:
        sizes: Counter[int] = Counter()
        for run in range(first, last):
            sizes[self.below[run]] += self.sizes[run]
        return sizes

    def member(self, error: int, rank: int) -> int:
        """The ``rank``-th interval that makes ``error`` mistakes: by the run of its upper end."""
        gain = self.ones - error
        if gain == 0:
            if rank == 0:
                return 0
            rank -= 1
        seen: Counter[int] = Counter()
        for run, (start, size, below) in enumerate(
            zip(self.starts, self.sizes, self.below, strict=True)
        ):
            within = size * (size - 1) // 2 if gain == 0 else 0
            if rank < within:
                high = _larger(rank)
                return number_of(start + rank - high * (high - 1) // 2, start + high)
            rank -= within
            lower = seen[below - gain]
            if rank < lower * size:
                place, upper = divmod(rank, size)
                return number_of(self._end(run, below - gain, place), start + upper)
            rank -= lower * size
            seen[below] += size
        raise ValueError("there are not so many")

    def _end(self, run: int, below: int, place: int) -> int:
        """The ``place``-th end with so much below it, of the runs before ``run``."""
        for start, size, here in zip(self.starts[:run], self.sizes, self.below, strict=False):
            if here == below:
                if place < size:
                    return start + place
                place -= size
        raise ValueError("there are not so many")


def _differences(left: Counter[int], right: Counter[int]) -> Counter[int]:
    """How many pairs have which difference ``right - left``."""
    found: Counter[int] = Counter()
    if len(left) * len(right) <= _PLAIN:
        for low, many in left.items():
            for high, more in right.items():
                found[high - low] += many * more
        return found
    most, least = max(left), min(right)
    product = _polynomial({most - low: many for low, many in left.items()}) * _polynomial(
        {high - least: many for high, many in right.items()}
    )
    for power, count in enumerate(product.coeffs()):
        if count:
            found[power + least - most] = int(count)
    return found


def _polynomial(terms: dict[int, int]) -> flint.fmpz_poly:
    return flint.fmpz_poly([terms.get(power, 0) for power in range(max(terms) + 1)])
