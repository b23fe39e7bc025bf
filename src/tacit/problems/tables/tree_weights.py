"""The weights of all trees at once: errors add over leaves, so the sum factorises.

``Z(node) = leaf labels + sum over cuts of prior * Z(low) * Z(high)``.
A ``Weigher`` gives each choice at a node its part of ``Z``, as error-bounded floats and as
balls; ``draw`` walks down with a fresh uniform at every node: ``tree_weights.proof.md``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import Sampler
from tacit.core.source import Batch
from tacit.core.tally import Records
from tacit.domains.guards import check_cells
from tacit.exact.balls import Ball, ball
from tacit.exact.cells import BEYOND, ULP, decay_table
from tacit.problems.tables.pair_counts import PairTally
from tacit.problems.tables.tree_nodes import Tree
from tacit.problems.tables.trees import Trees
from tacit.tallies.arrays import ArrayRecords

_SMALLEST_PRIOR = Fraction(1, 10**100)
_PIECE = 1 << 17


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Placed records: ``cells[column, row]`` and a label 0 or 1 for each row. Private."""

    cells: npt.NDArray[np.int32]
    labels: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        return "Rows(private)"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """What a node needs to know of its records, for the levels that may follow. Private.

    No level: the two label counts. One: ``counts[cell, label]``. Two:
    ``counts[cell, other cell, label]``. Three or four: those, and the rows themselves.
    """

    zeros: int
    ones: int
    counts: npt.NDArray[np.int64] | None = None
    rows: Rows | None = None

    def __repr__(self) -> str:
        return "Node(private)"


def _together(one: Node, other: Node) -> Node:
    """The node of the records of both; ``one`` gives up its counts, and rows are not kept."""
    counts = other.counts if one.counts is None else one.counts
    if one.counts is not None and other.counts is not None:
        counts = np.add(one.counts, other.counts, out=one.counts)  # never three tables at once
    return Node(one.zeros + other.zeros, one.ones + other.ones, counts)


_SHORT = 1 << 18
"""So few cells are counted, or looked at, before threads have begun."""
_THREADS = min(os.cpu_count() or 1, 16)


def shared(kernel: Any, parts: Iterable[tuple[int, int]], *given: Any, work: int) -> None:
    """Run a kernel on the parts of its work, each named by two numbers; much work on all cores."""
    if work <= _SHORT:
        for part in parts:
            kernel(*part, *given)
        return
    with ThreadPoolExecutor(_THREADS) as pool:
        runs = [pool.submit(kernel, *part, *given) for part in parts]
        for run in runs:
            run.result()


def _strides() -> list[tuple[int, int]]:
    """First cut and step of each thread."""
    return [(first, _THREADS) for first in range(_THREADS)]


def _pairs(kernel: Any, cells: Any, *given: Any, size: int) -> npt.NDArray[np.int64]:
    """``counts[cell, other cell, label]`` over all rows; of many rows on all cores."""
    from tacit.problems.tables.count_kernels import mirrored

    counts = np.zeros(2 * size * size, dtype=np.int64)
    parts = _strides() if cells.size > _SHORT else [(0, 1)]
    if len(parts) == 1:
        kernel(0, 1, cells, *given, size, counts)
    else:
        shared(kernel, parts, cells, *given, size, counts, work=cells.size)
    found: npt.NDArray[np.int64] = mirrored(counts, size)
    return found


