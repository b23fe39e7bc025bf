"""Scoring rules for several labels: points add up, and bands of the total have a label each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from math import comb
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, Hypothesis, Labels, hypothesis_kind
from tacit.core.label_values import MOST_VALUES
from tacit.core.records import Stored, below
from tacit.domains.schema import Schema
from tacit.problems.tables.scores import ScoreRule, Scores, spread_levels
from tacit.problems.tables.table_rule import Cells, TableRule, label_words
from tacit.problems.tables.tree_priors import CONSTANT

MOST_BANDS = 8
"""So many bands are still read off a card."""
_LARGEST = 1 << 24


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class BandedScoreRule(TableRule):
    """``labels[i]`` where ``i`` of the ascending ``cuts`` are at most the total of the points.

    A column's level is its cell, spread over ``0..top``; its points are weight times level.
    Without columns there is one label for everybody.
    """

    kind: ClassVar[str] = "banded score"
    schema: Schema
    columns: tuple[int, ...]
    weights: tuple[int, ...]
    top: int
    cuts: tuple[int, ...]
    labels: tuple[int, ...]
    values: int

    def of_cells(self, cells: Cells) -> npt.NDArray[np.int64]:
        total = np.zeros(len(cells), dtype=np.int64)
        for column, weight in zip(self.columns, self.weights, strict=True):
            total += weight * spread_levels(cells[:, column], self.schema.cells[column], self.top)
        bands = np.searchsorted(np.array(self.cuts, dtype=np.int64), total, side="right")
        return np.array(self.labels, dtype=np.int64)[bands]

    @property
    def reads(self) -> tuple[int, ...]:
        """The columns of the schema that the rule asks about: all that it needs."""
        return self.columns

    @property
    def label_count(self) -> int:
        """How many labels it may give."""
        return self.values

    @property
    def card(self) -> ScoreRule:
        """The points and levels alone, as a rule of two labels has them."""
        return ScoreRule(
            schema=self.schema,
            columns=self.columns,
            weights=self.weights,
            threshold=0,
            top=self.top,
        )

    def bands(self) -> list[tuple[str, int]]:
        """When each label is given, from the lowest total on."""
        if not self.cuts:
            return [("always", self.labels[0])]
        ends = [*self.cuts, None]
        words = [f"total < {self.cuts[0]}"]
        for low, high in zip(self.cuts, ends[1:], strict=True):
            words.append(f"total >= {low}" if high is None else f"{low} <= total < {high}")
        return list(zip(words, self.labels, strict=True))

    def paths(self) -> list[tuple[list[str], int]]:
        """Every band: what leads there, and its label."""
        return [([words] if self.cuts else [], label) for words, label in self.bands()]

    def told(self, labels: Labels) -> Labels:
        """The words for all labels: their numbers, where none were given."""
        return label_words(labels, self.values)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        """The rule in words, a line a band, then how the total is made."""
        del column
        told = self.told(labels)
        if not self.cuts:
            return f"always: {told[self.labels[0]]}"
        lines = [f"if {words}: {told[label]}" for words, label in self.bands()]
        return "\n".join((*lines, f"total: {self.card.points()}", *self.card.legend()))

    def to_dict(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "schema": self.schema.to_dict(),
            "columns": list(self.columns),
            "weights": list(self.weights),
            "top": self.top,
            "cuts": list(self.cuts),
            "labels": list(self.labels),
            "values": self.values,
        }

    @classmethod
    def from_dict(cls, record: Stored) -> BandedScoreRule:
        schema = Schema.of(record["schema"])
        columns = tuple(below(schema.width, column) for column in record["columns"])
        weights = tuple(_whole(weight) for weight in record["weights"])
        cuts = tuple(_whole(cut) for cut in record["cuts"])
        values = below(MOST_VALUES + 1, record["values"])
        labels = tuple(below(values, label) for label in record["labels"])
        top = below(_LARGEST, record["top"])
        rising = all(low < high for low, high in pairwise(cuts))
        if len(columns) != len(weights) or top < 1 or not rising or len(labels) != len(cuts) + 1:
            raise ValueError("a weight for each column, rising cuts, and a label for each band")
        if bool(columns) is not bool(cuts):
            raise ValueError("cuts of a total of no columns, or a total that is not cut")
        return cls(
            schema=schema,
            columns=columns,
            weights=weights,
            top=top,
            cuts=cuts,
            labels=labels,
            values=values,
        )


def _whole(number: object) -> int:
    """A number that somebody else wrote: no sum of a file's points can overflow."""
    return below(2 * _LARGEST - 1, int(str(number)) + _LARGEST - 1) - _LARGEST + 1


@dataclass(frozen=True, slots=True)
class Total:
    """One way to add up points: which columns, and with which weights."""

    columns: tuple[int, ...]
    weights: tuple[int, ...]
    least: int
    """The least total."""
    many: int
    """How many totals there are."""


