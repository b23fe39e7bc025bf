"""Short lists of rules over a table, for budgets that can tell only a few candidates apart.

A selection pays for every candidate it could have named. Where records times epsilon is small,
a short list beats a rich class: one coarse question, or the total of all columns. Landscapes
are exact: ``short_lists.proof.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Hypothesis
from tacit.domains.schema import Schema
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.problems.tables.equally_likely import EquallyLikely
from tacit.problems.tables.products import costs_in_all
from tacit.problems.tables.scores import ScoreRule, spread_levels, top_level
from tacit.problems.tables.tree_nodes import Cut
from tacit.problems.tables.trees import TreeRule, Trees

_PARTS = 8
"""Columns and totals are cut at eighths: of ``p`` places the last is missed by ``n/(2p)`` records
at most where they are evenly spread, and choosing costs ``ln(p)/rate`` mistakes, together least
at ``p = n * rate / 2``; short lists are drawn from alone where that is between 5 and 20."""


@dataclass(frozen=True)
class FewCuts(EquallyLikely):
    """A constant label, or one question at a coarse place of one column.

    A column of ordered cells is cut at no more than seven places, evenly spread; an unordered
    one is asked for each category. The two answers have different labels.
    """

    schema: Schema
    name: ClassVar[str] = "few cuts"

    @cached_property
    def cuts(self) -> tuple[Cut, ...]:
        """The questions, column by column."""
        return tuple(
            cut
            for cut in Trees(self.schema, depth=1).cuts
            if not cut.ordered or cut.cell + 1 in _evenly(self.schema.cells[cut.column])
        )

    @property
    def size(self) -> int:
        return 2 + 2 * len(self.cuts)

    def describe(self) -> str:
        return f"a constant label or one of {len(self.cuts)} questions on {self.schema.describe()}"

    def hypothesis(self, candidate: int) -> TreeRule:
        """Constants 0 and 1; then each question, its low side 0 and its low side 1."""
        if candidate < 2:
            return TreeRule(schema=self.schema, root=bool(candidate))
        place, low = divmod(candidate - 2, 2)
        return TreeRule(schema=self.schema, root=(self.cuts[place], bool(low), not low))

    def has(self, rule: Hypothesis) -> bool:
        """Whether a rule is one of these."""
        if not isinstance(rule, TreeRule) or isinstance(rule.root, int):
            return isinstance(rule, TreeRule)
        cut, low, high = rule.root
        return cut in self.cuts and isinstance(low, int) and high is (not low)

    def landscape(
        self, x: Placed, y: npt.NDArray[np.bool_], costs: tuple[int, int] = (1, 1)
    ) -> Flat:
        """Mistakes of every candidate, each as often as it costs."""
        zeros, ones = costs_in_all(y, costs)
        errors = [ones, zeros]
        counts: dict[int, npt.NDArray[np.int64]] = {}
        for cut in self.cuts:
            if cut.column not in counts:
                places = 2 * x[:, cut.column].astype(np.int64) + y
                by_cell = np.bincount(places, minlength=2 * self.schema.cells[cut.column])
                counts[cut.column] = by_cell.reshape(-1, 2) * np.array(costs)
            cells = counts[cut.column]
            first = 0 if cut.ordered else cut.cell
            zeros_low, ones_low = (int(c) for c in cells[first : cut.cell + 1].sum(axis=0))
            low_zero = ones_low + zeros - zeros_low
            errors += [low_zero, zeros + ones - low_zero]
        return Flat(np.array(errors, dtype=np.int64))


@dataclass(frozen=True)
class Totals(EquallyLikely):
    """A constant label, or the total of all ordered columns' levels against a threshold.

    Unit weights for everything: Dawes' "improper linear model". The threshold is one of at
    most seven, evenly spread; either side may be 1.
    """

    schema: Schema
    name: ClassVar[str] = "totals"

    def __post_init__(self) -> None:
        if not self.columns:
            raise BadInput("totals need at least one numeric or boolean column")

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The columns that are added up."""
        fields = enumerate(self.schema.fields)
        return tuple(column for column, field in fields if field.ordered)

    @property
    def top(self) -> int:
        """The highest level."""
        return top_level(self.schema, self.columns)

    @cached_property
    def thresholds(self) -> tuple[int, ...]:
        """``0`` (always reached), then the evenly spread ones."""
        most = self.top * len(self.columns)
        return (0, *sorted({-(-most * part // _PARTS) for part in range(1, _PARTS)}))

    @property
    def size(self) -> int:
        return 2 * len(self.thresholds)

    def describe(self) -> str:
        return (
            f"a constant label or the total of {len(self.columns)} columns against one of "
            f"{len(self.thresholds) - 1} thresholds over {self.schema.describe()}"
        )

    def hypothesis(self, candidate: int) -> ScoreRule:
        """For each threshold: 1 from there on, and 1 below it."""
        place, below = divmod(candidate, 2)
        sign, threshold = (-1, 1 - self.thresholds[place]) if below else (1, self.thresholds[place])
        return ScoreRule(
            schema=self.schema,
            columns=self.columns,
            weights=(sign,) * len(self.columns),
            threshold=threshold,
            top=self.top,
        )

    def has(self, rule: Hypothesis) -> bool:
        """Whether a rule is one of these."""
        return isinstance(rule, ScoreRule) and rule in map(self.hypothesis, range(self.size))

    def landscape(
        self, x: Placed, y: npt.NDArray[np.bool_], costs: tuple[int, int] = (1, 1)
    ) -> Flat:
        """Mistakes of every candidate, each as often as it costs."""
        total = np.zeros(len(y), dtype=np.int64)
        for column in self.columns:
            total += spread_levels(x[:, column], self.schema.cells[column], self.top)
        every = sum(costs_in_all(y, costs))
        errors = []
        for threshold in self.thresholds:
            alarm = total >= threshold
            wrong = costs[0] * int(np.count_nonzero(alarm & ~y))
            wrong += costs[1] * int(np.count_nonzero(~alarm & y))
            errors += [wrong, every - wrong]
        return Flat(np.array(errors, dtype=np.int64))


def _evenly(cells: int) -> set[int]:
    """After how many cells to cut: at most seven places between 1 and ``cells - 1``."""
    return {-(-cells * part // _PARTS) for part in range(1, _PARTS)} - {cells}
