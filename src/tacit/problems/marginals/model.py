"""A law over the cells of a table that fits measured marginals: post-processing, no data here.

The law has the largest entropy among those that fit: it is a product of one factor for each
measured set of columns. Columns are taken away one after the other; what is left is the law of
each column given a few others, so that marginals and rows are read off without a solver.
Everything is computed from released numbers, so floating point costs no privacy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

Columns = tuple[int, ...]
Floats = npt.NDArray[np.float64]

Pairs = dict[Columns, Floats]


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
        return sum(prod(self.cells[c] for c in (one.column, *one.given)) for one in self.steps)

    @cached_property
    def place(self) -> Mapping[int, int]:
        """Which step takes each column away."""
        return {one.column: place for place, one in enumerate(self.steps)}

    def axes(self, step: int) -> Columns:
        """The columns of a step's table."""
        one = self.steps[step]
        return (one.column, *one.given)

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
    steps = []
    while near:

        def weight(column: int) -> tuple[int, int]:
            return cells[column] * prod(cells[c] for c in near[column]), column

        column = min(near, key=weight)
        given = near.pop(column)
        for other in given:
            near[other] |= given - {other}
            near[other].discard(column)
        steps.append(Step(column, tuple(sorted(given))))
    return Order(tuple(cells), tuple(steps))


@dataclass(eq=False)
class Law:
    """A law with factors, worked out: the law of each column given those it depends on.

    ``chances[i]`` has one axis for the column of step ``i`` and one for each of ``given``.
    ``tables[i]`` is the joint law of them all.
    """

    order: Order
    factors: Mapping[Columns, Floats]
    chances: list[Floats] = field(init=False)
    tables: list[Floats] = field(init=False)

    def __post_init__(self) -> None:
        order, count = self.order, len(self.order.steps)
        logs = [np.zeros([order.cells[c] for c in order.axes(step)]) for step in range(count)]
        for columns, factor in self.factors.items():
            home = order.home(columns)
            logs[home] += _spread(factor, columns, order.axes(home))
        self.chances, self.tables = [], []
        for step in range(count):
            chance, message = _normalised(logs[step])
            self.chances.append(chance)
            parent = order.parent(step)
            if parent is not None:
                logs[parent] += _spread(message, order.steps[step].given, order.axes(parent))
        tables: list[Floats | None] = [None] * count
        for step in reversed(range(count)):
            parent = order.parent(step)
            if parent is None:
                tables[step] = self.chances[step]
                continue
            above = tables[parent]
            assert above is not None
            given = order.steps[step].given
            tables[step] = self.chances[step] * _summed(above, order.axes(parent), given)[None]
        self.tables = [table for table in tables if table is not None]

    def marginal(self, columns: Columns) -> Floats:
        """The joint law of columns that were measured together."""
        home = self.order.home(columns)
        return _summed(self.tables[home], self.order.axes(home), columns)

    def pairs(self, firsts: Iterable[int]) -> Pairs:
        """The joint laws of all pairs of columns whose first column is one of these."""
        return {
            (first, other): joint
            for first in firsts
            for other, joint in self._with_later(first).items()
        }

    def _with_later(self, column: int) -> dict[int, Floats]:
        """The joint law of ``column`` with every later one: its own axis first.

        From the step that takes it away, its law is carried to the neighbouring steps.
        """
        order = self.order
        start = order.place[column]
        axes = order.axes(start)
        known = {start: _Carried(tuple(axes[1:]), self.tables[start])}
        reach = [start]
        while reach:
            here = reach.pop()
            for there in self._near[here]:
                if there not in known:
                    known[there] = self._carried(column, known[here], there)
                    reach.append(there)
        found = {}
        for other in range(column + 1, len(order.cells)):
            step = order.place[other]
            if step in known:
                one = known[step]
                found[other] = _summed(one.table, (column, *one.others), (column, other))
            else:
                found[other] = np.outer(self.marginal((column,)), self.marginal((other,)))
        return found

    def _carried(self, column: int, one: _Carried, there: int) -> _Carried:
        """The joint law of ``column`` and the columns of a neighbouring step."""
        axes, table = self.order.axes(there), self.tables[there]
        if column in axes:
            rest = tuple(other for other in axes if other != column)
            return _Carried(rest, np.moveaxis(table, axes.index(column), 0))
        shared = tuple(other for other in axes if other in one.others)
        new = tuple(other for other in axes if other not in one.others)
        beside = _summed(one.table, (column, *one.others), (column, *shared))
        split = _summed(table, axes, (*shared, *new))
        whole = split.sum(axis=tuple(range(len(shared), split.ndim)), keepdims=True)
        chance = np.divide(split, whole, out=np.zeros_like(split), where=whole > 0)
        wide = beside.reshape(beside.shape + (1,) * len(new))
        return _Carried((*shared, *new), wide * chance[None])

    @cached_property
    def _near(self) -> list[list[int]]:
        near: list[list[int]] = [[] for _ in self.order.steps]
        for step in range(len(near)):
            parent = self.order.parent(step)
            if parent is not None:
                near[step].append(parent)
                near[parent].append(step)
        return near


@dataclass(frozen=True, slots=True, eq=False)
class _Carried:
    """The joint law of one column, the first axis, and ``others``."""

    others: Columns
    table: Floats


def _spread(values: Floats, columns: Sequence[int], axes: Sequence[int]) -> Floats:
    """A table over ``columns`` with axes of length 1 for the rest of ``axes``."""
    here = [column for column in axes if column in columns]
    turned = np.transpose(values, [list(columns).index(column) for column in here])
    lengths = dict(zip(here, turned.shape, strict=True))
    return turned.reshape([lengths.get(column, 1) for column in axes])


def _summed(values: Floats, axes: Sequence[int], columns: Sequence[int]) -> Floats:
    """Sums of a table over all axes but ``columns``, in that order."""
    gone = tuple(place for place, column in enumerate(axes) if column not in columns)
    left = [column for column in axes if column in columns]
    kept = values.sum(axis=gone) if gone else values
    return np.transpose(kept, [left.index(column) for column in columns])


def _normalised(logs: Floats) -> tuple[Floats, Floats]:
    """The law of the first axis given the others, and the logarithm of what it was divided by."""
    top = logs.max(axis=0)
    weights = np.exp(logs - top)
    sums = weights.sum(axis=0)
    weights /= sums
    return weights, top + np.log(sums)
