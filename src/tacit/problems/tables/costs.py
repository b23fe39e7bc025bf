"""Mistakes that cost more on one label than on the other, and labels that count alike.

A mistake on a record of label ``y`` costs ``costs[y]``. With balanced costs the numbers of
records of both labels are released first, with noise, and set the costs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    PLAIN,
    Claim,
    Composed,
    Event,
    Hypothesis,
    Labels,
    Mechanism,
    Pure,
    Relation,
    Sample,
    Sampler,
)
from tacit.core.source import Batch
from tacit.core.tally import Streamed
from tacit.core.task_fields import MOST_COST
from tacit.domains.labels import truth
from tacit.mechanisms.calibration import (
    cost_spread,
    count_scale,
    mistakes_moved,
    sizes_moved,
    spread,
)
from tacit.problems.tables.deep_tree_learner import DeepTreeLearner
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.listed_rules import ListedRuleLearner
from tacit.problems.tables.rule_counts import Beside, RuleCounts
from tacit.problems.tables.tree_learner import TreeLearner

CostedDraw = TreeLearner | DeepTreeLearner | KindsLearner | ListedRuleLearner
"""The learners that weigh a mistake by what it costs."""
COSTED = (TreeLearner, DeepTreeLearner, KindsLearner, ListedRuleLearner)


@dataclass(frozen=True, slots=True, kw_only=True)
class Costed:
    """A rule, its mistakes on the records of each label, plus noise.

    ``sizes``  the noisy numbers of records of each label, where they set the costs.
    """

    rule: Hypothesis
    each: tuple[int, ...]
    sizes: tuple[int, ...] = ()
    beside: tuple[int, ...] = ()

    @property
    def noisy_mistakes(self) -> int:
        """All mistakes together."""
        return sum(self.each)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        """The rule in words."""
        del column
        return self.rule.describe(labels=labels)

    def predict(self, x: Any) -> Any:
        """The rule, applied."""
        return self.rule.predict(x)

    def to_dict(self) -> dict[str, Any]:
        """The rule's own form."""
        return self.rule.to_dict()


