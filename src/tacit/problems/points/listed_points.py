"""Several proper points without delta: list the frequent values once, select for each task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, cast

import numpy as np

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
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
from tacit.core.numbers import positive, whole
from tacit.core.tally import Streamed
from tacit.domains.integers import Integers
from tacit.domains.labels import truths
from tacit.exact.arrays import Placed
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.points import listed_points_upper as bounds
from tacit.problems.points.points import PointRule, Points
from tacit.problems.points.some_points import SomePoints
from tacit.problems.points.sparse_histogram import SparseHistogram
from tacit.problems.points.tiny_points import SEVERAL, TWO, on_several_points
from tacit.problems.several.rules import Rules
from tacit.tallies.distinct import Repeated, features, fits_a_table
from tacit.tallies.labelled import LabelledValues


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPoints(Mechanism[Sample, Rules]):
    """List the values that stand out, add one at random, and select one of them for each task.

    Privacy
    -------
    Requires  a record is its value and all its ``k`` labels together.
    Ensures   ``listing + choosing``-DP: a pure histogram of the values, then ``k`` selections of
              ``choosing / k`` each, for any number of records.
    Proof     Theorem 1 of ``listed_points.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.points.listed_points_upper``: ``k`` and the bits of the domain are added.

    Edge cases
    ----------
    No records, or nothing that stands out: the random point for every task, most likely.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Theorem 1 of problems/points/listed_points.proof.md",
        statement="a pure sparse histogram of the values and one selection a task among the listed "
        "values and a random one are pure by composition, and a proper learner of k points",
        proof="problems/points/listed_points.proof.md",
    )

    domain: Integers
    k: int
    listing: Fraction
    choosing: Fraction
    threshold: int
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)
        object.__setattr__(self, "choosing", positive(self.choosing, name="choosing"))

    def _histogram(self) -> SparseHistogram:
        return SparseHistogram(
            domain=self.domain,
            epsilon=self.listing,
            threshold=self.threshold,
            relation=self.relation,
        )

    def _learner(self, candidates: int) -> FiniteClassLearner:
        # A record is only which candidate it equals, if any: the last place is for none.
        places = Integers(size=candidates + 1)
        return FiniteClassLearner(
            concept_class=SomePoints(places, np.arange(candidates, dtype=np.uint64)),
            epsilon=self.choosing / self.k,
            relation=self.relation,
        )

    def event(self) -> Event:
        each = self._learner(1).event()
        first = self._histogram().event()
        return Composed(events=(first, *(each,) * self.k), relation=self.relation)

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.domain.size << self.k)

    def _release(self, data: Sample, *, rng: Sampler) -> Rules:
        spare = rng.below(self.domain.size)  # [P1]
        listed = rng.part(self._histogram(), features(data))  # [P2]
        points = sorted({spare, *(value for value, _ in listed)})
        learner = self._learner(len(points))
        chosen = [rng.part(learner, one) for one in self._each_task(data, points)]  # [P3]
        return Rules(
            rules=tuple(
                PointRule(domain=self.domain, point=points[one.point])
                for one in chosen
                if isinstance(one, PointRule)
            )
        )

    def _each_task(self, data: Sample | Streamed, points: list[int]) -> Iterator[Sample]:
        """Which of the points each record equals, with the labels of one task after the other."""
        if isinstance(data, Streamed):
            table = LabelledValues(self.domain, self.k).table(data)
            places = _places(table.values, points)
            for task in range(self.k):
                yield cast(Sample, Repeated(places, table.labels[:, task], table.counts))
            return
        places, labels = _places(self.domain.coerce(data.x), points), truths(data, self.k)
        for task in range(self.k):
            yield Sample(places, labels[:, task])


def _places(cells: Placed, points: list[int]) -> Placed:
    """For each record which of the ascending ``points`` it equals; their number if none."""
    known = np.array(points, dtype=cells.dtype)
    place = np.searchsorted(known, cells)
    found = place < len(points)
    found[found] = known[place[found]] == cells[found]
    return np.where(found, place, len(points)).astype(np.uint64)


def _bound(task: Task) -> SampleBound:
    return bounds.listed_points(
        size=task.concept_class.size or 0,
        **task.asked("k", "alpha", "beta", "epsilon", "relation"),
    )


def _mechanism(task: Task, bound: SampleBound, _size: Size) -> ListedPoints:
    return ListedPoints(
        domain=task.concept_class.domain,
        k=task.k,
        listing=bound.choices["listing"],
        choosing=bound.choices["choosing"],
        threshold=bound.choices["threshold"],
        relation=task.privacy.relation,
    )


def _tiny(entry: Algorithm) -> Tiny:
    return on_several_points(entry).exactly(
        # With more records, or less for listing, following it takes more than ten minutes.
        lambda e: ListedPoints(domain=TWO, k=2, listing=7 * e / 8, choosing=e / 8, threshold=1),
        records=SEVERAL,
        n=1,
        faint=Fraction(1, 1 << 16),
    )


LISTED_POINTS = ALGORITHMS.add(
    Algorithm(
        name="listed-points",
        summary="list the frequent values by one pure histogram, then select one of them a task; "
        "records grow with k plus the bits, not with their product",
        applies=Applies(
            proper=True,
            classes=(Points,),
            settings=("realizable",),
            relations=(Relation.REPLACE_ONE, Relation.ADD_REMOVE),
            tasks=Tasks.SEVERAL,
        ),
        claim=ListedPoints.CLAIM,
        bound=_bound,
        build=_mechanism,
        tiny=_tiny,
    )
)
