"""k parities at once under the uniform marginal: blocks vote for all of them together."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

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
    Tasks,
    Tiny,
)
from tacit.core.numbers import whole
from tacit.core.tiny import DELTA
from tacit.domains.bits import Bits
from tacit.domains.labels import truths
from tacit.exact.arrays import Placed
from tacit.mechanisms.gap_test import GapTest
from tacit.mechanisms.shuffled import Shuffled
from tacit.problems.finite.reasons import IN_PARTS
from tacit.problems.parities import parities_upper as bounds
from tacit.problems.parities.parities import Parities, ParityRule
from tacit.problems.parities.tiny_parities import on_several_parities
from tacit.problems.points.frequent_item import Counts
from tacit.problems.several.rules import Rules


def solve_together(rows: list[int], *, bits: int, k: int) -> int | None:
    """The one ``bits x k`` matrix of masks that satisfies all equations, as a number.

    A row is ``x`` above its ``k`` labels. ``None`` if there is no solution or several;
    bit ``i`` of mask ``j`` is bit ``i * k + j`` of the number.
    """
    leads: dict[int, int] = {}
    for row in rows:
        while row >> k:
            lead = row.bit_length()
            if lead not in leads:
                leads[lead] = row
                break
            row ^= leads[lead]
        if row and not row >> k:
            return None
    if len(leads) < bits:
        return None
    answer = 0
    # From the lowest bit of x up, every row loses the bits that lower rows settle.
    ordered = sorted(leads)
    for place, lead in enumerate(ordered):
        for lower in ordered[:place]:
            if leads[lead] >> (lower - 1) & 1:
                leads[lead] ^= leads[lower]
        answer |= (leads[lead] & ((1 << k) - 1)) << (place * k)
    return answer


def masks_of(matrix: int, *, bits: int, k: int) -> list[int]:
    """The ``k`` masks in a matrix that ``solve_together`` wrote, in the order of the tasks."""
    places = [(matrix >> (place * k)) & ((1 << k) - 1) for place in range(bits)]
    return [
        sum((labels >> task & 1) << place for place, labels in enumerate(places))
        for task in range(k)
    ]


@dataclass(frozen=True, slots=True)
class _Vectors:
    """Whole numbers below ``size``, of any length, as they are."""

    size: int

    def coerce(self, values: object) -> Placed:
        return np.asarray(values, dtype=object)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParitiesVote(Mechanism[Sample, Rules]):
    """Each block of ``rows`` records votes for the ``k`` parities it determines, if any.

    Privacy
    -------
    Requires  records are split into blocks by position.
    Ensures   ``(epsilon, delta)``-DP under ``REPLACE_ONE`` and ``LABEL``, for every ``k``.
    Proof     Theorem 1 of ``several_parities.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.parities.parities_upper.block_votes``: the same for every ``k``.

    Edge cases
    ----------
    Blocks that are short, unsolvable or have several solutions do not vote. Without a
    clear winner: the empty parity, which is always 0, for all tasks.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Theorem 39",
        statement="a gap test over the label-wise solutions of disjoint blocks learns k parities "
        "under the uniform distribution from a number of records that is free of k; corrected",
        proof="problems/parities/several_parities.proof.md",
    )

    domain: Bits
    k: int
    rows: int
    blocks: int
    epsilon: Fraction
    delta: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)
        whole(self.rows, name="rows", least=1)
        whole(self.blocks, name="blocks", least=0)

    def _test(self) -> GapTest[object]:
        vectors = _Vectors(1 << (self.domain.columns * self.k))
        return GapTest(
            score=Counts(vectors), epsilon=self.epsilon, delta=self.delta, relation=self.relation
        )

    def event(self) -> Event:
        return self._test().event()

    def votes(self, data: Sample) -> list[int]:
        """What the blocks determine, in the order of the blocks."""
        cells = self.domain.coerce(data.x).tolist()
        packed = np.packbits(truths(data, self.k), axis=1, bitorder="little")
        labels = [int.from_bytes(row.tobytes(), "little") for row in packed]
        equations = [
            (int(cell) << self.k) | label for cell, label in zip(cells, labels, strict=True)
        ]
        starts = range(0, self.rows * self.blocks, self.rows)
        solved = (
            solve_together(equations[start : start + self.rows], bits=self.domain.columns, k=self.k)
            for start in starts
        )
        return [vote for vote in solved if vote is not None]

    def _release(self, data: Sample, *, rng: Sampler) -> Rules:
        votes = np.array(self.votes(data), dtype=object)  # [P1]
        winner = rng.part(self._test(), votes) or 0  # [P2]
        masks = masks_of(winner, bits=self.domain.columns, k=self.k)
        return Rules(rules=tuple(ParityRule(domain=self.domain, mask=mask) for mask in masks))


def _bound(task: Task) -> SampleBound:
    return bounds.block_votes(
        bits=task.concept_class.domain.columns, **task.asked("beta", "epsilon", "delta")
    )


def _mechanism(task: Task, bound: SampleBound, size: Size) -> Shuffled[Rules]:
    rows = bound.choices["rows"]
    domain = task.concept_class.domain
    learner = ParitiesVote(
        domain=domain,
        k=task.k,
        rows=rows,
        blocks=max(size.n // rows, 1),
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
        relation=task.privacy.relation,
    )
    return Shuffled(inner=learner, domain=domain, k=task.k)


def _tiny(entry: Algorithm) -> Tiny:
    return on_several_parities(entry, delta=DELTA).exactly(
        lambda e: ParitiesVote(
            domain=Bits(columns=1), k=2, rows=1, blocks=9, epsilon=e, delta=DELTA
        ),
        records=[((1,), (0, 1)), ((1,), (1, 0))],
        n=9,
    )


PARITIES_VOTE = ALGORITHMS.add(
    Algorithm(
        name="parities-vote",
        summary="blocks solve for all parities together and vote; the same records for any k",
        applies=Applies(
            proper=True,
            classes=(Parities,),
            settings=("realizable",),
            relations=(Relation.REPLACE_ONE, Relation.LABEL),
            because=IN_PARTS,
            delta=True,
            tasks=Tasks.SEVERAL,
            uniform=True,
        ),
        claim=ParitiesVote.CLAIM,
        bound=_bound,
        build=_mechanism,
        tiny=_tiny,
    )
)
