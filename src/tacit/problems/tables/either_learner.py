"""Labels side by side, or with shared questions: a private choice between both, then one of them.

Whether labels need the same columns is not public. The least mistakes that both ways can make on
the table are two whole numbers that a record moves by one a label, so one draw between them costs
little.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.bounds.upper.weights import concentrated
from tacit.core import (
    Approximate,
    BadInput,
    Claim,
    Composed,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    Sampler,
    Selection,
)
from tacit.core.numbers import positive
from tacit.domains.marked import Marks
from tacit.exact.balls import Ball, above, ball
from tacit.exact.landscape import Flat
from tacit.mechanisms.calibration import shared_spread
from tacit.problems.tables.checked_rules import CheckedRules, LabelsLearner
from tacit.problems.tables.shared_learner import MEAN, SharedTreeLearner
from tacit.problems.tables.shared_weights import SharedWeigher
from tacit.problems.tables.side_by_side import SideBySide, counts_variance
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.tree_weights import Weigher
from tacit.tallies.label_columns import label_columns
from tacit.tallies.placed import placed

Cells = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class EitherLearner(LabelsLearner):
    """Choose between shared questions and rules side by side by what is expected of each.

    ``choice`` is the epsilon of the choice, ``epsilon`` and ``delta`` are for the one that is
    run, and ``count`` for the mistakes of its rules; ``None`` counts nothing.

    Privacy
    -------
    Requires  both learners draw from the same trees, under one relation, count nothing
              themselves, and cost at most ``epsilon`` and ``delta`` each (checked).
    Ensures   ``choice``-bounded range, then ``(epsilon, delta)``-DP, then what ``count`` says.
    Proof     Theorem 1 of ``either_learner.proof.md``.
    Numerics  scores are whole numbers, and the draw is exact.

    Utility
    -------
    Theorems 2 and 3 there: against shared questions, and against questions of their own.

    Edge cases
    ----------
    As both learners. Equal scores are equally likely.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Either, Theorem 1",
        statement="a draw between two learners of k labels by their least mistakes, which move "
        "apart by at most w k between neighbours (w = 2, add-remove 1), then the drawn one, then "
        "noisy mistakes cost the draw's range, what both learners cost at most, and the counts, "
        "composed",
        proof="problems/tables/either_learner.proof.md",
    )

    shared: SharedTreeLearner
    apart: SideBySide
    choice: Fraction
    epsilon: Fraction
    delta: Fraction
    count: tuple[Fraction, Fraction] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "choice", positive(self.choice, name="choice"))
        drawn, apart = self.own, self.apart
        if drawn.trees != self.shared.family.trees or apart.k != self.shared.k:
            raise BadInput("both learners must draw the same trees for the same labels")
        if drawn.relation is not self.relation or drawn.costs != (1, 1) or apart.costs:
            raise BadInput("both learners must have one relation, and count mistakes without costs")
        if apart.count is not None or apart.sizes is not None or self.shared.count:
            raise BadInput("mistakes are counted after the choice")
        rho = self.shared.questions + self.shared.labels
        if rho > concentrated(epsilon=self.epsilon, delta=self.delta):
            raise BadInput("shared questions cost more than their share")
        if apart.epsilon > self.epsilon or apart.delta > self.delta:
            raise BadInput("rules side by side cost more than their share")

    @property
    def own(self) -> TreeLearner:
        """The draw of one label's own tree."""
        assert isinstance(self.apart.learner, TreeLearner)
        return self.apart.learner

    @property
    def k(self) -> int:
        """How many labels there are."""
        return self.shared.k

    @property
    def relation(self) -> Relation:
        """Who are neighbours."""
        return self.shared.relation

    @property
    def choice_rate(self) -> Fraction:
        """The exponent per mistake of the scores."""
        return choice_rate(self.choice, relation=self.relation, k=self.k)

    def event(self) -> Event:
        relation = self.relation
        told = ((self.epsilon, self.delta), *([] if self.count is None else [self.count]))
        paid = (Approximate(epsilon=e, delta=d, relation=relation) for e, d in told)
        first = Selection(epsilon=self.choice, relation=relation)
        return Composed(events=(first, *paid), relation=relation)

    # -- what is public about the rules: ``LabelsLearner`` -----------------------------------

    @property
    def variance(self) -> Fraction | None:
        return None if self.count is None else counts_variance(self.count, k=self.k)

    @property
    def drawn_from(self) -> str:
        return self.own.drawn_from

    def prior(self, rule: Hypothesis) -> Fraction:
        return self.own.prior(rule)

    @property
    def apart_more(self) -> int:
        """Mistakes beyond the least that draws side by side are expected to make; public."""
        prior, rate = self.own.trees.least_prior(), self.own.rate
        return ceil(above(lambda: -self.k * ball(prior).log() / ball(rate)))

    @property
    def shared_more(self) -> int:
        """The same for shared questions and the labels of their leaves; public."""
        return ceil(above(lambda: self.k * questions_mean(self.shared)))

    # -- the draws ---------------------------------------------------------------------------

    def _release(self, data: Sample, *, rng: Sampler) -> CheckedRules:
        schema = self.own.trees.schema
        cells, marks = placed(data, schema, tasks=self.k)  # [P1]
        both = np.array([self._apart_score(cells, marks), self._shared_score(cells, marks)])
        landscape = Flat(both)
        levels = landscape.levels()
        index = rng.level(levels, rate=self.choice_rate)  # [P2]
        rank = rng.below(int(levels.counts[index]))
        which = landscape.member(int(levels.errors[index]), rank)
        ways: tuple[Mechanism[Sample, CheckedRules], ...] = (self.apart, self.shared)
        found = rng.part(ways[which], data)  # [P3]
        variance = self.variance
        if variance is None:
            return found
        rules = tuple(found.rules)
        wrong = label_columns(data, schema, self.k, counts=False).mistakes(rules)
        noise = rng.gaussians(variance, self.k)  # [P4]
        missed = wrong.sum(axis=1).tolist()
        noisy = tuple(count + int(z) for count, z in zip(missed, noise, strict=True))
        return replace(found, noisy_mistakes=noisy)

    def _apart_score(self, cells: Cells, marks: Marks) -> int:
        """The mistakes that draws side by side are expected to make, at most."""
        trees = self.own.trees
        weigher, least = Weigher(trees, self.own.rate), 0
        for label in range(self.k):
            told = marks[:, label] != 0
            root = weigher.root(cells[told], marks[told, label] > 0)
            least += int(weigher.choices(root, trees.depth)[0].min())
        return least + self.apart_more

    def _shared_score(self, cells: Cells, marks: Marks) -> int:
        """The mistakes that questions for all labels are expected to make, at most."""
        trees = self.own.trees
        weigher = SharedWeigher(trees, self.shared.rate / 2)  # what is lost is doubled
        lost = weigher.choices(weigher.root(cells, marks), trees.depth)[0].min()
        left_out = int(np.count_nonzero(marks == 0))
        return (int(lost) - left_out) // 2 + self.shared_more


def choice_rate(choice: Fraction, *, relation: Relation, k: int) -> Fraction:
    """The exponent per mistake on ``k`` labels that this epsilon pays for."""
    return choice / shared_spread(relation, k)


def questions_mean(learner: SharedTreeLearner) -> Ball:
    """Mistakes a label beyond the least that shared questions are expected to make, at most."""
    deviation = ball(learner.label_variance).sqrt()
    labels = learner.family.leaves * (ball(Fraction(1, 2)) + deviation * ball(MEAN))
    prior = ball(learner.family.least_questions())
    return labels - prior.log() / (ball(learner.rate) * learner.k)
