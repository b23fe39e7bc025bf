"""All trees with questions about sets of categories at once: one exact draw."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

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
from tacit.domains.schema import Schema
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.tables.one_draw_learner import OneDrawLearner
from tacit.problems.tables.records import one_draw, to_spend
from tacit.problems.tables.set_trees import SetTrees
from tacit.problems.tables.set_weights import SetWeigher
from tacit.problems.tables.trees import TreeRule
from tacit.problems.tables.valued_weights import ValueTally
from tacit.tallies.placed import placed


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTreeLearner(OneDrawLearner):
    """Draw a tree with weight ``prior * exp(-rate * mistakes)``, sets of categories included.

    Privacy
    -------
    Requires  class, prior and label values are public.
    Ensures   ``epsilon``-bounded range, hence ``epsilon``-DP, under ``relation``, with
              ``rate = epsilon / 2`` (``epsilon`` for add-remove).
    Proof     Theorem 1 of ``set_tree_learner.proof.md``; the draw: ``set_weights.proof.md``.
    Numerics  exact: floats decide only where a proved bound leaves no doubt.

    Utility
    -------
    Theorem 2 of ``set_tree_learner.proof.md``: the prior of the best *comparator* counts. Against
    trees without sets at most ``ln 2`` nats a question about one category are lost.

    Edge cases
    ----------
    No records, categories that never occur, no column of four categories: the prior decides
    where mistakes do not; without such a column these are the trees of ``TreeLearner``.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Sets of categories, Theorem 1",
        statement="drawing a tree with weight prior * exp(-rate * mistakes), questions about any "
        "set of categories included, is epsilon-bounded-range for rate = epsilon / w",
        proof="problems/tables/set_tree_learner.proof.md",
    )

    trees: SetTrees

    # -- what is public about the draw: ``Drawer`` -----------------------------------------

    @property
    def least_prior(self) -> Fraction:
        return self.trees.least_prior()

    @property
    def drawn_from(self) -> str:
        return self.trees.describe()

    def prior(self, rule: Hypothesis) -> Fraction:
        assert isinstance(rule, TreeRule)
        return self.trees.rule_prior(rule)

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return self.trees.comparators()

    def prepare(self) -> None:
        self.trees.prepare()

    def streams(self, n: int | None) -> bool:  # noqa: ARG002 - counts of any number
        return True

    @property
    def placed_by(self) -> Schema:
        return self.trees.schema

    def _release(self, data: Sample, *, rng: Sampler) -> TreeRule:
        weigher = SetWeigher(self.trees, self.rate)
        if isinstance(data, Streamed):
            root = data.fold(ValueTally(weigher.plain))  # [P1]
        else:
            cells, labels = placed(data, self.trees.schema, values=self.trees.values)
            root = weigher.plain.root(cells, labels)  # [P1]
        return self.trees.hypothesis(weigher.draw(root, levels=self.trees.depth, rng=rng))  # [P2]


def _trees(task: Task) -> SetTrees:
    """The trees that the task names, with as many labels as it has."""
    return replace(task.of(SetTrees), values=task.answers)


def _samples(task: Task) -> SampleBound:
    least = _trees(task).least_prior()
    return one_draw(task, prior=least, least_prior=least)


def _mechanism(task: Task, bound: SampleBound, size: Size) -> SetTreeLearner:
    return SetTreeLearner(
        trees=_trees(task), epsilon=to_spend(task, bound, size), relation=task.privacy.relation
    )


def _too_many(task: Task) -> str | None:
    """Why two levels cannot be weighed, in words; ``None`` if they can."""
    if not _trees(task).too_slow:
        return None
    return (
        "weighs all sets of categories below every question, and there are too many categories: "
        "use depth=1"
    )


def _tiny(entry: Algorithm) -> Tiny:
    two = Schema.of([(0, 1), ("a", "b", "c", "d")], bins=2)
    return tiny_task(
        entry,
        SetTrees.tiny(),
        SetTrees(two.declared_complete(), depth=2),
        records=labelled([(0,), (2,)]),
        usual=((0.2, "b"), 1),
        odd=((0.8, "d"), 0),
    )


SET_TREES = ALGORITHMS.add(
    Algorithm(
        name="sets of categories",
        summary="one exact draw over all trees whose questions may be about any set of categories",
        applies=Applies(proper=True, classes=(SetTrees,), values=True, ignores=True),
        claim=SetTreeLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        certify=DRAWN,
        tiny=_tiny,
        runs=_too_many,
    )
)
