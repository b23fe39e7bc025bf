"""Runs of values of an order, with what is counted before and inside each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.exact.arrays import Placed, Values
from tacit.tallies.sorting import sort

_MANY = 1 << 16
"""From so many records on a compiled loop is worth loading."""

Counts = npt.NDArray[np.int64]
"""One row a label, one column a block."""


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Disjoint runs of values, given by where each starts and how many values it has.

    ``before`` and ``inside``: how many records of each label lie below the block's start,
    and how many in it.
    """

    starts: Values
    sizes: Values
    before: Counts
    inside: Counts

    def __repr__(self) -> str:
        return "Blocks(private)"

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, chosen: Placed) -> Blocks:
        return Blocks(
            self.starts[chosen], self.sizes[chosen], self.before[:, chosen], self.inside[:, chosen]
        )

    @property
    def plain(self) -> npt.NDArray[np.bool_]:
        """Which blocks need no refining: one value, or no record inside."""
        single = np.asarray(self.sizes == 1, dtype=bool)
        return np.asarray(single | (self.inside[0] + self.inside[1] == 0))

    @property
    def lasts(self) -> Values:
        """The last value of each block, none of which is empty."""
        return np.asarray(self.starts + (self.sizes - _one(self.sizes)))

    def joined(self, other: Blocks) -> Blocks:
        """The blocks of both."""
        return Blocks(
            np.concatenate([self.starts, other.starts]),
            np.concatenate([self.sizes, other.sizes]),
            np.concatenate([self.before, other.before], axis=1),
            np.concatenate([self.inside, other.inside], axis=1),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Occurring:
    """The distinct values of some blocks, ascending, with their records by label.

    ``blocks`` are ascending and hold no other record.
    """

    blocks: Blocks
    values: Values
    inside: Counts

    def __repr__(self) -> str:
        return "Occurring(private)"

    def split(self, *, after: bool) -> tuple[Blocks, Blocks]:
        """Runs that begin with a value, and runs without any record.

        With ``after`` a value's run goes on until the next value; otherwise it is the value
        alone, and what follows it is a run without records.
        """
        parents, values = self.blocks, self.values
        firsts = np.searchsorted(values, parents.starts)
        ends = np.append(firsts[1:], len(values))
        full = ends > firsts
        before, until = self._before_and_until(firsts, ends)
        heads = parents.sizes.copy()
        heads[full] = values[firsts[full]] - parents.starts[full]
        empty = Blocks(parents.starts, heads, parents.before, np.zeros_like(parents.before))
        alone = until if after else np.ones_like(values)
        runs = Blocks(values, alone, before, self.inside)
        if not after:
            gaps = Blocks(
                values + _one(values),
                until - _one(values),
                before + self.inside,
                np.zeros_like(before),
            )
            empty = empty.joined(gaps)
        return runs, empty[np.asarray(empty.sizes != 0, dtype=bool)]

    def _before_and_until(self, firsts: Counts, ends: Counts) -> tuple[Counts, Values]:
        """The records below each value, and how many values there are until the next."""
        parents, values = self.blocks, self.values
        if values.dtype == np.uint64 and len(values) >= _MANY:
            from tacit.tallies.kernels import before_and_until

            before = np.empty((2, len(values)), dtype=np.int64)
            until = np.empty(len(values), dtype=np.uint64)
            stops = parents.starts + parents.sizes
            inside, below = map(np.ascontiguousarray, (self.inside, parents.before))
            before_and_until(values, inside, firsts, ends, below, stops, before, until)
            return before, until
        lengths = ends - firsts
        sums = np.zeros((2, len(values) + 1), dtype=np.int64)
        np.cumsum(self.inside, axis=1, out=sums[:, 1:])
        before = sums[:, :-1] + np.repeat(parents.before - sums[:, firsts], lengths, axis=1)
        # Words wrap around after the last one; differences do not mind.
        stops = np.append(values[1:], values[:1])
        full = lengths > 0
        stops[ends[full] - 1] = (parents.starts + parents.sizes)[full]
        return before, stops - values


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """Runs of values with one error each: starts, sizes, errors."""

    starts: Values
    sizes: Values
    errors: Counts

    def __repr__(self) -> str:
        return "Walked(private)"


@dataclass(frozen=True, slots=True, eq=False)
class Keyed:
    """All records of some ascending blocks: ascending words that end in the label."""

    blocks: Blocks
    keys: Values

    def __repr__(self) -> str:
        return "Keyed(private)"

    def occurring(self) -> Occurring:
        """The distinct values, counted."""
        return Occurring(self.blocks, *distinct_keys(self.keys))

    def walk(self, errors: Counts, steps: tuple[int, int]) -> Walked:
        """The runs of values with the same records up to them, where the error of a block's
        first value without its records is in ``errors`` and each record passed adds the step of
        its label.
        """
        from tacit.exact.compiled import steady
        from tacit.tallies.kernels import walk_runs

        firsts = np.searchsorted(self.keys, self.blocks.starts << _one(self.keys))
        most = len(self.keys) + len(self.blocks)
        starts, sizes = np.empty(most, dtype=np.uint64), np.empty(most, dtype=np.uint64)
        walked = np.empty(most, dtype=np.int64)
        found = walk_runs(
            steady(self.keys),
            steady(np.append(firsts, len(self.keys)).astype(np.int64)),
            steady(self.blocks.starts),
            steady(self.blocks.starts + self.blocks.sizes),
            steady(np.ascontiguousarray(errors)),
            np.array(steps, dtype=np.int64),
            starts,
            sizes,
            walked,
        )
        return Walked(starts[:found], sizes[:found], walked[:found])


def _one(values: Values) -> Any:
    return 1 if values.dtype == object else np.uint64(1)


def split_evenly(parents: Blocks, shifts: Values, cells: Counts, inside: Counts) -> Blocks:
    """Children of ``2**shift`` values each, ``cells`` of them a parent, in order.

    ``inside`` has a column a child. The last child of a parent ends where the parent ends.
    """
    owner = np.repeat(np.arange(len(parents)), cells)
    firsts = np.cumsum(cells) - cells
    place = (np.arange(len(owner)) - firsts[owner]).astype(np.uint64)
    offsets = place << shifts[owner]
    sizes = np.minimum(np.uint64(1) << shifts[owner], parents.sizes[owner] - offsets)
    sums = np.cumsum(inside, axis=1) - inside
    before = sums + (parents.before - sums[:, firsts])[:, owner]
    return Blocks(parents.starts[owner] + offsets, sizes, before, inside)


def distinct_labelled(values: Values, labels: npt.NDArray[np.bool_]) -> tuple[Values, Counts]:
    """The distinct values, ascending, and how many records of each label they have."""
    order = np.argsort(values, kind="stable")
    return _runs(values[order], labels[order])


def distinct_packed(values: Values, labels: npt.NDArray[np.bool_]) -> tuple[Values, Counts]:
    """As ``distinct_labelled``, for words below ``2**63``: one sort of value and label."""
    keys = (values << np.uint64(1)) | labels
    sort(keys)
    return distinct_keys(keys)


def distinct_keys(keys: Values) -> tuple[Values, Counts]:
    """The distinct values of ascending words that end in the label, and their records."""
    if len(keys) >= _MANY:
        return _compiled_runs(keys)
    return _runs(keys >> np.uint64(1), (keys & np.uint64(1)).astype(bool))


def _compiled_runs(keys: Values) -> tuple[Values, Counts]:
    """Count runs of equal values in sorted words that end in the label: one pass, two tables."""
    from tacit.tallies.kernels import count_runs

    values = np.empty(len(keys), dtype=np.uint64)
    inside = np.zeros((2, len(keys)), dtype=np.int64)
    many = int(count_runs(keys, values, inside[0], inside[1]))
    return values[:many], inside[:, :many]


def _runs(values: Values, labels: npt.NDArray[np.bool_]) -> tuple[Values, Counts]:
    """Count runs of equal values."""
    if not len(values):
        return values, np.zeros((2, 0), dtype=np.int64)
    fresh = np.empty(len(values), dtype=bool)
    fresh[0] = True
    fresh[1:] = values[1:] != values[:-1]
    firsts = np.flatnonzero(fresh)
    through = np.concatenate([[0], np.cumsum(labels, dtype=np.int64)])
    edges = np.append(firsts, len(values))
    ones = np.diff(through[edges])
    return values[firsts], np.stack([np.diff(edges) - ones, ones])
