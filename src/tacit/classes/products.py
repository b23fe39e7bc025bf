"""Intervals, boxes and conjunctions over a schema: products of conditions on columns.

A condition is a set of cells of one column. A concept asks one condition, or two on
different columns, and gives one label where all hold and the other elsewhere. Mistakes add
over cells, so those of all concepts are matrix products with tables of counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, hypothesis_kind
from tacit.core.numbers import whole
from tacit.domains.fields import Field
from tacit.domains.schema import Schema
from tacit.exact.landscape import Flat

MOST_CONCEPTS = 40_000_000


@dataclass(frozen=True, slots=True)
class Condition:
    """The cells ``first, ..., last`` of a column, or all others if ``outside``."""

    column: int
    first: int
    last: int
    outside: bool = False

    def holds(self, cells: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Which placed rows meet it."""
        column = cells[:, self.column]
        inside: npt.NDArray[np.bool_] = (column >= self.first) & (column <= self.last)
        return np.asarray(~inside if self.outside else inside, dtype=bool)

    def words(self, schema: Schema) -> list[str]:
        """The condition in words; none if it always holds."""
        field, name = schema.fields[self.column], schema.names[self.column]
        if self.outside:
            return [field.below(self.first, name=name)[1]]
        if not field.ordered:
            return [field.below(self.first, name=name)[0]] if field.cells > 1 else []
        parts = []
        if self.first > 0:
            parts.append(field.below(self.first - 1, name=name)[1])
        if self.last < field.cells - 1:
            parts.append(field.below(self.last, name=name)[0])
        return parts


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ProductRule:
    """``inside`` where all conditions hold, the other label elsewhere."""

    kind: ClassVar[str] = "conditions"
    schema: Schema
    conditions: tuple[Condition, ...]
    inside: bool

    def predict(self, x: Any) -> npt.NDArray[np.bool_]:
        cells = self.schema.coerce(x)
        holds = np.ones(len(cells), dtype=bool)
        for condition in self.conditions:
            holds &= condition.holds(cells)
        return np.asarray(holds == self.inside)

    def paths(self) -> list[tuple[list[str], bool]]:
        """The two cases: when each label is given."""
        words = [word for one in self.conditions for word in one.words(self.schema)]
        if not words:
            return [([], self.inside)]
        return [(words, self.inside), (["not so"], not self.inside)]

    def describe(self, *, column: str = "x") -> str:
        del column
        cases = self.paths()
        first = (" and ".join(cases[0][0]) or "always") + f": {int(cases[0][1])}"
        return f"if {first}; else: {int(not self.inside)}" if len(cases) > 1 else first

    def to_dict(self) -> dict[str, Any]:
        conditions = [
            {"column": c.column, "first": c.first, "last": c.last, "outside": c.outside}
            for c in self.conditions
        ]
        return {
            "kind": self.kind,
            "schema": self.schema.to_dict(),
            "conditions": conditions,
            "inside": self.inside,
        }

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> ProductRule:
        conditions = tuple(
            Condition(int(c["column"]), int(c["first"]), int(c["last"]), bool(c["outside"]))
            for c in record["conditions"]
        )
        schema = Schema.of(record["schema"])
        if any(not 0 <= c.column < schema.width for c in conditions):
            raise ValueError("a condition outside the schema")
        return cls(schema=schema, conditions=conditions, inside=bool(record["inside"]))


