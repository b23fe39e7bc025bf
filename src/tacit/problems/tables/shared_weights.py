"""The weights of all trees whose questions several labels share.

As ``tree_weights``: ``Z(node) = leaf + sum over cuts of prior * Z(low) * Z(high)``, where a leaf
weighs ``exp(-rate * lost)`` by the mistakes of the best label of each of ``k`` kinds. Labels of
leaves are no part of what is drawn. Proved in ``shared_weights.proof.md``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import Sampler
from tacit.domains.guards import check_cells
from tacit.domains.marked import Marks
from tacit.exact.balls import Ball, ball
from tacit.exact.cells import BEYOND, ULP, decay_table
from tacit.problems.tables.tree_nodes import Tree
from tacit.problems.tables.trees import Trees

Sums = npt.NDArray[np.int64]
_SMALLEST_PRIOR = Fraction(1, 10**100)


@dataclass(frozen=True, slots=True, eq=False)
class SharedNode:
    """What a node needs to know of its records, for the levels that may follow. Private.

    ``sums`` holds those of the marks of each label, and the number of records. ``counts``: no
    level, none; one, ``[cell, label]``; two, ``[cell, other cell, label]``.
    """

    sums: Sums
    counts: Sums | None = None

    def __repr__(self) -> str:
        return "SharedNode(private)"


def lost(sums: Sums) -> int:
    """Twice the mistakes of a leaf's best labels, and once each label that is left out."""
    return int((len(sums) - 1) * sums[-1] - np.abs(sums[:-1]).sum())


@dataclass(frozen=True)
class SharedWeigher:
    """Weights ``prior(questions) * exp(-rate * lost)`` of trees of at most two levels."""

    trees: Trees
    rate: Fraction

    # -- nodes ---------------------------------------------------------------------------

    def root(self, cells: npt.NDArray[np.int32], marks: Marks) -> SharedNode:
        """The node of all records; ``marks`` are 1, -1 or 0, a column a label."""
        from tacit.problems.tables import shared_kernels

        check_cells(cells, marks[:, 0], self.trees.schema.cells)
        starts, *_, size = self.trees.layout
        counted = np.ones((len(marks), marks.shape[1] + 1), dtype=np.int64)
        counted[:, :-1] = marks
        sums = counted.sum(axis=0)
        if not self.trees.depth or not self.trees.cuts:
            return SharedNode(sums)
        given = (np.ascontiguousarray(cells.T), starts, counted, size)
        count = shared_kernels.count_cells if self.trees.depth == 1 else shared_kernels.count_pairs
        return SharedNode(sums, count(*given))

    def sides(self, node: SharedNode, levels: int, cut: int) -> tuple[SharedNode, SharedNode]:
        """The two nodes below a cut of a node with ``levels`` levels left."""
        asked, counts = self.trees.cuts[cut], node.counts
        assert counts is not None
        last = int(self.trees.layout[2][cut])
        first = last - asked.cell if asked.ordered else last
        if levels == 1:
            sums = counts[first : last + 1].sum(axis=0)
            return SharedNode(sums), SharedNode(node.sums - sums)
        own = np.arange(first, last + 1)
        sums = counts[own, own].sum(axis=0)
        inside = counts[first : last + 1].sum(axis=0)
        whole = np.einsum("iij->ij", counts)
        return SharedNode(sums, inside), SharedNode(node.sums - sums, whole - inside)

    # -- weights -------------------------------------------------------------------------

    def relative_error(self, levels: int) -> float:
        """A bound on the relative error of the float weights of a node's choices."""
        if self.trees.least_prior() < _SMALLEST_PRIOR:
            return float("inf")
        choice = 4.0  # in units of 2**-53, as counted in the proof
        for _ in range(levels - 1):
            choice = 2 * (choice + 6 * len(self.trees.cuts)) + 3
        return 0.75 * (choice + 8) * ULP

    def choices(self, node: SharedNode, levels: int) -> tuple[Sums, npt.NDArray[np.float64]]:
        """``(m, z)`` of each choice at a node: to be a leaf, then every cut."""
        from tacit.problems.tables import shared_kernels

        cuts = len(self.trees.cuts) if levels else 0
        m = np.empty(1 + cuts, dtype=np.int64)
        z = np.empty(1 + cuts, dtype=np.float64)
        m[0], z[0] = lost(node.sums), float(self.trees.leaf_share(levels))
        if not cuts:
            return m, z
        _, column, cell, ordered, share, _ = self.trees.layout
        counts: Any = node.counts
        common = (counts, column, cell, ordered, share, node.sums)
        if levels == 1:
            shared_kernels.stump_cells(*common, m[1:], z[1:])
        else:
            leaf = float(self.trees.leaf)
            shared_kernels.pair_cells(*common, leaf, self.decay(node), m[1:], z[1:])
        return m, z

    def decay(self, node: SharedNode) -> npt.NDArray[np.float64]:
        """The table of ``exp(-rate * j)`` that a node's weights are read from."""
        longest = (len(node.sums) - 1) * int(node.sums[-1]) + 1
        # Rounded up, so that one table serves all nodes of a draw.
        return decay_table(self.rate, 1 << longest.bit_length())

    def balls(self, node: SharedNode, levels: int) -> Iterator[Ball]:
        """The same choices as balls, ``prior * exp(-rate * lost)`` as it stands."""
        yield ball(self.trees.leaf_share(levels)) * (-ball(self.rate) * lost(node.sums)).exp()
        if levels:
            for cut, share in enumerate(self.trees.shares):
                low, high = self.sides(node, levels, cut)
                prior = ball(share * (1 - self.trees.leaf))
                yield prior * self.total(low, levels - 1) * self.total(high, levels - 1)

    def total(self, node: SharedNode, levels: int) -> Ball:
        """``Z(node)`` as a ball."""
        return sum(self.balls(node, levels), ball(0))

    # -- drawing -------------------------------------------------------------------------

    def draw(self, node: SharedNode, *, levels: int, rng: Sampler) -> Tree:
        """Questions with probability proportional to their weight; every leaf is ``False``."""
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
        if choice == 0:
            return False
        low, high = self.sides(node, levels, choice - 1)  # [P3]
        return (
            choice - 1,
            self.draw(low, levels=levels - 1, rng=rng),
            self.draw(high, levels=levels - 1, rng=rng),
        )
