"""One or several parities with delta: release the best masks if the worst task is clear."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Approximate,
    Claim,
    Event,
    Hypothesis,
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
from tacit.core.numbers import positive, probability, whole
from tacit.core.tiny import DELTA, RARE, divided
from tacit.domains.bits import Bits
from tacit.mechanisms.calibration import spread
from tacit.problems.parities import parities_gap_upper as bounds
from tacit.problems.parities.parities import Parities, ParityRule
from tacit.problems.parities.tiny_parities import on_parities
from tacit.problems.several.rules import Rules
from tacit.tallies.distinct import fits_a_table
from tacit.tallies.labelled import LabelledValues

MOST_BITS = 20
"""Up to this many bits the mistakes of all masks are listed, one task at a time."""


def transform(values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The Walsh-Hadamard transform: sums of ``values[x] (-1)^(mask . x)`` for every mask."""
    table, step = values.copy(), 1
    while step < len(table):
        pairs = table.reshape(-1, 2, step)
        table = np.stack((pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]), axis=1).ravel()
        step *= 2
    return table


def two_best(mistakes: npt.NDArray[np.int64]) -> tuple[int, int, int]:
    """The first mask with the fewest mistakes, these mistakes, and those of the next best."""
    best = int(np.argmin(mistakes))
    others = np.delete(mistakes, best)
    return best, int(mistakes[best]), int(others.min())


@dataclass(frozen=True, slots=True, kw_only=True)
class ParitiesGap(Mechanism[Sample, Hypothesis]):
    """The best mask of every task, if even the worst of them leads by enough; else zero masks.

    The score of a vector of masks is the largest number of mistakes among its tasks.

    Privacy
    -------
    Requires  a record is its bits and all its ``k`` labels together.
    Ensures   ``(epsilon, delta)``-DP under every relation, whatever ``k`` is.
    Proof     Theorem 1 of ``parities_gap.proof.md``.
    Numerics  exact; the threshold is rounded up.

    Utility
    -------
    ``tacit.problems.parities.parities_gap_upper``: the same for every ``k``.

    Edge cases
    ----------
    No records, or labels that no parity explains: most likely the empty parity, always 0.
    ``lone`` asks for the rule of the first task by itself.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Theorem 39",
        statement="a gap test on the largest number of mistakes of k masks is private and finds k "
        "parities under the uniform distribution from a number of records that is free of k",
        proof="problems/parities/parities_gap.proof.md",
    )

    domain: Bits
    k: int
    epsilon: Fraction
    delta: Fraction
    relation: Relation = Relation.REPLACE_ONE
    lone: bool = False

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "delta", probability(self.delta, name="delta"))
        object.__setattr__(self, "relation", Relation.read(self.relation))

    @property
    def limit(self) -> int:
        """The least noisy gap that is believed."""
        return bounds.limit(epsilon=self.epsilon, delta=self.delta, relation=self.relation)

    def event(self) -> Event:
        return Approximate(epsilon=self.epsilon, delta=self.delta, relation=self.relation)

    def leaders(self, data: Sample) -> tuple[list[int], int]:
        """The best mask of every task, and the gap of the vector they make. Private."""
        records = LabelledValues(self.domain, self.k).table(data)
        cells, n = records.values.astype(np.int64), len(records)
        masks, most, next_best = [], 0, n
        for labels in records.labels.T:
            weights = (1.0 - 2.0 * labels) * records.counts
            signs = np.bincount(cells, weights=weights, minlength=self.domain.size)
            mistakes = (n - transform(signs.astype(np.int64))) // 2
            mask, fewest, second = two_best(mistakes)
            masks.append(mask)
            most, next_best = max(most, fewest), min(next_best, second)
        return masks, max(0, next_best - most)

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.domain.size << self.k)

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        masks, gap = self.leaders(data)  # [P1]
        noisy = gap + rng.geometric(spread(self.relation) / self.epsilon)  # [P2]
        if noisy < self.limit:  # [P3]
            masks = [0] * self.k
        rules = tuple(ParityRule(domain=self.domain, mask=mask) for mask in masks)
        return rules[0] if self.lone else Rules(rules=rules)


def _bound(task: Task) -> SampleBound:
    return bounds.joint_gap(
        bits=task.concept_class.domain.columns,
        **task.asked("alpha", "beta", "epsilon", "delta", "relation"),
    )


def _build(task: Task, _bound: SampleBound, _size: Size) -> ParitiesGap:
    return ParitiesGap(
        domain=task.concept_class.domain,
        k=task.k,
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
        relation=task.privacy.relation,
        lone=task.k == 1,
    )


def _runs(task: Task) -> str | None:
    bits = task.concept_class.domain.columns
    return None if bits <= MOST_BITS else f"would have to list the mistakes of 2^{bits} masks"


def _tiny(entry: Algorithm) -> Tiny:
    yes, no = ((1,), (1, 1)), ((1,), (0, 0))
    return on_parities(entry, delta=DELTA).exactly(
        lambda e: ParitiesGap(domain=Bits(columns=1), k=2, epsilon=e, delta=RARE),
        records=[yes, no],
        n=24,
        only=divided(yes, no, n=24, at=(24, 19, 17)),
    )


PARITIES_GAP = ALGORITHMS.add(
    Algorithm(
        name="parities-gap",
        summary="the best masks if even the worst task is clear; the same records for any k, and "
        "far fewer than votes of blocks",
        applies=Applies(
            proper=True,
            classes=(Parities,),
            settings=("realizable",),
            delta=True,
            tasks=Tasks.ANY,
            uniform=True,
        ),
        claim=bounds.CLAIM,
        bound=_bound,
        build=_build,
        runs=_runs,
        tiny=_tiny,
    )
)
