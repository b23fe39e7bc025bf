"""Counts that stay in the memory of one process and answer questions there."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from tacit.core import ZCDP, BadInput, Event, Mechanism, Pure, Relation, Sample, Sampler
from tacit.core.numbers import positive
from tacit.exact.entropy import here
from tacit.problems.finite.queries import histogram, too_large
from tacit.tallies.distinct import features

Values: TypeAlias = npt.NDArray[np.bool_]
"""A question: for every value of the domain whether it is counted."""

Reader: TypeAlias = Callable[[tuple[int, ...]], Values | None]
"""Who asks: the next question, given all that was answered; ``None`` ends it."""


class Conversation(ABC):
    """Hold counts and answer questions about them; it is never written or copied.

    ``history``  what a reader may know, question by question.
    """

    def __init__(self, concepts: Any, data: Sample, rng: Sampler) -> None:
        self._counts = histogram(concepts, features(data))  # [P1]
        self._n, self._rng = int(self._counts.sum()), rng
        self._home, self._lock = here(), threading.Lock()
        self.history: list[int] = []

    def ask(self, wanted: Values) -> Fraction:
        """The fraction of records whose value is wanted, as it is told to the reader."""
        if wanted.shape != self._counts.shape or wanted.dtype != bool:
            raise BadInput(f"a question needs one true or false for each of {len(self._counts)}")
        if self._home != here():
            raise BadInput("questions are answered in the process that opened the records")
        with self._lock:
            told = self._told(wanted, int(self._counts[wanted].sum()))  # [P2]
        return Fraction(told, max(1, self._n))

    @abstractmethod
    def _told(self, wanted: Values, truth: int) -> int:
        """The count that is told; ``truth`` is the true one."""

    @property
    @abstractmethod
    def asked(self) -> int:
        """How many questions were answered."""

    @property
    @abstractmethod
    def left(self) -> int:
        """What is left of what was paid for: corrections, or questions."""

    def told_to(self, reader: Reader) -> tuple[int, ...]:
        """All that ``reader`` sees."""
        while (wanted := reader(tuple(self.history))) is not None:
            self.ask(wanted)
        return tuple(self.history)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.asked} answers, {self.left} left)"

    def __copy__(self) -> Conversation:
        return self

    def __deepcopy__(self, memo: object) -> Conversation:
        del memo
        return self

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a conversation holds private counts: it cannot be written or sent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening(Mechanism[Sample, Conversation | tuple[int, ...]]):
    """Open a conversation about sets of the values of ``concepts``, paid for as a whole.

    Give ``epsilon`` (pure) or ``rho`` (zCDP). ``reader`` is a function that asks; then all that it
    sees is released, and no conversation.
    """

    RELATION: ClassVar[Relation] = Relation.REPLACE_ONE

    concepts: Any
    epsilon: Fraction | None = None
    rho: Fraction | None = None
    reader: Reader | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if (self.epsilon is None) == (self.rho is None):
            raise BadInput("give either epsilon= or rho= for questions one by one")
        if self.epsilon is not None:
            object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        if self.rho is not None:
            object.__setattr__(self, "rho", positive(self.rho, name="rho"))
        reason = too_large(self.concepts)
        if reason:
            raise BadInput(f"answering one by one {reason}")

    def event(self) -> Event:
        if self.rho is not None:
            return ZCDP(rho=self.rho, relation=self.RELATION)
        assert self.epsilon is not None
        return Pure(epsilon=self.epsilon, relation=self.RELATION)

    def streams(self, n: int | None) -> bool:  # noqa: ARG002 - counts of any number
        return True

    @abstractmethod
    def opened(self, data: Sample, rng: Sampler) -> Conversation:
        """The conversation before the first question."""

    def _release(self, data: Sample, *, rng: Sampler) -> Conversation | tuple[int, ...]:
        talk = self.opened(data, rng)
        return talk if self.reader is None else talk.told_to(self.reader)
