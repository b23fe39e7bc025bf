"""Trees on a grid of their own: a private grid first, then one draw over all trees on it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tacit.bounds.upper.stages import mistakes_of_one_draw
from tacit.core import (
    Claim,
    Composed,
    Drawer,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    Sampler,
)
from tacit.core.numbers import positive, whole
from tacit.domains.fields import Number
from tacit.domains.schema import Field, Schema
from tacit.mechanisms.calibration import spread
from tacit.mechanisms.private_grid import PrivateGrid
from tacit.problems.tables.deep_tree_learner import DeepTreeLearner
from tacit.problems.tables.deep_trees import FOUR
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.tree_nodes import Cut, Node
from tacit.problems.tables.trees import TreeRule, Trees


@dataclass(frozen=True, slots=True, kw_only=True)
class GriddedTreeLearner(Mechanism[Sample, Hypothesis], Drawer):
    """Release a grid for numeric columns, then draw a tree on it.

    Privacy
    -------
    Requires  ``grid`` and ``depth`` are public.
    Ensures   the grid's event composed with a selection at ``epsilon``.
    Proof     Theorem 1 of ``gridded_trees.proof.md``.
    Numerics  exact, as its two parts.

    Utility
    -------
    Theorem 2: every tree that can be released has a prior, fixed beforehand, among the trees
    over ``grid.fine_schema``; Occam's bound holds with that.

    Edge cases
    ----------
    As ``PrivateGrid`` and ``TreeLearner``.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Gridded trees, Theorem 1",
        statement="a private grid followed by a draw over all trees on it costs the grid's event "
        "composed with one bounded-range selection",
        proof="problems/tables/gridded_trees.proof.md",
    )

    grid: PrivateGrid
    epsilon: Fraction
    depth: int = FOUR

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "depth", whole(self.depth, name="depth", least=0))

    @property
    def relation(self) -> Relation:
        return self.grid.relation

    def drawer(self, schema: Schema) -> DeepTreeLearner | TreeLearner:
        """The draw over a given grid."""
        if self.depth == FOUR:
            return DeepTreeLearner(schema=schema, epsilon=self.epsilon, relation=self.relation)
        return TreeLearner(
            trees=Trees(schema, self.depth), epsilon=self.epsilon, relation=self.relation
        )

    def event(self) -> Event:
        draw = self.drawer(self.grid.schema).event()
        return Composed(events=(self.grid.event(), draw), relation=self.relation)

    # -- what is public about the draw: ``Drawer`` -----------------------------------------

    @property
    def least_prior(self) -> Fraction:
        return self.drawer(self.grid.fine_schema).least_prior

    @property
    def drawn_from(self) -> str:
        trees = self.drawer(self.grid.schema).drawn_from
        return f"{trees}, on a grid that was read off noisy counts first"

    @property
    def compared_with(self) -> str:
        return "the better constant label"  # the only trees that are on every grid

    def prior(self, rule: Hypothesis) -> Fraction:
        assert isinstance(rule, TreeRule)
        fine = self.grid.fine_schema
        return self.drawer(fine).prior(on_fine_grid(rule, fine))

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return ()  # the class is not fixed before the records

    def lost(self, beta: Fraction) -> Fraction:
        parts = self.drawer(self.grid.schema).classes
        constant = max(part * trees.least_prior(0) for trees, part in parts)
        rate = self.epsilon / spread(self.relation)
        return mistakes_of_one_draw(prior=constant, rate=rate, beta=beta)

    def prepare(self) -> None:
        from tacit.problems.tables.warm import warm

        warm(self.depth)

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        schema = rng.part(self.grid, data)  # [P1]
        return rng.part(self.drawer(schema), data)  # [P2]


def on_fine_grid(rule: TreeRule, fine: Schema) -> TreeRule:
    """The same rule, over a schema that has all of its borders."""

    def moved(node: Node) -> Node:
        if isinstance(node, int):
            return node
        cut, low, high = node
        field, finer = rule.schema.fields[cut.column], fine.fields[cut.column]
        cell = cut.cell if field == finer else _borders(finer).index(_borders(field)[cut.cell])
        here = Cut(column=cut.column, cell=cell, ordered=cut.ordered)
        return (here, moved(low), moved(high))

    return TreeRule(schema=fine, root=moved(rule.root))


def _borders(field: Field) -> tuple[Fraction | str, ...]:
    """What ``cell`` of a cut means: a border, or the end of a cell that stands apart."""
    assert isinstance(field, Number)
    assert field.edges is not None
    return (*field.apart, *field.edges)
