"""The weights of all trees at once, with several labels a leaf.

As ``tree_weights``, where a leaf has two: ``Z(node) = leaf labels + sum over cuts of prior *
Z(low) * Z(high)``, and a leaf of ``K`` labels sums ``exp(-rate * mistakes) / K`` over them.
Proved in ``valued_weights.proof.md``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from tacit.core import Sampler
from tacit.core.source import Batch
from tacit.domains.guards import check_cells
from tacit.exact.balls import Ball, ball
from tacit.exact.cells import BEYOND, ULP, decay_table
from tacit.problems.tables.tree_nodes import Tree
from tacit.problems.tables.tree_weights import Rows
from tacit.problems.tables.trees import Trees

Counts = npt.NDArray[np.int64]
_SMALLEST_PRIOR = Fraction(1, 10**100)


@dataclass(frozen=True, slots=True, eq=False)
class ValueNode:
    """What a node needs to know of its records, for the levels that may follow. Private.

    ``each`` holds how many records have each label, times what a mistake on it costs. ``counts``,
    likewise: no level, none; one, ``[cell, label]``; two, ``[cell, other cell, label]``; three,
    those and the rows themselves.
    """

    each: Counts
    counts: Counts | None = None
    rows: Rows | None = None

    def __repr__(self) -> str:
        return "ValueNode(private)"


def together(one: ValueNode, other: ValueNode) -> ValueNode:
    """The node of the records of both; rows are not kept."""
    counts = other.counts if one.counts is None else one.counts
    if one.counts is not None and other.counts is not None:
        counts = one.counts + other.counts
    return ValueNode(one.each + other.each, counts)


@dataclass(frozen=True)
class ValueWeigher:
    """Weights ``prior(tree) * exp(-rate * mistakes)`` of trees with ``trees.values`` labels.

    With ``costs``, one a label, every record counts as often as a mistake on its label costs.
    """

    trees: Trees
    rate: Fraction
    costs: tuple[int, ...] = ()

    # -- nodes ---------------------------------------------------------------------------

    def root(self, cells: npt.NDArray[np.int32], labels: Counts) -> ValueNode:
        """The node of all records; ``cells`` has one row per record."""
        check_cells(cells, labels, self.trees.schema.cells)
        if len(labels) and not 0 <= labels.min() <= labels.max() < self.trees.values:
            raise IndexError("a label must be the number of a public value")
        rows = Rows(np.ascontiguousarray(cells.T), labels.astype(np.int64))
        return self.node(rows, self.trees.depth)

    def node(self, rows: Rows, levels: int) -> ValueNode:
        """A node of these records, with what ``levels`` levels below it will ask."""
        from tacit.problems.tables import valued_kernels

        starts, *_, size = self.trees.layout
        values = self.trees.values
        each = self._costed(np.bincount(rows.labels, minlength=values).astype(np.int64))
        if levels == 0 or not self.trees.cuts:
            return ValueNode(each)
        given = (rows.cells, starts, rows.labels, size, values)
        if levels == 1:
            return ValueNode(each, self._costed(valued_kernels.count_cells(*given)))
        pairs = self._costed(valued_kernels.count_pairs(*given))
        return ValueNode(each, pairs, rows if levels > 2 else None)

    def _costed(self, counts: Counts) -> Counts:
        """Numbers of records, ``[..., label]``, as what mistakes on them cost."""
        return counts * np.array(self.costs, dtype=np.int64) if self.costs else counts

    def sides(self, node: ValueNode, levels: int, cut: int) -> tuple[ValueNode, ValueNode]:
        """The two nodes below a cut of a node with ``levels`` levels left."""
        asked = self.trees.cuts[cut]
        if levels > 2:
            assert node.rows is not None
            column = node.rows.cells[asked.column]
            low = column <= asked.cell if asked.ordered else column == asked.cell
            halves = [
                Rows(np.ascontiguousarray(node.rows.cells[:, side]), node.rows.labels[side])
                for side in (low, ~low)
            ]
            return self.node(halves[0], levels - 1), self.node(halves[1], levels - 1)
        counts = node.counts
        assert counts is not None
        _, _, cell, _, _, _ = self.trees.layout
        last = int(cell[cut])
        first = last - asked.cell if asked.ordered else last
        if levels == 1:
            each = counts[first : last + 1].sum(axis=0)
            return ValueNode(each), ValueNode(node.each - each)
        own = np.arange(first, last + 1)
        each = counts[own, own].sum(axis=0)
        inside = counts[first : last + 1].sum(axis=0)
        whole = np.einsum("iij->ij", counts)
        return ValueNode(each, inside), ValueNode(node.each - each, whole - inside)

    # -- weights -------------------------------------------------------------------------

    def relative_error(self, levels: int) -> float:
        """A bound on the relative error of the float weights of a node's choices."""
        if self.trees.least_prior() < _SMALLEST_PRIOR:
            return float("inf")
        cuts = len(self.trees.cuts)
        choice = 2.0 * self.trees.values + 13  # in units of 2**-53, as counted in the proof
        terms = 2 * cuts if self.trees.chain else cuts
        for _ in range(levels - 1):
            choice = 2 * (choice + 6 * terms) + 3
        return 0.75 * (choice + 8) * ULP

    def choices(self, node: ValueNode, levels: int) -> tuple[Counts, npt.NDArray[np.float64]]:
        """``(m, z)`` of each choice at a node: every label of a leaf, then every cut.

        In a rule list a cut is two choices while a further one may follow: the first side
        is a leaf, or the second.
        """
        from tacit.problems.tables import valued_kernels

        values, ways = self.trees.values, self._parts(levels)
        cuts = len(self.trees.cuts) * ways if levels else 0
        m = np.empty(values + cuts, dtype=np.int64)
        z = np.empty(values + cuts, dtype=np.float64)
        m[:values] = node.each.sum() - node.each
        z[:values] = float(self.trees.leaf_share(levels) / values)
        if not cuts:
            return m, z
        starts, column, cell, ordered, share, _ = self.trees.layout
        common = (column, cell, ordered, share)
        out = (self.decay(node), m[values:], z[values:])
        leaf, counts = float(self.trees.leaf), node.counts
        assert counts is not None
        if levels == 1:
            valued_kernels.stump_cells(counts, *common, node.each, *out)
        elif levels == 2:
            valued_kernels.pair_cells(counts, *common, node.each, leaf, ways, *out)
        else:
            assert node.rows is not None
            costs = np.array(self.costs or [1] * values, dtype=np.int64)
            rows = (node.rows.cells, node.rows.labels, costs, starts)
            valued_kernels.row_cells(*rows, *common, counts, node.each, leaf, ways, *out)
        return m, z

    def decay(self, node: ValueNode) -> npt.NDArray[np.float64]:
        """The table of ``exp(-rate * j)`` that a node's weights are read from."""
        longest = int(node.each.sum()) + 1
        # Rounded up, so that one table serves all nodes of a draw.
        return decay_table(self.rate, 1 << longest.bit_length())

    def balls(self, node: ValueNode, levels: int) -> Iterator[Ball]:
        """The same choices as balls, ``prior * exp(-rate * mistakes)`` as it stands."""
        leaf = ball(self.trees.leaf_share(levels) / self.trees.values)
        everyone = int(node.each.sum())
        for right in node.each.tolist():
            yield leaf * (-ball(self.rate) * (everyone - right)).exp()
        if levels:
            for cut, share in enumerate(self.trees.shares):
                low, high = self.sides(node, levels, cut)
                prior = ball(share * (1 - self.trees.leaf) / self._parts(levels))
                for left, right in self._below(levels):
                    yield prior * self.total(low, left) * self.total(high, right)

    def total(self, node: ValueNode, levels: int) -> Ball:
        """``Z(node)`` as a ball."""
        return sum(self.balls(node, levels), ball(0))

    def _parts(self, levels: int) -> int:
        """How many choices each cut makes at a node with ``levels`` levels left."""
        return 2 if self.trees.chain and levels > 1 else 1

    def _below(self, levels: int) -> list[tuple[int, int]]:
        """The levels left on the two sides of a cut, for each of its choices."""
        if self._parts(levels) == 1:
            return [(levels - 1, levels - 1)]
        return [(0, levels - 1), (levels - 1, 0)]

    # -- drawing -------------------------------------------------------------------------

    def draw(self, node: ValueNode, *, levels: int, rng: Sampler) -> Tree:
        """A tree with probability proportional to its weight."""
        m, z = self.choices(node, levels)  # [P1]
        decay = self.decay(node)
        gaps = m - m.min()
        reach = gaps < len(decay)
        choice = rng.cell(  # [P2]
            np.where(reach, z * decay[np.where(reach, gaps, 0)], 0.0),
            relative=self.relative_error(levels),
            absolute=BEYOND,
            balls=lambda: self.balls(node, levels),
        )
        if choice < self.trees.values:
            return choice
        cut, part = divmod(choice - self.trees.values, self._parts(levels))
        low, high = self.sides(node, levels, cut)  # [P3]
        left, right = self._below(levels)[part]
        return (
            cut,
            self.draw(low, levels=left, rng=rng),
            self.draw(high, levels=right, rng=rng),
        )


@dataclass(frozen=True, slots=True)
class ValueTally:
    """The root of the records of a streamed sample, for trees of at most two levels.

    Counts of cells, of pairs of cells and of labels add up; rows are not kept.
    """

    weigher: ValueWeigher

    def zero(self) -> ValueNode:
        none = np.empty((0, self.weigher.trees.schema.width), dtype=np.int32)
        return self.weigher.root(none, np.empty(0, dtype=np.int64))

    def add(self, counter: ValueNode, batch: Batch) -> ValueNode:
        cells = self.weigher.trees.schema.coerce(batch.column(0))
        labels = np.asarray(batch.column(1), dtype=np.int64)
        return together(counter, self.weigher.root(cells, labels))

    def merge(self, left: ValueNode, right: ValueNode) -> ValueNode:
        return together(left, right)
