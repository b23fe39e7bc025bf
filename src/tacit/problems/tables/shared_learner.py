"""Trees that share questions: one draw of these for all labels, then noisy labels of each leaf.

Beside it the draws of all labels side by side, compared with the same trees: the planner takes
whichever needs fewer records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.bounds.upper.stages import staged
from tacit.bounds.upper.weights import concentrated
from tacit.core import (
    ALGORITHMS,
    ZCDP,
    Algorithm,
    Applies,
    Claim,
    Event,
    Hypothesis,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tasks,
    Tiny,
)
from tacit.core.numbers import positive, whole
from tacit.core.tiny import DELTA, TWO_LABELS, labelled
from tacit.domains.marked import Marks
from tacit.exact.balls import Ball, above, ball, below
from tacit.mechanisms.calibration import (
    marks_variance,
    round_down,
    several_counts_variance,
    shared_spread,
    spread,
)
from tacit.problems.several.rules import Rules
from tacit.problems.tables.checked_rules import (
    LABEL_FACTS,
    CheckedRules,
    LabelsLearner,
)
from tacit.problems.tables.records import known
from tacit.problems.tables.shared_trees import EitherTrees, SharedTrees
from tacit.problems.tables.shared_weights import SharedWeigher, Sums
from tacit.problems.tables.side_by_side import SideBySide
from tacit.problems.tables.side_by_side_rules import each_epsilon, side_by_side, two_labels
from tacit.problems.tables.tiny_rules import LARGE, ONE_CELL
from tacit.problems.tables.tree_learner import MOST_CELLS
from tacit.problems.tables.tree_nodes import Node
from tacit.problems.tables.tree_priors import tree_prior
from tacit.problems.tables.trees import TreeRule
from tacit.tallies.placed import placed

STEPS = 16
"""Splits of the budget between questions and labels that are looked at."""
MEAN, SQUARE = Fraction(171, 1000), Fraction(1, 5)
"""Not below ``y Q(y)`` and ``y**2 Q(y)`` for any ``y``; ``Q`` is the tail of the normal law."""
_MOST_SUMS = 1 << 26
"""So many sums of marks can be counted."""
_LEAST_RATE = Fraction(1, 10**5)
"""Of the weights: tables of smaller ones would take too much memory."""
_FAINT = Fraction(1, 1 << 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTreeLearner(LabelsLearner):
    """Draw questions by the mistakes of all labels, then the labels of each leaf with noise.

    ``questions``, ``labels``, ``count``  the rho of zCDP of the draw, of the noise on the labels
    of leaves, and of that on the mistakes of each label's rule; a ``count`` of 0 counts nothing.

    Privacy
    -------
    Requires  class and prior are public; a record is its features and all ``k`` labels.
    Ensures   ``questions + labels + count``-zCDP under ``relation``.
    Proof     Theorem 1 of ``shared_learner.proof.md``; the draw: ``shared_weights.proof.md``.
    Numerics  exact: an exact draw, whole sums and discrete Gaussian noise.

    Utility
    -------
    Theorem 2 there: the mean over the labels of mistakes, against the best questions.

    Edge cases
    ----------
    No records, constant labels or columns: prior and noise decide. A noisy sum of 0 is negative.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Shared questions, Theorem 1",
        statement="questions drawn with weight prior * exp(-rate * mistakes of all labels), noisy "
        "sums of centred labels in each leaf, and noisy mistakes of each label cost the sum of "
        "their shares of rho",
        proof="problems/tables/shared_learner.proof.md",
    )

    family: SharedTrees
    k: int
    questions: Fraction
    labels: Fraction
    count: Fraction = Fraction(0)
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)
        positive(self.questions, name="questions")
        positive(self.labels, name="labels")

    def event(self) -> Event:
        return ZCDP(rho=self.questions + self.labels + self.count, relation=self.relation)

    # -- what is public about the rules: ``LabelsLearner`` -----------------------------------

    @property
    def rate(self) -> Fraction:
        """The exponent per mistake, whichever label it is made on."""
        return draw_epsilon(self.questions) / shared_spread(self.relation, self.k)

    @property
    def label_variance(self) -> Fraction:
        """That of the noise on each leaf's sum of marks."""
        return marks_variance(rho=self.labels, labels=self.k, relation=self.relation)

    @property
    def variance(self) -> Fraction | None:
        if not self.count:
            return None
        return Fraction(-(-several_counts_variance(counts=self.k, rho=self.count) // 1))

    @property
    def drawn_from(self) -> str:
        return self.family.describe()

    def prior(self, rule: Hypothesis) -> Fraction:
        return tree_prior(((self.family.trees, Fraction(1)),), rule)

    # -- the draw ----------------------------------------------------------------------------

    def _release(self, data: Sample, *, rng: Sampler) -> CheckedRules:
        schema, depth = self.family.schema, self.family.depth
        cells, marks = placed(data, schema, tasks=self.k)  # [P1]
        weigher = SharedWeigher(self.family.trees, self.rate / 2)  # what is lost is doubled
        tree = weigher.draw(weigher.root(cells, marks), levels=depth, rng=rng)  # [P2]
        root = self.family.trees.hypothesis(tree).root
        inside = list(_leaves(root, cells, np.ones(len(cells), dtype=bool)))
        signs = [self._signs(marks[rows].sum(axis=0, dtype=np.int64), rng) for rows in inside]
        rules = tuple(
            TreeRule(schema=schema, root=_labelled(root, iter([one[label] for one in signs])))
            for label in range(self.k)
        )
        return CheckedRules(
            rules=Rules(rules=rules), noisy_mistakes=self._counted(rules, cells, marks, rng)
        )

    def _signs(self, sums: Sums, rng: Sampler) -> list[bool]:
        """The label of each kind in one leaf."""
        noise = rng.gaussians(self.label_variance, self.k)  # [P3]
        return [int(total) + int(z) > 0 for total, z in zip(sums, noise, strict=True)]

    def _counted(
        self,
        rules: tuple[TreeRule, ...],
        cells: npt.NDArray[np.int32],
        marks: Marks,
        rng: Sampler,
    ) -> tuple[int, ...]:
        variance = self.variance
        if variance is None:
            return ()
        noise = rng.gaussians(variance, self.k)  # [P4]
        wrong = [
            int(np.count_nonzero(np.where(rule.of_cells(cells), -1, 1) == marks[:, label]))
            for label, rule in enumerate(rules)
        ]
        return tuple(count + int(z) for count, z in zip(wrong, noise, strict=True))


def _leaves(
    node: Node, cells: npt.NDArray[np.int32], inside: npt.NDArray[np.bool_]
) -> Iterator[npt.NDArray[np.bool_]]:
    """Which records each leaf holds, in the order of the leaves."""
    if isinstance(node, int):
        yield inside
        return
    cut, low, high = node
    yes = cut.asks(cells)
    yield from _leaves(low, cells, inside & yes)
    yield from _leaves(high, cells, inside & ~yes)


def _labelled(node: Node, labels: Iterator[bool]) -> Node:
    """The same questions with these labels, leaf by leaf."""
    if isinstance(node, int):
        return next(labels)
    cut, low, high = node
    return (cut, _labelled(low, labels), _labelled(high, labels))


def draw_epsilon(rho: Fraction) -> Fraction:
    """The bounded range of one selection that costs ``rho``; rounded down."""
    return round_down(below(lambda: (8 * ball(rho)).sqrt(), bits=64))


# -- how many records suffice ---------------------------------------------------------------


def lost_to_draw(learner: SharedTreeLearner, beta: Fraction) -> Fraction:
    """Mistakes, as a mean over the labels, that questions and labels lose but for ``beta``.

    Theorem 2 of ``shared_learner.proof.md``, half of ``beta`` for each.
    """
    family, k = learner.family, learner.k
    leaves, rate, variance = family.leaves, learner.rate, learner.label_variance

    def mistakes() -> Ball:
        sure = ball(2 / beta).log()
        drawn = (sure - ball(family.least_questions()).log()) / (ball(rate) * k)
        beyond = (2 * ball(SQUARE) * leaves * sure / k).sqrt() + sure / k
        return drawn + leaves + ball(variance).sqrt() * (ball(MEAN) * leaves + beyond)

    return above(mistakes)


def planned_learner(task: Task, part: int) -> SharedTreeLearner:
    """The learner that spends so many of ``STEPS`` parts on questions, after counting."""
    privacy, share = task.privacy, task.several_share
    rho = round_down(concentrated(epsilon=privacy.epsilon, delta=privacy.delta))
    drawn = rho * (1 - share)
    return SharedTreeLearner(
        family=task.of(SharedTrees),
        k=task.k,
        questions=drawn * Fraction(part, STEPS),
        labels=drawn * Fraction(STEPS - part, STEPS),
        count=rho * share,
        relation=privacy.relation,
    )


def _samples(task: Task) -> SampleBound:
    """The best split of the budget, and the records that suffice with it."""
    beta = task.accuracy.beta
    extra, part = min(
        (lost_to_draw(planned_learner(task, part), beta / 2), part) for part in range(1, STEPS)
    )
    bound = staged(
        extra=extra,
        least_prior=task.of(SharedTrees).trees.least_prior() / task.k,
        alpha=task.accuracy.alpha,
        beta=beta,
    )
    return replace(bound, claim=SHARED, choices={"part": part})


def _build(task: Task, bound: SampleBound, _size: Size) -> SharedTreeLearner:
    return planned_learner(task, bound.choices["part"])


def own_trees(task: Task) -> Task:
    """The same labels, each with its own questions."""
    return task.with_(concept_class=task.of(SharedTrees).trees)


def _apart_samples(task: Task) -> SampleBound:
    """Records for draws side by side, whose mean error is compared with shared questions."""
    least, each = task.of(SharedTrees).trees.least_prior(), each_epsilon(task)
    rate, beta, k = each / spread(task.privacy.relation), task.accuracy.beta, task.k

    def mistakes() -> Ball:
        over = ball(2 / beta).log() / k
        return (1 + (2 * over).sqrt() + over - ball(least).log()) / ball(rate)

    bound = staged(
        extra=above(mistakes), least_prior=least / k, alpha=task.accuracy.alpha, beta=beta
    )
    return replace(bound, claim=APART)


def _apart(task: Task, _bound: SampleBound, size: Size) -> SideBySide:
    return side_by_side(own_trees(task), each_epsilon(task), known(size))


SHARED = Claim(
    paper="own",
    locator="Shared questions, Theorem 2",
    statement="from n records on the mean error of k rules with drawn questions and noisy labels "
    "is at most alpha above that of the best with shared questions, with probability 1 - beta",
    proof="problems/tables/shared_learner.proof.md",
)
APART = Claim(
    paper="own",
    locator="Shared questions, Theorem 3",
    statement="from n records on the mean error of k rules drawn side by side is at most alpha "
    "above that of the best rules with shared questions, with probability 1 - beta",
    proof="problems/tables/shared_learner.proof.md",
)


def too_large(task: Task) -> str | None:
    """Why questions that labels share cannot be drawn here, in words; ``None`` if they can."""
    family = task.of(SharedTrees)
    cells = sum(family.schema.cells)
    if family.depth == 2 and (cells > MOST_CELLS or cells**2 * (task.k + 1) > _MOST_SUMS):
        return (
            "counts pairs of cells for every label, which are too many: use fewer bins, or depth=1"
        )
    if planned_learner(task, STEPS // 2).rate < _LEAST_RATE:
        return "would draw at a rate of nearly nothing: use fewer labels, or a larger epsilon"
    return None


def few_cells(task: Task) -> str | None:
    """Why pairs of cells cannot be counted, in words; ``None`` if they can."""
    if sum(task.of(SharedTrees).schema.cells) <= MOST_CELLS:
        return None
    return f"counts pairs of cells, and the schema has more than {MOST_CELLS}: use fewer bins"


def _tiny(entry: Algorithm) -> Tiny:
    return two_labels(entry, SharedTrees(ONE_CELL, depth=1), SharedTrees(LARGE, depth=2))


def _made(epsilon: Fraction) -> SharedTreeLearner:
    """A large budget for the labels of one leaf: few ways need to be followed."""
    return SharedTreeLearner(
        family=SharedTrees(ONE_CELL, depth=1), k=2, questions=epsilon / 100, labels=2 * epsilon
    )


def _tiny_shared(entry: Algorithm) -> Tiny:
    followed = labelled([(0,)], TWO_LABELS)
    return _tiny(entry).exactly(_made, records=followed, n=2, delta=DELTA, faint=_FAINT)


SHARED_TREES = ALGORITHMS.add(
    Algorithm(
        name="shared questions",
        summary="one exact draw of the questions of all labels, then noisy labels of each leaf",
        applies=Applies(
            proper=True, classes=(SharedTrees,), delta=True, tasks=Tasks.SEVERAL, ignores=True
        ),
        claim=SharedTreeLearner.CLAIM,
        bound=_samples,
        build=_build,
        tiny=_tiny_shared,
        certify=LABEL_FACTS,
        runs=too_large,
        counts=True,
    )
)
SHARED_APART = ALGORITHMS.add(
    Algorithm(
        name="shared questions, drawn apart",
        summary="one exact draw a label, each with its own questions, side by side",
        applies=Applies(
            proper=False,
            classes=(SharedTrees, EitherTrees),
            delta=True,
            tasks=Tasks.SEVERAL,
            ignores=True,
        ),
        claim=SideBySide.CLAIM,
        bound=_apart_samples,
        build=_apart,
        tiny=_tiny,
        certify=LABEL_FACTS,
        runs=few_cells,
        counts=True,
    )
)