@dataclass(frozen=True)
class Weigher:
    """Weights ``prior(tree) * exp(-rate * cost of its mistakes)`` of a class of trees.

    A mistake on a record of label 0 or 1 costs ``costs[0]`` or ``costs[1]``: every record is
    counted so many times.
    """

    trees: Trees
    rate: Fraction
    costs: tuple[int, int] = (1, 1)

    # -- nodes ---------------------------------------------------------------------------

    def root(self, cells: npt.NDArray[np.int32], labels: npt.NDArray[np.bool_]) -> Node:
        """The node of all records; ``cells`` has one row per record."""
        check_cells(cells, labels, self.trees.schema.cells)
        rows = Rows(np.ascontiguousarray(cells.T), labels.astype(np.int64))
        return self.node(rows, self.trees.depth)

    def read(self, x: object, labels: npt.NDArray[np.bool_]) -> Node:
        """The node of all records of a table, placed by the schema.

        Counts add up, so a long table that need not be kept is read a piece at a time.
        """
        if self.trees.depth > 2 or not isinstance(x, np.ndarray) or len(x) <= _PIECE:
            return self.root(self.trees.schema.coerce(x), labels)
        return self.streamed(ArrayRecords((x, labels), rows=_PIECE))

    def streamed(self, records: Records) -> Node:
        """The node of all records that come in batches, for trees of at most two levels."""
        schema = self.trees.schema
        if self.trees.depth < 2 or schema.width < 2:
            return records.fold(NodeTally(self))
        tally = PairTally(schema)
        pairs = self._costed(tally.counts(records.fold(tally)))
        first = schema.cells[0]
        each = np.einsum("iij->ij", pairs[:first, :first])  # a record is in one of these cells
        zeros, ones = (int(number) for number in each.sum(axis=0))
        return Node(zeros, ones, pairs)

    def node(self, rows: Rows, levels: int) -> Node:
        """A node of these records, with what ``levels`` levels below it will ask."""
        from tacit.problems.tables import count_kernels

        starts, *_, size = self.trees.layout
        positive = int(rows.labels.sum())
        zeros, ones = self.costs[0] * (len(rows.labels) - positive), self.costs[1] * positive
        if levels == 0 or not self.trees.cuts:
            return Node(zeros, ones)
        if levels == 1:
            flat = count_kernels.count_cells(rows.cells, starts, rows.labels, size)
            return Node(zeros, ones, self._costed(flat))
        given = (rows.cells, starts, rows.labels)
        pairs = self._costed(_pairs(count_kernels.add_pairs, *given, size=size))
        return Node(zeros, ones, pairs, rows if levels > 2 else None)

    def _costed(self, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Numbers of records of both labels as what mistakes on them cost."""
        if self.costs != (1, 1):
            counts *= np.array(self.costs, dtype=np.int64)
        return counts

    def weighted(self, rows: Rows, weights: npt.NDArray[np.int64]) -> Node:
        """The node of these records for two levels, a record's mistake counted by its weight."""
        from tacit.problems.tables import count_kernels

        starts, *_, size = self.trees.layout
        ones = int(weights[rows.labels > 0].sum())
        zeros = int(weights.sum()) - ones
        if not self.trees.cuts:
            return Node(zeros, ones)
        given = (rows.cells, starts, rows.labels, weights)
        return Node(zeros, ones, _pairs(count_kernels.add_weighed_pairs, *given, size=size))

    def sides(self, node: Node, levels: int, cut: int) -> tuple[Node, Node]:
        """The two nodes below a cut of a node with ``levels`` levels left."""
        asked = self.trees.cuts[cut]
        counts = node.counts
        assert counts is not None
        if levels > 2:
            assert node.rows is not None
            column = node.rows.cells[asked.column]
            low = column <= asked.cell if asked.ordered else column == asked.cell
            halves = [
                Rows(np.ascontiguousarray(node.rows.cells[:, side]), node.rows.labels[side])
                for side in (low, ~low)
            ]
            return self.node(halves[0], levels - 1), self.node(halves[1], levels - 1)
        _, _, cell, _, _, _ = self.trees.layout
        last = int(cell[cut])
        first = last - asked.cell if asked.ordered else last
        if levels == 1:
            zeros, ones = (int(count) for count in counts[first : last + 1].sum(axis=0))
            return Node(zeros, ones), Node(node.zeros - zeros, node.ones - ones)
        own = np.arange(first, last + 1)
        zeros, ones = (int(count) for count in counts[own, own].sum(axis=0))
        inside = counts[first : last + 1].sum(axis=0)
        whole = np.einsum("iij->ij", counts)
        return (
            Node(zeros, ones, inside),
            Node(node.zeros - zeros, node.ones - ones, whole - inside),
        )

    # -- weights -------------------------------------------------------------------------

    def relative_error(self, levels: int) -> float:
        """A bound on the relative error of the float weights of a node's choices."""
        if self.trees.least_prior() < _SMALLEST_PRIOR:
            return float("inf")
        cuts = len(self.trees.cuts)
        choice = 13.0  # in units of 2**-53, as counted in the proof
        terms = 2 * cuts if self.trees.chain else cuts
        for _ in range(levels - 1):
            choice = 2 * (choice + 6 * terms) + 3
        return 0.75 * (choice + 8) * ULP

    def choices(self, node: Node, levels: int) -> tuple[npt.NDArray[np.int64], Any]:
        """``(m, z)`` of each choice at a node: leaf 0, leaf 1, then every cut.

        In a rule list a cut is two choices while a further one may follow: the first side
        is a leaf, or the second.
        """
        from tacit.problems.tables import tree_kernels

        cuts = len(self.trees.cuts) * self._parts(levels) if levels else 0
        m = np.empty(2 + cuts, dtype=np.int64)
        z = np.empty(2 + cuts, dtype=np.float64)
        m[0], m[1] = node.ones, node.zeros
        z[:2] = float(self.trees.leaf_share(levels) / 2)
        if cuts:
            starts, column, cell, ordered, share, size = self.trees.layout
            decay = self.decay(node)
            common = (column, cell, ordered, share)
            here = (node.zeros, node.ones)
            out = (decay, m[2:], z[2:])
            leaf, ways = float(self.trees.leaf), self._parts(levels)
            counts = node.counts
            if levels == 1:
                assert counts is not None
                tree_kernels.stump_cells(counts, *common, *here, *out)
            elif levels == 2:
                assert counts is not None
                tree_kernels.pair_cells(counts, *common, *here, leaf, ways, *out)
            else:
                assert node.rows is not None
                costs = np.array(self.costs, dtype=np.int64)
                rows = (node.rows.cells, node.rows.labels, costs, starts, *common)
                work = len(column) ** (levels - 2) * (size * size + node.rows.cells.size)
                if levels == 3:
                    assert counts is not None
                    kernel: Any = tree_kernels.row_cells
                    given = (*rows, counts, *here, leaf, ways, *out)
                    shared(kernel, self._columns(), *given, work=work)
                else:
                    kernel = tree_kernels.deep_cells
                    shared(kernel, _strides(), *rows, size, leaf, ways, *out, work=work)
        return m, z

    def _columns(self) -> list[tuple[int, int]]:
        """Where the cuts of each column begin and end, long columns first."""
        _, column, *_ = self.trees.layout
        begins = [0, *(np.flatnonzero(np.diff(column)) + 1).tolist()]
        ends = [*begins[1:], len(column)]
        return sorted(zip(begins, ends, strict=True), key=lambda part: part[0] - part[1])

    def decay(self, node: Node) -> npt.NDArray[np.float64]:
        """The table of ``exp(-rate * j)`` that a node's weights are read from."""
        longest = node.zeros + node.ones + 1
        # Rounded up, so that one table serves all nodes of a draw.
        return decay_table(self.rate, 1 << longest.bit_length())

    def balls(self, node: Node, levels: int) -> Iterator[Ball]:
        """The same choices as balls, ``prior * exp(-rate * mistakes)`` as it stands."""
        leaf = ball(self.trees.leaf_share(levels) / 2)
        yield leaf * self._exp(node.ones)
        yield leaf * self._exp(node.zeros)
        if levels:
            for cut, share in enumerate(self.trees.shares):
                low, high = self.sides(node, levels, cut)
                prior = ball(share * (1 - self.trees.leaf) / self._parts(levels))
                for left, right in self._below(levels):
                    yield prior * self.total(low, left) * self.total(high, right)

    def _parts(self, levels: int) -> int:
        """How many choices each cut makes at a node with ``levels`` levels left."""
        return 2 if self.trees.chain and levels > 1 else 1

    def _below(self, levels: int) -> list[tuple[int, int]]:
        """The levels left on the two sides of a cut, for each of its choices."""
        if self._parts(levels) == 1:
            return [(levels - 1, levels - 1)]
        return [(0, levels - 1), (levels - 1, 0)]

    def total(self, node: Node, levels: int) -> Ball:
        """``Z(node)`` as a ball."""
        return sum(self.balls(node, levels), ball(0))

    def _exp(self, mistakes: int) -> Ball:
        return (-ball(self.rate) * mistakes).exp()

    # -- drawing -------------------------------------------------------------------------

    def draw(
        self, node: Node, *, levels: int, rng: Sampler, known: tuple[Any, Any] | None = None
    ) -> Tree:
        """A tree with probability proportional to its weight; ``known`` are its first choices."""
        m, z = self.choices(node, levels) if known is None else known  # [P1]
        choice = rng.cell(  # [P2]
            self.scaled(node, m, z),
            relative=self.relative_error(levels),
            absolute=BEYOND,
            balls=lambda: self.balls(node, levels),
        )
        return self.follow(node, choice, levels=levels, rng=rng)

    def scaled(self, node: Node, m: Any, z: Any) -> npt.NDArray[np.float64]:
        """Weights ``(m, z)`` at a node as floats on one common scale."""
        decay = self.decay(node)
        gaps = m - m.min()
        reach = gaps < len(decay)
        return np.where(reach, z * decay[np.where(reach, gaps, 0)], 0.0)

    def follow(self, node: Node, choice: int, *, levels: int, rng: Sampler) -> Tree:
        """The rest of a tree whose first choice is made."""
        if choice < 2:
            return bool(choice)
        cut, part = divmod(choice - 2, self._parts(levels))
        low, high = self.sides(node, levels, cut)  # [P3]
        left, right = self._below(levels)[part]
        return (
            cut,
            self.draw(low, levels=left, rng=rng),
            self.draw(high, levels=right, rng=rng),
        )


@dataclass(frozen=True, slots=True)
class NodeTally:
    """The root of the records of a streamed sample, for trees of at most two levels.

    Counts of cells, of pairs of cells and of labels add up; rows are not kept. Pairs of several
    columns are counted in less memory by ``PairTally``.
    """

    weigher: Weigher

    def zero(self) -> Node:
        none = np.empty((0, self.weigher.trees.schema.width), dtype=np.int32)
        return self.weigher.root(none, np.empty(0, dtype=bool))

    def add(self, counter: Node, batch: Batch) -> Node:
        cells = self.weigher.trees.schema.coerce(batch.column(0))
        labels = np.asarray(batch.column(1), dtype=bool)
        return _together(counter, self.weigher.root(cells, labels))

    def merge(self, left: Node, right: Node) -> Node:
        return _together(left, right)
