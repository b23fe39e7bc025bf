"""The best small table for all points, selected privately and exactly (BLR)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import ClassVar

import numpy as np

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Event,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Selection,
    Task,
)
from tacit.core.numbers import positive, whole
from tacit.domains.integers import Integers
from tacit.problems.finite import sanitizers_upper as sanitizers
from tacit.problems.finite.reasons import TABLES_NEED
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.points.allotments import Allotments, Group
from tacit.problems.points.points import Points, unlisted
from tacit.problems.points.tiny_points import on_point_queries
from tacit.tallies.distinct import distinct, features, fits_a_table

_MOST_ROWS = 128


def within(counts: list[int], bins: list[int], level: int, *, n: int, rows: int) -> Allotments:
    """All tables whose count of every value errs by at most ``level`` records.

    ``bins[i]`` values occur ``counts[i]`` times each.
    """
    groups = []
    for count, number in zip(counts, bins, strict=True):
        if n == 0:
            groups.append(Group(number, 0, rows))
            continue
        least = max(0, -((level - count) * rows // n))
        groups.append(Group(number, least, min(rows, (level + count) * rows // n)))
    return Allotments(groups, rows=rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointSelection(Mechanism[Sample, SyntheticTable]):
    """A table of ``rows`` rows, drawn with weight ``exp(-epsilon * error / 2)``.

    The error is the largest by which the table errs on a point, in records, rounded up.

    Privacy
    -------
    Requires  nothing of the data; the number of records is public.
    Ensures   ``epsilon``-bounded range, hence ``epsilon``-DP, under ``REPLACE_ONE``.
    Proof     Theorem 1 of ``blr_points.proof.md``.
    Numerics  exact: integers, exact coins and balls.

    Utility
    -------
    ``tacit.problems.finite.sanitizers_upper.table``.

    Edge cases
    ----------
    No records: every table is as good as any other.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BBKN13",
        locator="Theorem 7.1",
        statement="selecting a table by its largest error on a point is epsilon-private; "
        "drawn exactly in time that does not depend on the domain",
        proof="problems/points/blr_points.proof.md",
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
        values, counts = distinct(features(data), self.domain)  # [P1]
        n, empty = int(counts.sum()), self.domain.size - len(values)
        kinds, numbers = np.unique(counts, return_counts=True)
        occurring = [int(kind) for kind in kinds]
        bins = [int(number) for number in numbers]
        if empty:
            occurring, bins = [0, *occurring], [empty, *bins]

        @cache
        def tables(level: int) -> Allotments:
            return within(occurring, bins, level, n=n, rows=self.rows)

        every = comb(self.domain.size + self.rows - 1, self.rows)

        def count(level: int) -> int:
            return every if level >= n else tables(level).count()

        level = rng.rising_level(count, rate=self.epsilon / 2, top=n)  # [P2]
        chosen = tables(level)
        extra = chosen.member(rng.below(count(level)))  # [P3]
        found: dict[int, int] = {}
        for kind, group, more in zip(occurring, chosen.groups, extra, strict=True):
            here = values[counts == kind]
            if group.least:
                found |= {int(value): group.least for value in here.tolist()}
            for place, rows in more.items():
                value = int(here[place]) if kind else unlisted(values, place)
                found[value] = found.get(value, 0) + rows
        return SyntheticTable(domain=self.domain, rows=tuple(sorted(found.items())))


def _bound(task: Task) -> SampleBound:
    bound = sanitizers.table(
        queries="points",
        domain_size=task.concept_class.domain.size,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
    )
    if bound.choices["rows"] > _MOST_ROWS:
        raise BadInput(f"would have to select a table of more than {_MOST_ROWS} rows")
    return bound


BLR_POINTS = ALGORITHMS.add(
    Algorithm(
        name="blr-points",
        summary="select a small table among all there are, by its largest error; exact",
        applies=Applies(
            proper=True,
            goal="sanitize",
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=(Points,),
        ),
        claim=sanitizers.BLR,
        bound=_bound,
        build=lambda task, bound, _size: PointSelection(
            domain=task.concept_class.domain,
            rows=bound.choices["rows"],
            epsilon=task.privacy.epsilon,
        ),
        tiny=on_point_queries,
    )
)
