"""Lists of rules that are all equally likely before the records are read."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tacit.core import Counted, Hypothesis
from tacit.problems.tables.records import OverTable


@runtime_checkable
class ListedRules(Counted, Protocol):
    """A finite class over a table with a public prior: what a selection from it may release."""

    @property
    def size(self) -> int: ...
    def prior(self, rule: Hypothesis) -> Fraction: ...
    def least_prior(self) -> Fraction: ...
    def comparators(self) -> tuple[tuple[str, Fraction], ...]: ...


@runtime_checkable
class Kind(ListedRules, Protocol):
    """Listed rules that know their own: what a draw from several kinds needs.

    ``landscape`` counts a mistake on a record of label 0 or 1 ``costs[0]`` or ``costs[1]`` times.
    """

    def has(self, rule: Hypothesis) -> bool: ...
    def landscape(
        self, x: npt.NDArray[Any], y: npt.NDArray[np.bool_], costs: tuple[int, int] = (1, 1)
    ) -> Any: ...


class EquallyLikely(OverTable):
    """The prior of a list: every candidate has the same."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many candidates there are."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What the class is called."""

    @abstractmethod
    def has(self, rule: Hypothesis) -> bool:
        """Whether a rule is one of these."""

    def prior(self, rule: Hypothesis) -> Fraction:
        """The same for every rule of the list, and 0 for any other."""
        return self.least_prior() if self.has(rule) else Fraction(0)

    def least_prior(self) -> Fraction:
        """One over the number of candidates."""
        return Fraction(1, self.size)

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        """All rules of the list."""
        return ((f"all {self.name}", self.least_prior()),)
