"""What a learner says, from public numbers alone, about the rules that it may release."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from tacit.core.hypothesis import Hypothesis
from tacit.core.relation import Relation


class Drawer(ABC):
    """A learner whose rules have a public prior, fixed before the records are read.

    ``prior(rule)``    the prior of a rule that it may release, or anything below it; over all
                       rules these sum to at most 1.
    ``least_prior``    not above the prior of any rule that it may release.
    ``comparators()``  kinds of rules that one draw is compared with: in words, and their least
                       prior. None where the rule does not come from one draw.
    ``lost(beta)``     with probability ``1 - beta`` over its own coins, on every table, its rule
                       makes at most so many mistakes more than the best of ``compared_with``.
    ``drawn_from``, ``compared_with``  classes in words.
    """

    __slots__ = ()

    if TYPE_CHECKING:  # fields of the learners

        @property
        def epsilon(self) -> Fraction: ...
        @property
        def relation(self) -> Relation: ...

    @property
    @abstractmethod
    def least_prior(self) -> Fraction: ...
    @property
    @abstractmethod
    def drawn_from(self) -> str: ...
    @property
    @abstractmethod
    def compared_with(self) -> str: ...
    @abstractmethod
    def prior(self, rule: Hypothesis) -> Fraction: ...
    @abstractmethod
    def comparators(self) -> tuple[tuple[str, Fraction], ...]: ...
    @abstractmethod
    def lost(self, beta: Fraction) -> Fraction: ...


class Measuring(ABC):
    """A mechanism that releases a rule with a noisy count of its mistakes (``found``).

    ``count(found)``   the epsilon that paid for the count.
    ``draws``          of how many counts the released one may be the least, on average.
    ``prior_of``, ``drawn_from``  of the rule: its public prior, and the class in words.
    ``drawer``         the learner, where the rule comes from one draw; else ``None``.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def draws(self) -> int: ...
    @property
    @abstractmethod
    def drawer(self) -> Drawer | None: ...
    @abstractmethod
    def count(self, found: Found) -> Fraction: ...
    @abstractmethod
    def prior_of(self, found: Found) -> Fraction: ...
    @abstractmethod
    def drawn_from(self, found: Found) -> str: ...


class Found(Protocol):
    """A rule, and its mistakes on the records that it was learned from, plus noise."""

    @property
    def rule(self) -> Hypothesis: ...
    @property
    def noisy_mistakes(self) -> int: ...
