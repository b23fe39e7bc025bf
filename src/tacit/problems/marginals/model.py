"""A law over the cells of a table that fits measured marginals: post-processing, no data here.

The law has the largest entropy among those that fit: it is a product of one factor for each
measured set of columns. Columns are taken away one after the other; what is left is the law of
each column given a few others, so that marginals and rows are read off without a solver.
Everything is computed from released numbers, so floating point costs no privacy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from string import ascii_letters

import numpy as np

from tacit.exact.arrays import Floats
from tacit.problems.marginals.law_plan import Plan
from tacit.problems.marginals.order import Columns, Order

Pairs = dict[Columns, Floats]


@dataclass(eq=False)
class Law:
    """A law with factors, worked out.

    ``logs``       the logarithms of its factors, as the plan has them.
    ``marginals``  the joint law of the columns of each factor, likewise.
    ``tables[i]``  the joint law of the columns of step ``i``, as they are taken away.
    """

    plan: Plan
    logs: Floats
    marginals: Floats = field(init=False)
    _joint: Floats = field(init=False)
    _ways: dict[tuple[int, Columns, Columns], _Way] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._joint, sums = self.plan.weighed(self.logs)
        self.marginals = self.plan.joint(self._joint, sums)

    @classmethod
    def of(cls, order: Order, factors: Mapping[Columns, Floats]) -> Law:
        """The law with these logarithms of factors."""
        plan = Plan(order, tuple(factors))
        flat = [plan.flat(columns, factor) for columns, factor in factors.items()]
        return cls(plan, np.concatenate([np.zeros(0), *flat]))

    @property
    def order(self) -> Order:
        """The order in which columns were taken away."""
        return self.plan.order

    @property
    def factors(self) -> dict[Columns, Floats]:
        """The logarithms of its factors."""
        return {columns: self.plan.table(columns, self.logs) for columns in self.plan.columns}

    @cached_property
    def tables(self) -> list[Floats]:
        """The joint law of the columns of each step."""
        return self.plan.split(self._joint)

    def chances(self) -> list[Floats]:
        """The law of each step's column given those that it depends on, an axis for each."""
        weights, sums = self.plan.weighed(self.logs)
        found, first = [], 0
        for step, axes, table in zip(
            self.order.steps, self.order.axes, self.plan.split(weights), strict=True
        ):
            last = first + table[0].size
            chances = table / sums[first:last].reshape(table.shape[1:])
            found.append(chances.transpose([axes.index(c) for c in (step.column, *step.given)]))
            first = last
        return found

    def marginal(self, columns: Columns) -> Floats:
        """The joint law of columns that were measured together."""
        if columns in self.plan.places:
            return self.plan.table(columns, self.marginals)
        step = self.order.home(columns)
        return _summed(self.tables[step], self.order.axes[step], columns)

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
        time together with the columns that both steps have. The smallest table to which another
        column was carried, too, is summed for the two of them.
        """
        start = self.order.place[column]
        known = {start: _Carried((), self._alone[column])}
        least: dict[int, _Carried] = {}
        reach = [start]
        while reach:
            here = reach.pop()
            for there, both in self._near[here]:
                if there not in known:
                    found = known[there] = self._beside(column, here, known[here], both)
                    reach.append(there)
                    for other in found.others:
                        if other not in least or found.table.size < least[other].table.size:
                            least[other] = found
        joint = {}
        for other in range(column + 1, len(self.order.cells)):
            step = self.order.place[other]
            if other in least:
                held = least[other]
                joint[other] = _summed(held.table, (*held.others, column), (column, other))
            elif step in known:
                joint[other] = self._beside(column, step, known[step], (other,)).table.T
            else:
                joint[other] = np.multiply.outer(self._alone[column], self._alone[other])
        return joint

    def _beside(self, column: int, step: int, one: _Carried, wanted: Columns) -> _Carried:
        """The joint law of ``column`` and some columns of a step to which it was carried.

        What the column was carried with is summed over at once: no table is as large as that of
        the step times the cells of the column.
        """
        axes = self.order.axes[step]
        if column in axes:
            others = tuple(other for other in wanted if other != column)
            return _Carried(others, _summed(self.tables[step], axes, (*others, column)))
        way = self._ways.get((step, one.others, wanted))
        if way is None:
            way = self._ways[step, one.others, wanted] = self._way(step, one.others, wanted)
        joint = way.law @ one.table.transpose(way.turn).reshape(*way.shape, -1)
        return _Carried(way.others, joint.reshape(*way.found, -1))

    def _way(self, step: int, others: Columns, wanted: Columns) -> _Way:
        """How whatever is carried with ``others`` is carried on; the same for every column."""
        both = tuple(other for other in others if other in wanted)
        rest = tuple(other for other in others if other not in wanted)
        new = tuple(other for other in wanted if other not in others)
        sizes = [self.order.room(some) for some in (both, new, rest)]
        split = _summed(self.tables[step], self.order.axes[step], (*both, *new, *rest))
        split = split.reshape(sizes)
        whole = split.sum(axis=1, keepdims=True)
        return _Way(
            turn=(*(others.index(other) for other in (*both, *rest)), len(others)),
            shape=(sizes[0], sizes[2]),
            law=np.divide(split, whole, out=np.zeros(sizes), where=whole > 0),
            others=(*both, *new),
            found=tuple(self.order.cells[other] for other in (*both, *new)),
        )

    @cached_property
    def _alone(self) -> list[Floats]:
        return [self.marginal((column,)) for column in range(len(self.order.cells))]

    @cached_property
    def _near(self) -> list[list[tuple[int, Columns]]]:
        """The neighbours of each step, and which columns both have."""
        order = self.order
        near: list[list[tuple[int, Columns]]] = [[] for _ in order.steps]
        for step, axes in enumerate(order.axes):
            parent = order.parent(step)
            if parent is not None:
                near[step].append((parent, axes[1:]))
                near[parent].append((step, axes[1:]))
        return near


@dataclass(frozen=True, slots=True, eq=False)
class _Carried:
    """The joint law of ``others`` and one column, the last axis."""

    others: Columns
    table: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """From a carried law to the next one.

    ``law``   of columns that are new, given those that stay and those that are summed over: an
              axis for each of the three, in the order stay, new, summed over.
    ``turn``, ``shape``  bring a carried law's axes in the order stay, summed over, column.
    ``others``, ``found``  the columns of the next one, and how many cells they have.
    """

    law: Floats
    turn: Columns
    shape: tuple[int, int]
    others: Columns
    found: tuple[int, ...]


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
