"""Intervals, boxes and conjunctions over a schema: products of conditions on columns.

A condition is a set of cells of one column. A concept asks up to three conditions on
different columns, and gives one label where all hold and the other elsewhere. Mistakes add
over cells, so those of all concepts are differences of prefix sums of the joint counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import combinations
from math import log, prod
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Hypothesis, Labels, hypothesis_kind
from tacit.core.numbers import counted, whole
from tacit.core.records import Stored
from tacit.core.respelled import respelled
from tacit.domains.schema import Field, Schema
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.problems.tables.equally_likely import EquallyLikely
from tacit.problems.tables.table_rule import Cells, TableRule
from tacit.tallies.mistakes import AddsUp

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
        return self.meets(cells[:, self.column])

    def meets(self, column: Placed) -> npt.NDArray[np.bool_]:
        """Which cells of its own column meet it."""
        inside: npt.NDArray[np.bool_] = (column >= self.first) & (column <= self.last)
        return np.asarray(~inside if self.outside else inside, dtype=bool)

    def words(self, schema: Schema) -> list[str]:
        """The condition in words; none if it always holds."""
        field, name = schema.fields[self.column], schema.told[self.column]
        if self.outside:
            return [field.is_not(self.first, name=name)]
        if not field.ordered:
            return [field.below(self.first, name=name)[0]] if field.cells > 1 else []
        return field.is_in(self.first, self.last, name=name)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        return {
            "column": self.column,
            "first": self.first,
            "last": self.last,
            "outside": self.outside,
        }

    @classmethod
    def from_dict(cls, record: Stored, *, schema: Schema) -> Condition:
        """Read back what ``to_dict`` wrote."""
        column = int(record["column"])
        if not 0 <= column < schema.width:
            raise ValueError("a condition outside the schema")
        first, last = int(record["first"]), int(record["last"])
        if not 0 <= first <= last < schema.cells[column]:
            raise ValueError("a condition outside the cells of its column")
        return cls(column, first, last, bool(record["outside"]))


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ProductRule(TableRule):
    """``inside`` where all conditions hold, the other label elsewhere."""

    kind: ClassVar[str] = "conditions"
    schema: Schema
    conditions: tuple[Condition, ...]
    inside: bool

    def of_cells(self, cells: Cells) -> npt.NDArray[np.bool_]:
        holds = np.ones(len(cells), dtype=bool)
        for condition in self.conditions:
            holds &= condition.holds(cells)
        return np.asarray(holds == self.inside)

    @property
    def reads(self) -> tuple[int, ...]:
        """The columns of the schema that the rule asks about, as its words do: all it needs."""
        return tuple(sorted({one.column for one in self.conditions if one.words(self.schema)}))

    def paths(self) -> list[tuple[list[str], bool]]:
        """The two cases: when each label is given."""
        words = [word for one in self.conditions for word in one.words(self.schema)]
        if not words:
            return [([], self.inside)]
        return [(words, self.inside), (["not so"], not self.inside)]

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        del column
        cases = self.paths()
        first = (" and ".join(cases[0][0]) or "always") + f": {labels[cases[0][1]]}"
        return f"if {first}; else: {labels[not self.inside]}" if len(cases) > 1 else first

    def to_dict(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "schema": self.schema.to_dict(),
            "conditions": [condition.to_dict() for condition in self.conditions],
            "inside": self.inside,
        }

    @classmethod
    def from_dict(cls, record: Stored) -> ProductRule:
        schema = Schema.of(record["schema"])
        conditions = tuple(Condition.from_dict(one, schema=schema) for one in record["conditions"])
        return cls(schema=schema, conditions=conditions, inside=bool(record["inside"]))


Spans = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]


@respelled("columns", "chosen", after=1)
@dataclass(frozen=True)
class Products(EquallyLikely, AddsUp):
    """All concepts of at most ``columns`` conditions, each a range of another column.

    ``chosen`` lists the sets of columns to ask together, by position; ``None`` is all sets
    of up to ``columns``. Landscapes are exact: ``products.proof.md``.
    """

    schema: Schema
    _: KW_ONLY
    columns: int = 1
    chosen: tuple[tuple[int, ...], ...] | None = None
    name: ClassVar[str] = "products"

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", whole(self.columns, name="columns", least=1))
        if self.columns > 3:
            raise BadInput("columns must be 1, 2 or 3: the counts of larger sets are not kept")
        sets = check_sets(self.schema, self.chosen, most=self.columns)
        object.__setattr__(self, "chosen", sets)
        if self.size > MOST_CONCEPTS:
            raise BadInput(
                f"this class has {self.size} concepts, more than {MOST_CONCEPTS}: use fewer bins, "
                "fewer columns, or choose the sets of columns"
            )

    def _many(self, field: Field) -> int:
        """How many conditions a column has: the length of its spans."""
        return field.cells * (field.cells + 1) // 2 if field.ordered else field.cells

    def _spans(self, field: Field) -> Spans:
        """First and last cell of a column's conditions, and whether the others are meant.

        Ranges of cells; single cells of an unordered column.
        """
        if field.ordered:
            first, last = np.triu_indices(field.cells)
        else:
            first = last = np.arange(field.cells)
        return first, last, np.zeros(len(first), dtype=bool)

    @cached_property
    def many(self) -> tuple[int, ...]:
        """How many conditions every column has."""
        return tuple(self._many(field) for field in self.schema.fields)

    @cached_property
    def spans(self) -> tuple[Spans, ...]:
        """Every column's conditions, in the order of the candidates."""
        return tuple(self._spans(field) for field in self.schema.fields)

    def groups(self) -> Iterator[tuple[int, ...]]:
        """The sets of columns that are asked together."""
        if self.chosen is not None:
            yield from self.chosen
            return
        for k in range(1, self.columns + 1):
            yield from combinations(range(self.schema.width), k)

    def _inside(self, group: tuple[int, ...]) -> int:
        return prod(self.many[column] for column in group)

    @cached_property
    def size(self) -> int:
        if self.chosen is not None:
            return 2 * sum(self._inside(group) for group in self.chosen)
        return 2 * self._all_sets(self.many)

    def _all_sets(self, many: Sequence[int]) -> int:
        # sums[k]: over all sets of k columns, without listing them.
        sums = [1] + [0] * self.columns
        for conditions in many:
            for k in range(self.columns, 0, -1):
                sums[k] += conditions * sums[k - 1]
        return sum(sums[1:])

    def log_growth(self, n: int) -> float:
        """A condition labels ``n`` values in at most ``n (n+1)/2 + 1`` ways if it is a range, and
        in twice ``n + 1`` if it is a cell or all others.
        """
        seen = [
            min(many, n * (n + 1) // 2 + 1 if field.ordered else 2 * n + 2)
            for many, field in zip(self.many, self.schema.fields, strict=True)
        ]
        if self.chosen is None:
            total = self._all_sets(seen)
        else:
            total = sum(prod(seen[column] for column in group) for group in self.chosen)
        return log(2 * total) * (1 + 1e-9)

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny(), columns=1)

    def describe(self) -> str:
        """The class in a few words."""
        sets = "all sets" if self.chosen is None else counted(len(self.chosen), "chosen set")
        wide = counted(self.columns, "column")
        return f"{self.name} of {sets} of up to {wide}, {self.schema.describe()}"

    def hypothesis(self, candidate: int) -> ProductRule:
        """The rule of one candidate: first all that say 1 inside, then all that say 0."""
        half = self.size // 2
        inside, rank = candidate < half, candidate % half
        for group in self.groups():
            many = self._inside(group)
            if rank < many:
                break
            rank -= many
        chosen: list[Condition] = []
        for column in reversed(group):
            rank, place = divmod(rank, self.many[column])
            first, last, outside = (part[place].item() for part in self.spans[column])
            chosen.insert(0, Condition(column, first, last, outside))
        return ProductRule(schema=self.schema, conditions=tuple(chosen), inside=inside)

    def has(self, rule: Hypothesis) -> bool:
        """Whether a rule is one of these."""
        if not isinstance(rule, ProductRule):
            return False
        group = tuple(condition.column for condition in rule.conditions)
        if not 1 <= len(group) <= self.columns or list(group) != sorted(set(group)):
            return False
        known = self.chosen is None or group in self.chosen
        return known and all(map(self._is_condition, rule.conditions))

    def _is_condition(self, said: Condition) -> bool:
        first, last, outside = self.spans[said.column]
        same = (first == said.first) & (last == said.last) & (outside == said.outside)
        return bool(same.any())

    def landscape(
        self, x: Placed, y: npt.NDArray[np.bool_], costs: tuple[int, int] = (1, 1)
    ) -> Flat:
        """Mistakes of every concept, each as often as it costs."""
        cells = np.asarray(x, dtype=np.int64)
        zeros, ones = costs_in_all(y, costs)
        half = self.size // 2
        errors = np.empty(2 * half, dtype=np.int64)
        start = 0
        for group in self.groups():
            gains = joint_gains(self.schema, group, cells, y, costs)
            for axis, column in enumerate(group):
                gains = span_sums(gains, axis, self.spans[column])
            errors[start : start + gains.size] = ones - gains.ravel()
            start += gains.size
        np.subtract(zeros + ones, errors[:half], out=errors[half:])
        return Flat(errors=errors)