@dataclass(frozen=True)
class Products:
    """All concepts of at most ``columns`` conditions, each a range of another column."""

    schema: Schema
    columns: int = 1
    name: ClassVar[str] = "products"

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", whole(self.columns, name="columns", least=1))
        if self.columns > 2:
            raise BadInput("columns must be 1 or 2: the counts of larger sets are not kept")
        if self.size > MOST_CONCEPTS:
            raise BadInput(
                f"this class has {self.size} concepts, more than {MOST_CONCEPTS}: use fewer bins "
                "or fewer columns"
            )

    def _conditions(self, column: int, field: Field) -> Iterator[Condition]:
        """Ranges of cells; single cells of an unordered column."""
        yield from _ranges(column, field)

    @property
    def domain(self) -> Schema:
        return self.schema

    @cached_property
    def conditions(self) -> tuple[tuple[Condition, ...], ...]:
        """Every column's conditions, in the order of the candidates."""
        fields = enumerate(self.schema.fields)
        return tuple(tuple(self._conditions(column, field)) for column, field in fields)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The sets of columns that are asked together."""
        width = range(self.schema.width)
        return tuple(group for k in range(1, self.columns + 1) for group in combinations(width, k))

    def _many(self, group: tuple[int, ...]) -> int:
        many = 1
        for column in group:
            many *= len(self.conditions[column])
        return many

    @property
    def size(self) -> int:
        return 2 * sum(self._many(group) for group in self.groups)

    def describe(self) -> str:
        return f"{self.name} of up to {self.columns} columns over {self.schema.describe()}"

    def hypothesis(self, candidate: int) -> ProductRule:
        """The rule of one candidate: first all that say 1 inside, then all that say 0."""
        half = self.size // 2
        inside, rank = candidate < half, candidate % half
        for group in self.groups:
            many = self._many(group)
            if rank < many:
                break
            rank -= many
        chosen: list[Condition] = []
        for column in reversed(group):
            rank, place = divmod(rank, len(self.conditions[column]))
            chosen.insert(0, self.conditions[column][place])
        return ProductRule(schema=self.schema, conditions=tuple(chosen), inside=inside)

    def landscape(self, x: npt.NDArray[Any], y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every concept."""
        cells = np.asarray(x, dtype=np.int64)
        sign = np.where(y, 1.0, -1.0)
        masks = [self._mask(column) for column in range(self.schema.width)]
        gains = [self._gains(group, cells, sign, masks) for group in self.groups]
        ones = int(np.count_nonzero(y))
        errors = ones - np.concatenate(gains)
        return Flat(errors=np.concatenate((errors, len(y) - errors)))

    def _mask(self, column: int) -> npt.NDArray[np.float64]:
        """``mask[condition, cell]``: whether the cell meets the condition."""
        every = np.arange(self.schema.cells[column], dtype=np.int32)
        rows = [
            Condition(0, one.first, one.last, one.outside).holds(every[:, None])
            for one in self.conditions[column]
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, len(every))

    def _gains(
        self,
        group: tuple[int, ...],
        cells: npt.NDArray[np.int64],
        sign: npt.NDArray[np.float64],
        masks: list[npt.NDArray[np.float64]],
    ) -> npt.NDArray[np.int64]:
        """Ones minus zeros where all conditions hold; exact in float64 below 2**53 records."""
        sizes = [self.schema.cells[column] for column in group]
        key = cells[:, group[0]]
        for column, size in zip(group[1:], sizes[1:], strict=True):
            key = key * size + cells[:, column]
        table = np.bincount(key, weights=sign, minlength=int(np.prod(sizes))).reshape(sizes)
        inside = masks[group[0]] @ table
        if len(group) == 2:
            inside = inside @ masks[group[1]].T
        return np.rint(inside).astype(np.int64).ravel()


def _ranges(column: int, field: Field) -> Iterator[Condition]:
    for first in range(field.cells):
        for last in range(first, field.cells if field.ordered else first + 1):
            yield Condition(column, first, last)


@dataclass(frozen=True)
class Intervals(Products):
    """``low <= column < high`` for one column, or its negation; single categories."""

    name: ClassVar[str] = "intervals"


@dataclass(frozen=True)
class Boxes(Products):
    """An interval in each of up to two columns, or its negation."""

    columns: int = 2
    name: ClassVar[str] = "boxes"


@dataclass(frozen=True)
class Conjunctions(Products):
    """Up to two one-sided conditions, all of which (or, negated, not all) must hold."""

    columns: int = 2
    name: ClassVar[str] = "conjunctions"

    def _conditions(self, column: int, field: Field) -> Iterator[Condition]:
        last = field.cells - 1
        if not field.ordered:
            for cell in range(field.cells):
                yield Condition(column, cell, cell)
                yield Condition(column, cell, cell, outside=True)
            return
        yield Condition(column, 0, last)
        for cell in range(last):
            yield Condition(column, 0, cell)
            yield Condition(column, cell + 1, last)
