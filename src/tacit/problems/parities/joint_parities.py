"""All parities at once, purely: select the whole vector of masks by the records it explains.

The number of records is within a small factor of the least possible. The candidates are
``2**(bits * k)``, so it runs on few bits only; beyond, it is a statement about records.
"""

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
)
from tacit.core.numbers import whole
from tacit.domains.bits import Bits
from tacit.exact.landscape import Flat
from tacit.mechanisms.score import Mistakes
from tacit.mechanisms.selection import SELECTORS
from tacit.problems.parities import joint_parities_upper as joint_parities
from tacit.problems.parities.parities import Parities, ParityRule, odd
from tacit.problems.parities.tiny_parities import on_parities
from tacit.problems.several.rules import Rules
from tacit.tallies.distinct import fits_a_table
from tacit.tallies.labelled import LabelledValues

MOST_BITS = 16
"""How many bits all masks together may have to be listed."""


@dataclass(frozen=True, slots=True)
class JointMistakes:
    """How many records each vector of ``k`` masks gets wrong in at least one label."""

    domain: Bits
    k: int

    def __call__(self, data: Sample) -> Flat:
        records = LabelledValues(self.domain, self.k).table(data)
        masks = np.arange(self.domain.size, dtype=np.uint64)
        errors = np.zeros(self.domain.size**self.k, dtype=np.int64)
        for cell, label, count in zip(records.values, records.labels, records.counts, strict=True):
            answers = odd(masks & cell)
            right = np.ones(1, dtype=bool)
            for bit in label:
                right = (right[:, None] & (answers == bit)).ravel()
            errors += ~right * count
        return Flat(errors=errors)

    def spread(self, relation: Relation) -> int:
        """As any count of wrong records."""
        return Mistakes(None).spread(relation)


@dataclass(frozen=True, slots=True, kw_only=True)
class JointParities(Mechanism[Sample, Rules]):
    """Select one vector of ``k`` masks among all, by the records it does not explain.

    Privacy
    -------
    Requires  a record is its bits and all its ``k`` labels together.
    Ensures   the privacy of the selection at ``epsilon``: once, not once a task.
    Proof     Theorem 1 of ``joint_parities.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.parities.joint_parities_upper.exact_recovery``.

    Edge cases
    ----------
    No records: a uniform vector.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Theorem 1 of problems/parities/joint_parities.proof.md",
        statement="one selection over all vectors of k masks, by records with a wrong label, is "
        "private and finds all k parities",
        proof="problems/parities/joint_parities.proof.md",
    )

    domain: Bits
    k: int
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    selector: str = "exponential"

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)

    def _selection(self) -> Mechanism[Sample, int]:
        return SELECTORS[self.selector](
            score=JointMistakes(self.domain, self.k), epsilon=self.epsilon, relation=self.relation
        )

    def event(self) -> Event:
        return self._selection().event()

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.domain.size << self.k)

    def _release(self, data: Sample, *, rng: Sampler) -> Rules:
        vector = rng.part(self._selection(), data)  # [P1]
        masks: list[int] = []
        for _ in range(self.k):
            vector, mask = divmod(vector, self.domain.size)
            masks.append(mask)
        rules = (ParityRule(domain=self.domain, mask=mask) for mask in reversed(masks))
        return Rules(rules=tuple(rules))


def _bound(task: Task) -> SampleBound:
    return joint_parities.exact_recovery(
        bits=task.concept_class.domain.columns,
        selector="permute-and-flip",
        **task.asked("k", "beta", "epsilon", "relation"),
    )


def _mechanism(task: Task, _bound: SampleBound, _size: Size) -> Mechanism[Sample, object]:
    return JointParities(
        domain=task.concept_class.domain,
        k=task.k,
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
        selector="permute-and-flip",
    )


def _runs(task: Task) -> str | None:
    bits = task.concept_class.domain.columns * task.k
    if bits <= MOST_BITS and task.k > 1:
        return None
    if task.k == 1:
        return "is for the count of records; parity-selection and parity-elimination run"
    return f"would have to weigh 2^{bits} vectors of masks"


JOINT_PARITIES = ALGORITHMS.add(
    Algorithm(
        name="joint-parities",
        summary="one selection over all vectors of masks; near the least number of records",
        applies=Applies(
            proper=True,
            classes=(Parities,),
            settings=("realizable",),
            tasks=Tasks.ANY,
            uniform=True,
        ),
        claim=joint_parities.CLAIM,
        bound=_bound,
        build=_mechanism,
        runs=_runs,
        tiny=on_parities,
    )
)
