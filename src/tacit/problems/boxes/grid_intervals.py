"""Intervals over whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.records import Stored, below
from tacit.domains.integers import UNREADABLE, Integers
from tacit.exact.arrays import Placed
from tacit.problems.boxes.interval_landscape import IntervalLandscape, ends_of
from tacit.problems.finite import growth_functions
from tacit.tallies.distinct import Counts, counted
from tacit.tallies.mistakes import ByValue


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalRule:
    """``low <= x < high``; never if both are 0."""

    kind: ClassVar[str] = "interval"
    domain: Integers
    low: int
    high: int

    def __post_init__(self) -> None:
        if not (0 <= self.low < self.high <= self.domain.size or self.low == self.high == 0):
            raise BadInput("an interval begins below its end, inside the domain")

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        cells = self.domain.coerce(x)
        if self.high == 0:
            return np.zeros(len(cells), dtype=bool)
        low, last = self.low, self.high - 1
        if cells.dtype != object:
            return np.asarray((cells >= np.uint64(low)) & (cells <= np.uint64(last)), dtype=bool)
        return np.asarray((cells >= low) & (cells <= last), dtype=bool)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        if self.high == 0:
            return f"{labels[0]} whatever {column} is"
        top = self.high == self.domain.size
        if self.low == 0 and top:
            return f"{labels[1]} whatever {column} is"
        bottom = f"{self.low} <= " if self.low else ""
        end = "" if top else f" < {self.high}"
        other = "" if self.low else UNREADABLE
        return f"{labels[1]} if {bottom}{column}{end}{other}, else {labels[0]}"

    def to_dict(self) -> dict[str, object]:
        numbers = {"size": self.domain.size, "low": self.low, "high": self.high}
        return {"kind": self.kind, **{name: str(value) for name, value in numbers.items()}}

    @classmethod
    def from_dict(cls, record: Stored) -> IntervalRule:
        domain = Integers(size=int(record["size"]))
        low, high = (below(domain.size + 1, record[name]) for name in ("low", "high"))
        return cls(domain=domain, low=low, high=high)


@dataclass(frozen=True, slots=True)
class GridIntervals(ByValue):
    """All intervals ``low <= x < high`` over ``0, ..., size - 1``, and the empty one.

    >>> GridIntervals(bits=3).size
    37
    """

    domain: Integers
    name: ClassVar[str] = "grid-intervals"

    def __init__(self, *, bits: int | None = None, size: int | None = None) -> None:
        object.__setattr__(self, "domain", Integers(bits=bits, size=size))

    @property
    def size(self) -> int:
        """How many concepts there are; ``None`` if infinitely many."""
        return self.domain.size * (self.domain.size + 1) // 2 + 1

    @property
    def vc(self) -> int:
        """The VC dimension, or a bound above it."""
        return min(2, self.domain.size)

    @property
    def littlestone(self) -> int:
        """Not above the Littlestone dimension: both ends are searched for, one after the other
        (``interval_landscape.proof.md``).
        """
        return both_ends(self.domain.size)

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(size=4)

    def describe(self) -> str:
        """The class in a few words."""
        return f"intervals over {self.domain.describe()}"

    def log_growth(self, n: int) -> float:
        """``n (n+1)/2 + 1`` labellings, or what two moving ends are worth."""
        return growth_functions.intervals(n)

    def hypothesis(self, candidate: int) -> IntervalRule:
        """The rule of one candidate: 0 is empty, the others count through the ends."""
        low, high = ends_of(candidate)
        return IntervalRule(domain=self.domain, low=low, high=high)

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> IntervalLandscape:
        """Mistakes of every interval, grouped by where its ends lie."""
        values, (zeros, ones) = counted(x, y)
        return self.by_value(values, zeros, ones)

    def by_value(self, values: Placed, zeros: Counts, ones: Counts) -> IntervalLandscape:
        """The same, from the labels of every value."""
        return IntervalLandscape.of(self.domain.size, values, zeros, ones)


def both_ends(size: int) -> int:
    """Not above the Littlestone dimension of intervals over ``size`` values."""
    return max(i + (size - (1 << i) + 1).bit_length() - 1 for i in range(size.bit_length()))