def check_sets(
    schema: Schema, chosen: Sequence[Sequence[int]] | None, *, most: int
) -> tuple[tuple[int, ...], ...] | None:
    """The chosen sets of columns, in order and once each; ``None`` stays ``None``."""
    if chosen is None:
        return None
    sets = {tuple(sorted(whole(c, name="chosen", least=0) for c in one)) for one in chosen}
    for one in sets:
        if not 1 <= len(set(one)) == len(one) <= most or one[-1] >= schema.width:
            raise BadInput(
                f"each chosen set must name 1 to {most} different columns of the schema, by "
                f"position 0 to {schema.width - 1}"
            )
    if not sets:
        raise BadInput("chosen must hold at least one set of columns")
    return tuple(sorted(sets))


def costs_in_all(y: npt.NDArray[np.bool_], costs: tuple[int, int]) -> tuple[int, int]:
    """What mistakes on all records of label 0 cost, and on all of label 1. Private."""
    ones = int(np.count_nonzero(y))
    return costs[0] * (len(y) - ones), costs[1] * ones


def joint_gains(
    schema: Schema,
    group: tuple[int, ...],
    cells: npt.NDArray[np.int64],
    y: npt.NDArray[np.bool_],
    costs: tuple[int, int] = (1, 1),
) -> npt.NDArray[np.int64]:
    """Ones minus zeros in every joint cell of some columns, each as often as a mistake on it costs.

    Exact where all records together cost less than 2**53.
    """
    sizes = [schema.cells[column] for column in group]
    key = cells[:, group[0]]
    for column, size in zip(group[1:], sizes[1:], strict=True):
        key = key * size + cells[:, column]
    table = np.bincount(
        key, weights=np.where(y, float(costs[1]), -float(costs[0])), minlength=prod(sizes)
    )
    return np.rint(table).astype(np.int64).reshape(sizes)


