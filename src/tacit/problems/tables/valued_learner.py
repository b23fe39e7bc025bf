"""All trees at once, with several labels a leaf: one exact draw."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import ClassVar

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    Condition,
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
from tacit.mechanisms.calibration import cost_spread, spread
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.tables.fitting_trees import FittingTrees
from tacit.problems.tables.one_draw_learner import OneDrawLearner
from tacit.problems.tables.records import known, one_draw, to_spend
from tacit.problems.tables.tree_learner import MOST_CELLS
from tacit.problems.tables.tree_priors import Parts, least_of, tree_comparators, tree_prior
from tacit.problems.tables.trees import DEEPEST, RuleLists, Stumps, TreeRule, Trees
from tacit.problems.tables.valued_trees import fitting, valued
from tacit.problems.tables.valued_weights import ValueTally, ValueWeigher
from tacit.tallies.placed import placed

_ALWAYS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueTreeLearner(OneDrawLearner):
    """Draw a tree with weight ``prior * exp(-rate * mistakes)``, one of several labels a leaf.

    A mistake on a record of label ``y`` counts ``costs[y]`` times; without ``costs`` each is one.

    Privacy
    -------
    Requires  class, prior, label values and costs are public.
    Ensures   ``epsilon``-bounded range, hence ``epsilon``-DP, under ``relation``, with
              ``rate = epsilon / cost_spread``: 2, or 1 for add-remove, where mistakes count one.
    Proof     Theorem 1 of ``valued_learner.proof.md``; the draw: ``valued_weights.proof.md``.
    Numerics  exact: floats decide only where a proved bound leaves no doubt.

    Utility
    -------
    Theorem 2 of ``valued_learner.proof.md``: as for two labels, with a prior of ``1/K`` for
    each label of a leaf.

    Edge cases
    ----------
    No records, labels that never occur, constant columns: the prior decides where mistakes do
    not.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Several label values, Theorem 1",
        statement="drawing a tree with weight prior * exp(-rate * mistakes), one of K labels for "
        "every leaf included, is epsilon-bounded-range for rate = epsilon / w",
        proof="problems/tables/valued_learner.proof.md",
    )

    trees: Trees
    costs: tuple[int, ...] = ()

    @property
    def rate(self) -> Fraction:
        """The exponent per mistake of cost 1."""
        return self.epsilon / cost_spread(self.relation, self.costs or (1, 1))

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

    def prepare(self) -> None:
        self.trees.prepare()

    def streams(self, n: int | None) -> bool:  # noqa: ARG002 - counts of any number
        return self.trees.depth <= 2

    @property
    def placed_by(self) -> Schema:
        return self.trees.schema

    def _release(self, data: Sample, *, rng: Sampler) -> TreeRule:
        weigher = ValueWeigher(self.trees, self.rate, self.costs)
        if isinstance(data, Streamed) and self.streams(None):
            root = data.fold(ValueTally(weigher))  # [P1]
        else:
            root = weigher.root(*placed(data, self.trees.schema, values=self.trees.values))  # [P1]
        tree = weigher.draw(root, levels=self.trees.depth, rng=rng)  # [P2]
        return self.trees.hypothesis(tree)


def _plain(task: Task) -> Trees | None:
    """The trees that the task names; ``None`` where their depth follows from the records."""
    family = task.concept_class
    return valued(family, task.answers) if isinstance(family, Trees) else None


def _kind(task: Task) -> Trees:
    """Trees or lists over the columns, still of two levels, where the depth is open."""
    family = task.concept_class
    assert isinstance(family, (FittingTrees, BestRules))
    lists = isinstance(family, FittingTrees) and family.lists
    return RuleLists(family.schema, depth=_ALWAYS) if lists else Trees(family.schema, depth=_ALWAYS)


def _samples(task: Task) -> SampleBound:
    """Records for one draw, against the best tree of the class, or of two levels."""
    plain = _plain(task)
    if plain is not None:
        least = plain.least_prior()
        return one_draw(task, prior=least, least_prior=least)
    kind = _kind(task)
    depths = [_ALWAYS] if Trees.too_wide_for_three(kind.schema) else [_ALWAYS, DEEPEST]
    every = [valued(type(kind)(kind.schema, depth=depth), task.answers) for depth in depths]
    bounds = [
        one_draw(
            task,
            prior=trees.least_prior(_ALWAYS),
            least_prior=trees.least_prior(),
            gentle=False,
        )
        for trees in every
    ]
    return max(bounds, key=lambda bound: bound.n)


def value_draw(task: Task, epsilon: Fraction, n: int | None) -> ValueTreeLearner:
    """One draw over the trees of the class, of as many levels as ``n`` records pay for."""
    trees, relation = _plain(task), task.privacy.relation
    if trees is None:
        trees = fitting(_kind(task), task.answers, n, epsilon / spread(relation))
    return ValueTreeLearner(trees=trees, epsilon=epsilon, relation=relation)


def _mechanism(task: Task, bound: SampleBound, size: Size) -> ValueTreeLearner:
    return value_draw(task, to_spend(task, bound, size), known(size))


def _too_many_pairs(task: Task) -> str | None:
    """Why pairs of cells cannot be counted for every label, in words; ``None`` if they can."""
    most = isqrt(MOST_CELLS**2 * 2 // task.answers)
    plain = _plain(task)
    shallow = plain is not None and plain.depth < 2
    if shallow or sum(task.concept_class.domain.cells) <= most:
        return None
    return (
        f"counts pairs of cells for {task.answers} labels, and the schema has more than {most}: "
        "use fewer bins, or depth=1"
    )


def _tiny(entry: Algorithm) -> Tiny:
    one, two = Schema.of([bool]), Schema.of([(0, 1), bool], bins=2)
    return tiny_task(
        entry,
        Trees(one.declared_complete(), depth=1),
        Trees(two.declared_complete(), depth=2),
        records=labelled([(False,), (True,)], labels=(0, 1, 2)),
        usual=((0.2, False), 1),
        odd=((0.8, True), 2),
        values=3,
    )


SEVERAL_VALUES = ALGORITHMS.add(
    Algorithm(
        name="several label values",
        summary="one exact draw over all trees of the class, one of several labels for each leaf",
        applies=Applies(
            proper=True,
            classes=(Trees, Stumps, RuleLists, FittingTrees, BestRules),
            values=True,
            ignores=True,
            further=(
                Condition(
                    "more than two label values: values=('a', 'b', 'c')",
                    lambda task: task.answers > 2,
                ),
            ),
        ),
        claim=ValueTreeLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        certify=DRAWN,
        tiny=_tiny,
        runs=_too_many_pairs,
    )
)