def balanced_costs(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Whole costs about inverse to these numbers of records: at most 100, at least 1.

    >>> balanced_costs((9400, 600)), balanced_costs((-3, 50))
    ((3, 50), (50, 1))
    """
    least = [max(1, size) for size in sizes]
    rare = min(least)
    costs = [max(1, (2 * MOST_COST * rare + size) // (2 * size)) for size in least]
    return tuple(cost // gcd(*costs) for cost in costs)


def at_rate(learner: CostedDraw, costs: tuple[int, int]) -> CostedDraw:
    """The learner with these costs, and the rate for a mistake of the greatest that it has
    without costs: it spends no more, and less where labels are private and one costs less.
    """
    relation = learner.relation
    kept = Fraction(cost_spread(relation, costs), spread(relation) * max(costs))
    return replace(learner, costs=costs, epsilon=learner.epsilon * kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLearner(Mechanism[Sample, Hypothesis]):
    """Draw a rule by the cost of its mistakes, then count them for each label, with noise.

    ``costs``          of a mistake on a record of each label, the negative one first; ``None``
                       releases the numbers of records of both labels and balances them.
    ``sizes_epsilon``  what those numbers cost; 0 where costs are given.
    ``epsilon``        what the counts of mistakes cost together; 0 counts nothing, and the rule
                       alone is released.
    ``n``              the public number of records, ``None`` where it is private.

    Privacy
    -------
    Requires  ``learner`` is one draw over a public class with a public prior; costs are public.
    Ensures   the learner's event, composed with ``sizes_epsilon``-DP and with ``epsilon``-DP,
              plus what ``beside`` spends.
    Proof     ``costs.proof.md``.
    Numerics  exact: integers, geometric noise and the learner's draw.

    Edge cases
    ----------
    A label without records: its noisy number is taken for 1 at least.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Costs, Theorem 1",
        statement="drawing a rule with weight prior * exp(-rate * cost of its mistakes) is "
        "epsilon-bounded-range, and by permute-and-flip epsilon-DP, for rate = epsilon / w, "
        "w = 2 max c (replace-one), c_0 + c_1 (label), max c (add-remove); noisy numbers of "
        "records and mistakes of each label add their own epsilon",
        proof="problems/tables/costs.proof.md",
    )

    learner: CostedDraw
    costs: tuple[int, int] | None
    sizes_epsilon: Fraction
    n: int | None
    epsilon: Fraction = Fraction(0)
    beside: tuple[Beside, ...] = ()

    def prior_of(self, found: Costed) -> Fraction:
        """The public prior of the rule: it does not depend on the costs."""
        return self.learner.prior(found.rule)

    @property
    def relation(self) -> Relation:
        return self.learner.relation

    def event(self) -> Event:
        spent = sum((one.epsilon for one in self.beside), self.epsilon)
        paid = [
            Pure(epsilon=extra, relation=self.relation)
            for extra in (self.sizes_epsilon, spent)
            if extra
        ]
        return Composed(events=(self.learner.event(), *paid), relation=self.relation)

    def label(self) -> str:
        return f"{self.learner.label()} by costs"

    def prepare(self) -> None:
        self.learner.prepare()

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        sizes = () if self.costs else self._sizes(data, rng)  # [P1]
        costs = self.costs or balanced_costs(sizes)
        rule = rng.part(self._draw(costs), data)  # [P2]
        if not self.epsilon:
            return rule
        each, beside = self._counted(rule, data, rng)  # [P3]
        return Costed(rule=rule, each=each, sizes=sizes, beside=beside)

    def _draw(self, costs: tuple[int, ...]) -> CostedDraw:
        """The learner with these costs. Balanced ones keep its rate for the greatest cost, so
        that what was planned before they are known holds: less than ``epsilon`` is spent where
        labels are private and one costs less.
        """
        pair = (costs[0], costs[1])
        if self.costs is not None:
            return replace(self.learner, costs=pair)
        return at_rate(self.learner, pair)

    def _sizes(self, data: Sample, rng: Sampler) -> tuple[int, ...]:
        """The numbers of records of both labels, with noise; one follows where ``n`` is public."""
        zeros, ones = data.fold(LabelSizes()) if isinstance(data, Streamed) else sizes_of(data)
        if self.n is None:
            scale = sizes_moved(self.relation) / self.sizes_epsilon
            return zeros + rng.geometric(scale), ones + rng.geometric(scale)
        scale = count_scale(epsilon=self.sizes_epsilon, relation=self.relation)
        noisy = ones + rng.geometric(scale)
        return self.n - noisy, noisy

    def _counted(
        self, rule: Hypothesis, data: Sample, rng: Sampler
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The mistakes on records of each label, and the numbers beside them, with noise."""
        counts = RuleCounts(rule, ("missed", *(one.what for one in self.beside)))
        found = counts.of(data)
        missed = found[1]
        scale = mistakes_moved(self.relation, 2) / self.epsilon
        each = tuple(number + rng.geometric(scale) for number in (found[0] - missed, missed))
        beside = tuple(
            number + rng.geometric(count_scale(epsilon=one.epsilon, relation=self.relation))
            for number, one in zip(found[2:], self.beside, strict=True)
        )
        return each, beside


def sizes_of(data: Sample) -> tuple[int, int]:
    """How many records have label 0 and label 1. Private."""
    labels = truth(data)
    ones = int(np.count_nonzero(labels))
    return len(labels) - ones, ones


@dataclass(frozen=True, slots=True)
class LabelSizes:
    """A tally of the records of label 0 and of label 1."""

    def zero(self) -> tuple[int, int]:
        return 0, 0

    def add(self, counter: tuple[int, int], batch: Batch) -> tuple[int, int]:
        labels: npt.NDArray[np.bool_] = np.asarray(batch.column(1), dtype=bool)
        ones = int(np.count_nonzero(labels))
        return self.merge(counter, (len(labels) - ones, ones))

    def merge(self, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
        return left[0] + right[0], left[1] + right[1]
