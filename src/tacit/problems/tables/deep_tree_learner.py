"""Four levels in the same draw as three, and little lost where three are enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.bounds.upper.stages import mistakes_of_one_draw
from tacit.core import (
    Claim,
    Drawer,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    Sampler,
    Selection,
)
from tacit.core.numbers import positive
from tacit.domains.schema import Schema
from tacit.exact.balls import Ball, ball
from tacit.exact.cells import BEYOND, ULP
from tacit.mechanisms.calibration import cost_spread
from tacit.problems.tables.deep_trees import FOUR, DeepTrees
from tacit.problems.tables.tree_nodes import Node
from tacit.problems.tables.tree_priors import Parts, least_of, tree_comparators, tree_prior
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import DEEPEST, TreeRule, Trees
from tacit.tallies.placed import placed

SHALLOW = Fraction(9, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepTreeLearner(Mechanism[Sample, Hypothesis], Drawer):
    """One draw from trees of three levels and of four, with 9/10 and 1/10 of the prior.

    Privacy
    -------
    Requires  the schema and the costs of mistakes are public.
    Ensures   ``epsilon``-bounded range, hence ``epsilon``-DP, under ``relation``.
    Proof     Theorem 1 of ``deep_tree_learner.proof.md``.
    Numerics  exact: floats decide only where a proved bound leaves no doubt.

    Utility
    -------
    Theorem 2: for every tree of three levels the bound of ``TreeLearner`` at the same
    ``epsilon``, with ``ln(10/9) < 0.106`` more in ``ln 1/prior``.

    Edge cases
    ----------
    As ``TreeLearner``.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Deep trees, Theorem 1",
        statement="drawing a tree of three or of four levels with weight prior * "
        "exp(-rate * mistakes) is epsilon-bounded-range for rate = epsilon / w",
        proof="problems/tables/deep_tree_learner.proof.md",
    )

    schema: Schema
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    costs: tuple[int, int] = (1, 1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "relation", Relation.read(self.relation))

    @property
    def classes(self) -> Parts:
        """Both classes with their part of the prior."""
        return (Trees(self.schema, depth=DEEPEST), SHALLOW), (DeepTrees(self.schema), 1 - SHALLOW)

    @property
    def rate(self) -> Fraction:
        """The exponent per mistake of cost 1."""
        return self.epsilon / cost_spread(self.relation, self.costs)

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=self.relation)

    # -- what is public about the draw: ``Drawer`` -----------------------------------------

    @property
    def least_prior(self) -> Fraction:
        return least_of(self.classes)

    @property
    def drawn_from(self) -> str:
        return self.classes[-1][0].describe()

    @property
    def compared_with(self) -> str:
        return self.classes[0][0].describe()

    def prior(self, rule: Hypothesis) -> Fraction:
        return tree_prior(self.classes, rule)

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return tree_comparators(self.classes)

    def lost(self, beta: Fraction) -> Fraction:
        shallow, part = self.classes[0]
        best = part * shallow.least_prior()
        return mistakes_of_one_draw(prior=best, rate=self.rate, beta=beta)

    def prepare(self) -> None:
        from tacit.problems.tables.warm import warm

        warm(FOUR)

    def _release(self, data: Sample, *, rng: Sampler) -> TreeRule:
        cells, labels = placed(data, self.schema)  # [P1]
        return TreeRule(schema=self.schema, root=self.draw(cells, labels, rng))

    def draw(
        self, cells: npt.NDArray[np.int32], labels: npt.NDArray[np.bool_], rng: Sampler
    ) -> Node:
        """A tree with probability proportional to its weight."""
        weighers = [Weigher(trees, self.rate, self.costs) for trees, _ in self.classes]
        root = weighers[-1].root(cells, labels)
        found = [w.choices(root, w.trees.depth) for w in weighers]
        parts = [float(part) for _, part in self.classes]
        m = np.concatenate([each for each, _ in found])
        z = np.concatenate([part * z for part, (_, z) in zip(parts, found, strict=True)])

        def balls() -> Iterator[Ball]:
            for weigher, (trees, part) in zip(weighers, self.classes, strict=True):
                for weight in weigher.balls(root, trees.depth):
                    yield ball(part) * weight

        choice = rng.cell(  # [P2]
            weighers[-1].scaled(root, m, z),
            relative=max(w.relative_error(w.trees.depth) for w in weighers) + 2 * ULP,
            absolute=BEYOND,
            balls=balls,
        )
        first = len(found[0][0])
        weigher, choice = (weighers[0], choice) if choice < first else (weighers[1], choice - first)
        tree = weigher.follow(root, choice, levels=weigher.trees.depth, rng=rng)  # [P3]
        return weigher.trees.hypothesis(tree).root
