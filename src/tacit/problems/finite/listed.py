"""Every finite class, written out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.records import Stored
from tacit.domains.integers import UNREADABLE, Integers
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.problems.thresholds.thresholds import label_histogram
from tacit.tallies.mistakes import AddsUp


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class TableRule:
    """A 0/1 value for each of finitely many points."""

    kind: ClassVar[str] = "table"
    values: tuple[bool, ...]
    concept: int | None = None

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        cells = Integers(size=len(self.values)).coerce(x).astype(np.int64)
        return np.array(self.values, dtype=bool)[cells]

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        first = UNREADABLE if self.values[0] else ""
        ones = enumerate(self.values)
        runs = [list(run) for value, run in groupby(ones, key=itemgetter(1)) if value]
        ends = [(run[0][0], run[-1][0]) for run in runs]
        shown = ", ".join(str(low) if low == high else f"{low}..{high}" for low, high in ends)
        return f"{labels[1]} if {column} is one of {{{shown}}}{first}, else {labels[0]}"

    def to_dict(self) -> dict[str, object]:
        bits = "".join("01"[value] for value in self.values)
        return {"kind": self.kind, "values": bits, "concept": self.concept}

    @classmethod
    def from_dict(cls, record: Stored) -> TableRule:
        values = tuple({"0": False, "1": True}[bit] for bit in record["values"])
        if not values:
            raise ValueError("no values")
        return cls(values=values, concept=record.get("concept"))


@dataclass(frozen=True, slots=True, eq=False)
class Table(AddsUp):
    """A class given as a matrix: ``matrix[c, x]`` is the value of concept ``c`` at point ``x``.

    The rows are the candidates; equal rows are allowed and weigh double.
    """

    matrix: npt.NDArray[np.bool_]
    name: ClassVar[str] = "table"

    def __post_init__(self) -> None:
        try:
            given = np.asarray(self.matrix)
        except ValueError:
            raise BadInput("the matrix of a Table must have rows of equal length") from None
        if given.ndim != 2 or 0 in given.shape:
            raise BadInput("the matrix of a Table must be 2-D: concepts by points, none empty")
        if given.dtype != bool and not np.isin(given, (0, 1)).all():
            raise BadInput("the matrix of a Table must hold only 0 and 1")
        matrix = given.astype(bool)
        matrix.setflags(write=False)
        object.__setattr__(self, "matrix", matrix)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and np.array_equal(self.matrix, other.matrix)

    def __hash__(self) -> int:
        return hash((self.matrix.shape, self.matrix.tobytes()))

    def __repr__(self) -> str:
        return f"Table({self.matrix.shape[0]} concepts on {self.matrix.shape[1]} points)"

    @property
    def size(self) -> int:
        """How many concepts there are; ``None`` if infinitely many."""
        return int(self.matrix.shape[0])

    @property
    def domain(self) -> Integers:
        """The public values that records have."""
        return Integers(size=self.matrix.shape[1])

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(np.eye(4, dtype=bool))

    def describe(self) -> str:
        """The class in a few words."""
        return f"a listed class of {self.size} concepts on {self.matrix.shape[1]} points"

    def hypothesis(self, concept: int) -> TableRule:
        """The rule of one row."""
        return TableRule(values=tuple(self.matrix[concept].tolist()), concept=concept)

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every row."""
        zeros, ones = label_histogram(x, y, self.domain.size)
        # BLAS adds in float64, exact below 2**53 records.
        gains = self.matrix.astype(np.float64) @ (zeros - ones).astype(np.float64)
        return Flat(errors=gains.astype(np.int64) + int(ones.sum()))
