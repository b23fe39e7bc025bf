"""Littlestone dimension 1: every surprise names the concept; count the names."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Condition,
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
)
from tacit.core.numbers import positive, probability
from tacit.core.tiny import DELTA, RARE
from tacit.domains.integers import Integers
from tacit.domains.labels import truth
from tacit.exact.arrays import Placed
from tacit.mechanisms.stability import StabilityHistogram, StableMostFrequent
from tacit.problems.finite import littlestone_one_upper as bounds
from tacit.problems.finite.constant import NEVER
from tacit.problems.finite.listed import Table, TableRule
from tacit.problems.points.points import Points
from tacit.problems.points.tiny_points import ONES, on_points
from tacit.tallies.distinct import OfLabels, fits_a_table


class Surprises(Protocol):
    """The standard optimal rule of a class of Littlestone dimension 1, and what remains
    after a contradiction: at most one concept.
    """

    @property
    def names(self) -> Integers:
        """The names of the concepts."""
        ...

    def votes(self, x: Placed, y: npt.NDArray[np.bool_]) -> Placed:
        """For each record that contradicts the rule, the concept that remains, if any."""
        ...

    def expected(self) -> Hypothesis:
        """The rule itself."""
        ...


@dataclass(frozen=True, slots=True)
class PointSurprises:
    """Points: 0 is expected everywhere, and a 1 at ``x`` leaves the point ``x``."""

    concept_class: Points

    @property
    def names(self) -> Integers:
        return self.concept_class.domain

    def votes(self, x: Placed, y: npt.NDArray[np.bool_]) -> Placed:
        return x[y]

    def expected(self) -> Hypothesis:
        return NEVER


@dataclass(frozen=True, slots=True)
class TableSurprises:
    """A listed class; among equal rows the first one names the concept."""

    concept_class: Table

    @property
    def names(self) -> Integers:
        return Integers(size=self.concept_class.size)

    def votes(self, x: Placed, y: npt.NDArray[np.bool_]) -> Placed:
        rule, left = _after_contradiction(self.concept_class)
        places = x.astype(np.int64)
        named = left[places[y != rule[places]]]
        return np.asarray(named[named >= 0], dtype=np.uint64)

    def expected(self) -> Hypothesis:
        rule, _ = _after_contradiction(self.concept_class)
        return TableRule(values=tuple(rule.tolist()))


@lru_cache(maxsize=64)
def _after_contradiction(
    table: Table,
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """The optimal rule, and at each point the row that contradicts it there, or -1.

    Two different rows are what makes a restriction have Littlestone dimension 1, so the
    rule takes the label that at least two different rows have; at most one row is left.
    """
    rows, first = np.unique(table.matrix, axis=0, return_index=True)
    ones = rows.sum(axis=0)
    if (np.minimum(ones, len(rows) - ones) > 1).any():
        raise BadInput("this Table has a Littlestone dimension above 1")
    rule = ones > 1
    against = rows != rule
    left = np.where(against.any(axis=0), first[against.argmax(axis=0)], -1)
    return rule, left


def dimension_is_one(concept_class: object) -> bool:
    """Whether the learner knows that this class has Littlestone dimension at most 1."""
    if isinstance(concept_class, Points):
        return True
    if not isinstance(concept_class, Table):
        return False
    try:
        _after_contradiction(concept_class)
    except BadInput:
        return False
    return True


def surprises(concept_class: Any) -> Surprises:
    """What contradictions say in this class."""
    if isinstance(concept_class, Points):
        return PointSurprises(concept_class)
    return TableSurprises(concept_class)


@dataclass(frozen=True, slots=True)
class Named(OfLabels):
    """The concepts that records name; a record that is no surprise counts for none."""

    known: Surprises
    domain: Integers

    def coerce(self, data: Sample) -> Placed:
        """The numbers of the concepts, one for each surprising record."""
        votes = self.known.votes(self.domain.coerce(data.x), truth(data))  # [P1]
        return self.known.names.coerce(votes)


@dataclass(frozen=True, slots=True, kw_only=True)
class LittlestoneOneLearner(Mechanism[Sample, Hypothesis]):
    """Count the concepts that surprising records name; release the top, else expect none.

    A record that contradicts the standard optimal rule leaves at most one concept. If the
    rule errs by more than alpha, so many records name the target that it is released; if
    not, the rule will do.

    Privacy
    -------
    Requires  ``concept_class`` is public and has Littlestone dimension at most 1.
    Ensures   ``(epsilon, delta)``-DP, whatever the number of records.
    Proof     Theorem 1 of ``littlestone_one.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.finite.littlestone_one_upper``.

    Edge cases
    ----------
    No records, or no surprise: the standard optimal rule.
    """

    CLAIM: ClassVar[Claim] = bounds.CLAIM

    concept_class: Any
    epsilon: Fraction
    delta: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "delta", probability(self.delta, name="delta"))
        object.__setattr__(self, "relation", Relation.read(self.relation))
        if not dimension_is_one(self.concept_class):
            raise BadInput("this learner needs Points or a Table of Littlestone dimension 1")

    def event(self) -> Event:
        return privacy_event(epsilon=self.epsilon, delta=self.delta, relation=self.relation)

    def _votes(self) -> StableMostFrequent:
        # Between label neighbours one surprise comes or goes, and nothing else moves.
        flipped = self.relation is Relation.LABEL
        histogram = StabilityHistogram(
            domain=Named(surprises(self.concept_class), self.concept_class.domain),
            epsilon=self.epsilon,
            delta=self.delta,
            relation=Relation.ADD_REMOVE if flipped else self.relation,
        )
        return StableMostFrequent(histogram=histogram)

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.concept_class.domain.size)

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        known = surprises(self.concept_class)
        name = rng.part(self._votes(), data)  # [P2]
        if name is None:
            return known.expected()
        rule: Hypothesis = self.concept_class.hypothesis(name)
        return rule


def _samples(task: Task) -> SampleBound:
    return bounds.stable(
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
        relation=task.privacy.relation,
    )


def _tiny(entry: Algorithm) -> Tiny:
    return on_points(entry, delta=DELTA).exactly(
        lambda e: LittlestoneOneLearner(concept_class=Points(size=2), epsilon=e, delta=RARE),
        records=ONES,
        n=24,
    )


LITTLESTONE_ONE = ALGORITHMS.add(
    Algorithm(
        name="littlestone-one",
        summary="a stability histogram of the concepts that surprising records name",
        applies=Applies(
            proper=False,
            classes=(Points, Table),
            settings=("realizable",),
            delta=True,
            further=(
                Condition(
                    "a class of Littlestone dimension 1",
                    lambda task: dimension_is_one(task.concept_class),
                ),
            ),
        ),
        claim=bounds.CLAIM,
        bound=_samples,
        build=lambda task, _bound, _size: LittlestoneOneLearner(
            concept_class=task.concept_class,
            epsilon=task.privacy.epsilon,
            delta=task.privacy.delta,
            relation=task.privacy.relation,
        ),
        tiny=_tiny,
    )
)
