"""Sanitize the records once, then choose each task's rule from the few that the table tells apart.

BNS19 Algorithm 3 (GenericLearner), with the candidates of Sauer's lemma.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from tacit.core import (
    ALGORITHMS,
    Accuracy,
    Algorithm,
    Applies,
    Approximate,
    Claim,
    Composed,
    ConceptClass,
    Condition,
    Dimensioned,
    Event,
    Mechanism,
    Privacy,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tasks,
    Tiny,
    leaves,
    tiny_task,
)
from tacit.core.numbers import whole
from tacit.core.tally import Streamed
from tacit.core.tiny import DELTA, RARE, Make
from tacit.core.tiny import divided as neighbours_at
from tacit.domains.integers import Integers
from tacit.mechanisms.stability import StabilityHistogram
from tacit.problems.finite import finite_tables_upper as finite_tables
from tacit.problems.finite.blr_enumerated import EnumeratedSelection
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.finite.fitted_histogram import FittedHistogram, width
from tacit.problems.finite.listed import Table
from tacit.problems.finite.some_concepts import SomeConcepts
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.points.point_sanitizers import PointTable
from tacit.problems.points.points import Points
from tacit.problems.points.some_points import SomePoints
from tacit.problems.points.tiny_points import SEVERAL, on_several_points
from tacit.problems.several import several_upper as multitask
from tacit.problems.several.direct_sum import DirectSum
from tacit.problems.several.rules import Rules
from tacit.problems.thresholds.blr_thresholds import ThresholdSelection
from tacit.problems.thresholds.some_thresholds import PointsOrNothing, SomeThresholds
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.tallies.distinct import fits_a_table

Candidates = Callable[[SyntheticTable], Any]

MOST_CELLS = 1 << 22
"""The symmetric differences of a class may have so many cells at most, repeated ones counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableThenSelect(Mechanism[Sample, Rules]):
    """One synthetic table, then one selection a task among the rules it tells apart.

    Privacy
    -------
    Requires  ``sanitizer`` sees the records without labels; ``candidates`` is a public
              function of its table; ``delta`` bounds what the ``k`` selections at
              ``each`` add beyond ``share``.
    Ensures   the composition of the sanitizer and the selections.
    Proof     Theorem 1 of ``sanitize_then_learn.proof.md``.
    Numerics  exact, as its parts are.

    Utility
    -------
    ``tacit.problems.several.several_upper.sanitized_thresholds``, ``.sanitized_points`` and
    ``.sanitized_class``.

    Edge cases
    ----------
    An empty table leaves at least one candidate.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Theorem 31",
        statement="a sanitized table leaves few distinguishable concepts, from which k private "
        "selections learn; sizes by Sauer, constants ours",
        proof="problems/several/sanitize_then_learn.proof.md",
    )

    sanitizer: Mechanism[Sample, SyntheticTable]
    candidates: Candidates = field(repr=False)
    domain: Integers
    k: int
    each: Fraction
    share: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)

    def _selections(self, concepts: object) -> DirectSum:
        learner = FiniteClassLearner(concept_class=concepts, epsilon=self.each)
        return DirectSum(learner=learner, domain=self.domain, k=self.k)

    def event(self) -> Event:
        first = leaves(self.sanitizer.event())
        if self.delta == 0:
            rest = leaves(self._selections(None).event())
        else:
            whole_block = Approximate(
                epsilon=self.share, delta=self.delta, relation=Relation.REPLACE_ONE
            )
            rest = (whole_block,)
        return Composed(events=(*first, *rest), relation=Relation.REPLACE_ONE)

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.domain.size << self.k) and self.sanitizer.streams(n)

    def _release(self, data: Sample, *, rng: Sampler) -> Rules:
        values = data if isinstance(data, Streamed) else Sample(data.x, None)
        table = rng.part(self.sanitizer, values)  # [P1]
        concepts = self.candidates(table)  # [P2]
        return rng.part(self._selections(concepts), data)  # [P3]


def told_apart(base: Thresholds, table: SyntheticTable) -> SomeThresholds:
    """One threshold for each way in which thresholds can divide the table."""
    cuts = {value + 1 for value, _ in table.rows} | {base.first}
    return SomeThresholds(base, tuple(sorted(cuts)))


def heavy(domain: Integers, table: SyntheticTable, share: Fraction) -> PointsOrNothing:
    """The points that make up at least ``share`` of the table, and nothing at all."""
    least = share * len(table)
    kind = np.uint64 if domain.fits_a_word else object
    points = [value for value, count in table.rows if count >= least]
    return PointsOrNothing(SomePoints(domain, np.array(points, dtype=kind)))


@lru_cache(maxsize=64)
def symmetric_differences(base: Table) -> Table:
    """On which values two concepts differ, for all pairs, each set of values once."""
    rows = np.unique(np.packbits(base.matrix, axis=1), axis=0)
    pairs = [rows[place:] ^ row for place, row in enumerate(rows)]
    packed = np.unique(np.concatenate(pairs), axis=0)
    return Table(np.unpackbits(packed, axis=1, count=base.domain.size).astype(bool))


def divided(base: Table, table: SyntheticTable) -> SomeConcepts:
    """The first concept for each way in which the class can divide the table."""
    seen = base.matrix[:, [value for value, _ in table.rows]]
    first: dict[bytes, int] = {}
    for concept, row in enumerate(seen):
        first.setdefault(row.tobytes(), concept)
    return SomeConcepts(base, tuple(first.values()))


def _thresholds_bound(task: Task) -> SampleBound:
    return multitask.sanitized_thresholds(
        domain_size=task.concept_class.domain.size,
        **task.asked("k", "alpha", "beta", "epsilon", "delta"),
    )


def _thresholds(task: Task, bound: SampleBound, _size: Size) -> TableThenSelect:
    choices = bound.choices
    half = task.privacy.epsilon / 2
    base = task.concept_class
    domain = base.domain
    return TableThenSelect(
        sanitizer=ThresholdSelection(domain=domain, rows=choices["cells"], epsilon=half),
        candidates=lambda table: told_apart(base, table),  # type: ignore[arg-type]
        domain=domain,
        k=task.k,
        each=choices["epsilon"],
        share=half,
        delta=task.privacy.delta / 2,
    )


def _points_bound(task: Task) -> SampleBound:
    return multitask.sanitized_points(**task.asked("k", "alpha", "beta", "epsilon", "delta"))


def _points(task: Task, bound: SampleBound, size: Size) -> TableThenSelect:
    half, lost = task.privacy.epsilon / 2, task.privacy.delta / 2
    share = task.accuracy.alpha / 12
    domain = task.concept_class.domain
    histogram = StabilityHistogram(domain=domain, epsilon=half, delta=lost)
    return TableThenSelect(
        sanitizer=PointTable(histogram=histogram, domain=domain, n=size.n, alpha=share),
        candidates=lambda table: heavy(domain, table, share),
        domain=domain,
        k=task.k,
        each=bound.choices["epsilon"],
        share=half,
        delta=lost,
    )


def _table_bound(task: Task) -> SampleBound:
    base = task.of(Table)
    differences = symmetric_differences(base)
    # The dimension is at most the logarithm of the number of concepts.
    most = len(np.unique(np.packbits(base.matrix, axis=1), axis=0))
    known = base.vc if isinstance(base, Dimensioned) else 0
    vc = known or min(most.bit_length() - 1, base.domain.size)
    return multitask.sanitized_class(
        size=most,
        domain_size=base.domain.size,
        vc=max(1, vc),
        differences=differences.size,
        width=width(differences),
        **task.asked("k", "alpha", "beta", "epsilon", "delta"),
    )


def _table(task: Task, bound: SampleBound, size: Size) -> TableThenSelect:
    choices = bound.choices
    table, half = choices["table"].choices, task.privacy.epsilon / 2
    base = task.of(Table)
    differences = symmetric_differences(base)
    sanitizer: Mechanism[Sample, SyntheticTable]
    if choices["sanitizer"] == "blr-enumerated":
        sanitizer = EnumeratedSelection(concepts=differences, rows=table["rows"], epsilon=half)
    else:
        rows = finite_tables.weighted_rows(
            domain_size=base.domain.size, alpha=task.accuracy.alpha / 4, n=size.n
        )
        sanitizer = FittedHistogram(
            concepts=differences,
            n=size.n,
            noise=table["noise"],
            rounds=table["rounds"],
            rows=rows,
            epsilon=half,
        )
    return TableThenSelect(
        sanitizer=sanitizer,
        candidates=lambda table: divided(base, table),
        domain=base.domain,
        k=task.k,
        each=choices["epsilon"],
        share=half,
        delta=task.privacy.delta / 2,
    )


def _coarse(entry: Algorithm, concepts: ConceptClass, n: int, delta: Fraction) -> Make:
    """As it is planned for two tasks that may err nearly half the time."""

    def made(epsilon: Fraction) -> Mechanism[object, object]:
        privacy, accuracy = Privacy(epsilon, delta), Accuracy("0.49", "0.49")
        return entry.built(Task(concepts, privacy=privacy, accuracy=accuracy, k=2), n)

    return made


def _tiny_points(entry: Algorithm) -> Tiny:
    here, no, elsewhere = (0, (1, 1)), (0, (0, 0)), (1, (0, 0))
    return on_several_points(entry, delta=DELTA).exactly(
        _coarse(entry, Points(size=2), 40, 2 * RARE),
        records=[(0, (1, 0)), (1, (1, 1))],
        n=40,
        only=[
            *neighbours_at(here, no, n=40, at=(40, 30, 21)),
            *neighbours_at(here, elsewhere, n=40, at=(40, 21)),
        ],
        faint=Fraction(1, 1 << 22),
    )


def _tiny_table(entry: Algorithm) -> Tiny:
    few, more = (Table(np.eye(size, dtype=int)) for size in (2, 3))
    larger = tiny_task(entry, few, more, records=(), usual=(1, (1, 0)), odd=(2, (0, 0)), k=2)
    return larger.exactly(_coarse(entry, few, 3, Fraction(0)), records=SEVERAL, n=2)


def _tiny_thresholds(entry: Algorithm) -> Tiny:
    few, more = Thresholds(size=2), Thresholds(bits=4)
    larger = tiny_task(entry, few, more, records=(), usual=(3, (1, 0)), odd=(9, (0, 0)), k=2)
    return larger.exactly(_coarse(entry, few, 3, Fraction(0)), records=SEVERAL, n=2)


GENERIC_TABLE = ALGORITHMS.add(
    Algorithm(
        name="sanitize-then-table",
        summary="one table for all symmetric differences, then a selection a task among the "
        "concepts it tells apart",
        applies=Applies(
            proper=True,
            classes=(Table,),
            relations=(Relation.REPLACE_ONE,),
            tasks=Tasks.SEVERAL,
            further=(
                Condition(
                    f"a class whose concepts squared times values are {MOST_CELLS} at most",
                    lambda task: (
                        (task.concept_class.size or 0) ** 2 * task.concept_class.domain.size
                        <= MOST_CELLS
                    ),
                    "lists all symmetric differences",
                ),
            ),
        ),
        claim=multitask.BNS_35,
        bound=_table_bound,
        build=_table,
        tiny=_tiny_table,
    )
)

GENERIC_THRESHOLDS = ALGORITHMS.add(
    Algorithm(
        name="sanitize-then-thresholds",
        summary="one table for all thresholds, then a selection a task among its few cuts",
        applies=Applies(
            proper=True,
            classes=(Thresholds,),
            relations=(Relation.REPLACE_ONE,),
            tasks=Tasks.SEVERAL,
        ),
        claim=multitask.BNS_38,
        bound=_thresholds_bound,
        build=_thresholds,
        tiny=_tiny_thresholds,
    )
)


GENERIC_POINTS = ALGORITHMS.add(
    Algorithm(
        name="sanitize-then-points",
        summary="one table for all points, then a selection a task among its heavy values",
        applies=Applies(
            proper=False,
            classes=(Points,),
            relations=(Relation.REPLACE_ONE,),
            delta=True,
            tasks=Tasks.SEVERAL,
        ),
        claim=multitask.BNS_37,
        bound=_points_bound,
        build=_points,
        tiny=_tiny_points,
    )
)
