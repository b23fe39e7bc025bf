"""One rule a label of a table, all under one budget, with a noisy count of each one's mistakes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from tacit.bounds.upper.adaptive import adaptive_share
from tacit.bounds.upper.weights import concentrated
from tacit.core import (
    Approximate,
    BadInput,
    Claim,
    Composed,
    Drawer,
    Event,
    Hypothesis,
    Mechanism,
    Sample,
    Sampler,
    Selection,
    privacy_event,
)
from tacit.core.numbers import positive, probability, whole
from tacit.domains.schema import Schema
from tacit.mechanisms.calibration import several_counts_variance
from tacit.problems.several.rules import Rules
from tacit.problems.tables.checked_rules import CheckedRules, LabelsLearner
from tacit.problems.tables.costs import COSTED, at_rate, balanced_costs
from tacit.tallies.label_columns import LabelColumns, label_columns


def counts_variance(count: tuple[Fraction, Fraction], *, k: int) -> Fraction:
    """The variance of the noise on each of ``k`` counts that this epsilon and delta pay for.

    Rounded up to a whole number, so that it stays readable.
    """
    rho = concentrated(epsilon=count[0], delta=count[1])
    return Fraction(-(-several_counts_variance(counts=k, rho=rho) // 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBySide(LabelsLearner):
    """Draw one rule for each of ``k`` label columns, then count all their mistakes with noise.

    ``count`` is the epsilon and delta of the counts; ``None`` counts nothing. ``sizes`` is that of
    the numbers of records with each positive label, where they balance the costs of mistakes;
    ``n`` is then the public number of records. ``costs`` are those of mistakes on both values of
    each label, where labels have their own. Records are placed by ``schema`` once, for all labels;
    where ``learner`` counts, each draw is a pass over streamed records, and no record is held.

    Privacy
    -------
    Requires  ``learner`` is one selection of bounded range; a record is its features and all
              its ``k`` labels together.
    Ensures   ``(epsilon, delta)``-DP for the rules by adaptive composition of equal ranges, and
              the epsilon and delta of ``count`` for the counts, and those of ``sizes``. Without
              a delta each range is an equal part of ``epsilon``, and nothing is counted.
    Proof     Theorem 1 of ``side_by_side.proof.md``.
    Numerics  exact draws and discrete Gaussian noise; the share is rounded down.

    Edge cases
    ----------
    As ``learner``, label by label. Noisy counts are not clamped.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Side by side, Theorem 1",
        statement="k selections of a range that adaptive composition allows cost (epsilon, delta); "
        "k counts of mistakes after them, with discrete Gaussian noise of variance k/(2 rho), cost "
        "what rho-zCDP converts to",
        proof="problems/tables/side_by_side.proof.md",
    )

    learner: Mechanism[Sample, Hypothesis]
    k: int
    epsilon: Fraction
    delta: Fraction
    count: tuple[Fraction, Fraction] | None = None
    sizes: tuple[Fraction, Fraction] | None = None
    n: int | None = None
    costs: tuple[tuple[int, int], ...] = ()
    schema: Schema | None = None

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        delta = probability(self.delta, name="delta", zero="allowed")
        object.__setattr__(self, "delta", delta)
        one = self.learner.event()
        if not isinstance(one, Selection):
            raise BadInput("side by side only rules that come from one selection each")
        if self.sizes is not None and (self.n is None or not isinstance(self.learner, COSTED)):
            raise BadInput("balanced costs need a rule a draw, and a public number of records")
        if self.costs and (len(self.costs) != self.k or not isinstance(self.learner, COSTED)):
            raise BadInput("costs of each label need a rule a draw, and one pair a label")
        if one.epsilon > adaptive_share(epsilon=self.epsilon, delta=self.delta, k=self.k):
            raise BadInput("each selection spends more than its share of epsilon and delta")

    def event(self) -> Event:
        relation = self.learner.event().relation
        drawn = privacy_event(epsilon=self.epsilon, delta=self.delta, relation=relation)
        paid = tuple(
            Approximate(epsilon=part[0], delta=part[1], relation=relation)
            for part in (self.count, self.sizes)
            if part is not None
        )
        return Composed(events=(drawn, *paid), relation=relation) if paid else drawn

    # -- what is public about the rules: ``LabelsLearner`` -----------------------------------

    @property
    def drawn_from(self) -> str:
        learner = self.learner
        assert isinstance(learner, Drawer)
        own = isinstance(learner, COSTED) and learner.costs != (1, 1)
        if not (own or self.costs or self.sizes):
            return learner.drawn_from
        return f"{learner.drawn_from}, by what mistakes cost (an error counts each of them once)"

    def prior(self, rule: Hypothesis) -> Fraction:
        assert isinstance(self.learner, Drawer)
        return self.learner.prior(rule)

    @property
    def variance(self) -> Fraction | None:
        return None if self.count is None else counts_variance(self.count, k=self.k)

    def streams(self, n: int | None) -> bool:
        return self.schema is not None and self.learner.streams(n)

    def _release(self, data: Sample, *, rng: Sampler) -> CheckedRules:
        counts = self.streams(None)
        records = label_columns(data, self.schema, self.k, counts=counts)  # [P0]
        learners = self._learners(records, rng)
        rules = tuple(
            rng.part(learners[task], records.of_task(task))  # [P1]
            for task in range(self.k)
        )
        noisy: tuple[int, ...] = ()
        variance = self.variance
        if variance is not None:
            wrong = records.mistakes(rules).tolist()
            noise = rng.gaussians(variance, self.k)  # [P2]
            noisy = tuple(count + int(z) for count, z in zip(wrong, noise, strict=True))
        return CheckedRules(rules=Rules(rules=rules), noisy_mistakes=noisy)

    def _learners(self, records: LabelColumns, rng: Sampler) -> list[Mechanism[Sample, Hypothesis]]:
        """The learner of each label: with its own costs, or with those that balance its noisy
        number of records.
        """
        if self.costs and isinstance(self.learner, COSTED):
            return [replace(self.learner, costs=pair) for pair in self.costs]
        if self.sizes is None or self.n is None or not isinstance(self.learner, COSTED):
            return [self.learner] * self.k
        noise = rng.gaussians(counts_variance(self.sizes, k=self.k), self.k)  # [P3]
        found: list[Mechanism[Sample, Hypothesis]] = []
        for number, z in zip(records.positive().tolist(), noise, strict=True):
            ones = number + int(z)
            costs = balanced_costs((self.n - ones, ones))
            found.append(at_rate(self.learner, (costs[0], costs[1])))
        return found
