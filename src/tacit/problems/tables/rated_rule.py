"""A rule with noisy numbers of records beside its parts, which are public with the rule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.bounds.upper.noisy_count import share_at_most
from tacit.core import (
    PLAIN,
    BadInput,
    Hypothesis,
    Labels,
    hypothesis_from_dict,
    hypothesis_kind,
)
from tacit.core.named import label_count
from tacit.core.numbers import exact, positive, show
from tacit.core.records import Stored, below, kinds
from tacit.domains.schema import Schema
from tacit.exact.geometric_tails import width
from tacit.problems.tables.points_rule import PointsRule
from tacit.problems.tables.score_bands import band_of, band_words, borders, rising
from tacit.problems.tables.scores import ScoreRule
from tacit.problems.tables.table_rule import TableRule, label_words
from tacit.problems.tables.tree_nodes import Node, simpler
from tacit.problems.tables.trees import TreeRule

UNSURE = Fraction(1, 20)
"""The chance that a number is further off than the words say, all numbers of a rule together.

Of several rules each says so by itself; the certificate says what holds for all of them."""

_MOST_READ = 10**100
"""Far beyond any records with noise; two such numbers can be multiplied as floats."""


def parts_of(rule: Hypothesis) -> int:
    """How many parts a rule has: the leaves of a tree, bands of points, or its answers."""
    if isinstance(rule, ScoreRule | PointsRule):
        return len(borders(rule)) + 1
    return len(rule.paths()) if isinstance(rule, TreeRule) else label_count(rule)


def place_in(rule: Hypothesis, x: object, *, parts: int | None = None) -> npt.NDArray[np.int64]:
    """The part of every record, by that record alone; leaves in the order of the words.

    With two ``parts`` those of a rule of points are its answers, as earlier versions counted them.
    """
    if isinstance(rule, ScoreRule | PointsRule) and parts != 2:
        return band_of(rule, x)
    if not isinstance(rule, TreeRule):
        return np.asarray(rule.predict(x)).astype(np.int64)
    cells = rule.place(x)
    places = np.zeros(len(cells), dtype=np.int64)
    _number(simpler(rule.root), cells, np.arange(len(cells)), places, 0)
    return places


def _number(
    node: Node,
    cells: npt.NDArray[np.int32],
    rows: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    first: int,
) -> int:
    """Number the leaves below a node from ``first`` on; returns the next number."""
    if isinstance(node, int):
        places[rows] = first
        return first + 1
    low = node[0].asks(cells[rows])
    middle = _number(node[1], cells, rows[low], places, first)
    return _number(node[2], cells, rows[~low], places, middle)


@dataclass(frozen=True, slots=True, kw_only=True)
class WithRates(ABC):
    """A rule with a noisy number of records of each label in each of its parts.

    ``scale`` is that of the geometric noise on each number.
    """

    rule: Hypothesis
    scale: Fraction

    @property
    @abstractmethod
    def parts(self) -> int:
        """How many parts have numbers."""

    @abstractmethod
    def probabilities(self, x: object) -> npt.NDArray[np.float64]:
        """The estimated chance of every label, a column each, for every record."""

    @property
    def label_count(self) -> int:
        """How many labels it may give, and has numbers of."""
        return label_count(self.rule)

    @property
    def schema(self) -> Schema:
        """The columns of the rule, as other rules over a table have them."""
        return self._over_table.schema

    @property
    def reads(self) -> tuple[int, ...]:
        """The columns that the rule asks about."""
        return self._over_table.reads

    @property
    def _over_table(self) -> TableRule:
        if not isinstance(self.rule, TableRule):
            raise AttributeError("this rule is not one over a table")
        return self.rule

    def reach(self, beta: Fraction) -> int:
        """No number is further off than this, but for probability ``beta`` in all."""
        return width(self.scale, beta / (self.label_count * self.parts))


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class RatedRule(WithRates):
    """A rule of two labels with noisy numbers of positive and other records in each part."""

    kind: ClassVar[str] = "rated"
    positives: tuple[int, ...]
    others: tuple[int, ...]

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        """The rule itself, applied."""
        answers: npt.NDArray[np.bool_] = np.asarray(self.rule.predict(x), dtype=bool)
        return answers

    @property
    def parts(self) -> int:
        return len(self.positives)

    @property
    def rates(self) -> tuple[float, ...]:
        """The share of positive records in each part, from numbers cut off at 0; one record of
        each label is added everywhere, so that a part without records says one half. Those of
        bands of points never fall as points rise: neighbours that do are pooled.
        """
        sizes = [yes + no + 2 for yes, no in self._numbers]
        each = [(yes + 1) / size for (yes, _), size in zip(self._numbers, sizes, strict=True)]
        return tuple(rising(each, sizes) if isinstance(self.rule, ScoreRule | PointsRule) else each)

    @property
    def _numbers(self) -> list[tuple[int, int]]:
        """Positive and other records of each part, cut off at 0."""
        pairs = zip(self.positives, self.others, strict=True)
        return [(max(yes, 0), max(no, 0)) for yes, no in pairs]

    @property
    def auc(self) -> float:
        """How often a positive record's rate is above another's, by the noisy numbers; ties count
        one half. It costs nothing more, and noise moves it.
        """
        parts = sorted(zip(self.rates, self._numbers, strict=True))
        below = above = 0.0
        for rate in sorted(set(self.rates)):
            yes = sum(one for at, (one, _) in parts if at == rate)
            no = sum(one for at, (_, one) in parts if at == rate)
            above += yes * (below + no / 2)
            below += no
        every = below * sum(yes for _, (yes, _) in parts)
        return above / every if every else 0.5

    def probabilities(self, x: object) -> npt.NDArray[np.float64]:
        """Of each record, the share of other and of positive records in its part."""
        chance = np.array(self.rates)[place_in(self.rule, x, parts=self.parts)]
        return np.stack([1 - chance, chance], axis=1)

    def intervals(
        self, *, beta: Fraction, prior: Fraction
    ) -> tuple[tuple[Fraction, Fraction], ...]:
        """Where each part's true rate lies, all at once, with probability ``1 - beta``.

        ``prior`` is the public prior of the rule (1 if it was not chosen from these records).
        """
        reach, level = self.reach(beta / 2), prior * beta / (4 * len(self.positives))
        found = []
        for yes, no in zip(self.positives, self.others, strict=True):
            most = share_at_most(max(yes + reach, 0), max(no - reach, 0), level=level)
            least = 1 - share_at_most(max(no + reach, 0), max(yes - reach, 0), level=level)
            found.append((least, most))
        return tuple(found)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        """One line a part: what leads there, its label, and how many of how many, with noise."""
        told = self.rule.describe(column=column, labels=labels).split("\n")
        if isinstance(self.rule, ScoreRule | PointsRule) and len(self.positives) != 2:
            told += band_words(self.rule)
        elif not isinstance(self.rule, TreeRule):
            told = [*told, *(f"where it says {word}" for word in labels)]
        reach = self.reach(UNSURE)
        numbers = [
            f"{labels[1]} in {max(yes, 0)} of {max(yes, 0) + max(no, 0)} (\u00b1 {reach})"
            for yes, no in zip(self.positives, self.others, strict=True)
        ]
        return _beside(told, numbers)

    def to_dict(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "rule": self.rule.to_dict(),
            "positives": list(self.positives),
            "others": list(self.others),
            "scale": show(self.scale),
        }

    @classmethod
    def from_dict(cls, record: Stored) -> RatedRule:
        rule = _rule(record)
        if label_count(rule) != 2:
            raise BadInput("a rule of several labels must have a number for each of them")
        numbers = [tuple(map(_read, record[name])) for name in ("positives", "others")]
        lengths = {len(one) for one in numbers}
        points = isinstance(rule, ScoreRule | PointsRule)
        if lengths != {parts_of(rule)} and not (points and lengths == {2}):
            raise BadInput("a rated rule must have two numbers for each of its parts")
        return cls(rule=rule, positives=numbers[0], others=numbers[1], scale=_scale(record))


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class RatedValues(WithRates):
    """A rule of several labels with a noisy number of records of each label in each part."""

    kind: ClassVar[str] = "rated values"
    numbers: tuple[tuple[int, ...], ...]

    def predict(self, x: object) -> npt.NDArray[np.int64]:
        """The rule itself, applied."""
        answers: npt.NDArray[np.int64] = np.asarray(self.rule.predict(x), dtype=np.int64)
        return answers

    @property
    def parts(self) -> int:
        return len(self.numbers)

    @property
    def rates(self) -> tuple[tuple[float, ...], ...]:
        """The share of each label in each part, from numbers cut off at 0; one record of each
        label is added everywhere, so that a part without records says the same of all.
        """
        kept = [[max(one, 0) + 1 for one in part] for part in self.numbers]
        return tuple(tuple(one / sum(part) for one in part) for part in kept)

    def probabilities(self, x: object) -> npt.NDArray[np.float64]:
        """Of each record, the shares of all labels in its part."""
        return np.array(self.rates)[place_in(self.rule, x)]

    def intervals(
        self, *, beta: Fraction, prior: Fraction
    ) -> tuple[tuple[tuple[Fraction, Fraction], ...], ...]:
        """Where the true rate of each label in each part lies, all at once, as of two labels."""
        rest = self.label_count - 1
        reach = self.reach(beta / 2)
        level = prior * beta / (4 * self.label_count * self.parts)

        def lies(one: int, all_: int) -> tuple[Fraction, Fraction]:
            others, off = all_ - one, rest * reach
            most = share_at_most(max(one + reach, 0), max(others - off, 0), level=level)
            least = 1 - share_at_most(max(others + off, 0), max(one - reach, 0), level=level)
            return least, most

        return tuple(tuple(lies(one, sum(part)) for one in part) for part in self.numbers)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        """One line a part: what leads there, its label, and how many of each, with noise."""
        words = label_words(labels, self.label_count)
        told = self.rule.describe(column=column, labels=labels).split("\n")
        if not isinstance(self.rule, TreeRule):
            told = [*told, *(f"where it says {word}" for word in words)]
        reach = self.reach(UNSURE)
        numbers = []
        for part in self.numbers:
            kept = [max(one, 0) for one in part]
            each = ", ".join(f"{word} in {one}" for word, one in zip(words, kept, strict=True))
            numbers.append(f"{each} of {sum(kept)} (each \u00b1 {reach})")
        return _beside(told, numbers)

    def to_dict(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "rule": self.rule.to_dict(),
            "numbers": [list(part) for part in self.numbers],
            "scale": show(self.scale),
        }

    @classmethod
    def from_dict(cls, record: Stored) -> RatedValues:
        rule = _rule(record)
        numbers = tuple(tuple(map(_read, part)) for part in record["numbers"])
        count = label_count(rule)
        if count == 2 or {len(part) for part in numbers} != {count}:
            raise BadInput("a rule of several labels must have a number for each of them")
        if len(numbers) != parts_of(rule):
            raise BadInput("a rule of several labels must have numbers for each of its parts")
        return cls(rule=rule, numbers=numbers, scale=_scale(record))


RATED = frozenset((RatedRule.kind, RatedValues.kind))
"""The kinds of stored rules that hold numbers counted from records."""


def _beside(told: list[str], numbers: list[str]) -> str:
    """The lines of a rule, the last of them with these numbers."""
    plain = len(told) - len(numbers)
    rated = [f"{words}; {number}" for words, number in zip(told[plain:], numbers, strict=True)]
    return "\n".join([*told[:plain], *rated])


def _rule(record: Stored) -> Hypothesis:
    """The rule of a stored one with rates; itself it has none."""
    if RATED & kinds(record["rule"]):
        raise BadInput("a rated rule must have rates of its own parts alone")
    return hypothesis_from_dict(record["rule"])


def _scale(record: Stored) -> Fraction:
    scale = positive(exact(record["scale"], name="scale"), name="scale")
    if scale > _MOST_READ:
        raise BadInput("the noise of a rated rule must be one that its numbers can have")
    return scale


def _read(number: object) -> int:
    """A noisy number of records of a stored rule, of either sign."""
    return below(2 * _MOST_READ + 1, int(str(number)) + _MOST_READ) - _MOST_READ
