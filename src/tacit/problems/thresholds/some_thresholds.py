"""Thresholds at listed cuts only, and points of which none may be the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import Hypothesis
from tacit.domains.integers import Integers
from tacit.domains.reals import Floats
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.problems.finite.constant import NEVER
from tacit.problems.points.some_points import SomePoints
from tacit.problems.reals.real_cuts import MOST_RULES, most_steps, steps
from tacit.problems.thresholds.thresholds import ThresholdRule, Thresholds
from tacit.tallies.mistakes import AddsUp


@dataclass(frozen=True, slots=True, eq=False)
class SomeThresholds(AddsUp):
    """The thresholds of ``base`` at the listed ``boundaries``, ascending and distinct."""

    base: Thresholds
    boundaries: tuple[int, ...]
    name: ClassVar[str] = "some-thresholds"

    @property
    def domain(self) -> Integers:
        return self.base.domain

    @property
    def size(self) -> int:
        return len(self.boundaries)

    def describe(self) -> str:
        return f"{self.size} listed {self.base.describe()}"

    def hypothesis(self, candidate: int) -> ThresholdRule:
        """The rule of one listed boundary."""
        return self.base.hypothesis(self.boundaries[candidate])

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes at every listed boundary, from one pass over the records."""
        high = y if self.base.orientation == ">=" else ~y
        # As objects, so that a boundary beyond 64 bits compares as the number it is.
        kind = np.uint64 if self.domain.size < 1 << 63 else object
        edges = np.array(self.boundaries, dtype=kind)
        passed = np.searchsorted(edges, x.astype(kind, copy=False), side="right")
        both = np.bincount(2 * passed + high, minlength=2 * self.size + 2).reshape(-1, 2)
        # A record that lies below boundary i has passed at most i boundaries.
        ones_below = np.cumsum(both[:, 1])[: self.size]
        zeros_above = len(x) - int(high.sum()) - np.cumsum(both[:, 0])[: self.size]
        return Flat(errors=ones_below + zeros_above)


@dataclass(frozen=True, slots=True)
class ThresholdsOnRecords:
    """Thresholds as covers on given records see them: cuts at their values."""

    base: Thresholds
    name: ClassVar[str] = "thresholds-on-records"
    listed: ClassVar[int] = MOST_RULES
    """The most rules that are listed on records."""
    support: ClassVar[int] = 1
    """How many records decide a rule of ``cover_on``."""
    vc: ClassVar[int] = 1

    @property
    def domain(self) -> Integers:
        return self.base.domain

    @property
    def size(self) -> int:
        return self.base.size

    def describe(self) -> str:
        return self.base.describe()

    def cover_on(self, x: Placed | Floats, reach: int) -> SomeThresholds:
        """Thresholds of which one disagrees with any given one on ``reach`` records at most."""
        values, counts = np.unique(x, return_counts=True)
        cuts = [*(int(value) for value in values), self.domain.size]
        below = np.concatenate(([0], np.cumsum(counts)))
        if cuts[0] < self.base.first:  # a cut that the class has not, nor needs
            cuts, below = cuts[1:], below[1:]
        return SomeThresholds(self.base, tuple(cuts[place] for place in steps(below, reach)))

    def most_on(self, records: int, reach: int) -> int:
        """How large ``cover_on`` can get on this many records."""
        return most_steps(records, reach)

    def rules_on(self, records: int) -> int:
        """How many rules can be made from this many records: a cut at one, or none."""
        return records + 1


@dataclass(frozen=True, slots=True, eq=False)
class PointsOrNothing(AddsUp):
    """The listed points and, as the last candidate, the rule that is always 0."""

    points: SomePoints
    name: ClassVar[str] = "points-or-nothing"

    @property
    def domain(self) -> Integers:
        return self.points.domain

    @property
    def size(self) -> int:
        return self.points.size + 1

    def describe(self) -> str:
        return f"{self.points.describe()}, or nothing"

    def hypothesis(self, candidate: int) -> Hypothesis:
        """The rule of one listed point, or 0 everywhere."""
        return NEVER if candidate == self.points.size else self.points.hypothesis(candidate)

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every listed point, and of saying 0 everywhere."""
        listed = self.points.landscape(x, y).errors
        return Flat(errors=np.append(listed, np.int64(np.count_nonzero(y))))
