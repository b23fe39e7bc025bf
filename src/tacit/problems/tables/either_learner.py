"""Labels side by side, or with shared questions: a private choice between both, then one of them.

Whether labels need the same columns is not public. What both ways are about to lose on the table
is two numbers that a record moves by one a label, so one draw between them costs little.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import fsum, log
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
from tacit.exact.balls import Ball, above, ball
from tacit.exact.cells import ULP
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

UNITS = 16
"""Mistakes are weighed in so many parts of one."""
_SLACK = 4
"""Units that rounding adds to how far scores move apart, at most: two up and two down."""
_LOGARITHM = 2000
"""Not below what a logarithm, its quotient and their sum lose, in units of ``ULP``."""
Marks = npt.NDArray[np.int64]
Cells = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class EitherLearner(LabelsLearner):
    """Choose between shared questions and rules side by side by what each is about to lose.

    ``choice`` is the epsilon of the choice, ``epsilon`` and ``delta`` are for the one that is
    run, and ``count`` for the mistakes of its rules; ``None`` counts nothing.

    Privacy
    -------
    Requires  both learners draw from the same trees, under one relation, count nothing
              themselves, and cost at most ``epsilon`` and ``delta`` each (checked).
    Ensures   ``choice``-bounded range, then ``(epsilon, delta)``-DP, then what ``count`` says.
    Proof     Theorem 1 of ``either_learner.proof.md``.
    Numerics  floats become whole scores; what they may err is part of the sensitivity.

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
        statement="a draw between two learners of k labels by whole scores that move apart by at "
        "most 16 w k + 4 between neighbours (w = 2, add-remove 1), then the drawn one, then noisy "
        "mistakes cost the draw's range, what both learners cost at most, and the counts, composed",
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
        if self.doubt > 0.5:
            raise BadInput("scores of so many labels and cuts cannot be told by floats")

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
    def doubt(self) -> float:
        """What floats may move a score by, in units; public."""
        trees = self.own.trees
        terms = len(trees.cuts) + 2 + _LOGARITHM
        pairs = (
            (Weigher(trees, self.own.rate), self.own.rate, self.k),
            (SharedWeigher(trees, self.shared.rate / 2), self.shared.rate, 1),
        )
        return max(
            UNITS * many * (one.relative_error(trees.depth) + terms * ULP) / float(rate)
            for one, rate, many in pairs
        )

    @property
    def unit_rate(self) -> Fraction:
        """The exponent per unit of the scores."""
        return unit_rate(self.choice, relation=self.relation, k=self.k)

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
    def label_units(self) -> int:
        """Not below the mistakes, in units, that noise on shared leaves' labels is expected to
        add; public.
        """
        return -(-above(lambda: UNITS * self.k * label_mean(self.shared)) // 1)

    # -- the draws ---------------------------------------------------------------------------

    def _release(self, data: Sample, *, rng: Sampler) -> CheckedRules:
        schema = self.own.trees.schema
        cells, read = placed(data, schema, tasks=self.k)  # [P1]
        marks = read.astype(np.int64)
        both = np.array([self._apart_units(cells, marks), self._shared_units(cells, marks)])
        landscape = Flat(both)
        levels = landscape.levels()
        index = rng.level(levels, rate=self.unit_rate)  # [P2]
        rank = rng.below(int(levels.counts[index]))
        which = landscape.member(int(levels.errors[index]), rank)
        ways: tuple[Mechanism[Sample, CheckedRules], ...] = (self.apart, self.shared)
        found = rng.part(ways[which], data)  # [P3]
        variance = self.variance
        if variance is None:
            return found
        rules = tuple(found.rules)
        wrong = label_columns(data, schema, self.k, counts=False).mistakes(rules).tolist()
        noise = rng.gaussians(variance, self.k)  # [P4]
        noisy = tuple(count + int(z) for count, z in zip(wrong, noise, strict=True))
        return replace(found, noisy_mistakes=noisy)

    def _apart_units(self, cells: Cells, marks: Marks) -> int:
        """What draws side by side are about to lose, in units."""
        trees, rate = self.own.trees, self.own.rate
        weigher = Weigher(trees, rate)
        least, beyond = 0, []
        for label in range(self.k):
            told = marks[:, label] != 0
            root = weigher.root(cells[told], marks[told, label] > 0)
            m, z = weigher.choices(root, trees.depth)
            least += int(m.min())
            beyond.append(-log(float(weigher.scaled(root, m, z).sum())) / float(rate))
        return UNITS * least + round(UNITS * fsum(beyond))

    def _shared_units(self, cells: Cells, marks: Marks) -> int:
        """What questions for all labels are about to lose, in units, labels of leaves included."""
        trees, rate = self.own.trees, self.shared.rate
        weigher = SharedWeigher(trees, rate / 2)  # what is lost is doubled
        root = weigher.root(cells, marks)
        m, z = weigher.choices(root, trees.depth)
        left_out = int(np.count_nonzero(marks == 0))
        beyond = -log(float(weigher.scaled(root, m, z).sum())) / float(rate)
        least = UNITS // 2 * (int(m.min()) - left_out)
        return least + round(UNITS * beyond) + self.label_units


def unit_rate(choice: Fraction, *, relation: Relation, k: int) -> Fraction:
    """The exponent per unit of the scores of ``k`` labels that this epsilon pays for."""
    return choice / (UNITS * shared_spread(relation, k) + _SLACK)


def label_mean(learner: SharedTreeLearner) -> Ball:
    """Mistakes a label that noise on the labels of leaves is expected to add, at most."""
    deviation = ball(learner.label_variance).sqrt()
    return learner.family.leaves * (ball(Fraction(1, 2)) + deviation * ball(MEAN))
