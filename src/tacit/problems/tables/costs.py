"""Mistakes that cost more on one label than on another, and labels that count alike.

A mistake on a record of label ``y`` costs ``costs[y]``. With balanced costs the numbers of
records of each label are released first, with noise, and set the costs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd
from typing import Any, ClassVar

from tacit.core import (
    PLAIN,
    BadInput,
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
from tacit.core.task_fields import MOST_COST
from tacit.mechanisms.calibration import (
    cost_spread,
    count_scale,
    count_scales,
    mistakes_moved,
    sizes_moved,
    spread,
)
from tacit.mechanisms.persons import ForPersons
from tacit.problems.tables.banded_learner import BandedScoreLearner
from tacit.problems.tables.deep_tree_learner import DeepTreeLearner
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.label_sizes import LabelSizes
from tacit.problems.tables.listed_rules import ListedRuleLearner
from tacit.problems.tables.rule_counts import Beside, RuleCounts
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.valued_learner import ValueTreeLearner

CostedDraw = (
    TreeLearner
    | DeepTreeLearner
    | KindsLearner
    | ListedRuleLearner
    | ValueTreeLearner
    | BandedScoreLearner
)
"""The learners that weigh a mistake by what it costs; the last two have several label values."""
COSTED = (TreeLearner, DeepTreeLearner, KindsLearner, ListedRuleLearner)
"""Those of two labels."""


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


def with_costs(learner: CostedDraw, costs: tuple[int, ...]) -> CostedDraw:
    """The learner with these costs, one a label."""
    if isinstance(learner, ValueTreeLearner | BandedScoreLearner):
        return replace(learner, costs=costs)
    return replace(learner, costs=(costs[0], costs[1]))


def at_rate(learner: CostedDraw, costs: tuple[int, ...]) -> CostedDraw:
    """The learner with these costs, and the rate for a mistake of the greatest that it has
    without costs: it spends no more, and less where labels are private and one costs less.
    """
    relation = learner.relation
    kept = Fraction(cost_spread(relation, costs), spread(relation) * max(costs))
    return replace(with_costs(learner, costs), epsilon=learner.epsilon * kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLearner(Mechanism[Any, Hypothesis]):
    """Draw a rule by the cost of its mistakes, then count them for each label, with noise.

    ``learner``        one draw from records; or ``ForPersons`` around one that has its costs, from
                       several rows of each person: mistakes are counted on one row of each.
    ``costs``          of a mistake on a record of each label, the negative one first; ``None``
                       releases the numbers of records of each label and balances them.
    ``sizes_epsilon``  what those numbers cost; 0 where costs are given.
    ``epsilon``        what the counts of mistakes cost together; 0 counts nothing, and the rule
                       alone is released.
    ``n``              the public number of records, ``None`` where it is private.
    ``values``         how many label values there are.

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
        "w = 2 max c (replace-one), the sum of the two greatest costs (label), max c (add-remove); "
        "noisy numbers of records and mistakes of each label add their own epsilon",
        proof="problems/tables/costs.proof.md",
    )

    learner: CostedDraw | ForPersons[Hypothesis]
    costs: tuple[int, ...] | None
    sizes_epsilon: Fraction
    n: int | None
    epsilon: Fraction = Fraction(0)
    beside: tuple[Beside, ...] = ()
    values: int = 2

    def __post_init__(self) -> None:
        if isinstance(self.learner, ForPersons) and self.costs is None:
            raise BadInput("labels are balanced on one row of each person")

    @property
    def drawer(self) -> CostedDraw:
        """The learner that draws the rule from records, or from rows of persons."""
        learner = self.learner
        if not isinstance(learner, ForPersons):
            return learner
        assert isinstance(learner.inner, CostedDraw)
        return learner.inner

    def with_its_costs(self) -> CostedDraw:
        """The learner with the costs that are given."""
        assert self.costs is not None
        return with_costs(self.drawer, self.costs)

    def prior_of(self, found: Costed) -> Fraction:
        """The public prior of the rule: it does not depend on the costs."""
        return self.drawer.prior(found.rule)

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

    def _release(self, data: Any, *, rng: Sampler) -> Hypothesis:
        sizes = () if self.costs else self._sizes(data, rng)  # [P1]
        rule = rng.part(self._draw(sizes), data)  # [P2]
        if not self.epsilon:
            return rule
        one_each = data.at_most(1).sample if isinstance(self.learner, ForPersons) else data  # [P4]
        each, beside = self._counted(rule, one_each, rng)  # [P3]
        return Costed(rule=rule, each=each, sizes=sizes, beside=beside)

    def _draw(self, sizes: tuple[int, ...]) -> CostedDraw | ForPersons[Hypothesis]:
        """The learner with its costs. Balanced ones keep its rate for the greatest cost, so
        that what was planned before they are known holds: less than ``epsilon`` is spent where
        labels are private and one costs less.
        """
        if isinstance(self.learner, ForPersons):
            return self.learner
        if self.costs is not None:
            return self.with_its_costs()
        return at_rate(self.learner, balanced_costs(sizes))

    def _sizes(self, data: Sample, rng: Sampler) -> tuple[int, ...]:
        """The numbers of records of each label, with noise; of two labels one number is counted
        where ``n`` is public, and the other follows.
        """
        found = LabelSizes(self.values).of(data)
        if self.n is None or self.values > 2:
            scale = sizes_moved(self.relation) / self.sizes_epsilon
            return tuple(number + rng.geometric(scale) for number in found)
        scale = count_scale(epsilon=self.sizes_epsilon, relation=self.relation)
        noisy = found[1] + rng.geometric(scale)
        return self.n - noisy, noisy

    def _counted(
        self, rule: Hypothesis, data: Sample, rng: Sampler
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The mistakes on records of each label, and the numbers beside them, with noise."""
        whats = ("each", *(one.what for one in self.beside))
        _, *found = RuleCounts(rule, whats, self.values).of(data)
        moved = mistakes_moved(self.relation, self.values) / self.epsilon
        beside = [(one.epsilon, one.numbers) for one in self.beside]
        scales = [moved] * self.values
        for scale, (_, numbers) in zip(
            count_scales(beside, relation=self.relation), beside, strict=True
        ):
            scales += [scale] * numbers
        noisy = [number + rng.geometric(scale) for number, scale in zip(found, scales, strict=True)]
        return tuple(noisy[: self.values]), tuple(noisy[self.values :])
