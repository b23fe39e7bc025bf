"""Deeper trees: draw a shallow one exactly, then grow all its leaves in a second draw."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.bounds.upper import selection
from tacit.classes.trees import DEEPEST, Node, TreeRule, Trees
from tacit.core import (
    BadInput,
    Claim,
    Composed,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Rng,
    Sample,
    Selection,
)
from tacit.core.numbers import positive, whole
from tacit.domains.labels import truth
from tacit.domains.schema import Schema
from tacit.learners.tree_weights import Weigher

MOST_LEVELS = 2 * DEEPEST


@dataclass(frozen=True, slots=True, kw_only=True)
class GrownTreeLearner(Mechanism[Sample, Hypothesis]):
    """A tree of three levels for half of ``epsilon``; its leaves grown for the other half.

    Privacy
    -------
    Requires  schema and depth are public.
    Ensures   two selections of ``epsilon/2`` each, composed; hence ``epsilon``-DP.
    Proof     Theorem 1 of ``grown_trees.proof.md``: growing all leaves is one selection.
    Numerics  exact.

    Utility
    -------
    No bound beforehand; Occam's bound holds for the released tree.

    Edge cases
    ----------
    As ``TreeLearner``. A leaf without records is grown by the prior alone.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Grown trees, Theorem 1",
        statement="drawing a tree and then trees for all its leaves, each with weight prior * "
        "exp(-rate * mistakes), is two epsilon/2-bounded-range selections",
        proof="learners/grown_trees.proof.md",
    )

    schema: Schema
    depth: int
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "relation", Relation.read(self.relation))
        object.__setattr__(self, "depth", whole(self.depth, name="depth", least=DEEPEST + 1))
        if self.depth > MOST_LEVELS:
            raise BadInput(f"depth must be at most {MOST_LEVELS}")

    @property
    def stages(self) -> tuple[Trees, Trees]:
        """The class of the first draw, and the class that each leaf is grown from."""
        return Trees(self.schema, DEEPEST), Trees(self.schema, self.depth - DEEPEST)

    @property
    def least_prior(self) -> Fraction:
        """Not above the prior of any tree that can be released."""
        first, second = self.stages
        grown: Fraction = second.least_prior() ** (2**DEEPEST)
        return first.least_prior() * grown

    def event(self) -> Event:
        half = Selection(epsilon=self.epsilon / 2, relation=self.relation)
        return Composed(events=(half, half), relation=self.relation)

    def _release(self, data: Sample, *, rng: Rng) -> TreeRule:
        cells, labels = self.schema.coerce(data.x), truth(data)  # [P1]
        rate = self.epsilon / 2 / selection.spread(self.relation)
        first, second = self.stages
        weigher = Weigher(first, rate)
        top = weigher.draw(weigher.root(cells, labels), levels=DEEPEST, rng=rng)  # [P2]
        grower = Weigher(second, rate)
        root = self._grow(first.hypothesis(top).root, cells, labels, grower, rng)  # [P3]
        return TreeRule(schema=self.schema, root=root)

    def _grow(
        self,
        node: Node,
        cells: npt.NDArray[np.int32],
        labels: npt.NDArray[np.bool_],
        grower: Weigher,
        rng: Rng,
    ) -> Node:
        if isinstance(node, bool):
            levels = grower.trees.depth
            tree = grower.draw(grower.root(cells, labels), levels=levels, rng=rng)
            return grower.trees.hypothesis(tree).root
        low = node[0].asks(cells)
        return (
            node[0],
            self._grow(node[1], cells[low], labels[low], grower, rng),
            self._grow(node[2], cells[~low], labels[~low], grower, rng),
        )
