"""The order in which a law's columns are taken away: public, from which columns were measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from tacit.exact.arrays import Truths
from tacit.problems.marginals.law_kernels import take_away

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
        return sum(self.room((one.column, *one.given)) for one in self.steps)

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
    near, taken = _nearness(len(cells), together), np.empty(len(cells), dtype=np.int64)
    take_away(near, np.array(cells, dtype=np.float64), taken)
    steps = (
        Step(column, tuple(np.flatnonzero(near[column]).tolist())) for column in taken.tolist()
    )
    return Order(tuple(cells), tuple(steps))


def sizes_with(
    cells: Sequence[int], together: Iterable[Columns], more: Iterable[Columns]
) -> Iterator[float]:
    """How many cells an order's tables would have with each of some more columns together."""
    known, rooms = _nearness(len(cells), together), np.array(cells, dtype=np.float64)
    taken = np.empty(len(cells), dtype=np.int64)
    for columns in more:
        near = known.copy()
        _join(near, columns)
        yield take_away(near, rooms, taken)


def _nearness(width: int, together: Iterable[Columns]) -> Truths:
    """Which columns are together with which others."""
    near = np.zeros((width, width), dtype=np.bool_)
    for columns in together:
        _join(near, columns)
    return near


def _join(near: Truths, columns: Columns) -> None:
    for one in columns:
        for other in columns:
            near[one, other] = one != other
