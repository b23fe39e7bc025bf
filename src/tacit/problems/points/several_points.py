"""Learn any number of point functions from one histogram: k does not matter."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

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
    Size,
    Task,
    Tasks,
    Tiny,
)
from tacit.core.tiny import DELTA, RARE, divided
from tacit.domains.integers import Integers
from tacit.mechanisms.stability import Bins, StabilityHistogram
from tacit.problems.finite.constant import NEVER
from tacit.problems.points import one_histogram_upper as bounds
from tacit.problems.points.points import PointRule, Points
from tacit.problems.points.tiny_points import TWO, on_several_points
from tacit.problems.several.rules import Rules
from tacit.tallies.distinct import fits_a_table
from tacit.tallies.labelled import LabelledValues


@dataclass(frozen=True, slots=True)
class LabelledCells(LabelledValues):
    """Pairs of a domain value and its ``k`` labels, as the whole numbers that they spell."""

    domain: Integers

    def rules(self, bins: Bins) -> Rules:
        """For each task the heaviest value with its label; ties go to the least pair."""
        heaviest_first = sorted(bins, key=lambda pair: (-pair[1], pair[0]))
        chosen: list[Hypothesis] = [NEVER] * self.k
        waiting = (1 << self.k) - 1
        for pair, _ in heaviest_first:
            value, labels = self.open(pair)
            fresh = labels & waiting
            waiting &= ~labels
            while fresh:
                task = (fresh & -fresh).bit_length() - 1
                chosen[task] = PointRule(domain=self.domain, point=value)
                fresh &= fresh - 1
        return Rules(rules=tuple(chosen))


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsHistogram(Mechanism[Sample, Rules]):
    """For each task the heaviest frequent value that carries its label, or nothing.

    Privacy
    -------
    Requires  a record is its value and all its ``k`` labels together.
    Ensures   ``(epsilon, delta)``-DP, whatever ``k`` and the number of records are.
    Proof     Theorem 1 of ``several_points.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.points.one_histogram_upper.one_histogram``; BNS19 Theorem 40.

    Edge cases
    ----------
    No frequent value carries a task's label: that task's rule is 0 everywhere.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Theorem 40",
        statement="one stability histogram on pairs of value and label vector is private and "
        "learns any number of point functions; one shot, constants ours",
        proof="problems/points/several_points.proof.md",
    )

    domain: Integers
    k: int
    epsilon: Fraction
    delta: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def _histogram(self) -> StabilityHistogram:
        return StabilityHistogram(
            domain=LabelledCells(self.domain, self.k),
            epsilon=self.epsilon,
            delta=self.delta,
            relation=self.relation,
        )

    def event(self) -> Event:
        return self._histogram().event()

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.domain.size << self.k)

    def _release(self, data: Sample, *, rng: Sampler) -> Rules:
        bins = rng.part(self._histogram(), data)  # [P1]
        return LabelledCells(self.domain, self.k).rules(bins)  # [P2]


def _bound(task: Task) -> SampleBound:
    return bounds.one_histogram(**task.asked("alpha", "beta", "epsilon", "delta", "relation"))


def _mechanism(task: Task, _bound: SampleBound, _size: Size) -> PointsHistogram:
    return PointsHistogram(
        domain=task.concept_class.domain,
        k=task.k,
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
        relation=task.privacy.relation,
    )


TINY_PAIR = [(0, (1, 0)), (1, (0, 1))]


def _tiny(entry: Algorithm) -> Tiny:
    return on_several_points(entry, delta=DELTA).exactly(
        lambda e: PointsHistogram(domain=TWO, k=2, epsilon=e, delta=RARE),
        records=TINY_PAIR,
        n=24,
        only=divided(*TINY_PAIR, n=24, at=(24, 16, 13)),
    )


POINTS_HISTOGRAM = ALGORITHMS.add(
    Algorithm(
        name="points-histogram",
        summary="one stability histogram on values with their labels; the same records for any k",
        applies=Applies(
            proper=False,
            classes=(Points,),
            settings=("realizable",),
            relations=(Relation.REPLACE_ONE, Relation.ADD_REMOVE),
            delta=True,
            tasks=Tasks.SEVERAL,
        ),
        claim=bounds.BNS_40,
        bound=_bound,
        build=_mechanism,
        tiny=_tiny,
    )
)
