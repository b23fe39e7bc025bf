"""The best of all small tables over a tiny domain, for any finite class: BLR by listing."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

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
    Tiny,
    tiny_task,
)
from tacit.core.numbers import positive, whole
from tacit.exact.landscape import Flat
from tacit.problems.finite import finite_tables_upper as finite_tables
from tacit.problems.finite.listed import Table
from tacit.problems.finite.queries import LISTABLE, histogram, queries_of
from tacit.problems.finite.reasons import TABLES_NEED
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.parities.parities import Parities
from tacit.problems.points.points import Points
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.tallies.distinct import features

_BLOCK = 1 << 12
CLASSES = (Table, Parities, Points, Thresholds)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumeratedSelection(Mechanism[Sample, SyntheticTable]):
    """A table of ``rows`` rows, drawn with weight ``exp(-epsilon * error / 2)``, all listed.

    The error is the largest by which the table errs on a query, in records, rounded up.

    Privacy
    -------
    Requires  nothing of the data; the number of records is public.
    Ensures   ``epsilon``-bounded range, hence ``epsilon``-DP, under ``REPLACE_ONE``.
    Proof     Theorem 1 of ``blr_enumerated.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.finite.finite_tables_upper.enumerated``.

    Edge cases
    ----------
    No records: every table is as good as any other.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Theorem 24",
        statement="selecting a table by its largest error on a query is epsilon-private",
        proof="problems/finite/blr_enumerated.proof.md",
    )

    concepts: Any
    rows: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", whole(self.rows, name="rows", least=1))
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        if self.tables > finite_tables.MOST_TABLES:
            raise BadInput(
                f"there are more than {finite_tables.MOST_TABLES} tables to list; use fewer rows "
                "or multiplicative-weights"
            )

    @property
    def tables(self) -> int:
        """How many candidates there are."""
        return comb(self.concepts.domain.size + self.rows - 1, self.rows)

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=Relation.REPLACE_ONE)

    def streams(self, n: int | None) -> bool:  # noqa: ARG002 - counts of any number
        return True

    def _release(self, data: Sample, *, rng: Sampler) -> SyntheticTable:
        queries, size = queries_of(self.concepts), self.concepts.domain.size
        truth = queries.totals(histogram(self.concepts, features(data))) * self.rows  # [P1]
        ones = np.stack([queries.totals(value) for value in np.eye(size, dtype=np.int64)])
        tables = every_table(size, self.rows)
        errors = np.concatenate(
            [
                -(
                    -np.abs(truth - len(data) * (tables[i : i + _BLOCK] @ ones)).max(axis=1)
                    // self.rows
                )
                for i in range(0, len(tables), _BLOCK)
            ]
        )
        landscape = Flat(errors=errors)  # [P2]
        levels = landscape.levels()
        index = rng.level(levels, rate=self.epsilon / 2)  # [P3]
        chosen = landscape.member(int(levels.errors[index]), rng.below(int(levels.counts[index])))
        counts = enumerate(tables[chosen].tolist())
        rows = tuple((value, count) for value, count in counts if count)
        return SyntheticTable(domain=self.concepts.domain, rows=rows)


def every_table(size: int, rows: int) -> npt.NDArray[np.int64]:
    """How often each value stands in each table of ``rows`` rows: stars and bars."""
    bars = np.array(list(combinations(range(rows + size - 1), size - 1)), dtype=np.int64)
    bars = bars.reshape(comb(rows + size - 1, rows), size - 1)
    before, after = np.full((len(bars), 1), -1), np.full((len(bars), 1), rows + size - 1)
    return np.asarray(np.diff(np.hstack([before, bars, after]), axis=1) - 1)


def _bound(task: Task) -> SampleBound:
    return finite_tables.enumerated(
        size=task.concept_class.size or 1,
        domain_size=task.concept_class.domain.size,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
    )


def _tiny(entry: Algorithm) -> Tiny:
    few, more = (Table(np.eye(size, dtype=int)) for size in (2, 4))
    return tiny_task(entry, few, more, records=(0, 1), usual=1, odd=3)


BLR_ENUMERATED = ALGORITHMS.add(
    Algorithm(
        name="blr-enumerated",
        summary="select a small table among all there are, listed one by one",
        applies=Applies(
            proper=True,
            goal="sanitize",
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=CLASSES,
            further=LISTABLE,
        ),
        claim=finite_tables.ENUMERATED,
        bound=_bound,
        build=lambda task, bound, _size: EnumeratedSelection(
            concepts=task.concept_class,
            rows=bound.choices["rows"],
            epsilon=task.privacy.epsilon,
        ),
        tiny=_tiny,
    )
)
