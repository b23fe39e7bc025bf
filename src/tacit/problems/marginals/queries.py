"""Classes of queries over a schema: what a synthetic table of several columns must answer.

A query counts the records in some cells of a few columns together. The worst error of a class
is a whole number of records, computed in integers: rounding a float up would move it by two
where one record moves it by one (``worst_error.proof.md``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import combinations
from math import comb, prod
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.core.numbers import counted, whole
from tacit.core.respelled import respelled
from tacit.domains.schema import Schema
from tacit.problems.marginals.impossible import Zeros, check_together, combination, zeros_of

Columns = tuple[int, ...]
Counts = npt.NDArray[np.int64]

MOST_CELLS = 1 << 25
"""All counts that a class needs are held at once."""
_WORD = 1 << 62


@respelled("ways", "impossible", after=1)
@dataclass(frozen=True)
class TableQueries(ABC):
    """Queries about ``ways`` columns together at the most.

    ``impossible``  combinations that cannot occur, from public knowledge: each a mapping from
                    columns to a value or a list of values, such as
                    ``{"sex": "male", "pregnant": True}``. The table then has none of them. Where
                    whole numbers or dates share a cell, all of a cell are listed.
    ``about``       a column that every query names, such as a label to be told from the others:
                    the budget then goes to what the others say about it.
    """

    schema: Schema
    _: KW_ONLY
    ways: int = 2
    impossible: tuple[tuple[tuple[str, tuple[object, ...]], ...], ...] = ()
    about: str | None = None
    name: ClassVar[str]

    def __post_init__(self) -> None:
        if not isinstance(self.schema, Schema):
            object.__setattr__(self, "schema", Schema.of(self.schema))
        object.__setattr__(self, "ways", whole(self.ways, name="ways", least=1))
        if self.ways > self.schema.width:
            raise BadInput(f"ways must be at most {self.schema.width}: there are no more columns")
        self._check_about()
        object.__setattr__(self, "impossible", tuple(map(combination, self.impossible)))
        if self.zeros:
            check_together(self.schema.cells, self.zeros)
        if sum(prod(self.schema.cells[c] for c in part) for part in self.parts) > MOST_CELLS:
            raise BadInput(
                "these queries have more than 2**25 cells in all: take fewer ways, columns or bins"
            )

    def _check_about(self) -> None:
        """Refuse a column that is not there, or that is about nothing else."""
        if self.about is None:
            return
        if self.about not in self.schema.names:
            names = ", ".join(self.schema.names)
            raise BadInput(f"about names {self.about!r}, and the columns are {names}")
        if self.ways < 2:
            raise BadInput("about is for queries about two columns or more together")

    @property
    def domain(self) -> Schema:
        """The public values that records have."""
        return self.schema

    @property
    @abstractmethod
    def size(self) -> int:
        """How many queries there are."""

    @cached_property
    def parts(self) -> tuple[Columns, ...]:
        """The sets of columns whose counts answer every query."""
        return self.together(self.ways)

    def together(self, columns: int) -> tuple[Columns, ...]:
        """All sets of so many columns that some query names all of."""
        every = tuple(combinations(range(self.schema.width), columns))
        if self.about is None or columns < self.ways:
            return every
        asked = self.schema.names.index(self.about)
        return tuple(part for part in every if asked in part)

    @property
    def _with_it(self) -> str:
        """The column that every query names, in words."""
        return "" if self.about is None else f" with {self.about}"

    @cached_property
    def zeros(self) -> tuple[tuple[Columns, Zeros], ...]:
        """Which cells of which columns were declared impossible."""
        return tuple(zeros_of(self.schema, one) for one in self.impossible)

    @abstractmethod
    def worst(self, part: Columns, missing: Counts) -> int:
        """The largest error of a query about ``part``, if ``missing`` is what its cells lack."""

    @abstractmethod
    def describe(self) -> str:
        """The queries in words."""

    @property
    @abstractmethod
    def promise(self) -> str:
        """What is within a stated distance of the truth, in words."""

    def errors(
        self, truth: Mapping[Columns, Counts], table: Mapping[Columns, Counts], *, n: int, rows: int
    ) -> Counts:
        """For each part its worst error in records, rounded up: ``rows`` rows stand for ``n``.

        Every query's error moves by at most 1 when one record is replaced, added or removed
        while ``n`` and ``rows`` stay the same, and so does each of these numbers.
        """
        exact: Any = np.int64 if max(n, 1) * rows < _WORD else object
        found = np.zeros(len(self.parts), dtype=np.int64)
        for place, part in enumerate(self.parts):
            missing = truth[part].astype(exact) * rows - table[part].astype(exact) * n
            found[place] = -(-self.worst(part, missing) // rows)
        return found


@respelled("ways", "impossible", after=1)
@dataclass(frozen=True, kw_only=True)
class Marginals(TableQueries):
    """All counts of all cells of ``ways`` columns, and of every set of such cells.

    The error of a marginal is its distance in total variation: no question about these columns,
    however many cells it names, is answered worse.

    >>> Marginals(Schema.of({"age": (0, 120), "smoker": bool}), ways=2)
    Marginals(Schema(age: number, smoker: boolean), ways=2)
    """

    name: ClassVar[str] = "marginals"

    def __repr__(self) -> str:
        about = "" if self.about is None else f", about={self.about!r}"
        return f"Marginals({self.schema!r}, ways={self.ways}{about})"

    @property
    def size(self) -> int:
        return sum(1 << prod(self.schema.cells[c] for c in part) for part in self.parts)

    def worst(self, part: Columns, missing: Counts) -> int:
        del part
        more, less = missing[missing > 0].sum(), missing[missing < 0].sum()
        return max(int(more), -int(less))

    def describe(self) -> str:
        return (
            f"all {counted(len(self.parts), f'{_WAYS[self.ways]} marginal')}{self._with_it} of "
            f"{self.schema.describe()}"
        )

    @property
    def promise(self) -> str:
        return f"every {_WAYS[self.ways]} marginal{self._with_it} (in total variation)"

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.of({"a": bool, "b": bool}).declared_complete(), ways=1)


@respelled("ways", "impossible", after=1)
@dataclass(frozen=True, kw_only=True)
class Conditions(TableQueries):
    """How many records meet at most ``ways`` conditions, each that a column is in one cell."""

    name: ClassVar[str] = "conditions"

    @property
    def size(self) -> int:
        return 1 + sum(prod(self.schema.cells[c] for c in part) for part in self.parts)

    @cached_property
    def parts(self) -> tuple[Columns, ...]:
        return tuple(part for few in range(1, self.ways + 1) for part in self.together(few))

    def worst(self, part: Columns, missing: Counts) -> int:
        del part
        return _with_complements(missing.reshape(-1), missing)

    def describe(self) -> str:
        return (
            f"all counts under at most {counted(self.ways, 'condition')}{self._if_with_it} on "
            f"{self.schema.describe()}"
        )

    @property
    def promise(self) -> str:
        return f"every count under at most {counted(self.ways, 'condition')}{self._if_with_it}"

    @property
    def _if_with_it(self) -> str:
        most = f" (under {self.ways} only if one is on {self.about})"
        return "" if self.about is None else most


@respelled("ways", "impossible", after=1)
@dataclass(frozen=True, kw_only=True)
class Ranges(TableQueries):
    """How many records lie between two cells of an ordered column, or in one cell of another."""

    ways: int = 1
    name: ClassVar[str] = "ranges"

    def __post_init__(self) -> None:
        if self.ways != 1:
            raise BadInput("ranges are about one column at a time: ways=1")
        super().__post_init__()

    @property
    def size(self) -> int:
        return sum(
            one.extra + (comb(one.declared + 1, 2) if one.ordered else one.declared)
            for one in self.schema.fields
        )

    def worst(self, part: Columns, missing: Counts) -> int:
        one = self.schema.fields[part[0]]
        if not one.ordered:
            return _with_complements(missing, missing)
        ends = _sums(missing[one.extra :])
        rises = ends - np.minimum.accumulate(ends)
        falls = ends - np.maximum.accumulate(ends)
        return _with_complements(np.concatenate([missing[: one.extra], rises, falls]), missing)

    def describe(self) -> str:
        return f"all ranges of single columns of {self.schema.describe()}"

    @property
    def promise(self) -> str:
        return "every range of a column"


@respelled("ways", "impossible", after=1)
@dataclass(frozen=True, kw_only=True)
class PrefixSums(Ranges):
    """How many records lie at or below a cell of an ordered column; cells of other columns."""

    name: ClassVar[str] = "prefix sums"

    @property
    def size(self) -> int:
        return sum(one.cells for one in self.schema.fields)

    def worst(self, part: Columns, missing: Counts) -> int:
        one = self.schema.fields[part[0]]
        if not one.ordered:
            return _with_complements(missing, missing)
        ends = _sums(missing[one.extra :])
        return _with_complements(np.concatenate([missing[: one.extra], ends]), missing)

    def describe(self) -> str:
        return f"all prefix sums of single columns of {self.schema.describe()}"

    @property
    def promise(self) -> str:
        return "every prefix sum of a column"


_WAYS = {1: "one-way", 2: "two-way", 3: "three-way", 4: "four-way"} | {
    ways: f"{ways}-way" for ways in range(5, 64)
}
CLASSES = (Marginals, Conditions, Ranges, PrefixSums)


def _with_complements(lacking: Counts, missing: Counts) -> int:
    """The largest of what queries lack, and of what all that they leave out lacks."""
    others = missing.sum() - lacking
    return max(int(np.abs(lacking).max()), int(np.abs(others).max()))


def _sums(missing: Counts) -> Counts:
    """Prefix sums, the empty one first."""
    return np.concatenate([np.zeros(1, dtype=missing.dtype), np.cumsum(missing)])
