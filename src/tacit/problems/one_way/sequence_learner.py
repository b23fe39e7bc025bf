"""Learn a one-way sequence: find a robust first step, agree on its string, compute forwards."""

from __future__ import annotations

from collections.abc import Mapping
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
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Task,
    Tiny,
    privacy_event,
    tiny_task,
)
from tacit.core.numbers import positive, probability
from tacit.core.tiny import DELTA, RARE
from tacit.domains.bits import Bits
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.mechanisms.robust_minimum import RobustMinimum
from tacit.mechanisms.stability import StabilityHistogram, StableMostFrequent
from tacit.problems.finite.constant import NEVER
from tacit.problems.one_way import sequences_upper as bounds
from tacit.problems.one_way.sequences import OneWayRule, OneWaySequences, Tree
from tacit.problems.points.frequent_item import MostFrequent
from tacit.tallies.distinct import distinct_labelled


@dataclass(frozen=True, slots=True, kw_only=True)
class OneWayLearner(Mechanism[Sample, Hypothesis]):
    """Learn ``c_s`` from its positive examples ``(i, string)``.

    1. Noisy number of positives; not above ``enough``: always 0.
    2. A robust minimum ``start`` of their indices, ranks ``low`` and ``high``.
    3. Every positive up to ``start`` is computed forward to it; the most frequent result
       is the string and label there.
    4. The rule computes forward from it.

    Privacy
    -------
    Requires  ``tree``, ``enough``, ``low``, ``high`` are public.
    Ensures   ``(count + index + string, delta)``-DP in the three ``epsilon`` parts; pure if
              ``delta`` is 0.
    Proof     Theorem 1 of ``sequence_learner.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.one_way.sequences_upper``: B20 Theorems 16 and 17, corrected.

    Edge cases
    ----------
    All bits whatever are a record: computing forward is total. No positives: always 0.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="B20",
        locator="Theorem 16",
        statement="counting positives, a robust minimum of their indices and the most frequent "
        "forward string compose to a private and efficient learner of one-way sequences",
        proof="problems/one_way/sequence_learner.proof.md",
    )

    tree: Tree
    epsilon_count: Fraction
    epsilon_index: Fraction
    epsilon_string: Fraction
    enough: int
    low: int
    high: int
    delta: Fraction = Fraction(0)
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        for part in ("epsilon_count", "epsilon_index", "epsilon_string"):
            object.__setattr__(self, part, positive(getattr(self, part), name=part))
        delta = probability(self.delta, name="delta", zero="allowed")
        object.__setattr__(self, "delta", delta)
        object.__setattr__(self, "relation", Relation.read(self.relation))

    def event(self) -> Event:
        epsilon = self.epsilon_count + self.epsilon_index + self.epsilon_string
        return privacy_event(epsilon=epsilon, delta=self.delta, relation=self.relation)

    @property
    def strings(self) -> Integers:
        """The slots of a string, and a label, as one number."""
        return Integers(bits=self.tree.index_bits * self.tree.seed_bits + 1)

    def _index(self) -> RobustMinimum:
        return RobustMinimum(
            domain=Integers(size=self.tree.leaves),
            low=self.low,
            high=self.high,
            epsilon=self.epsilon_index,
            relation=self.relation,
        )

    def _string(self) -> Mechanism[object, int | None]:
        # Between label neighbours one positive comes or goes, and nothing else moves.
        flipped = self.relation is Relation.LABEL
        relation = Relation.ADD_REMOVE if flipped else self.relation
        if not self.delta:
            return MostFrequent(domain=self.strings, epsilon=self.epsilon_string, relation=relation)
        histogram = StabilityHistogram(
            domain=self.strings, epsilon=self.epsilon_string, delta=self.delta, relation=relation
        )
        return StableMostFrequent(histogram=histogram)

    def value(self, record: int, start: int) -> int | None:
        """What a positive record says about leaf ``start``, if it says anything."""
        tree = self.tree
        index, string = record >> tree.width, record & ((1 << tree.width) - 1)
        label = 1
        if index < start:
            string, label = tree.forward(start, index, string)
        # Bits behind the slots are 0 in every string of the class.
        says = index <= start and string == string >> tree.padding << tree.padding
        return (string >> tree.padding) << 1 | label if says else None

    def values(self, positives: Mapping[int, int], start: int) -> Placed:
        """What the positive records say about leaf ``start``; equal ones are computed once.

        ``positives`` are the different records, with how many there are of each.
        """
        said = {record: self.value(record, start) for record in positives}
        return _each(
            {one: count for one, count in positives.items() if said[one] is not None}, said
        )

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        tree = self.tree
        records, _, ones = distinct_labelled(data, Bits(columns=tree.index_bits + tree.width))
        counted = zip(records.tolist(), ones.tolist(), strict=True)
        positives = {int(record): count for record, count in counted if count}
        noise = rng.geometric(1 / self.epsilon_count)
        if sum(positives.values()) + noise <= self.enough:  # [P1]
            return NEVER
        indices = _each(positives, {record: record >> tree.width for record in positives})
        start = rng.part(self._index(), indices)  # [P2]
        value = rng.part(self._string(), self.values(positives, start))  # [P3] [P4]
        if value is None:
            return NEVER
        string = (value >> 1) << tree.padding
        return OneWayRule(tree=tree, start=start, string=string, label=value & 1)


def _each(records: Mapping[int, int], said: Mapping[int, int | None]) -> Placed:
    """What each of some records says, as often as there are such records."""
    values = np.array([said[record] for record in records], dtype=object)
    return np.repeat(values, np.array(list(records.values()), dtype=np.int64))


def _bound(task: Task, delta: Fraction) -> SampleBound:
    tree = task.concept_class.tree  # type: ignore[attr-defined]
    return bounds.approximate(
        index_bits=tree.index_bits,
        seed_bits=tree.seed_bits,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        delta=delta,
        relation=task.privacy.relation,
    )


def _mechanism(task: Task, delta: Fraction) -> OneWayLearner:
    return OneWayLearner(
        tree=task.concept_class.tree,  # type: ignore[attr-defined]
        delta=delta,
        relation=task.privacy.relation,
        **_bound(task, delta).choices,
    )


_SMALL, _LARGE = (
    OneWaySequences(index_bits=1, seed_bits=1),
    OneWaySequences(index_bits=2, seed_bits=4),
)


def _tiny(entry: Algorithm) -> Tiny:
    larger = tiny_task(entry, _SMALL, _LARGE, records=(), usual=(5, 1), odd=(60, 1))
    return larger.exactly(
        lambda e: OneWayLearner(
            tree=_SMALL.tree,
            epsilon_count=e / 3,
            epsilon_index=e / 3,
            epsilon_string=e / 3,
            enough=1,
            low=1,
            high=2,
        ),
        records=[*((x, 1) for x in range(4)), (0, 0)],
        n=3,
    )


def _tiny_stable(entry: Algorithm) -> Tiny:
    larger = tiny_task(entry, _SMALL, _LARGE, records=(), usual=(5, 1), odd=(60, 1), delta=DELTA)
    return larger.exactly(
        lambda e: OneWayLearner(
            tree=_SMALL.tree,
            epsilon_count=e / 8,
            epsilon_index=e / 8,
            epsilon_string=3 * e / 4,
            enough=5,
            low=5,
            high=10,
            delta=RARE,
        ),
        records=[(0, 1), (3, 1)],
        n=48,
    )


PURE = ALGORITHMS.add(
    Algorithm(
        name="one-way-sequences",
        summary="robust first index, then the most frequent forward string; efficient and pure",
        applies=Applies(proper=False, classes=(OneWaySequences,), settings=("realizable",)),
        claim=bounds.PURE,
        bound=lambda task: _bound(task, Fraction(0)),
        build=lambda task, _bound, _size: _mechanism(task, Fraction(0)),
        tiny=_tiny,
    )
)
STABLE = ALGORITHMS.add(
    Algorithm(
        name="one-way-sequences-stable",
        summary="the same with a stability histogram of the forward strings",
        applies=Applies(
            proper=False, classes=(OneWaySequences,), settings=("realizable",), delta=True
        ),
        claim=bounds.APPROXIMATE,
        bound=lambda task: _bound(task, task.privacy.delta),
        build=lambda task, _bound, _size: _mechanism(task, task.privacy.delta),
        tiny=_tiny_stable,
    )
)
