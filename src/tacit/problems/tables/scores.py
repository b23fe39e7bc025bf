"""Scoring rules: small whole points for the levels of a few columns, and a threshold.

They are halfspaces over a public grid, with a cover of small-integer normals. Tallies of
mistakes are exact: ``scores.proof.md``.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import comb, gcd
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Hypothesis, Labels, hypothesis_kind
from tacit.core.numbers import whole
from tacit.core.records import Stored, below
from tacit.core.respelled import respelled
from tacit.domains.guards import check_cells
from tacit.domains.schema import Schema
from tacit.exact.arrays import Placed, Values
from tacit.exact.landscape import tally
from tacit.exact.levels import Levels
from tacit.problems.tables.records import OverTable, pays
from tacit.problems.tables.table_rule import Cells, TableRule

_MOST_COLUMNS = 3
_HIGHEST = 33  # the highest level of a column
_LARGEST = 1 << 24  # of any number in a stored rule
_MOST_STEPS = 4_000_000_000  # of the loop that counts the mistakes of all rules
_MANY_ROWS = 1_000_000  # what a private number of records counts as when steps are guessed
_AT_ONCE = 1 << 16  # about as many mistakes are listed before they are counted


def spread_levels(cells: Placed, size: int, top: int) -> npt.NDArray[np.int64]:
    """Cells ``0..size-1`` spread over the levels ``0..top``, ends on ends."""
    steps = max(size - 1, 1)
    return (cells.astype(np.int64) * top + steps // 2) // steps


def top_level(schema: Schema, columns: tuple[int, ...]) -> int:
    """The highest level of these columns."""
    return max(1, *(schema.cells[column] - 1 for column in columns))


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRule(TableRule):
    """1 where the points add up to ``threshold`` or more.

    A column's level is its cell, spread over ``0..top``; its points are weight times level.
    """

    kind: ClassVar[str] = "score"
    schema: Schema
    columns: tuple[int, ...]
    weights: tuple[int, ...]
    threshold: int
    top: int

    def of_cells(self, cells: Cells) -> npt.NDArray[np.bool_]:
        score = np.zeros(len(cells), dtype=np.int64)
        for column, weight in zip(self.columns, self.weights, strict=True):
            score += weight * spread_levels(cells[:, column], self.schema.cells[column], self.top)
        return np.asarray(score >= self.threshold)

    @property
    def reads(self) -> tuple[int, ...]:
        """The columns of the schema that the rule asks about: all that it needs."""
        return self.columns

    def paths(self) -> list[tuple[list[str], bool]]:
        """The two cases: when each label is given."""
        return [([f"{self.points()} >= {self.threshold}"], True), (["not so"], False)]

    def points(self) -> str:
        """The score in words."""
        words = ""
        for column, weight in zip(self.columns, self.weights, strict=True):
            sign = (" - " if weight < 0 else " + ") if words else ("-" if weight < 0 else "")
            size = f"{abs(weight)} x " if abs(weight) > 1 else ""
            words += f"{sign}{size}level({self.schema.told[column]})"
        return words

    def legend(self) -> list[str]:
        """How each column's level is read off its value, a line a column."""
        lines = []
        for column in self.columns:
            field, size = self.schema.fields[column], self.schema.cells[column]
            levels = spread_levels(np.arange(size), size, self.top).tolist()
            said = ", ".join(
                f"{level} {words}" for level, words in zip(levels, field.all_cells, strict=True)
            )
            lines.append(f"level({self.schema.told[column]}): {said}")
        return lines

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        del column
        rule = f"{labels[1]} if {self.points()} >= {self.threshold}, else {labels[0]}"
        return "\n".join((rule, *self.legend()))

    def to_dict(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "schema": self.schema.to_dict(),
            "columns": list(self.columns),
            "weights": list(self.weights),
            "threshold": self.threshold,
            "top": self.top,
        }

    @classmethod
    def from_dict(cls, record: Stored) -> ScoreRule:
        schema = Schema.of(record["schema"])
        columns = tuple(below(schema.width, column) for column in record["columns"])
        weights = tuple(int(weight) for weight in record["weights"])
        threshold, top = int(record["threshold"]), below(_LARGEST, record["top"])
        if not columns or len(columns) != len(weights) or top < 1:
            raise ValueError("a weight for each column, and levels above 0")
        if max(abs(number) for number in (*weights, threshold)) >= _LARGEST:
            raise ValueError("scores that no word holds")
        return cls(schema=schema, columns=columns, weights=weights, threshold=threshold, top=top)


