"""Point functions: 1 on a single value, 0 elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, Labels, hypothesis_kind
from tacit.core.records import Stored, below
from tacit.domains.integers import UNREADABLE, Integers
from tacit.exact.arrays import Placed
from tacit.exact.landscape import tally
from tacit.exact.levels import Levels
from tacit.problems.finite import growth_functions
from tacit.tallies.distinct import Counts, counted
from tacit.tallies.mistakes import ByValue


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class PointRule:
    """``x = point``."""

    kind: ClassVar[str] = "point"
    domain: Integers
    point: int

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        cells = self.domain.coerce(x)
        point = self.point if cells.dtype == object else np.uint64(self.point)
        return np.asarray(cells == point, dtype=bool)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        if self.domain.size == 1:
            return f"{labels[1]} whatever {column} is"
        if self.point == 0:
            return f"{labels[1]} if {column} <= 0{UNREADABLE}, else {labels[0]}"
        top = self.point == self.domain.size - 1
        return f"{labels[1]} if {column} {'>=' if top else '='} {self.point}, else {labels[0]}"

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, "size": str(self.domain.size), "point": str(self.point)}

    @classmethod
    def from_dict(cls, record: Stored) -> PointRule:
        domain = Integers(size=int(record["size"]))
        return cls(domain=domain, point=below(domain.size, record["point"]))


@dataclass(frozen=True, slots=True, eq=False)
class PointLandscape:
    """Mistakes of every point: the values that occur, and all others alike."""

    values: Placed
    errors: npt.NDArray[np.int64]
    elsewhere: int
    domain_size: int

    def __repr__(self) -> str:
        return "PointLandscape(private)"

    def levels(self) -> Levels:
        unseen = self.domain_size - len(self.values)
        errors = np.append(self.errors, np.int64(self.elsewhere))
        sizes = np.ones(len(errors), dtype=np.uint64 if unseen < 1 << 64 else object)
        sizes[-1] = unseen
        return tally(errors, sizes)

    def member(self, error: int, rank: int) -> int:
        here = np.flatnonzero(self.errors == error)
        if rank < len(here):
            return int(self.values[here[rank]])
        return unlisted(self.values, rank - len(here))


def unlisted(values: Placed, rank: int) -> int:
    """The ``rank``-th whole number that is not among the ascending, distinct ``values``."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if int(values[middle]) - middle <= rank:
            low = middle + 1
        else:
            high = middle
    return rank + low


def counts_by_value(x: Placed, y: npt.NDArray[np.bool_]) -> tuple[Placed, Counts, Counts]:
    """Distinct values, ascending, with how many records of label 0 and of label 1 each has."""
    values, (zeros, ones) = counted(x, y)
    return values, zeros, ones


@dataclass(frozen=True, slots=True)
class Points(ByValue):
    """All point functions ``x = p`` over ``0, ..., size - 1``; give ``bits`` or ``size``."""

    domain: Integers
    name: ClassVar[str] = "points"

    def __init__(self, *, bits: int | None = None, size: int | None = None) -> None:
        object.__setattr__(self, "domain", Integers(bits=bits, size=size))

    @property
    def size(self) -> int:
        """How many concepts there are; ``None`` if infinitely many."""
        return self.domain.size

    @property
    def vc(self) -> int:
        """The VC dimension, or a bound above it."""
        return min(1, self.size - 1)

    @property
    def littlestone(self) -> int:
        """1: one mistake on the point settles it."""
        return min(1, self.size - 1)

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(size=4)

    def describe(self) -> str:
        """The class in a few words."""
        return f"points x = p over {self.domain.describe()}"

    def log_growth(self, n: int) -> float:
        """Points label ``n`` values in at most ``n + 1`` ways."""
        return growth_functions.sauer(1)(n)

    def hypothesis(self, point: int) -> PointRule:
        """The rule of one point."""
        return PointRule(domain=self.domain, point=point)

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> PointLandscape:
        """Mistakes of every point: the 1s elsewhere plus the 0s on it."""
        return self.by_value(*counts_by_value(x, y))

    def by_value(self, values: Placed, zeros: Counts, ones: Counts) -> PointLandscape:
        """The same, from the labels of every value."""
        positives = int(ones.sum())
        return PointLandscape(
            values=values,
            errors=positives - ones + zeros,
            elsewhere=positives,
            domain_size=self.domain.size,
        )
