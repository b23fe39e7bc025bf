"""Synthetic tables for point queries: by a stability histogram, or purely."""

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
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
)
from tacit.core.tiny import DELTA, RARE, divided
from tacit.domains.integers import Integers
from tacit.mechanisms.stability import Bins, StabilityHistogram
from tacit.problems.finite.reasons import TABLES_NEED
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.points import point_tables_upper as point_tables
from tacit.problems.points.point_table import fit
from tacit.problems.points.points import Points
from tacit.problems.points.sparse_histogram import SparseHistogram
from tacit.problems.points.tiny_points import TWO, on_point_queries
from tacit.tallies.distinct import features, fits_a_table


@dataclass(frozen=True, slots=True, kw_only=True)
class PointTable(Mechanism[Sample, SyntheticTable]):
    """A table of ``n`` rows made from a private histogram.

    Privacy
    -------
    Requires  ``n`` is the public number of records.
    Ensures   the privacy of ``histogram``: the table is made from its release alone.
    Proof     Theorem 1 of ``point_sanitizers.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.points.point_tables_upper``.

    Edge cases
    ----------
    Nothing listed: rows spread over the domain. ``n = 0``: no rows.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Proposition 30",
        statement="a table made from a private histogram has the histogram's privacy and answers "
        "all point queries within alpha; constants ours",
        proof="problems/points/point_sanitizers.proof.md",
    )

    histogram: Mechanism[object, Bins]
    domain: Integers
    n: int
    alpha: Fraction

    def event(self) -> Event:
        return self.histogram.event()

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.domain.size)

    def _release(self, data: Sample, *, rng: Sampler) -> SyntheticTable:
        bins = rng.part(self.histogram, features(data))  # [P1]
        return fit(self.domain, bins, n=self.n, cap=int(self.alpha * self.n))  # [P2]


def _stable_bound(task: Task) -> SampleBound:
    return point_tables.stable(
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
    )


def _stable(task: Task, _bound: SampleBound, size: Size) -> PointTable:
    domain = task.concept_class.domain
    histogram = StabilityHistogram(
        domain=domain, epsilon=task.privacy.epsilon, delta=task.privacy.delta
    )
    return PointTable(histogram=histogram, domain=domain, n=size.n, alpha=task.accuracy.alpha)


def _pure_bound(task: Task) -> SampleBound:
    return point_tables.pure(
        domain_size=task.concept_class.domain.size,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
    )


def _pure(task: Task, bound: SampleBound, size: Size) -> PointTable:
    domain = task.concept_class.domain
    threshold = bound.choices["threshold"]
    histogram = SparseHistogram(domain=domain, epsilon=task.privacy.epsilon, threshold=threshold)
    return PointTable(histogram=histogram, domain=domain, n=size.n, alpha=task.accuracy.alpha)


def _tiny_stable(entry: Algorithm) -> Tiny:
    return on_point_queries(entry, delta=DELTA).exactly(
        lambda e: PointTable(
            histogram=StabilityHistogram(domain=TWO, epsilon=e, delta=RARE),
            domain=TWO,
            n=24,
            alpha=Fraction(1, 24),
        ),
        records=(0, 1),
        n=24,
        only=divided(0, 1, n=24, at=(24, 16, 13)),
    )


def _tiny_pure(entry: Algorithm) -> Tiny:
    return on_point_queries(entry).exactly(
        lambda e: PointTable(
            histogram=SparseHistogram(domain=TWO, epsilon=e, threshold=2),
            domain=TWO,
            n=6,
            alpha=Fraction(1, 6),
        ),
        records=(0, 1),
        n=6,
        only=divided(0, 1, n=6, at=(6, 5, 4)),
    )


STABLE_POINTS = ALGORITHMS.add(
    Algorithm(
        name="stable-point-table",
        summary="list the values that occur often, with noise; any domain, records free of it",
        applies=Applies(
            proper=True,
            goal="sanitize",
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=(Points,),
            delta=True,
        ),
        claim=point_tables.STABLE,
        bound=_stable_bound,
        build=_stable,
        tiny=_tiny_stable,
    )
)

PURE_POINTS = ALGORITHMS.add(
    Algorithm(
        name="pure-point-table",
        summary="noise on every bin of the domain, listed from a threshold on",
        applies=Applies(
            proper=True,
            goal="sanitize",
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=(Points,),
        ),
        claim=point_tables.PURE,
        bound=_pure_bound,
        build=_pure,
        tiny=_tiny_pure,
    )
)
