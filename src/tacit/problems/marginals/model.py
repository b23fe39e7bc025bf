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


@dataclass(frozen=True, slots=True)
class Lying:
    """Where a table over some columns lies: its step, its last axis there, and how it is turned.

    ``gone``  the axes up to the last that it does not have; ``back`` turns what is left.
    """

    step: int
    last: int
    turn: Columns
    shape: tuple[int, ...]
    gone: Columns
    back: Columns


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
        return self._axes[step]

    @cached_property
    def _axes(self) -> list[Columns]:
        return [(one.column, *one.given) for one in self.steps]

    @cached_property
    def _lying(self) -> dict[Columns, Lying]:
        return {}

    def lying(self, columns: Columns) -> Lying:
        """Where a table over these columns lies; asked for again and again by every fit."""
        found = self._lying.get(columns)
        if found is None:
            step = self.home(columns)
            axes = self.axes(step)
            last = max(axes.index(column) for column in columns)
            here = [column for column in axes[: last + 1] if column in columns]
            found = self._lying[columns] = Lying(
                step=step,
                last=last,
                turn=tuple(columns.index(column) for column in here),
                shape=tuple(
                    self.cells[column] if column in columns else 1 for column in axes[: last + 1]
                ),
                gone=tuple(place for place in range(last + 1) if axes[place] not in columns),
                back=tuple(here.index(column) for column in columns),
            )
        return found

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
    _sums: list[dict[int, Floats]] = field(init=False)
    _known: dict[Columns, Floats] = field(init=False)
    _split: dict[Columns, Floats] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        order, count = self.order, len(self.order.steps)
        logs = [_Stack(order, step) for step in range(count)]
        for columns, factor in self.factors.items():
            here = order.lying(columns)
            logs[here.step].add(here, factor)
        self.chances, self._sums, self._known = [], [{} for _ in range(count)], {}
        for step in range(count):
            chance, message = _normalised(logs[step].total())
            self.chances.append(chance)
            given = order.steps[step].given
            if given:
                above = order.lying(given)
                logs[above.step].add(above, message)
        self.tables = list(self.chances)
        for step in reversed(range(count)):
            given = order.steps[step].given
            if given:
                self.tables[step] = self.chances[step] * self.marginal(given)[None]

    def marginal(self, columns: Columns) -> Floats:
        """The joint law of columns that were measured together."""
        if columns not in self._known:
            here = self.order.lying(columns)
            table = self._leading(here.step, here.last)
            kept = table.sum(axis=here.gone) if here.gone else table
            self._known[columns] = kept.transpose(here.back)
        return self._known[columns]

    def _leading(self, step: int, last: int) -> Floats:
        """A step's table summed over all axes after ``last``, each time from the next longer."""
        sums = self._sums[step]
        if last == self.tables[step].ndim - 1:
            return self.tables[step]
        if last not in sums:
            sums[last] = self._leading(step, last + 1).sum(axis=-1)
        return sums[last]

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
        axes = self.order.axes(there)
        if column in axes:
            rest = tuple(other for other in axes if other != column)
            return _Carried(rest, np.moveaxis(self.tables[there], axes.index(column), 0))
        shared = tuple(other for other in axes if other in one.others)
        new = tuple(other for other in axes if other not in one.others)
        beside = _summed(one.table, (column, *one.others), (column, *shared))
        chance = self._given(there, shared, new)
        wide = beside.reshape(beside.shape + (1,) * len(new))
        return _Carried((*shared, *new), wide * chance[None])

    def _given(self, step: int, shared: Columns, new: Columns) -> Floats:
        """The law of a step's other columns given ``shared``, whose axes are first."""
        key = (step, *shared)
        if key not in self._split:
            split = _summed(self.tables[step], self.order.axes(step), (*shared, *new))
            whole = split.sum(axis=tuple(range(len(shared), split.ndim)), keepdims=True)
            self._split[key] = np.divide(split, whole, out=np.zeros_like(split), where=whole > 0)
        return self._split[key]

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


class _Stack:
    """The sum of many small tables over the axes of one step.

    Tables are added axis after axis, so that most additions are to a small one.
    """

    def __init__(self, order: Order, step: int) -> None:
        self._shape = tuple(order.cells[column] for column in order.axes(step))
        self._parts: list[list[Floats]] = [[] for _ in self._shape]

    def add(self, here: Lying, values: Floats) -> None:
        """One more table, over some of the axes."""
        self._parts[here.last].append(values.transpose(here.turn).reshape(here.shape))

    def total(self) -> Floats:
        """The sum over all axes."""
        found: Floats = np.zeros(())
        for last, parts in enumerate(self._parts):
            wide = found[..., None]
            for part in parts:
                wide = wide + part
            found = wide
            if not parts or wide.shape != self._shape[: last + 1]:
                found = np.broadcast_to(wide, self._shape[: last + 1])
        return np.asarray(found)


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
