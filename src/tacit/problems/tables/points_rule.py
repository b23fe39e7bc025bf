"""What rules share that add up points: a start, a threshold, and the logarithm of the odds."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tacit.core import Labels
from tacit.core.records import below
from tacit.problems.tables.table_rule import Cells, TableRule

POINTS = 20
"""Points for one unit of the logarithm of the odds, where no gaps were capped."""
MOST_POINTS = 30
"""A leaf or a cell adds or takes at most so many."""
MOST_START = 100
"""The start adds or takes at most so many."""
_MOST_READ = 10**9
"""Points in a file: more than any of ours has."""


class PointsRule(TableRule):
    """1 where a record's points and those of the start add up to more than the threshold.

    What is one is a frozen dataclass with these fields.
    """

    __slots__ = ()
    start: int
    threshold: int

    @abstractmethod
    def points(self, cells: Cells) -> npt.NDArray[np.int64]:
        """The points of every placed row, with those of the start."""

    @property
    @abstractmethod
    def range(self) -> tuple[int, int]:
        """Between which numbers all points lie."""

    def of_cells(self, cells: Cells) -> npt.NDArray[np.bool_]:
        return np.asarray(self.points(cells) > self.threshold)

    def saying(self, *, label: bool) -> Self:
        """The same points, with a threshold that gives everybody this label."""
        least, most = self.range
        return self.at(least - 1 if label else most)

    def at(self, threshold: int) -> Self:
        """The same points with another threshold."""
        return replace(self, threshold=threshold)  # type: ignore[type-var]

    @property
    def always(self) -> bool | None:
        """The label of everybody, where no points reach the threshold or all pass it."""
        least, most = self.range
        return False if most <= self.threshold else True if least > self.threshold else None

    def score(self, x: Any) -> npt.NDArray[np.int64]:
        """The points of every row; the more, the likelier label 1."""
        return self.points(self.place(x))

    def log_odds(self, x: Any) -> npt.NDArray[np.float64]:
        """The estimated logarithm of the odds of label 1 in every row: twenty points a unit."""
        return np.asarray(self.score(x) / POINTS)

    def headed(self, labels: Labels, *, ranks: bool) -> list[str]:
        """The first lines of a card: what the points decide; ``ranks`` whether there are some."""
        always = self.always
        if always is None:
            more = f"if the points add up to more than {self.threshold}"
            return [f"{labels[1]} {more}, else {labels[0]}", f"start: {self.start:+d}"]
        lines = [f"always: {labels[int(always)]}"]
        if ranks:
            lines.append(f"points that only rank: the more, the likelier {labels[1]}")
            lines.append(f"start: {self.start:+d}")
        return lines


def read_points(number: object) -> int:
    """Points that somebody else wrote: no sum of a file's points can overflow."""
    return below(2 * _MOST_READ + 1, int(str(number)) + _MOST_READ) - _MOST_READ
