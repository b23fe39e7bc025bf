"""Listed concepts of an explicit class only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.problems.finite.listed import Table, TableRule
from tacit.tallies.mistakes import AddsUp


@dataclass(frozen=True, slots=True)
class SomeConcepts(AddsUp):
    """The rows ``kept`` of a ``Table``; a rule keeps the number of its row there."""

    base: Table
    kept: tuple[int, ...]
    name: ClassVar[str] = "some-concepts"

    @property
    def size(self) -> int:
        return len(self.kept)

    @property
    def domain(self) -> Integers:
        return self.base.domain

    def describe(self) -> str:
        return f"{self.size} rows of {self.base.describe()}"

    def hypothesis(self, candidate: int) -> TableRule:
        """The rule of one kept row."""
        return self.base.hypothesis(self.kept[candidate])

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every kept row."""
        return Table(self.base.matrix[list(self.kept)]).landscape(x, y)
