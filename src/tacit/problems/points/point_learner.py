"""Learn any number of point functions: heavy values first, then all their labels by one gap test.

BNS19 Algorithm 5 (PointLearner), corrected. ``points`` does the same in one step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Approximate,
    Claim,
    Composed,
    Event,
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
from tacit.core.numbers import positive, probability, whole
from tacit.core.tiny import DELTA, RARE, divided
from tacit.domains.integers import Integers
from tacit.exact.levels import Levels
from tacit.mechanisms.calibration import spread
from tacit.mechanisms.gap_test import GapTest
from tacit.mechanisms.stability import Bins, StabilityHistogram
from tacit.problems.points import point_learner_upper as point_learner
from tacit.problems.points.points import Points
from tacit.problems.points.several_points import LabelledCells
from tacit.problems.points.tiny_points import TWO, on_several_points
from tacit.problems.several.rules import Rules
from tacit.tallies.distinct import distinct, features, fits_a_table


@dataclass(frozen=True, slots=True)
class TwoBest:
    """A best candidate, its score and the next one's: all that a gap test looks at."""

    best: int
    score: int
    next_score: int

    def __repr__(self) -> str:
        return "TwoBest(private)"

    def levels(self) -> Levels:
        if self.next_score == self.score:
            return Levels(np.array([-self.score]), np.array([2]))
        return Levels(np.array([-self.score, -self.next_score]), np.array([1, 1]))

    def member(self, error: int, rank: int) -> int:  # noqa: ARG002
        return self.best


@dataclass(frozen=True, slots=True)
class Agreement:
    """The score of one label vector for each of ``values``: the least number of records that
    any of those values has with its vector.

    A candidate is the number that its vectors spell, the first value's lowest.
    """

    cells: LabelledCells
    values: tuple[int, ...] = field(repr=False)

    def __call__(self, data: Sample) -> TwoBest:
        pairs, counts = distinct(data, self.cells)
        # Vectors that do not occur count as well: 0 records, and 0 is the least vector.
        first, second = dict.fromkeys(self.values, (0, 0)), dict.fromkeys(self.values, 0)
        for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
            value, labels = self.cells.open(pair)
            if value not in first:
                continue
            if count > first[value][0]:
                second[value] = first[value][0]
                first[value] = (count, labels)
            else:
                second[value] = max(second[value], count)
        best = 0
        for value in reversed(self.values):
            best = best << self.cells.k | first[value][1]
        score = min(count for count, _ in first.values())
        return TwoBest(best, score, min(score, max(second.values())))

    def vectors(self, candidate: int) -> list[int]:
        """The label vectors of a candidate, in the order of the values."""
        k = self.cells.k
        return [candidate >> k * place & (1 << k) - 1 for place in range(len(self.values))]

    def spread(self, relation: Relation) -> int:
        return spread(relation)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointLearner(Mechanism[Sample, Rules]):
    """Values with a noisy count of ``level`` or more, then their label vectors all together.

    Privacy
    -------
    Requires  a record is its value and all its ``k`` labels together; ``level`` is public.
    Ensures   ``(epsilon, delta)``-DP under ``REPLACE_ONE``, whatever ``k`` is.
    Proof     Theorem 1 of ``point_learner.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.points.point_learner_upper.point_learner``; BNS19 Theorem 40.

    Edge cases
    ----------
    No heavy value, or label vectors that do not lead clearly: all rules are 0 everywhere.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Theorem 40",
        statement="a stability histogram for the heavy values and one gap test, of spread 2, for "
        "all their label vectors are private by composition; corrected",
        proof="problems/points/point_learner.proof.md",
    )

    domain: Integers
    k: int
    level: int
    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole(self.k, name="k", least=1))
        object.__setattr__(self, "level", whole(self.level, name="level", least=1))
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "delta", probability(self.delta, name="delta"))

    def _histogram(self) -> StabilityHistogram:
        return StabilityHistogram(
            domain=self.domain, epsilon=self.epsilon / 2, delta=self.delta / 2
        )

    def _test(self, heavy: Bins) -> GapTest[Sample]:
        values = tuple(value for value, _ in heavy)
        score = Agreement(LabelledCells(self.domain, self.k), values)
        return GapTest(score=score, epsilon=self.epsilon / 2, delta=self.delta / 2)

    def event(self) -> Event:
        half = Approximate(
            epsilon=self.epsilon / 2, delta=self.delta / 2, relation=Relation.REPLACE_ONE
        )
        return Composed(events=(half, half), relation=Relation.REPLACE_ONE)

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.domain.size << self.k)

    def _release(self, data: Sample, *, rng: Sampler) -> Rules:
        bins = rng.part(self._histogram(), features(data))  # [P1]
        heavy = tuple((value, count) for value, count in bins if count >= self.level)  # [P2]
        chosen = rng.part(self._test(heavy), data) if heavy else None  # [P3]
        return self.rules(heavy, chosen)  # [P4]

    def rules(self, heavy: Bins, chosen: int | None) -> Rules:
        """What the heavy values and the released candidate, if there is one, say."""
        cells = LabelledCells(self.domain, self.k)
        if chosen is None:
            return cells.rules(())
        vectors = Agreement(cells, tuple(value for value, _ in heavy)).vectors(chosen)
        return cells.rules(
            tuple(
                (labels << self.domain.bits | value, count)
                for (value, count), labels in zip(heavy, vectors, strict=True)
            )
        )


def _bound(task: Task) -> SampleBound:
    return point_learner.point_learner(**task.asked("alpha", "beta", "epsilon", "delta"))


def _mechanism(task: Task, _bound: SampleBound, size: Size) -> PointLearner:
    level, _ = point_learner.heavy_count(n=size.n, **task.asked("beta", "epsilon", "delta"))
    return PointLearner(
        domain=task.concept_class.domain,
        k=task.k,
        level=level,
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
    )


def _tiny(entry: Algorithm) -> Tiny:
    first, other, elsewhere = (0, (1, 0)), (0, (0, 1)), (1, (0, 1))
    return on_several_points(entry, delta=DELTA).exactly(
        lambda e: PointLearner(domain=TWO, k=2, level=20, epsilon=e, delta=RARE),
        records=[first, elsewhere],
        n=60,
        only=[
            *divided(first, other, n=60, at=(60, 45, 41, 38)),
            *divided(first, elsewhere, n=60, at=(60, 45)),
        ],
        faint=Fraction(1, 1 << 22),
    )


POINT_LEARNER = ALGORITHMS.add(
    Algorithm(
        name="point-learner",
        summary="heavy values, then one gap test for all their labels; the same records for any k",
        applies=Applies(
            proper=False,
            classes=(Points,),
            settings=("realizable",),
            relations=(Relation.REPLACE_ONE,),
            delta=True,
            tasks=Tasks.SEVERAL,
        ),
        claim=point_learner.POINT_LEARNER,
        bound=_bound,
        build=_mechanism,
        tiny=_tiny,
    )
)
