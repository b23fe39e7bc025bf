"""Axis-parallel boxes over rows of whole numbers (FX14 section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.hypothesis import numbered
from tacit.core.records import Stored, below
from tacit.domains.integers import UNREADABLE
from tacit.domains.rows import Rows
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.problems.boxes.grid_intervals import both_ends
from tacit.problems.boxes.interval_landscape import ends_of
from tacit.problems.finite import growth_functions
from tacit.problems.tables.products import span_sums
from tacit.tallies.mistakes import AddsUp

_MOST_LISTED = 1 << 23
"""Classes up to this size list the mistakes of every box; they take eight bytes each."""

Sides = tuple[tuple[int, int], ...]


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class GridBoxRule:
    """``low <= x < high`` in every column; no sides means never."""

    kind: ClassVar[str] = "grid-box"
    domain: Rows
    sides: Sides

    def __post_init__(self) -> None:
        if len(self.sides) not in (0, self.domain.width):
            raise BadInput("a box has one side per column, or none at all")
        if not all(0 <= low < high <= self.domain.axis.size for low, high in self.sides):
            raise BadInput("a side begins below its end, inside the domain")

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        rows = self.domain.coerce(x)
        inside = np.full(len(rows), bool(self.sides))
        for column, (low, high) in zip(rows.T, self.sides, strict=False):
            if column.dtype == object:
                inside &= np.asarray((column >= low) & (column < high), dtype=bool)
            else:
                inside &= (column >= np.uint64(low)) & (column <= np.uint64(high - 1))
        return inside

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        width = self.domain.width
        return self.worded([column] if width == 1 else numbered(column, width), labels)

    def worded(self, columns: Sequence[str], labels: Labels) -> str:
        """The rule in words, with a name for each column."""
        if not self.sides:
            return f"{labels[0]} for every record"
        parts = []
        for name, (low, high) in zip(columns, self.sides, strict=True):
            bottom = f"{low} <= " if low else ""
            top = f" < {high}" if high < self.domain.axis.size else ""
            if bottom or top:
                parts.append(f"{bottom}{name}{top}{'' if bottom else UNREADABLE}")
        if not parts:
            return f"{labels[1]} for every record"
        return f"{labels[1]} if {' and '.join(parts)}, else {labels[0]}"

    def to_dict(self) -> dict[str, object]:
        sides = [[str(low), str(high)] for low, high in self.sides]
        shape = {"bits": self.domain.bits, "columns": self.domain.width}
        return {"kind": self.kind, **shape, "sides": sides}

    @classmethod
    def from_dict(cls, record: Stored) -> GridBoxRule:
        domain = Rows(bits=int(record["bits"]), width=int(record["columns"]))
        most = domain.axis.size + 1
        sides = tuple((below(most, low), below(most, high)) for low, high in record["sides"])
        return cls(domain=domain, sides=sides)


@dataclass(frozen=True, slots=True)
class GridBoxes(AddsUp):
    """All boxes ``low <= x < high`` over rows of ``columns`` numbers of ``bits`` bits, and the
    empty one.

    >>> GridBoxes(bits=2).size
    101
    """

    domain: Rows
    name: ClassVar[str] = "grid-boxes"

    def __init__(self, *, bits: int, columns: int = 2) -> None:
        object.__setattr__(self, "domain", Rows(bits=bits, width=columns))

    @property
    def bits(self) -> int:
        """Of a number in a row."""
        return self.domain.bits

    @property
    def columns(self) -> int:
        """How many numbers a row has."""
        return self.domain.width

    @property
    def _sides(self) -> int:
        side = self.domain.axis.size
        return side * (side + 1) // 2

    @property
    def size(self) -> int:
        """How many concepts there are; ``None`` if infinitely many."""
        return int(self._sides**self.columns) + 1

    @property
    def vc(self) -> int:
        """The VC dimension: two faces a column, but with two values a column one is enough."""
        return 2 * self.columns if self.bits > 1 else max(2, self.columns)

    @property
    def littlestone(self) -> int:
        """Not above the Littlestone dimension: both ends of every side are searched for, one
        after the other (``grid_boxes.proof.md``).
        """
        return max(self.columns * both_ends(self.domain.axis.size), self.vc)

    @property
    def too_many(self) -> str | None:
        """Boxes are many: the class is known, but not listed."""
        if self.size <= _MOST_LISTED:
            return None
        return f"would list the mistakes of more than {_MOST_LISTED} boxes"

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(bits=1)

    def describe(self) -> str:
        """The class in a few words."""
        return f"boxes over {self.domain.describe()}"

    def log_growth(self, n: int) -> float:
        """An interval in each column, or the VC dimension."""
        return growth_functions.boxes(self.columns)(n)

    def hypothesis(self, candidate: int) -> GridBoxRule:
        """The rule of one box: 0 is empty, the others count through the sides, last column
        fastest.
        """
        if candidate == 0:
            return GridBoxRule(domain=self.domain, sides=())
        rank, sides = candidate - 1, []
        for _ in range(self.columns):
            rank, place = divmod(rank, self._sides)
            sides.append(ends_of(place + 1))
        return GridBoxRule(domain=self.domain, sides=tuple(reversed(sides)))

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every box: the 1s outside it and the 0s inside."""
        side = self.domain.axis.size
        cell = np.zeros(len(x), dtype=np.int64)
        for column in x.T:
            cell = cell * side + column.astype(np.int64)
        both = np.bincount(2 * cell + y, minlength=2 * self.domain.size).reshape(-1, 2)
        gains = (both[:, 0] - both[:, 1]).reshape((side,) * self.columns)
        # The sides in the order of their numbers: by the upper end, then by the lower.
        last = np.repeat(np.arange(side), np.arange(1, side + 1))
        first = np.arange(len(last)) - last * (last + 1) // 2
        spans = first, last, np.zeros(len(first), dtype=bool)
        for axis in range(self.columns):
            gains = span_sums(gains, axis, spans)
        ones = int(np.count_nonzero(y))
        return Flat(errors=np.concatenate(([ones], gains.ravel() + ones)))
