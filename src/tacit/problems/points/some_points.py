"""Point functions of listed points only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.problems.points.points import PointRule, counts_by_value
from tacit.tallies.mistakes import AddsUp


@dataclass(frozen=True, slots=True, eq=False)
class SomePoints(AddsUp):
    """``x = p`` for the listed ``points``, ascending and distinct (uint64, or objects)."""

    domain: Integers
    points: Placed
    name: ClassVar[str] = "some-points"

    # By value: whoever follows all runs of a learner knows the law of a list that came before.
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SomePoints):
            return NotImplemented
        return self.domain == other.domain and np.array_equal(self.points, other.points)

    def __hash__(self) -> int:
        return hash((self.domain, tuple(self.points.tolist())))

    @property
    def size(self) -> int:
        return len(self.points)

    def describe(self) -> str:
        return f"{self.size} listed points of {self.domain.describe()}"

    def hypothesis(self, candidate: int) -> PointRule:
        """The rule of one listed point."""
        return PointRule(domain=self.domain, point=int(self.points[candidate]))

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every listed point: the 1s elsewhere plus the 0s on it."""
        values, zeros, ones = counts_by_value(x, y)
        errors = np.full(self.size, int(ones.sum()), dtype=np.int64)
        place = np.searchsorted(self.points, values)
        listed = place < self.size
        listed[listed] = self.points[place[listed]] == values[listed]
        errors[place[listed]] += (zeros - ones)[listed]
        return Flat(errors=errors)
