"""A law over the cells of a table that fits measured marginals: post-processing, no data here.

The law has the largest entropy among those that fit: it is a product of one factor for each
measured set of columns. Columns are taken away one after the other; what is left is the law of
each column given a few others, so that marginals and rows are read off without a solver.
Everything is computed from released numbers, so floating point costs no privacy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, reduce
from math import prod
from operator import attrgetter
from string import ascii_letters

import numpy as np
import numpy.typing as npt

Columns = tuple[int, ...]
Floats = npt.NDArray[np.float64]

Pairs = dict[Columns, Floats]
_LEAST = 1e-200
"""What is lost where weights with at least this sum are below 1e-308 is nothing beside them."""


@dataclass(frozen=True, slots=True)
class Step:
    """One column, and the later columns that its law depends on."""

    column: int
    given: Columns


@dataclass(frozen=True, slots=True)
class Lying:
    """Where a table over some columns lies: its step, its last axis there, and how it is turned.

    ``kept``  for each of its columns the axis there.
    """

    step: int
    last: int
    turn: Columns
    shape: tuple[int, ...]
    kept: Columns


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
                kept=tuple(axes.index(column) for column in columns),
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
    _split: dict[tuple[int, Columns, Columns, Columns], Floats] = field(
        init=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        order, count = self.order, len(self.order.steps)
        self._sums, self._known = [{} for _ in range(count)], {}
        self.chances = self._worked_out(logs=False) or self._worked_out(logs=True)
        self.tables = list(self.chances)
        for step in reversed(range(count)):
            given = order.steps[step].given
            if given:
                self.tables[step] = self.chances[step] * self.marginal(given)[None]

    def _worked_out(self, *, logs: bool) -> list[Floats]:
        """The law of each column given those it depends on; none if weights become too small.

        Factors are small and tables large, so weights are multiplied: a sum of logarithms needs
        an exponential of every cell of a table. Only sums hold whatever the factors are.
        """
        order, found = self.order, []
        stacks = [_Stack(order, step, logs=logs) for step in range(len(order.steps))]
        factors = self.factors.values() if logs else _weights(self.factors.values())
        for columns, factor in zip(self.factors, factors, strict=True):
            here = order.lying(columns)
            stacks[here.step].add(here, factor)
        for step, one in enumerate(order.steps):
            total = stacks[step].total()
            chance, message = _normalised(total) if logs else _divided(total)
            if not len(chance):
                return []
            found.append(chance)
            if one.given:
                above = order.lying(one.given)
                stacks[above.step].add(above, message)
        return found

    def marginal(self, columns: Columns) -> Floats:
        """The joint law of columns that were measured together."""
        if columns not in self._known:
            here = self.order.lying(columns)
            self._known[columns] = _kept(self._leading(here.step, here.last), here.kept)
        return self._known[columns]

    def _leading(self, step: int, last: int) -> Floats:
        """A step's table summed over all axes after ``last``, each time from the next longer."""
        sums = self._sums[step]
        if last == self.tables[step].ndim - 1:
            return self.tables[step]
        if last not in sums:
            sums[last] = _kept(self._leading(step, last + 1), range(last + 1))
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

        From the step that takes it away, its law is carried to the neighbouring steps, each
        time together with the columns that both steps have.
        """
        order = self.order
        start = order.place[column]
        known = {start: _Carried((), self.marginal((column,)))}
        reach = [start]
        while reach:
            here = reach.pop()
            for there in self._near[here]:
                if there not in known:
                    both = [other for other in order.axes(there) if other in order.axes(here)]
                    known[there] = self._beside(column, here, known[here], both)
                    reach.append(there)
        found = {}
        for other in range(column + 1, len(order.cells)):
            step = order.place[other]
            if step in known:
                found[other] = self._beside(column, step, known[step], [other]).table
            else:
                found[other] = np.outer(self.marginal((column,)), self.marginal((other,)))
        return found

    def _beside(self, column: int, step: int, one: _Carried, wanted: Sequence[int]) -> _Carried:
        """The joint law of ``column`` and some columns of a step to which it was carried.

        What the column was carried with is summed over at once: no table is as large as that of
        the step times the cells of the column.
        """
        axes = self.order.axes(step)
        if column in axes:
            others = tuple(other for other in wanted if other != column)
            return _Carried(others, _summed(self.tables[step], axes, (column, *others)))
        both = tuple(other for other in one.others if other in wanted)
        rest = tuple(other for other in one.others if other not in wanted)
        new = tuple(other for other in wanted if other not in one.others)
        cells = self.order.cells
        sizes = [cells[other] for other in both]
        joint = _summed(one.table, (column, *one.others), (*both, column, *rest))
        joint = joint.reshape(prod(sizes), cells[column], -1) @ self._given(step, both, rest, new)
        joint = joint.reshape(*sizes, cells[column], *(cells[other] for other in new))
        return _Carried((*both, *new), np.moveaxis(joint, len(both), 0))

    def _given(self, step: int, both: Columns, rest: Columns, new: Columns) -> Floats:
        """The law of some columns of a step given others: an axis for each of the three sets."""
        key = (step, both, rest, new)
        if key not in self._split:
            cells = self.order.cells
            split = _summed(self.tables[step], self.order.axes(step), (*both, *rest, *new))
            split = split.reshape(*(prod(cells[c] for c in some) for some in (both, rest, new)))
            whole = split.sum(axis=2, keepdims=True)
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
    """The sum of many small tables over the axes of one step, or their product.

    Tables are joined axis after axis, so that most of it is done on a small one.
    """

    def __init__(self, order: Order, step: int, *, logs: bool) -> None:
        self._shape = tuple(order.cells[column] for column in order.axes(step))
        self._parts: list[list[Floats]] = [[] for _ in self._shape]
        self._logs = logs

    def add(self, here: Lying, values: Floats) -> None:
        """One more table, over some of the axes."""
        self._parts[here.last].append(values.transpose(here.turn).reshape(here.shape))

    def total(self) -> Floats:
        """The sum or product over all axes."""
        found: Floats = np.zeros(()) if self._logs else np.ones(())
        join = np.add if self._logs else np.multiply
        for last, parts in enumerate(self._parts):
            wide = found[..., None]
            if parts:  # small ones first: few of these tables are as large as all of it
                wide = join(wide, reduce(join, sorted(parts, key=attrgetter("size"))))
            found = wide
            if not parts or wide.shape != self._shape[: last + 1]:
                found = np.broadcast_to(wide, self._shape[: last + 1])
        return np.asarray(found)


def _summed(values: Floats, axes: Sequence[int], columns: Sequence[int]) -> Floats:
    """Sums of a table over all axes but ``columns``, in that order."""
    return _kept(values, [axes.index(column) for column in columns])


def _kept(values: Floats, axes: Sequence[int]) -> Floats:
    """Sums over all other axes; ``sum`` takes eight times as long where the last one goes."""
    if values.ndim > len(ascii_letters):
        gone = tuple(axis for axis in range(values.ndim) if axis not in axes)
        return np.transpose(values.sum(axis=gone), [sorted(axes).index(axis) for axis in axes])
    return np.asarray(np.einsum(_spelled(values.ndim, tuple(axes)), values))


@cache
def _spelled(many: int, axes: Columns) -> str:
    """Which axes are kept, as ``einsum`` wants it."""
    return f"{ascii_letters[:many]}->{''.join(ascii_letters[axis] for axis in axes)}"


def _normalised(logs: Floats) -> tuple[Floats, Floats]:
    """The law of the first axis given the others, and the logarithm of what it was divided by."""
    top = logs.max(axis=0)
    weights = np.exp(logs - top)
    sums = weights.sum(axis=0)
    weights /= sums
    return weights, top + np.log(sums)


def _weights(factors: Iterable[Floats]) -> list[Floats]:
    """Exponentials of factors, the largest of each 1: of all in one go, since they are many."""
    every = list(factors)
    if not every:
        return []
    ends = np.cumsum([0, *(one.size for one in every)])
    flat = np.concatenate([one.reshape(-1) for one in every])
    tops = np.maximum.reduceat(flat, ends[:-1])
    flat = np.exp(flat - np.repeat(tops, np.diff(ends)))
    return [
        flat[first:last].reshape(one.shape)
        for one, first, last in zip(every, ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    ]


def _divided(weights: Floats) -> tuple[Floats, Floats]:
    """The law of the first axis given the others, and what it was divided by up to a scale.

    Nothing if that is so small somewhere that a weight may have been lost.
    """
    sums = weights.sum(axis=0)
    if not np.min(sums) >= _LEAST:
        return np.zeros(0), sums
    return weights / sums, sums / sums.max()
