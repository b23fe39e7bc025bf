"""Counts that stay in the memory of one process and answer questions there."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Sample, Sampler
from tacit.core.numbers import positive
from tacit.exact.entropy import here
from tacit.problems.finite.queries import histogram
from tacit.tallies.distinct import features

Values: TypeAlias = npt.NDArray[np.bool_]
"""A question: for every value of the domain whether it is counted."""

Reader: TypeAlias = Callable[[tuple[int, ...]], Values | None]
"""Who asks: the next question, given all that was answered; ``None`` ends it."""


def one_of(
    epsilon: Fraction | None, rho: Fraction | None
) -> tuple[Fraction | None, Fraction | None]:
    """Both as they are, checked: exactly one is given, and it is positive."""
    if (epsilon is None) == (rho is None):
        raise BadInput("give either epsilon= or rho= for questions one by one")
    if epsilon is not None:
        return positive(epsilon, name="epsilon"), None
    assert rho is not None
    return None, positive(rho, name="rho")


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
