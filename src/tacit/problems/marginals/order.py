"""The order in which a law's columns are taken away: public, from which columns were measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

Columns = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One column, and the later columns that its law depends on."""

    column: int
    given: Columns


@dataclass(frozen=True)
class Order:
    """An order in which columns are taken away, so that few others are touched each time."""

    cells: tuple[int, ...]
    steps: tuple[Step, ...]

    @cached_property
    def size(self) -> int:
        """How many cells the tables of all steps have."""
        return sum(self.room(axes) for axes in self.axes)

    @cached_property
    def place(self) -> Mapping[int, int]:
        """Which step takes each column away."""
        return {one.column: place for place, one in enumerate(self.steps)}

    @cached_property
    def axes(self) -> tuple[Columns, ...]:
        """The columns of each step's table, as they are taken away."""
        return tuple((one.column, *self.turned(one.given)) for one in self.steps)

    def turned(self, columns: Iterable[int]) -> Columns:
        """These columns as they are taken away."""
        return tuple(sorted(columns, key=self.place.__getitem__))

    def room(self, columns: Iterable[int]) -> int:
        """How many cells these columns have together."""
        return prod(self.cells[column] for column in columns)

    def home(self, columns: Sequence[int]) -> int:
        """The step whose table holds all these columns, which were measured together."""
        return min(self.place[column] for column in columns)

    def parent(self, step: int) -> int | None:
        """The step that holds all the columns that this one depends on."""
        given = self.steps[step].given
        return self.home(given) if given else None


def order_of(cells: Sequence[int], together: Iterable[Columns]) -> Order:
    """Take away, each time, the column that leaves the smallest table; ties by number."""
    near: dict[int, set[int]] = {column: set() for column in range(len(cells))}
    for columns in together:
        for column in columns:
            near[column] |= set(columns) - {column}

    def size(column: int) -> int:
        return cells[column] * prod(cells[c] for c in near[column])

    sizes = {column: size(column) for column in near}
    steps = []
    while near:
        column = min(near, key=lambda one: (sizes[one], one))
        given = near.pop(column)
        for other in given:
            near[other] |= given - {other}
            near[other].discard(column)
            sizes[other] = size(other)
        steps.append(Step(column, tuple(sorted(given))))
    return Order(tuple(cells), tuple(steps))
