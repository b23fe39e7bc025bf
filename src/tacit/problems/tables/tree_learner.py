"""All trees at once: one exact draw over every tree of a class, leaf labels included."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    Hypothesis,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
    tiny_task,
)
from tacit.core.tally import Streamed
from tacit.core.tiny import labelled
from tacit.domains.labels import truth
from tacit.domains.schema import Schema
from tacit.mechanisms.calibration import cost_spread
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.tables.one_draw_learner import OneDrawLearner
from tacit.problems.tables.records import one_draw, to_spend
from tacit.problems.tables.tree_priors import Parts, least_of, tree_comparators, tree_prior
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import RuleLists, Stumps, TreeRule, Trees
from tacit.tallies.placed import placed


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeLearner(OneDrawLearner):
    """Draw a tree with weight ``prior * exp(-rate * mistakes)``.

    A mistake on a record of label 0 or 1 counts ``costs[0]`` or ``costs[1]`` times.

    Privacy
    -------
    Requires  class, prior and costs are public.
    Ensures   ``epsilon``-bounded range, hence ``epsilon``-DP, under ``relation``, with
              ``rate = epsilon / cost_spread``: without costs ``epsilon / 2`` (``epsilon`` for
              add-remove).
    Proof     Theorem 1 of ``tree_learner.proof.md``; the draw: ``tree_weights.proof.md``.
    Numerics  exact: floats decide only where a proved bound leaves no doubt.

    Utility
    -------
    Theorem 2 of ``tree_learner.proof.md``: the prior of the best *comparator* counts.

    Edge cases
    ----------
    No records, one label, constant columns: the prior decides where mistakes do not.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Trees, Theorem 1",
        statement="drawing a tree with weight prior * exp(-rate * mistakes), "
        "leaf labels included, is epsilon-bounded-range for rate = epsilon / w",
        proof="problems/tables/tree_learner.proof.md",
    )

    trees: Trees
    costs: tuple[int, int] = (1, 1)

    @property
    def rate(self) -> Fraction:
        """The exponent per mistake of cost 1."""
        return self.epsilon / cost_spread(self.relation, self.costs)

    # -- what is public about the draw: ``Drawer`` -----------------------------------------

    @property
    def classes(self) -> Parts:
        """The one class, with all of the prior."""
        return ((self.trees, Fraction(1)),)

    @property
    def least_prior(self) -> Fraction:
        return least_of(self.classes)

    @property
    def drawn_from(self) -> str:
        return self.trees.describe()

    def prior(self, rule: Hypothesis) -> Fraction:
        return tree_prior(self.classes, rule)

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return tree_comparators(self.classes)

    def streams(self, n: int | None) -> bool:  # noqa: ARG002 - counts of any number
        return self.trees.depth <= 2

    @property
    def placed_by(self) -> Schema:
        return self.trees.schema

    def _release(self, data: Sample, *, rng: Sampler) -> TreeRule:
        weigher = Weigher(self.trees, self.rate, self.costs)
        if isinstance(data, Streamed) and self.streams(None):
            root = weigher.streamed(data)  # [P1]
        elif isinstance(data, Streamed):
            root = weigher.root(*placed(data, self.trees.schema))  # [P1]
        else:
            root = weigher.read(data.x, truth(data))  # [P1]
        tree = weigher.draw(root, levels=self.trees.depth, rng=rng)  # [P2]
        return self.trees.hypothesis(tree)


MOST_CELLS = 6000
"""So many cells can be counted in pairs."""


def _samples(task: Task) -> SampleBound:
    trees: Any = task.concept_class  # of trees, or of a kind with trees in it
    least = trees.least_prior()
    return one_draw(task, prior=least, least_prior=least)


def _mechanism(task: Task, bound: SampleBound, size: Size) -> TreeLearner:
    trees: Any = task.concept_class  # of trees, or of a kind with trees in it
    return TreeLearner(
        trees=trees, epsilon=to_spend(task, bound, size), relation=task.privacy.relation
    )


def too_many_pairs(task: Task) -> str | None:
    """Why pairs of cells cannot be counted, in words; ``None`` if they can."""
    trees: Any = task.concept_class  # of trees, or of a kind with trees in it
    if trees.depth < 2 or sum(trees.schema.cells) <= MOST_CELLS:
        return None
    return (
        f"counts pairs of cells, and the schema has more than {MOST_CELLS}: use fewer bins, or "
        "depth=1"
    )


def _tiny(entry: Algorithm) -> Tiny:
    one, two = Schema.of([bool]), Schema.of([(0, 1), bool], bins=2)
    return tiny_task(
        entry,
        Trees(one.declared_complete(), depth=1),
        Trees(two.declared_complete(), depth=2),
        records=labelled([(False,), (True,)]),
        usual=((0.2, False), 1),
        odd=((0.8, True), 0),
    )


TREES = ALGORITHMS.add(
    Algorithm(
        name="trees",
        summary="one exact draw over all trees of the class, small ones favoured beforehand",
        applies=Applies(proper=True, classes=(Trees, Stumps, RuleLists), ignores=True),
        claim=TreeLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        certify=DRAWN,
        tiny=_tiny,
        runs=too_many_pairs,
    )
)
