"""Where everything lies that working out a law touches: found once for all steps of a fit.

Factors lie one after the other in one array; behind them is what each step tells a later one
about the columns that it was given. Both are parts of tables: a part is multiplied into the table
of the step that takes the first of its columns away, and its marginal is read off there. Axes lie
in the order in which columns are taken away; so the columns of a part are in one order wherever
they appear, and the first of them is the first of its table, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from math import prod
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tacit.exact.arrays import Counts, Floats
from tacit.problems.marginals.law_kernels import join, offsets_of, spread, weights_of
from tacit.problems.marginals.order import Columns, Order, order_of

T = TypeVar("T", bound=np.generic)
Loops = tuple[Counts, Counts, Counts, Counts]

_SHORT = 4
"""Runs of fewer cells are not worth a loop of their own."""


@dataclass(eq=False)
class Plan:
    """How laws of this order with factors of these columns are worked out.

    ``places``  where each factor lies.
    ``many``    how many cells all factors have.
    """

    order: Order
    columns: tuple[Columns, ...]
    places: dict[Columns, slice] = field(init=False)
    many: int = field(init=False)
    _ends: Counts = field(init=False)
    _loops: Loops = field(init=False)

    def __post_init__(self) -> None:
        order = self.order
        ends = np.cumsum([order.room(columns) for columns in self.columns], dtype=np.int64)
        firsts = [0, *ends.tolist()]
        self.places = {
            columns: slice(first, last)
            for columns, first, last in zip(self.columns, firsts, firsts[1:], strict=False)
        }
        self.many, self._ends = firsts[-1], ends
        parts: list[list[_Part]] = [[] for _ in order.steps]
        for columns in self.columns:
            home, turned = order.home(columns), order.turned(columns)
            parts[home].append(_Part.of(order, order.axes[home], turned, firsts[0]))
            firsts = firsts[1:]
        told = self.many
        for axes in order.axes:
            if given := axes[1:]:
                home = order.home(given)
                parts[home].append(_Part.of(order, order.axes[home], given, told))
            told += order.room(given)
        self._loops = _loops_of(order, parts, self.many)

    def flat(self, columns: Columns, table: npt.NDArray[T]) -> npt.NDArray[T]:
        """A table over the columns of a factor as the factor lies."""
        return table.transpose(self._turn(columns)).reshape(-1)

    def table(self, columns: Columns, flat: Floats) -> Floats:
        """What lies there as a table over the columns of a factor."""
        shape = [self.order.cells[column] for column in self.order.turned(columns)]
        return flat[self.places[columns]].reshape(shape).transpose(np.argsort(self._turn(columns)))

    def _turn(self, columns: Columns) -> list[int]:
        return [columns.index(column) for column in self.order.turned(columns)]

    def weighed(self, logs: Floats) -> tuple[Floats, Floats]:
        """The weights of all tables for such logarithms of factors, and their sums.

        The first column of a table is summed over: a weight over its sum is a chance given the
        other columns. Factors are small and tables large, so weights are multiplied: a sum of
        logarithms needs an exponential of every cell of a table. Only sums hold whatever the
        factors are.
        """
        steps = self._loops[0]
        tables, sums = np.empty(self.order.size), np.empty(int(steps[:, 2].sum()))
        values = np.empty(self.many + len(sums))
        weights_of(logs, self._ends, values)
        if not join(values, tables, sums, *self._loops, np.False_):
            values[: self.many] = logs
            join(values, tables, sums, *self._loops, np.True_)
        return tables, sums

    def joint(self, tables: Floats, sums: Floats) -> Floats:
        """The marginals of all factors; the weights become joint laws, sums are lost."""
        marginals = np.empty(self.many + len(sums))
        spread(marginals, tables, sums, *self._loops)
        return marginals[: self.many]

    def split(self, tables: Floats) -> list[Floats]:
        """The tables of all steps."""
        found, first = [], 0
        for axes in self.order.axes:
            last = first + self.order.room(axes)
            found.append(tables[first:last].reshape([self.order.cells[c] for c in axes]))
            first = last
        return found


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a step's table.

    ``sizes``, ``strides``  of the axes up to its last one, but for the first: how many cells,
    and how far apart the part has them; it does not have those that are nowhere apart.
    """

    start: int
    width: int
    sizes: Columns
    strides: Columns

    @classmethod
    def of(cls, order: Order, axes: Columns, columns: Columns, start: int) -> _Part:
        """The part that has these of a table's columns, and begins there."""
        last = axes.index(columns[-1])
        strides, width = [0] * last, 1
        for column in reversed(columns[1:]):
            strides[axes.index(column) - 1] = width
            width *= order.cells[column]
        sizes = tuple(order.cells[column] for column in axes[1 : last + 1])
        return cls(start, width, sizes, tuple(strides))

    def run(self) -> tuple[int, int]:
        """How many cells lie in a row in both, and how many axes are before those."""
        run, before = 1, len(self.sizes)
        while before and self.strides[before - 1]:
            before -= 1
            run *= self.sizes[before]
        return (run, before) if run >= _SHORT else (1, len(self.sizes))


def _loops_of(order: Order, parts: Iterable[list[_Part]], told: int) -> Loops:
    """What ``join`` and ``spread`` loop over: steps, their levels, their parts, and offsets.

    A table is made axis after axis, so that most of it is done on a small one. A level has the
    first of the axes, up to where parts end, and these parts.
    """
    steps: list[Columns] = []
    levels: list[Columns] = []
    rows: list[Columns] = []
    before: list[tuple[Columns, Columns]] = []
    table, inside, runs = 0, 0, 0
    for axes, some in zip(order.axes, parts, strict=True):
        rest, level = order.room(axes[1:]), len(levels)
        for last in sorted({len(axes) - 1, *(len(part.sizes) for part in some)}):
            first = len(rows)
            for part in some:
                if len(part.sizes) == last:
                    run, end = part.run()
                    rows.append((part.start, part.width, run, runs))
                    before.append((part.sizes[:end], part.strides[:end]))
                    runs += prod(part.sizes[:end])
            levels.append((order.room(axes[1 : last + 1]), first, len(rows)))
        size = order.cells[axes[0]]
        steps.append((table, size, rest, told + inside, inside, level, len(levels)))
        table, inside = table + rest * size, inside + rest
    offsets = np.empty(runs, dtype=np.int64)
    sizes, strides = (_flat(some[way] for some in before) for way in (0, 1))
    ends = np.cumsum([len(some) for some, _ in before], dtype=np.int64)
    offsets_of(sizes, strides, ends, offsets)
    return _table(steps, 7), _table(levels, 3), _table(rows, 4), offsets


def warm() -> None:
    """Compile what works out laws, before anything is charged."""
    plan = Plan(order_of((2, 2), [(0, 1)]), ((0, 1),))
    plan.joint(*plan.weighed(np.zeros(plan.many)))


def _flat(some: Iterable[Columns]) -> Counts:
    return np.array([*chain.from_iterable(some)], dtype=np.int64)


def _table(rows: list[Columns], width: int) -> Counts:
    return np.array(rows, dtype=np.int64).reshape(-1, width)