def span_sums(table: npt.NDArray[np.int64], axis: int, spans: Spans) -> npt.NDArray[np.int64]:
    """Sums of a table over each span of cells of one axis."""
    first, last, outside = spans
    zero = np.zeros_like(table.take([0], axis=axis))
    prefix = np.concatenate((zero, table.cumsum(axis=axis)), axis=axis)
    inside = prefix.take(last + 1, axis=axis)
    inside -= prefix.take(first, axis=axis)
    if outside.any():
        total = prefix.take([-1], axis=axis)
        flags = outside.reshape([-1 if a == axis else 1 for a in range(table.ndim)])
        inside = np.where(flags, total - inside, inside)
    return inside


@respelled("columns", "chosen", after=1)
@dataclass(frozen=True, kw_only=True)
class Intervals(Products):
    """All intervals ``low <= column < high`` and single categories of a column, and negations."""

    name: ClassVar[str] = "intervals"


@respelled("columns", "chosen", after=1)
@dataclass(frozen=True, kw_only=True)
class Boxes(Products):
    """All boxes, an interval in each of up to ``columns`` columns (2 or 3), and their negations."""

    columns: int = 2
    name: ClassVar[str] = "boxes"


@respelled("columns", "chosen", after=1)
@dataclass(frozen=True, kw_only=True)
class Conjunctions(Products):
    """All conjunctions of up to ``columns`` (2 or 3) one-sided conditions, and their negations."""

    columns: int = 2
    name: ClassVar[str] = "conjunctions"

    def _many(self, field: Field) -> int:
        return 2 * field.cells - 1 if field.ordered else 2 * field.cells

    def _spans(self, field: Field) -> Spans:
        if not field.ordered:
            each = np.repeat(np.arange(field.cells), 2)
            return each, each, np.arange(len(each)) % 2 == 1
        # The whole column, then for every cut the cells below it and those above.
        last, cuts = field.cells - 1, np.arange(field.cells - 1)
        below = np.stack((np.zeros_like(cuts), cuts), axis=1)
        above = np.stack((cuts + 1, np.full_like(cuts, last)), axis=1)
        pairs = np.concatenate(([[0, last]], np.stack((below, above), axis=1).reshape(-1, 2)))
        return pairs[:, 0], pairs[:, 1], np.zeros(len(pairs), dtype=bool)
