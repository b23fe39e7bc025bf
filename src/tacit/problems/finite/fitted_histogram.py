"""A table for any finite class from one noisy histogram, fitted without further cost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Event,
    Mechanism,
    Pure,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
)
from tacit.core.numbers import positive, whole
from tacit.problems.finite import finite_tables_upper as finite_tables
from tacit.problems.finite.multiplicative_weights import CLASSES, whole_rows
from tacit.problems.finite.queries import LISTABLE, histogram, queries_of, too_large
from tacit.problems.finite.reasons import TABLES_NEED
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.points.points import Points
from tacit.problems.points.tiny_points import on_point_queries
from tacit.tallies.distinct import features

_STEP = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedHistogram(Mechanism[Sample, SyntheticTable]):
    """Noise on the count of every value; weights fitted to the answers that follow from it.

    ``noise`` is how far, in records, an answer may be off before it is fitted further.

    Privacy
    -------
    Requires  ``n`` is the public number of records.
    Ensures   ``epsilon``-DP under ``REPLACE_ONE``.
    Proof     Theorem 1 of ``fitted_histogram.proof.md``.
    Numerics  exact noise. The weights are floats: they are made from released numbers.

    Utility
    -------
    ``tacit.problems.finite.finite_tables_upper.fitted``.

    Edge cases
    ----------
    No records: noise alone decides.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Theorem 1 of fitted_histogram.proof.md",
        statement="a histogram with two-sided geometric noise of scale 2/epsilon on every bin is "
        "epsilon-private, and so is what is made of it",
        proof="problems/finite/fitted_histogram.proof.md",
    )

    concepts: Any
    n: int
    noise: int
    rounds: int
    rows: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        for name in ("noise", "rounds", "rows"):
            object.__setattr__(self, name, whole(getattr(self, name), name=name, least=1))
        object.__setattr__(self, "n", whole(self.n, name="n", least=0))
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        reason = too_large(self.concepts)
        if reason:
            raise BadInput(f"a fitted histogram {reason}")

    def event(self) -> Event:
        return Pure(epsilon=self.epsilon, relation=Relation.REPLACE_ONE)

    def streams(self, n: int | None) -> bool:  # noqa: ARG002 - counts of any number
        return True

    def _release(self, data: Sample, *, rng: Sampler) -> SyntheticTable:
        counts = histogram(self.concepts, features(data))  # [P1]
        noisy = counts + rng.geometrics(2 / self.epsilon, len(counts))  # [P2]
        made = whole_rows(self._fit(noisy), rows=self.rows)  # [P3]
        rows = tuple((int(v), int(made[v])) for v in np.flatnonzero(made))
        return SyntheticTable(domain=self.concepts.domain, rows=rows)

    def _fit(self, noisy: Any) -> Any:
        """Shares whose answers are near those of the noisy counts: post-processing."""
        queries, n = queries_of(self.concepts), max(1, self.n)
        # An answer from the side with fewer values carries less noise.
        narrow = 2 * queries.totals(np.ones(len(noisy), dtype=np.int64)) <= len(noisy)
        sums = queries.totals(noisy)
        wanted = np.clip(np.where(narrow, sums, n - (noisy.sum() - sums)) / n, 0, 1)
        logs = np.zeros(len(noisy))
        average = np.zeros(len(noisy))
        for _ in range(self.rounds):
            weights = np.exp(logs - logs.max())
            weights /= weights.sum()
            gaps = wanted - queries.totals(weights)
            query = int(np.argmax(np.abs(gaps)))
            if abs(gaps[query]) * n <= self.noise:
                return weights
            average += weights
            logs += _STEP * gaps[query] * queries.row(query)
        return average / self.rounds


def width(concepts: Any) -> int:
    """On how many values a query of the class, or its complement, is 1 at most."""
    size = int(concepts.domain.size)
    if concepts.name == "points":
        return min(1, size - 1)
    ones = queries_of(concepts).totals(np.ones(size, dtype=np.int64))
    return int(np.minimum(ones, size - ones).max())


def _bound(task: Task) -> SampleBound:
    return finite_tables.fitted(
        size=task.concept_class.size or 1,
        domain_size=task.concept_class.domain.size,
        width=width(task.concept_class),
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
    )


def _mechanism(task: Task, bound: SampleBound, size: Size) -> FittedHistogram:
    choices, concepts = bound.choices, task.concept_class
    return FittedHistogram(
        concepts=concepts,
        n=size.n,
        noise=choices["noise"],
        rounds=choices["rounds"],
        rows=finite_tables.weighted_rows(
            domain_size=concepts.domain.size, alpha=task.accuracy.alpha, n=size.n
        ),
        epsilon=task.privacy.epsilon,
    )


def _tiny(entry: Algorithm) -> Tiny:
    return on_point_queries(entry).exactly(
        lambda e: FittedHistogram(
            concepts=Points(size=2), n=4, noise=1, rounds=2, rows=64, epsilon=e
        ),
        records=(0, 1),
        n=4,
    )


FITTED = ALGORITHMS.add(
    Algorithm(
        name="fitted-histogram",
        summary="noise on every bin once; weights fitted to all answers at no further cost",
        applies=Applies(
            proper=True,
            goal="sanitize",
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=CLASSES,
            further=LISTABLE,
        ),
        claim=finite_tables.FITTED,
        bound=_bound,
        build=_mechanism,
        tiny=_tiny,
    )
)
