"""How much of the machine a release may use: public settings on which no law depends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Protocol

from tacit.core.errors import BadInput

_LEAST_MEMORY = 64 * 10**6


class Watch(Protocol):
    """Someone who is told how far a pass over records has come."""

    def begin(self, rows: int) -> None:
        """A pass over so many records begins."""
        ...

    def read(self, rows: int) -> None:
        """So many more records of the pass have been read."""
        ...


class _Nobody:
    """Nobody watches."""

    def begin(self, rows: int) -> None:
        pass

    def read(self, rows: int) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Resources:
    """What a release may use.

    ``threads``       at most so many; by default one for each processor, at most 8.
    ``memory``        at most so many bytes for records that are held. Who counts then holds
                      fewer and passes over the records more often; an algorithm that must hold
                      them all is refused before the charge where they need more.
    ``fixed_passes``  pass over the records as often whatever they are: an order is then searched
                      by sorting all of them in memory.
    """

    threads: int | None = None
    memory: int | None = None
    fixed_passes: bool = False
    watch: Watch = field(default_factory=_Nobody)

    def __post_init__(self) -> None:
        if self.threads is not None and self.threads < 1:
            raise BadInput("threads must be at least 1")
        if self.memory is not None and self.memory < _LEAST_MEMORY:
            least = f"{_LEAST_MEMORY // 10**6} MB"
            raise BadInput(f"a memory limit below {least} leaves no room for counting")

    @property
    def workers(self) -> int:
        """How many threads count: as many as allowed, or the processors that this process may run
        on, at most 8.
        """
        if self.threads is not None:
            return self.threads
        return min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)


_current: ContextVar[Resources] = ContextVar("resources")
_DEFAULT = Resources()


def resources() -> Resources:
    """What the release that is under way may use."""
    return _current.get(_DEFAULT)


@contextmanager
def using(allowed: Resources) -> Iterator[None]:
    """Releases inside use no more than ``allowed``."""
    token = _current.set(allowed)
    try:
        yield
    finally:
        _current.reset(token)
