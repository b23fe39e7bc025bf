"""Count records batch by batch: the only way in which a mechanism touches many of them.

A tally is a commutative monoid over batches. What it counts does not depend on how the
records are cut into batches, in which order these come, or which machine adds them up:
every engine gives the same integers, and only the counts travel.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from tacit.core.source import Batch

S = TypeVar("S")


class Tally(Protocol[S]):
    """Counts of records, described by public parameters alone.

    A counter ``S`` holds integers and is private. For all batches and counters:

    - ``merge`` is associative and commutative, and ``zero()`` is its neutral element;
    - ``add(merge(a, b), batch)`` equals ``merge(a, add(b, batch))``;
    - adding a batch equals adding its records one by one, in any order.

    ``add`` and ``merge`` may change and return their first counter.
    """

    def zero(self) -> S:
        """The counter of no records."""
        ...

    def add(self, counter: S, batch: Batch) -> S:
        """The counter with the records of ``batch`` added."""
        ...

    def merge(self, left: S, right: S) -> S:
        """The counter of the records of both."""
        ...


class Settles(ABC, Generic[S]):
    """A tally whose counter may hold a few records that wait to be counted together."""

    __slots__ = ()

    @abstractmethod
    def finished(self, counter: S) -> S:
        """The same counter with nothing that waits: only this may travel."""


class Records(Protocol):
    """Something that can show all its records to a tally, as often as it is asked.

    Every fold of one object sees the same records.
    """

    def fold(self, tally: Tally[S]) -> S:
        """The counter of all records."""
        ...


class Glimpsed(ABC):
    """Records of which some can be counted quickly, to guess what all of them will need."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int:
        """How many records there are."""

    @abstractmethod
    def glimpse(self, tally: Tally[S]) -> S | None:
        """The counter of some of the records, any; ``None`` where that is no gain."""


class Named(ABC):
    """Records of a table whose columns have names, of which fewer can be read."""

    __slots__ = ()

    @abstractmethod
    def only(self, columns: Iterable[str]) -> Streamed:
        """The same records with these columns and the labels; other columns may be left too."""


class Streamed(ABC):
    """A sample that is read in batches; a mechanism that counts need not hold the records.

    Implements ``Records``. Column 0 of a batch is what ``x`` of the whole sample would be for
    its records, column 1 their labels as truth values. A third column, where there is one, says
    which labels were declared.
    """

    __slots__ = ()

    @abstractmethod
    def fold(self, tally: Tally[S]) -> S:
        """The counter of all records."""

    @abstractmethod
    def __len__(self) -> int:
        """How many records there are."""


def fold(batches: Iterable[Batch], tally: Tally[S]) -> S:
    """Add up all batches, one after the other, in this thread."""
    counter = tally.zero()
    for batch in batches:
        counter = tally.add(counter, batch)
    return counter
