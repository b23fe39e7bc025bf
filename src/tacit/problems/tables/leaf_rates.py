"""How often each label occurs in each part of a rule, from counts with noise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import (
    Claim,
    Event,
    Hypothesis,
    Mechanism,
    Pure,
    Relation,
    Sample,
    Sampler,
)
from tacit.core.numbers import positive
from tacit.core.source import Batch
from tacit.core.tally import Named, Streamed
from tacit.domains.labels import labels_of
from tacit.mechanisms.calibration import noise_scale
from tacit.mechanisms.persons import row_relation, row_share
from tacit.problems.tables.rated_rule import RatedRule, RatedValues, parts_of, place_in
from tacit.problems.tables.table_rule import TableRule

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LeafCounts:
    """A tally of the records in each part of a rule: label 0, then the others in their order."""

    rule: Hypothesis
    values: int = 2

    def zero(self) -> Counts:
        return np.zeros(self.values * parts_of(self.rule), dtype=np.int64)

    def add(self, counter: Counts, batch: Batch) -> Counts:
        labels = np.asarray(batch.column(1), dtype=bool if self.values == 2 else np.int64)
        counter += self.count(batch.column(0), labels)
        return counter

    def merge(self, left: Counts, right: Counts) -> Counts:
        left += right
        return left

    def count(self, x: object, labels: npt.NDArray[np.bool_] | Counts) -> Counts:
        """The counts of some records."""
        places = place_in(self.rule, x)
        cells = self.values * places + labels
        return np.bincount(cells, minlength=self.values * parts_of(self.rule))


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafRates(Mechanism[Sample, tuple[int, ...]]):
    """Count the records of each label in each part of a public rule, with noise.

    ``values`` numbers a part, in the order of ``parts_of``; of two labels first the other records,
    then the positive ones. ``rated`` puts them to the rule.

    Privacy
    -------
    Requires  ``rule`` is public, and places each record by itself.
    Ensures   ``epsilon``-DP.
    Proof     Theorem 1 of ``leaf_rates.proof.md``.
    Numerics  exact: integers and geometric noise.

    Edge cases
    ----------
    A part without records has noise alone. Noisy numbers may be negative: they are not clamped.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Leaf rates, Theorem 1",
        statement="a histogram of parts and labels with geometric noise of scale w/epsilon is "
        "epsilon-DP, w = 2 (replace-one, label) or 1 (add-remove)",
        proof="problems/tables/leaf_rates.proof.md",
    )

    rule: Hypothesis
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    values: int = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "relation", Relation.read(self.relation))

    @classmethod
    def of_rows(
        cls, rule: Hypothesis, *, epsilon: Fraction, relation: Relation, rows: int, values: int = 2
    ) -> Self:
        """What counts at most ``rows`` rows of each person, who pays ``epsilon`` for all of them.

        One row of each is a record. ``ForPersons`` hands over the rows.
        """
        share, _ = row_share(epsilon=epsilon, delta=Fraction(0), relation=relation, rows=rows)
        return cls(rule=rule, epsilon=share, relation=row_relation(relation, rows), values=values)

    def event(self) -> Event:
        return Pure(epsilon=self.epsilon, relation=self.relation)

    @property
    def scale(self) -> Fraction:
        """That of the noise on each number."""
        return noise_scale(epsilon=self.epsilon, relation=self.relation)

    def rated(self, numbers: tuple[int, ...]) -> RatedRule | RatedValues:
        """The rule with the numbers that were released."""
        if self.values > 2:
            starts = range(0, len(numbers), self.values)
            several = tuple(numbers[start : start + self.values] for start in starts)
            return RatedValues(rule=self.rule, numbers=several, scale=self.scale)
        return RatedRule(
            rule=self.rule, positives=numbers[1::2], others=numbers[::2], scale=self.scale
        )

    def _release(self, data: Sample, *, rng: Sampler) -> tuple[int, ...]:
        tally = LeafCounts(self.rule, self.values)
        if isinstance(data, Streamed):
            records: Streamed = data
            if isinstance(data, Named) and isinstance(self.rule, TableRule):
                records = data.only(self.rule.schema.names[place] for place in self.rule.reads)
            counts = records.fold(tally)  # [P1]
        else:
            counts = tally.count(data.x, labels_of(data, values=self.values))  # [P1]
        return tuple(int(count) + rng.geometric(self.scale) for count in counts)  # [P2]
