"""One rule a label of a table, all under one budget, with a noisy count of each one's mistakes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from tacit.bounds.upper.adaptive import adaptive_share
from tacit.core import (
    BadInput,
    Claim,
    Composed,
    Drawer,
    Event,
    Hypothesis,
    Mechanism,
    Pure,
    Sample,
    Sampler,
    Selection,
    privacy_event,
)
from tacit.core.named import label_count
from tacit.core.numbers import positive, probability, whole
from tacit.domains.schema import Schema
from tacit.mechanisms.calibration import mistakes_moved
from tacit.problems.several.rules import Rules
from tacit.problems.tables.checked_rules import CheckedRules, LabelsLearner
from tacit.problems.tables.costs import COSTED, at_rate, balanced_costs
from tacit.problems.tables.label_noise import CountNoise, count_noise
from tacit.tallies.label_columns import LabelColumns, label_columns


def counts_variance(count: tuple[Fraction, Fraction], *, k: int) -> Fraction:
    """The variance of the noise on each of ``k`` counts that this epsilon and delta pay for."""
    return count_noise(count, moved=k).square


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBySide(LabelsLearner):
    """Draw one rule for each of ``k`` label columns, then count all their mistakes with noise.

    ``count`` is the epsilon and delta of the counts; ``None`` counts nothing. ``sizes`` is that of
    the numbers of records with each positive label, where they balance the costs of mistakes;
    ``n`` is then the public number of records. ``costs`` are those of mistakes on both values of
    each label, where labels have their own. Where mistakes have costs, those on records of both
    values are counted apart. ``values`` are the numbers of values of each label, where some have
    more than two: ``valued`` draws the rules of such labels, one learner a number. Records are
    placed by ``schema`` once, for all labels; where each learner counts, each draw is a pass over
    streamed records, and no record is held.

    Privacy
    -------
    Requires  each learner is one selection, of bounded range where there is a delta; a record
              is its features and all its ``k`` labels together.
    Ensures   ``(epsilon, delta)``-DP for the rules by adaptive composition of equal ranges, and
              the epsilon and delta of ``count`` for the counts, and those of ``sizes``. Without
              a delta each range is an equal part of ``epsilon``, and noise is geometric.
    Proof     Theorem 1 of ``side_by_side.proof.md``.
    Numerics  exact draws and noise; the share is rounded down.

    Edge cases
    ----------
    As ``learner``, label by label. Noisy counts are not clamped.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Side by side, Theorem 1",
        statement="k selections of a range that adaptive composition allows cost (epsilon, delta); "
        "counts of mistakes after them, which one record moves by w in all, with discrete Gaussian "
        "noise of variance w/(2 rho), cost what rho-zCDP converts to, and with geometric noise of "
        "scale w/epsilon, epsilon",
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
    values: tuple[int, ...] = ()
    valued: tuple[tuple[int, Mechanism[Sample, Hypothesis]], ...] = ()

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        delta = probability(self.delta, name="delta", zero="allowed")
        object.__setattr__(self, "delta", delta)
        drawn = [self.learner.event(), *(learner.event() for _, learner in self.valued)]
        kinds = Selection if delta else (Selection, Pure)
        if not all(isinstance(one, kinds) for one in drawn):
            raise BadInput("side by side only rules that come from one selection each")
        if self.sizes is not None and (self.n is None or not isinstance(self.learner, COSTED)):
            raise BadInput("balanced costs need a rule a draw, and a public number of records")
        if self.costs and (len(self.costs) != self.k or not isinstance(self.learner, COSTED)):
            raise BadInput("costs of each label need a rule a draw, and one pair a label")
        several = set(self.values) - {2}
        if len(self.values) not in (0, self.k):
            raise BadInput("values must be one number for each label")
        if several != {number for number, _ in self.valued} or (several and self._weighed):
            raise BadInput("labels of more than two values need a learner each, and no costs")
        share = adaptive_share(epsilon=self.epsilon, delta=self.delta, k=self.k)
        if any(isinstance(one, (Selection, Pure)) and one.epsilon > share for one in drawn):
            raise BadInput("each selection spends more than its share of epsilon and delta")

    def event(self) -> Event:
        relation = self.learner.event().relation
        drawn = privacy_event(epsilon=self.epsilon, delta=self.delta, relation=relation)
        paid = tuple(
            privacy_event(epsilon=part[0], delta=part[1], relation=relation)
            for part in (self.count, self.sizes)
            if part is not None
        )
        return Composed(events=(drawn, *paid), relation=relation) if paid else drawn

    # -- what is public about the rules: ``LabelsLearner`` -----------------------------------

    @property
    def drawn_from(self) -> str:
        two = [self.learner] if not self.values or 2 in self.values else []
        drawers = [*two, *(learner for _, learner in self.valued)]
        told = dict.fromkeys(one.drawn_from for one in drawers if isinstance(one, Drawer))
        drawn = " and ".join(told)
        if not self._weighed:
            return drawn
        return f"{drawn}, by what mistakes cost (an error counts each of them once)"

    def prior(self, rule: Hypothesis) -> Fraction:
        drawer = self._of(label_count(rule))
        assert isinstance(drawer, Drawer)
        return drawer.prior(rule)

    @property
    def variance(self) -> Fraction | None:
        return None if self.noise is None else self.noise.variance

    @property
    def noise(self) -> CountNoise | None:
        if self.count is None:
            return None
        relation = self.learner.event().relation
        return count_noise(
            self.count, moved=self.k * (mistakes_moved(relation, 2) if self._weighed else 1)
        )

    @property
    def size_noise(self) -> CountNoise | None:
        return None if self.sizes is None else count_noise(self.sizes, moved=self.k)

    def costs_of(self, found: CheckedRules) -> tuple[tuple[int, int], ...]:
        if self.costs or not self._weighed:
            return self.costs
        if self.sizes is None:
            return (self._learner_costs,) * self.k
        return tuple(self._balanced(ones) for ones in found.sizes)

    def streams(self, n: int | None) -> bool:
        every = (self.learner, *(learner for _, learner in self.valued))
        return self.schema is not None and all(one.streams(n) for one in every)

    @property
    def _weighed(self) -> bool:
        """Whether mistakes are weighed by costs."""
        return bool(self.costs) or self.sizes is not None or self._learner_costs != (1, 1)

    @property
    def _learner_costs(self) -> tuple[int, int]:
        return self.learner.costs if isinstance(self.learner, COSTED) else (1, 1)

    def _of(self, values: int) -> Mechanism[Sample, Hypothesis]:
        """The learner of labels with so many values."""
        return dict(self.valued).get(values, self.learner)

    def _balanced(self, ones: int) -> tuple[int, int]:
        """The costs that so many records with the positive label give."""
        assert self.n is not None
        costs = balanced_costs((self.n - ones, ones))
        return costs[0], costs[1]

    def _release(self, data: Sample, *, rng: Sampler) -> CheckedRules:
        counts = self.streams(None)
        records = label_columns(
            data, self.schema, self.k, counts=counts, values=self.values
        )  # [P0]
        sizes = self._sizes(records, rng)
        learners = self._learners(sizes)
        rules = tuple(
            rng.part(learners[task], records.of_task(task))  # [P1]
            for task in range(self.k)
        )
        noisy, each = self._counted(rules, records, rng)
        found = Rules(rules=rules)
        return CheckedRules(rules=found, noisy_mistakes=noisy, each=each, sizes=sizes)

    def _counted(
        self, rules: tuple[Hypothesis, ...], records: LabelColumns, rng: Sampler
    ) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        """The noisy mistakes of each label and, where they have costs, on both of its values."""
        noise = self.noise
        if noise is None:
            return (), ()
        wrong = records.mistakes(rules)
        if not self._weighed:
            told = zip(wrong.sum(axis=1).tolist(), noise.drawn(rng, self.k), strict=True)  # [P2]
            return tuple(count + z for count, z in told), ()
        drawn = noise.drawn(rng, 2 * self.k)  # [P2]
        each = tuple(
            (no + drawn[2 * task], yes + drawn[2 * task + 1])
            for task, (no, yes) in enumerate(wrong.tolist())
        )
        return tuple(map(sum, each)), each

    def _sizes(self, records: LabelColumns, rng: Sampler) -> tuple[int, ...]:
        """The noisy numbers of records with each positive label, where they set the costs."""
        noise = self.size_noise
        if noise is None:
            return ()
        drawn = noise.drawn(rng, self.k)  # [P3]
        return tuple(
            number + z for number, z in zip(records.positive().tolist(), drawn, strict=True)
        )

    def _learners(self, sizes: tuple[int, ...]) -> list[Mechanism[Sample, Hypothesis]]:
        """The learner of each label: of its number of values, with its own costs, or with those
        that balance its noisy number of records.
        """
        if self.values:
            return [self._of(values) for values in self.values]
        if not isinstance(self.learner, COSTED):
            return [self.learner] * self.k
        if self.costs:
            return [replace(self.learner, costs=pair) for pair in self.costs]
        if self.sizes is None:
            return [self.learner] * self.k
        return [at_rate(self.learner, self._balanced(ones)) for ones in sizes]
