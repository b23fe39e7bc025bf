"""Sources that several threads read side by side, each a part of the records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from threading import Lock
from typing import TypeVar

from tacit.core.source import Batch

T = TypeVar("T")
U = TypeVar("U")
MANY_ROWS = 1 << 18
"""So few records are read by one thread alone."""


class Shared(ABC):
    """A source whose records can be read in several parts at once."""

    @abstractmethod
    def shares(self, columns: Sequence[str], parts: int) -> list[Iterator[Batch]]:
        """These columns in at most so many parts, each record in one of them; no order is kept.

        One part alone where more are no gain.
        """


class OneAtATime(Iterator[T]):
    """What an iterator gives, handed out to whichever thread asks next."""

    def __init__(self, every: Iterator[T]) -> None:
        self._every, self._lock = every, Lock()

    def __next__(self) -> T:
        with self._lock:
            return next(self._every)


def side_by_side(work: Callable[[U], T], parts: Sequence[U]) -> list[T]:
    """The work of every part, each in a thread of its own where there is more than one."""
    if len(parts) == 1:
        return [work(parts[0])]
    contexts = [copy_context() for _ in parts]
    with ThreadPoolExecutor(len(parts)) as pool:
        begun = [
            pool.submit(context.run, work, part)
            for context, part in zip(contexts, parts, strict=True)
        ]
    return [one.result() for one in begun]


def dealt(count: int, parts: int) -> list[range]:
    """The numbers ``0, ..., count - 1`` in so many parts of about the same length."""
    return [range(part, count, parts) for part in range(max(1, min(parts, count)))]