@dataclass(frozen=True, slots=True, eq=False)
class _Tallies:
    """Mistakes of all rules, tallied by how many columns they use. Private.

    Each rule of ``k`` columns stands for ``factors[k]`` equal candidates: a public prior.
    """

    scores: Scores
    scan: Any
    kinds: tuple[Levels, ...]

    def __repr__(self) -> str:
        return "Tallies(private)"

    def levels(self) -> Levels:
        used = [pair for pair in zip(self.kinds, self.scores.factors, strict=True) if pair[1]]
        errors = np.unique(np.concatenate([one.errors for one, _ in used]))
        weighed = np.zeros(len(errors), dtype=object)
        for one, factor in used:
            weighed[np.searchsorted(errors, one.errors)] += one.counts.astype(object) * factor
        return Levels(errors, weighed)

    def member(self, error: int, rank: int) -> int:
        for kind, factor in enumerate(self.scores.factors):
            here = _how_many(self.kinds[kind], error) * factor
            if rank < here:
                group, choice, threshold = self.scan(kind, error, rank // factor)
                return self.scores.candidate(kind, group, choice, threshold)
            rank -= here
        raise AssertionError("a rank beyond the tallies")


def _counted(errors: npt.NDArray[np.int64], kept: Levels | None) -> Levels:
    """How many rules make each error, with those that were counted before."""
    counts = np.ones(len(errors), dtype=np.uint64)
    if kept is None:
        return tally(errors, counts)
    return tally(np.concatenate([errors, kept.errors]), np.concatenate([counts, kept.counts]))


def _how_many(levels: Levels, error: int) -> int:
    """How many rules make this error; none, where it is not listed."""
    place = int(np.searchsorted(levels.errors, error))
    listed = place < len(levels.errors) and int(levels.errors[place]) == error
    return int(levels.counts[place]) if listed else 0


@respelled("columns", "most", "fewest", after=1)
@dataclass(frozen=True)
class Scores(OverTable):
    """All rules ``sum of weight * level >= t`` over up to ``columns`` ordered columns.

    Weights are ``±1, ..., ±most`` without a common factor. The public prior gives the rules
    of ``fewest`` to ``columns`` columns about equal shares, number by number.
    """

    schema: Schema
    _: KW_ONLY
    columns: int = 3
    most: int = 2
    fewest: int = 1
    name: ClassVar[str] = "scores"

    def __post_init__(self) -> None:
        columns = whole(self.columns, name="columns", least=1)
        if columns > _MOST_COLUMNS:
            raise BadInput(f"columns must be at most {_MOST_COLUMNS}")
        if not self.ordered:
            raise BadInput("scoring rules need at least one numeric or boolean column")
        object.__setattr__(self, "columns", min(columns, len(self.ordered)))
        object.__setattr__(self, "most", whole(self.most, name="most", least=1))
        object.__setattr__(self, "fewest", whole(self.fewest, name="fewest", least=1))
        if self.fewest > self.columns:
            raise BadInput("fewest must not exceed columns, nor the number of ordered columns")

    @staticmethod
    def fitting(schema: Schema, n: int | None, rate: Fraction) -> Scores:
        """The rules of two columns, and of three where those could pay with ``n`` records.

        Public numbers only: ``pays`` of ``records.py``, and a scan of seconds. Rules of one column
        are left out, for trees have them. A private ``n`` counts as a million for the scan, and
        gets rules of two columns.
        """
        wide = Scores(schema)
        fewest = min(2, wide.columns)
        rows = _MANY_ROWS if n is None else n
        both = Scores(schema, fewest=fewest)
        paid = n is not None and pays(both.least_prior(), n=n, rate=rate)
        if wide.columns > fewest and paid and wide._steps(rows) <= _MOST_STEPS:
            return both
        pairs = Scores(schema, columns=fewest, fewest=fewest)
        return pairs if pairs._steps(rows) <= _MOST_STEPS else Scores(schema, columns=1)

    def _steps(self, rows: int) -> int:
        """About how many steps a scan of the rules with most columns takes."""
        cells: int = (self.top + 1) ** self.columns
        span = self.top * self.most * self.columns
        each = rows + len(self.weights(self.columns - 1)) * (min(rows, cells) + span)
        return comb(len(self.ordered), self.columns) * each

    @cached_property
    def ordered(self) -> tuple[int, ...]:
        """The columns that have levels."""
        fields = enumerate(self.schema.fields)
        return tuple(column for column, field in fields if field.ordered)

    @property
    def top(self) -> int:
        """The highest level: columns of more cells have several to a level."""
        return min(_HIGHEST, top_level(self.schema, self.ordered))

    def weights(self, kind: int) -> list[tuple[int, ...]]:
        """The weights for ``kind + 1`` columns."""
        signed = [w for w in range(-self.most, self.most + 1) if w]
        return [w for w in product(signed, repeat=kind + 1) if gcd(*w) == 1]

    @cached_property
    def _spans(self) -> tuple[tuple[int, ...], ...]:
        """For each kind: the first candidate of each choice of weights, and the end."""
        out = []
        for kind in range(self.columns):
            ends = [0]
            for weights in self.weights(kind):
                ends.append(ends[-1] + self.top * sum(map(abs, weights)) + 1)
            out.append(tuple(ends))
        return tuple(out)

    @cached_property
    def many(self) -> tuple[int, ...]:
        """How many rules there are of one, two, ... columns."""
        wide = len(self.ordered)
        return tuple(comb(wide, kind + 1) * span[-1] for kind, span in enumerate(self._spans))

    @cached_property
    def factors(self) -> tuple[int, ...]:
        """How many candidates each rule of one, two, ... columns stands for; 0 is none."""
        most = max(self.many)
        return tuple(
            most // many if kind + 1 >= self.fewest else 0 for kind, many in enumerate(self.many)
        )

    @property
    def size(self) -> int:
        """How many candidates there are: rules, each counted by its factor."""
        return sum(many * factor for many, factor in zip(self.many, self.factors, strict=True))

    def prior(self, rule: Any) -> Fraction:
        """The public prior of a rule: how many of the candidates it is, or 0."""
        if not self.has(rule):
            return Fraction(0)
        return Fraction(self.factors[len(rule.columns) - 1], self.size)

    def has(self, rule: Hypothesis) -> bool:
        """Whether a rule is one of these."""
        if not isinstance(rule, ScoreRule) or rule.top != self.top:
            return False
        kind = len(rule.columns) - 1
        if not self.fewest <= kind + 1 <= self.columns or rule.weights not in self.weights(kind):
            return False
        least = self.top * sum(min(weight, 0) for weight in rule.weights)
        beyond = rule.threshold - least
        if not 0 <= beyond <= self.top * sum(map(abs, rule.weights)):
            return False
        columns = set(rule.columns)
        return columns <= set(self.ordered) and rule.columns == tuple(sorted(columns))

    def least_prior(self) -> Fraction:
        """The smallest prior of a rule."""
        return Fraction(min(filter(None, self.factors)), self.size)

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        """Rules by their number of columns, and the prior of each."""
        words = ("one column", "two columns", "three columns")
        return tuple(
            (f"scoring rules of {words[kind]}", Fraction(factor, self.size))
            for kind, factor in enumerate(self.factors)
            if factor
        )

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny(), columns=1, most=1)

    def describe(self) -> str:
        """The class in a few words."""
        columns = "column" if self.columns == 1 else "columns"
        return f"scoring rules of {self._counts()} {columns} over {self.schema.describe()}"

    def _counts(self) -> str:
        if self.fewest == self.columns:
            return f"exactly {self.columns}"
        return f"up to {self.columns}" if self.fewest == 1 else f"{self.fewest} to {self.columns}"

    def _groups(self, kind: int) -> list[tuple[int, ...]]:
        return list(combinations(range(len(self.ordered)), kind + 1))

    def candidate(self, kind: int, group: int, choice: int, threshold: int) -> int:
        """The number of one rule."""
        span = self._spans[kind]
        return sum(self.many[:kind]) + group * span[-1] + span[choice] + threshold

    def hypothesis(self, candidate: int) -> ScoreRule:
        """The rule of one number."""
        kind = 0
        while candidate >= self.many[kind]:
            candidate -= self.many[kind]
            kind += 1
        span = self._spans[kind]
        group, inside = divmod(candidate, span[-1])
        choice = max(place for place, first in enumerate(span[:-1]) if first <= inside)
        weights = self.weights(kind)[choice]
        least = self.top * sum(min(weight, 0) for weight in weights)
        return ScoreRule(
            schema=self.schema,
            columns=tuple(self.ordered[column] for column in self._groups(kind)[group]),
            weights=weights,
            threshold=inside - span[choice] + least,
            top=self.top,
        )

    def prepare(self) -> None:
        """Compile the loop that counts mistakes."""
        from tacit.problems.tables.warm import warm_scores

        warm_scores()

    def landscape(
        self, x: Placed, y: npt.NDArray[np.bool_], costs: tuple[int, int] = (1, 1)
    ) -> _Tallies:
        """Mistakes of every rule, each as often as it costs, tallied.

        Only mistakes that some rule makes are kept: never more than there are rules, however
        much all records cost.
        """
        from tacit.problems.tables.score_kernels import scan_scores

        check_cells(x, y, self.schema.cells)
        wide = len(self.ordered)
        levels = np.zeros((wide + 1, len(y)), dtype=np.int64)
        for place, column in enumerate(self.ordered):
            levels[place] = spread_levels(x[:, column], self.schema.cells[column], self.top)
        gains = np.where(y, costs[1], -costs[0]).astype(np.int64)

        def rules(kind: int) -> tuple[Values, Values]:
            pad = _MOST_COLUMNS - kind - 1
            groups = [(*group, *(wide,) * pad) for group in self._groups(kind)]
            weights = [(*weight, *(0,) * pad) for weight in self.weights(kind)]
            return np.array(groups, dtype=np.int64), np.array(weights, dtype=np.int64)

        def scan(kind: int, wanted: int, rank: int) -> object:
            none = np.empty(0, dtype=np.int64)
            return scan_scores(levels, gains, *rules(kind), self.top, none, wanted, rank)

        def tallied(kind: int) -> Levels:
            groups, weights = rules(kind)
            each = self._spans[kind][-1]
            kept, first = None, 0
            while first < len(groups):
                listed = 0 if kept is None else len(kept.errors)
                # As many as are kept: merging takes no longer than counting.
                some = groups[first : first + max(1, max(listed, _AT_ONCE) // each)]
                errors = np.empty(len(some) * each, dtype=np.int64)
                scan_scores(levels, gains, some, weights, self.top, errors, -1, 0)
                kept = _counted(errors, kept)
                first += len(some)
            assert kept is not None
            return kept

        kinds = tuple(tallied(kind) for kind in range(self.columns))
        return _Tallies(scores=self, scan=scan, kinds=kinds)
