"""All trees at once: one exact draw over every tree of a class, leaf labels included."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tacit.bounds.upper import selection
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Selection,
    Size,
    Task,
    Tiny,
    tiny_task,
)
from tacit.core.numbers import positive
from tacit.core.tally import Streamed
from tacit.core.tiny import labelled
from tacit.domains.labels import truth
from tacit.domains.schema import Schema
from tacit.mechanisms.calibration import spread
from tacit.problems.tables.tree_weights import NodeTally, Weigher
from tacit.problems.tables.trees import RuleLists, Stumps, TreeRule, Trees


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeLearner(Mechanism[Sample, Hypothesis]):
    """Draw a tree with weight ``prior * exp(-rate * mistakes)``.

    Privacy
    -------
    Requires  class and prior are public.
    Ensures   ``epsilon``-bounded range, hence ``epsilon``-DP, under ``relation``, with
              ``rate = epsilon / 2`` (``epsilon`` for add-remove).
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
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "relation", Relation.read(self.relation))

    @property
    def rate(self) -> Fraction:
        """The exponent per mistake."""
        return self.epsilon / spread(self.relation)

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=self.relation)

    def prepare(self) -> None:
        from tacit.problems.tables.warm import warm

        warm(self.trees.depth)

    def _release(self, data: Sample, *, rng: Sampler) -> TreeRule:
        weigher = Weigher(self.trees, self.rate)
        if isinstance(data, Streamed) and self.trees.depth <= 2:
            root = data.fold(NodeTally(weigher))  # [P1]
        else:
            root = weigher.read(data.x, truth(data))  # [P1]
        tree = weigher.draw(root, levels=self.trees.depth, rng=rng)  # [P2]
        return self.trees.hypothesis(tree)


def comparator_weight(trees: Trees, *, levels: int) -> int:
    """``1 / prior`` of the least likely tree of ``levels`` levels, rounded up."""
    return -(-1 // trees.least_prior(levels))


def _samples(task: Task) -> SampleBound:
    trees: Any = task.concept_class
    bound = selection.realizable if task.setting == "realizable" else selection.agnostic
    return bound(
        size=comparator_weight(trees, levels=trees.depth),
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
    )


def _mechanism(task: Task, bound: SampleBound, _size: Size) -> TreeLearner:
    trees: Any = task.concept_class
    return TreeLearner(
        trees=trees,
        epsilon=bound.choices["epsilon"],
        relation=task.privacy.relation,
    )


def _tiny(entry: Algorithm) -> Tiny:
    one, two = Schema.of([bool]), Schema.of([(0, 1), bool], bins=2)
    return tiny_task(
        entry,
        Trees(one.declared_complete(), 1),
        Trees(two.declared_complete(), 2),
        records=labelled([(False,), (True,)]),
        usual=((0.2, False), 1),
        odd=((0.8, True), 0),
    )


TREES = ALGORITHMS.add(
    Algorithm(
        name="trees",
        summary="one exact draw over all trees of the class, small ones favoured beforehand",
        applies=Applies(proper=True, classes=(Trees, Stumps, RuleLists)),
        claim=TreeLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)