@dataclass(frozen=True)
class BandedScores:
    """The totals of ``scores``, cut into bands with one of ``values`` labels each.

    The public prior: how many columns are added up, which ones and with which weights (the
    first of them positive) are each equally likely; then how many bands there are, from one to
    ``values`` (at most eight, nor more than there are totals); then where they are cut; then
    their labels, different ones side by side.
    """

    scores: Scores
    values: int

    @property
    def schema(self) -> Schema:
        """The public columns."""
        return self.scores.schema

    def weights(self, kind: int) -> list[tuple[int, ...]]:
        """The weights for ``kind + 1`` columns: bands of a total are those of its negative."""
        return [one for one in self.scores.weights(kind) if one[0] > 0]

    @property
    def kinds(self) -> range:
        """One less than how many columns may be added up."""
        return range(self.scores.fewest - 1, self.scores.columns)

    def groups(self, kind: int) -> list[tuple[int, ...]]:
        """The sets of ``kind + 1`` columns that may be added up."""
        return list(combinations(self.scores.ordered, kind + 1))

    def totals(self) -> Iterator[Total]:
        """Every way to add up points; the order is part of the law's definition."""
        for kind in self.kinds:
            for columns in self.groups(kind):
                for weights in self.weights(kind):
                    yield self.total(columns, weights)

    def total(self, columns: tuple[int, ...], weights: tuple[int, ...]) -> Total:
        """One way to add up points."""
        top = self.scores.top
        least = top * sum(min(weight, 0) for weight in weights)
        return Total(columns, weights, least, top * sum(map(abs, weights)) + 1)

    def most_bands(self, many: int) -> int:
        """How many bands a total of so many values may have."""
        return min(self.values, MOST_BANDS, many)

    @property
    def steps(self) -> int:
        """About how many sums are made to weigh all rules."""
        each = 3 * self.values
        return sum(
            len(self.groups(kind))
            * sum(
                total.many * self.most_bands(total.many) * each
                for total in (self.total((), weights) for weights in self.weights(kind))
            )
            for kind in self.kinds
        )

    def share(self, kind: int) -> Fraction:
        """The prior of each total of ``kind + 1`` columns."""
        here = len(self.groups(kind)) * len(self.weights(kind))
        return Fraction(1, len(self.kinds) * here)

    def band_share(self, many: int, bands: int) -> Fraction:
        """The prior of one way to cut so many totals into bands and label them."""
        labels = self.values * (self.values - 1) ** (bands - 1)
        return Fraction(1, self.most_bands(many) * comb(many - 1, bands - 1) * labels)

    def prior(self, rule: Hypothesis) -> Fraction:
        """The public prior of a rule as it is released; 0 if it is none of these."""
        if not isinstance(rule, BandedScoreRule) or rule.values != self.values:
            return Fraction(0)
        if not rule.columns:
            return sum(
                (
                    self.share(len(total.columns) - 1) * self.band_share(total.many, 1)
                    for total in self.totals()
                ),
                Fraction(0),
            )
        kind = len(rule.columns) - 1
        known = kind in self.kinds and rule.top == self.scores.top
        if not known or rule.columns not in self.groups(kind):
            return Fraction(0)
        if rule.weights not in self.weights(kind):
            return Fraction(0)
        total = self.total(rule.columns, rule.weights)
        inside = total.least < rule.cuts[0] and rule.cuts[-1] < total.least + total.many
        bands = len(rule.labels)
        if not inside or bands > self.most_bands(total.many) or _repeats(rule.labels):
            return Fraction(0)
        return self.share(kind) * self.band_share(total.many, bands)

    @cached_property
    def _least(self) -> tuple[tuple[int, Fraction], ...]:
        """For each number of columns the least prior of a rule that is not constant."""
        found = []
        for kind in self.kinds:
            spans = {self.total((), weights).many for weights in self.weights(kind)}
            least = min(
                self.band_share(many, bands)
                for many in spans
                for bands in range(2, self.most_bands(many) + 1)
            )
            found.append((kind, self.share(kind) * least))
        return tuple(found)

    def least_prior(self) -> Fraction:
        """The smallest prior of a rule."""
        return min(prior for _, prior in self.comparators())

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        """Rules by their number of columns, and the least prior of each."""
        words = ("one column", "two columns", "three columns")
        constant = (CONSTANT, Fraction(1, min(self.values, MOST_BANDS) * self.values))
        return (
            constant,
            *((f"points of {words[kind]} in bands", least) for kind, least in self._least),
        )

    def describe(self) -> str:
        """The class in a few words."""
        return f"{self.scores.describe()}, in bands of {self.values} labels"

    def hypothesis(
        self, total: Total, cuts: tuple[int, ...], labels: tuple[int, ...]
    ) -> BandedScoreRule:
        """The rule of a total, of the places from 1 on where a band begins, and of labels."""
        return BandedScoreRule(
            schema=self.schema,
            columns=total.columns if cuts else (),
            weights=total.weights if cuts else (),
            top=self.scores.top,
            cuts=tuple(cut + total.least for cut in cuts),
            labels=labels,
            values=self.values,
        )


def _repeats(labels: tuple[int, ...]) -> bool:
    return any(one == other for one, other in pairwise(labels))
