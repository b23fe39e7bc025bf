"""A table for all thresholds from private quantiles: medians of medians, by selection."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    ZCDP,
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
    Task,
    Tiny,
)
from tacit.core.numbers import positive, whole
from tacit.core.tiny import DELTA
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Grouped
from tacit.mechanisms.ranks import by_rank
from tacit.problems.finite.reasons import TABLES_NEED
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.thresholds import threshold_tables_upper as threshold_tables
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.problems.thresholds.tiny_thresholds import coarse_thresholds, on_threshold_queries
from tacit.tallies.distinct import Counts, distinct, features

_PROOF = "problems/thresholds/quantile_table.proof.md"


def median_errors(keys: Placed, *, size: int) -> Grouped:
    """Twice the rank by which each of ``0, ..., size - 1`` misses the median of ``keys``."""
    m = len(keys)

    def error(below: npt.NDArray[np.int64], at_most: npt.NDArray[np.int64]) -> Any:
        return np.maximum(0, np.maximum(2 * below - m, m - 2 * at_most))

    return by_rank(keys, size=size, error=error)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantileTable(Mechanism[Sample, SyntheticTable]):
    """``2**depth - 1`` cuts, each a private median of the records between two earlier ones.

    Equal records are numbered, so that no two are equal. One median
    costs ``call`` under the addition or removal of a record; ``accounting`` says how the
    costs of all are added up: ``"pure"`` or ``"zcdp"``.

    Privacy
    -------
    Requires  the number of records is public.
    Ensures   ``2 * depth * call``-DP and ``depth * call**2 / 2``-zCDP under ``REPLACE_ONE``;
              the event states the one that ``accounting`` names.
    Proof     Theorem 1 of ``quantile_table.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.thresholds.threshold_tables_upper.quantiles``.

    Edge cases
    ----------
    A part without records: any cut. A part without room: its only value again.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Theorem 1 of quantile_table.proof.md",
        statement="recursive medians by the exponential mechanism are private: a substitution "
        "meets two parts a level",
        proof=_PROOF,
    )

    domain: Integers
    depth: int
    call: Fraction
    accounting: str = "pure"

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", whole(self.depth, name="depth", least=1))
        object.__setattr__(self, "call", positive(self.call, name="call"))
        if self.accounting not in ("pure", "zcdp"):
            raise BadInput("accounting must be 'pure' or 'zcdp'")

    def event(self) -> Event:
        if self.accounting == "zcdp":
            return ZCDP(rho=self.depth * self.call**2 / 2, relation=Relation.REPLACE_ONE)
        return Pure(epsilon=2 * self.depth * self.call, relation=Relation.REPLACE_ONE)

    def _release(self, data: Sample, *, rng: Sampler) -> SyntheticTable:
        values, counts = distinct(features(data), self.domain)
        n = max(1, int(counts.sum()))
        keys = _keys(values, counts, n=n, size=self.domain.size)  # [P1]
        bounds = [0, self.domain.size * n]
        for _ in range(self.depth):
            cuts = [self._median(keys, low, high, rng=rng) for low, high in pairwise(bounds)]
            bounds = [*chain.from_iterable(zip(bounds[:-1], cuts, strict=True)), bounds[-1]]
        return cut_table(
            self.domain, [cut // n for cut in bounds[1:-1]], n=int(counts.sum())
        )  # [P4]

    def _median(self, keys: Placed, low: int, high: int, *, rng: Sampler) -> int:
        if high <= low:
            return low
        first, last = (int(np.searchsorted(keys, _as(keys, bound))) for bound in (low, high))
        part = keys[first:last] - _as(keys, low)
        landscape = median_errors(part, size=high - low)  # [P2]
        levels = landscape.levels()
        index = rng.level(levels, rate=self.call / 2)  # [P3]
        rank = rng.below(int(levels.counts[index]))
        return low + landscape.member(int(levels.errors[index]), rank)


def _keys(values: Placed, counts: Counts, *, n: int, size: int) -> Placed:
    """Every record as ``value * n`` plus its number among equal ones, ascending."""
    words = size * n < 1 << 63
    firsts = values.astype(np.uint64) * np.uint64(n) if words else values.astype(object) * n
    places = places_among_equals(counts)
    keys = np.repeat(firsts, counts) + (places.astype(np.uint64) if words else places)
    return np.asarray(keys)


def places_among_equals(counts: Counts) -> Counts:
    """``0, 1, ...`` for the records of each value in turn."""
    before = np.repeat(np.cumsum(counts) - counts, counts)
    return np.asarray(np.arange(len(before)) - before, dtype=np.int64)


def _as(keys: Placed, bound: int) -> Any:
    return bound if keys.dtype == object else np.uint64(bound)


def cut_table(domain: Integers, cuts: list[int], *, n: int) -> SyntheticTable:
    """``n`` rows: one part in ``len(cuts) + 1`` at each cut, half a part at either end."""
    parts = 2 * (len(cuts) + 1)
    places = [0, *cuts, domain.size - 1]
    ends = [n * (2 * index + 1) // parts for index in range(len(cuts) + 1)] + [n]
    counts: dict[int, int] = {}
    for place, start, end in zip(places, [0, *ends[:-1]], ends, strict=True):
        counts[place] = counts.get(place, 0) + end - start
    rows = tuple(sorted(pair for pair in counts.items() if pair[1]))
    return SyntheticTable(domain=domain, rows=rows)


def _pure_bound(task: Task) -> SampleBound:
    return threshold_tables.quantiles(
        domain_size=task.concept_class.domain.size,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
    )


def _approximate_bound(task: Task) -> SampleBound:
    return threshold_tables.quantiles(
        domain_size=task.concept_class.domain.size,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
    )


def _built(task: Task, bound: SampleBound, accounting: str) -> QuantileTable:
    return QuantileTable(
        domain=task.concept_class.domain,
        depth=bound.choices["depth"],
        call=bound.choices["call"],
        accounting=accounting,
    )


def _tiny(entry: Algorithm) -> Tiny:
    return on_threshold_queries(entry).exactly(
        lambda e: QuantileTable(domain=Integers(size=3), depth=1, call=e / 2),
        records=(0, 1, 2),
        n=4,
    )


def _tiny_zcdp(entry: Algorithm) -> Tiny:
    return on_threshold_queries(entry, delta=DELTA).exactly(
        lambda e: coarse_thresholds(entry, e, 5, DELTA),
        records=(0, 1),
        n=5,
        delta=Fraction(1, 1000),
    )


QUANTILES = ALGORITHMS.add(
    Algorithm(
        name="quantile-thresholds",
        summary="private medians of parts, again and again: cuts that stand for equal shares",
        applies=Applies(
            proper=True,
            goal="sanitize",
            placed=True,
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=(Thresholds,),
        ),
        claim=threshold_tables.QUANTILES,
        bound=_pure_bound,
        build=lambda task, bound, _size: _built(task, bound, "pure"),
        tiny=_tiny,
    )
)

ZCDP_QUANTILES = ALGORITHMS.add(
    Algorithm(
        name="zcdp-quantile-thresholds",
        summary="the same, with the medians' costs added up as bounded-range selections",
        applies=Applies(
            proper=True,
            goal="sanitize",
            placed=True,
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=(Thresholds,),
            delta=True,
        ),
        claim=threshold_tables.QUANTILES,
        bound=_approximate_bound,
        build=lambda task, bound, _size: _built(task, bound, "zcdp"),
        tiny=_tiny_zcdp,
    )
)
