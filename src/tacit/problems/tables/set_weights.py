"""The weights of all trees at once, with questions about sets of categories.

Given the labels inside and outside of a set, each category is in it or not by itself, so the sum
over all sets of a column is a product over its categories, and a set is drawn by one coin a
category. The rest is as for trees without sets. Proved in ``set_weights.proof.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import Sampler
from tacit.exact.balls import Ball, ball
from tacit.exact.cells import BEYOND, ULP
from tacit.problems.tables.set_trees import SMALLEST_PRIOR, SetTrees
from tacit.problems.tables.tree_nodes import Node
from tacit.problems.tables.valued_weights import Counts, ValueNode, ValueWeigher

_DECIDE = np.ones(2)


@dataclass(frozen=True, slots=True)
class SetChoice:
    """All sets of one column, with a chance for each category and the labels on both sides."""

    column: int
    chance: Fraction
    inside: int
    outside: int


@dataclass(frozen=True)
class SetWeigher:
    """Weights ``prior(tree) * exp(-rate * mistakes)`` of trees with sets of categories."""

    trees: SetTrees
    rate: Fraction

    @cached_property
    def plain(self) -> ValueWeigher:
        """What counts records by cells, as for trees without sets."""
        return ValueWeigher(self.trees.plain, self.rate)

    @cached_property
    def sets(self) -> tuple[SetChoice, ...]:
        """Every choice of a column, a chance and two labels."""
        return tuple(
            SetChoice(column, chance, *pair)
            for column in self.trees.sets
            for chance in self.trees.chances(column)
            for pair in self.trees.pairs()
        )

    @cached_property
    def _cuts(self) -> tuple[Any, ...]:
        """Starts of the columns; column, cell and kind of every cut."""
        return self.trees.plain.layout[:4]

    @cached_property
    def _tables(self) -> tuple[Any, Any]:
        """What the loops read of cuts and of sets."""
        trees = self.trees
        starts, *cuts = self._cuts
        split = 1 - trees.leaf
        share = np.array([float(one * split) for one in trees.shares], dtype=np.float64)
        sets = np.array(trees.sets, dtype=np.int64)
        chances = np.array([len(trees.chances(one)) for one in trees.sets], dtype=np.int64)
        scale = [float(self.set_prior(one) * split) for one in trees.sets]
        cells = np.array(trees.schema.cells, dtype=np.int64)[sets]
        weighed = (starts[sets], cells, chances, np.array(scale, dtype=np.float64))
        return (*cuts, share), weighed

    def set_prior(self, column: int) -> Fraction:
        """The prior of a column, one of its chances and two labels, if a node is not a leaf."""
        pairs = self.trees.values * (self.trees.values - 1)
        return self.trees.set_share / (len(self.trees.chances(column)) * pairs)

    # -- weights -------------------------------------------------------------------------

    def relative_error(self, levels: int) -> float:
        """A bound on the relative error of the float weights of a node's choices."""
        if self.trees.least_prior() < SMALLEST_PRIOR:
            return float("inf")
        cells = max((self.trees.schema.cells[one] for one in self.trees.sets), default=0)
        # In units of 2**-53, as counted in the proof.
        choice = max(2.0 * self.trees.values + 13, 7.0 * cells + 4)
        for _ in range(levels - 1):
            choice = 2 * (choice + 6 * (len(self.trees.cuts) + len(self.sets))) + 3
        return 0.75 * (choice + 8) * ULP

    def choices(self, node: ValueNode, levels: int) -> tuple[Counts, npt.NDArray[np.float64]]:
        """``(m, z)`` of each choice at a node: labels of a leaf, then cuts, then sets."""
        from tacit.problems.tables import set_kernels

        values = self.trees.values
        questions = len(self.trees.cuts) + len(self.sets) if levels else 0
        m = np.empty(values + questions, dtype=np.int64)
        z = np.empty(values + questions, dtype=np.float64)
        m[:values] = node.each.sum() - node.each
        z[:values] = float(self.trees.leaf_share(levels) / values)
        if questions:
            assert node.counts is not None
            common, sets = self._tables
            out = (self.plain.decay(node), m[values:], z[values:])
            if levels == 1:
                set_kernels.last_cells(node.counts, common, sets, node.each, *out)
            else:
                leaf = float(self.trees.leaf)
                set_kernels.pair_cells(node.counts, common, sets, node.each, leaf, *out)
        return m, z

    def balls(self, node: ValueNode, levels: int) -> Iterator[Ball]:
        """The same choices as balls, ``prior * exp(-rate * mistakes)`` as it stands."""
        return self._balls(node, levels, _powers(self.rate))

    def _balls(self, node: ValueNode, levels: int, power: Callable[[int], Ball]) -> Iterator[Ball]:
        trees, everyone = self.trees, int(node.each.sum())
        leaf = ball(trees.leaf_share(levels) / trees.values)
        for right in node.each.tolist():
            yield leaf * power(everyone - right)
        if not levels:
            return
        split = 1 - trees.leaf
        for cut, share in enumerate(trees.shares):
            low, high = self.plain.sides(node, levels, cut)
            sides = (sum(self._balls(one, levels - 1, power), ball(0)) for one in (low, high))
            yield ball(share * split) * next(sides) * next(sides)
        for choice in self.sets:
            product = ball(self.set_prior(choice.column) * split)
            for inside, outside in self._wrong(node, choice):
                product *= _factor(choice.chance, power(inside), power(outside))
            yield product

    def _wrong(self, node: ValueNode, choice: SetChoice) -> list[tuple[int, int]]:
        """Mistakes on each category's records if it is in the set, and if it is not."""
        assert node.counts is not None
        counts = node.counts if node.counts.ndim == 2 else np.einsum("iij->ij", node.counts)
        first = int(self._cuts[0][choice.column])
        here = counts[first : first + self.trees.schema.cells[choice.column]]
        every = here.sum(axis=1)
        inside, outside = (every - here[:, one] for one in (choice.inside, choice.outside))
        return list(zip(inside.tolist(), outside.tolist(), strict=True))

    # -- drawing -------------------------------------------------------------------------

    def draw(self, node: ValueNode, *, levels: int, rng: Sampler) -> Node:
        """A tree with probability proportional to its weight."""
        m, z = self.choices(node, levels)  # [P1]
        decay = self.plain.decay(node)
        gaps = m - m.min()
        reach = gaps < len(decay)
        choice = rng.cell(  # [P2]
            np.where(reach, z * decay[np.where(reach, gaps, 0)], 0.0),
            relative=self.relative_error(levels),
            absolute=BEYOND,
            balls=lambda: self.balls(node, levels),
        )
        values, cuts = self.trees.values, self.trees.cuts
        if choice < values:
            return self.trees.labelled(choice)
        if choice >= values + len(cuts):
            return self._draw_set(node, self.sets[choice - values - len(cuts)], rng=rng)
        low, high = self.plain.sides(node, levels, choice - values)  # [P3]
        return (
            cuts[choice - values],
            self.draw(low, levels=levels - 1, rng=rng),
            self.draw(high, levels=levels - 1, rng=rng),
        )

    def _draw_set(self, node: ValueNode, choice: SetChoice, *, rng: Sampler) -> Node:
        """A set with its labels: one coin for each category."""
        inside = [
            not rng.cell(  # [P4]
                _DECIDE,
                relative=float("inf"),
                absolute=0.0,
                balls=partial(self._sides, choice.chance, yes, no),
            )
            for yes, no in self._wrong(node, choice)
        ]
        return self.trees.question(choice.column, inside, choice.inside, choice.outside)

    def _sides(self, chance: Fraction, inside: int, outside: int) -> tuple[Ball, Ball]:
        power = _powers(self.rate)
        return ball(chance) * power(inside), ball(1 - chance) * power(outside)


def _factor(chance: Fraction, inside: Ball, outside: Ball) -> Ball:
    """What one category contributes to the sum over all sets."""
    return ball(chance) * inside + ball(1 - chance) * outside


def _powers(rate: Fraction) -> Callable[[int], Ball]:
    """``exp(-rate * mistakes)`` at the working precision, each computed once."""
    held: dict[int, Ball] = {}

    def power(mistakes: int) -> Ball:
        if mistakes not in held:
            held[mistakes] = (-ball(rate) * mistakes).exp()
        return held[mistakes]

    return power
