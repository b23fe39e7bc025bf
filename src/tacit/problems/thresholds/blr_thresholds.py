"""The best small table for all thresholds, selected privately and exactly (BLR)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
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
    Selection,
    Size,
    Task,
)
from tacit.core.numbers import positive, whole
from tacit.domains.integers import Integers
from tacit.problems.finite import sanitizers_upper as sanitizers
from tacit.problems.finite.reasons import TABLES_NEED
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.thresholds import threshold_tables_upper as threshold_tables
from tacit.problems.thresholds.staircase import Staircase
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.problems.thresholds.tiny_thresholds import on_threshold_queries
from tacit.tallies.distinct import Ranked, distinct, features, fits_a_table


def within(cells: Ranked, level: int, *, rows: int, size: int) -> Staircase:
    """All tables of ``rows`` rows whose threshold counts err by at most ``level`` records.

    ``cells`` ascend. Row ``b`` must not come before the record at which ``b/rows`` of the
    data, less ``level``, is reached, nor after that at which ``(b-1)/rows``, and ``level``
    more, is passed.
    """
    n = len(cells)
    lows, highs = [], []
    for row in range(1, rows + 1):
        need = -((level * rows - n * row) // rows)
        lows.append(int(cells[need - 1]) if need > 0 else 0)
        passed = (n * (row - 1) + level * rows) // rows
        highs.append(int(cells[passed]) if passed < n else size - 1)
    return Staircase(lows, highs, size=size)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdSelection(Mechanism[Sample, SyntheticTable]):
    """A table of ``rows`` rows, drawn with weight ``exp(-epsilon * error / 2)``.

    The error is the largest by which the table errs on a threshold, in records, rounded up.
    All tables over the domain are candidates, however many there are.

    Privacy
    -------
    Requires  nothing of the data; the number of records is public.
    Ensures   ``epsilon``-bounded range, hence ``epsilon``-DP, under ``REPLACE_ONE``.
    Proof     Theorem 1 of ``blr_thresholds.proof.md``.
    Numerics  exact: integers, exact coins and balls.

    Utility
    -------
    ``tacit.problems.finite.sanitizers_upper.table``.

    Edge cases
    ----------
    No records: every table is as good as any other. A domain of one value: that value.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BBKN13",
        locator="Theorem 7.1",
        statement="selecting a table by its largest error on a threshold is epsilon-private; "
        "drawn exactly in time that does not depend on the domain",
        proof="problems/thresholds/blr_thresholds.proof.md",
    )

    domain: Integers
    rows: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", whole(self.rows, name="rows", least=1))
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=Relation.REPLACE_ONE)

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.domain.size)

    def _release(self, data: Sample, *, rng: Sampler) -> SyntheticTable:
        cells = Ranked.of(*distinct(features(data), self.domain))  # [P1]

        @cache
        def tables(level: int) -> Staircase:
            return within(cells, level, rows=self.rows, size=self.domain.size)

        every = comb(self.domain.size + self.rows - 1, self.rows)

        def count(level: int) -> int:
            return every if level >= len(cells) else tables(level).count()

        level = rng.rising_level(count, rate=self.epsilon / 2, top=len(cells))  # [P2]
        rank = rng.below(count(level))  # [P3]
        return SyntheticTable.of(self.domain, tables(level).member(rank))


def _bound(task: Task) -> SampleBound:
    return threshold_tables.selected(
        domain_size=task.concept_class.domain.size,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
    )


def _mechanism(task: Task, _bound: SampleBound, size: Size) -> ThresholdSelection:
    domain = task.concept_class.domain
    rows = threshold_tables.rows_for(
        domain_size=domain.size,
        n=size.n,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
    )
    return ThresholdSelection(domain=domain, rows=rows, epsilon=task.privacy.epsilon)


BLR_THRESHOLDS = ALGORITHMS.add(
    Algorithm(
        name="blr-thresholds",
        summary="select a small table among all there are, by its largest error; exact",
        applies=Applies(
            proper=True,
            goal="sanitize",
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=(Thresholds,),
        ),
        claim=sanitizers.BLR,
        bound=_bound,
        build=_mechanism,
        tiny=on_threshold_queries,
    )
)
