"""Proper points with delta: a frequent positive value, else a point at random."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

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
    Task,
    Tasks,
    Tiny,
)
from tacit.core.numbers import whole
from tacit.core.tiny import COARSE, RARE, divided
from tacit.domains.integers import Integers
from tacit.domains.labels import truth
from tacit.exact.arrays import Placed
from tacit.mechanisms.stability import StabilityHistogram, StableMostFrequent
from tacit.problems.finite.constant import NEVER
from tacit.problems.points import proper_histogram_upper as bounds
from tacit.problems.points.points import PointRule, Points
from tacit.problems.points.several_points import TINY_PAIR, PointsHistogram
from tacit.problems.points.tiny_points import ONES, TWO
from tacit.problems.several.rules import Rules
from tacit.tallies.distinct import OfLabels, fits_a_table

_PROOF = "problems/points/proper_histogram.proof.md"


@dataclass(frozen=True, slots=True)
class Positives(OfLabels):
    """The values of the records labelled 1; a record labelled 0 counts for none."""

    domain: Integers

    def coerce(self, data: Sample) -> Placed:
        """The values, one for each positive record."""
        return self.domain.coerce(data.x)[truth(data)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProperHistogram(Mechanism[Sample, PointRule]):
    """The most frequent positive value, if it is frequent enough; else a point at random.

    Privacy
    -------
    Requires  nothing: every record counts for at most one value.
    Ensures   ``(epsilon, delta)``-DP, whatever the number of records.
    Proof     Theorem 1 of ``proper_histogram.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.points.proper_histogram_upper.one``: the same for every large domain.

    Edge cases
    ----------
    No positive records: a point at random.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Theorem 1 of problems/points/proper_histogram.proof.md",
        statement="the top of a stability histogram of the positive values, or a uniform point, "
        "is (epsilon, delta)-private and a proper learner of points",
        proof=_PROOF,
    )

    domain: Integers
    epsilon: Fraction
    delta: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def _top(self) -> StableMostFrequent:
        return StableMostFrequent(
            histogram=StabilityHistogram(
                domain=Positives(self.domain),
                epsilon=self.epsilon,
                delta=self.delta,
                relation=self.relation,
            )
        )

    def event(self) -> Event:
        return self._top().event()

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.domain.size)

    def _release(self, data: Sample, *, rng: Sampler) -> PointRule:
        found = rng.part(self._top(), data)  # [P1]
        point = rng.below(self.domain.size) if found is None else found  # [P2]
        return PointRule(domain=self.domain, point=point)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProperPointsHistogram(Mechanism[Sample, Rules]):
    """For each task the heaviest frequent value with its label, else one point at random.

    Privacy
    -------
    Requires  a record is its value and all its ``k`` labels together.
    Ensures   ``(epsilon, delta)``-DP, whatever ``k`` and the number of records are.
    Proof     Theorem 1 of ``proper_histogram.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.points.proper_histogram_upper.several``; BNS19 Theorem 40, proper.

    Edge cases
    ----------
    No frequent value carries a task's label: all such tasks get the same random point.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Theorem 40",
        statement="one stability histogram on pairs of value and label vector, with a uniform "
        "point where it is silent, is private and a proper learner of any number of points; "
        "constants ours",
        proof=_PROOF,
    )

    domain: Integers
    k: int
    epsilon: Fraction
    delta: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)

    def _histogram(self) -> PointsHistogram:
        return PointsHistogram(
            domain=self.domain,
            k=self.k,
            epsilon=self.epsilon,
            delta=self.delta,
            relation=self.relation,
        )

    def event(self) -> Event:
        return self._histogram().event()

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.domain.size << self.k)

    def _release(self, data: Sample, *, rng: Sampler) -> Rules:
        found = rng.part(self._histogram(), data)  # [P1]
        spare: Hypothesis = PointRule(domain=self.domain, point=rng.below(self.domain.size))  # [P2]
        return Rules(rules=tuple(spare if rule is NEVER else rule for rule in found))


def _bound(task: Task) -> SampleBound:
    bound = bounds.one if task.k == 1 else bounds.several
    return bound(
        size=task.concept_class.size or 0,
        **task.asked("alpha", "beta", "epsilon", "delta", "relation"),
    )


def _asked(task: Task) -> dict[str, Any]:
    return {
        "domain": task.concept_class.domain,
        "epsilon": task.privacy.epsilon,
        "delta": task.privacy.delta,
        "relation": task.privacy.relation,
    }


def _tiny(_entry: Algorithm) -> Tiny:
    return Tiny(
        make=lambda e: ProperHistogram(domain=TWO, epsilon=e, delta=RARE),
        records=ONES,
        n=24,
        only=divided(*ONES, n=24, at=(24, 16, 13)),
        faint=COARSE,
    )


def _tiny_several(_entry: Algorithm) -> Tiny:
    return Tiny(
        make=lambda e: ProperPointsHistogram(domain=TWO, k=2, epsilon=e, delta=RARE),
        records=TINY_PAIR,
        n=24,
        only=divided(*TINY_PAIR, n=24, at=(24, 16, 13)),
        faint=COARSE,
    )


PROPER_HISTOGRAM = ALGORITHMS.add(
    Algorithm(
        name="points-proper-histogram",
        summary="the most frequent positive value if it is stable, else a point at random; records "
        "do not grow with the domain",
        applies=Applies(proper=True, classes=(Points,), settings=("realizable",), delta=True),
        claim=ProperHistogram.CLAIM,
        bound=_bound,
        build=lambda task, _bound, _size: ProperHistogram(**_asked(task)),
        tiny=_tiny,
    )
)

PROPER_POINTS_HISTOGRAM = ALGORITHMS.add(
    Algorithm(
        name="several-points-proper-histogram",
        summary="one stability histogram on values with their labels, a point at random where "
        "it is silent; the same records for any k and any large domain",
        applies=Applies(
            proper=True,
            classes=(Points,),
            settings=("realizable",),
            relations=(Relation.REPLACE_ONE, Relation.ADD_REMOVE),
            delta=True,
            tasks=Tasks.SEVERAL,
        ),
        claim=ProperPointsHistogram.CLAIM,
        bound=_bound,
        build=lambda task, _bound, _size: ProperPointsHistogram(k=task.k, **_asked(task)),
        tiny=_tiny_several,
    )
)
