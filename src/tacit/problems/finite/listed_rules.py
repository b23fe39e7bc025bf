"""A handful of rules, written out, as a class to select from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import Domain, Hypothesis
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.tallies.mistakes import AddsUp


@dataclass(frozen=True, slots=True)
class ListedRules(AddsUp):
    """Rules over one domain; equal ones are allowed and weigh double."""

    domain: Domain
    rules: tuple[Hypothesis, ...]
    name: ClassVar[str] = "listed-rules"

    @property
    def size(self) -> int:
        return len(self.rules)

    def describe(self) -> str:
        return f"{self.size} listed rules over {self.domain.describe()}"

    def hypothesis(self, candidate: int) -> Hypothesis:
        """The rule at one place of the list."""
        return self.rules[candidate]

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every rule."""
        errors = [int(np.count_nonzero(rule.predict(x) != y)) for rule in self.rules]
        return Flat(errors=np.array(errors, dtype=np.int64))
