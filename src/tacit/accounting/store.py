"""Where a ledger's entries are kept: what every store offers, and the one in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from tacit.accounting.about import About
from tacit.accounting.budget import Budget
from tacit.accounting.entry import Entry, new_entry
from tacit.core import BudgetRefused, Event


class Page(Protocol):
    """A consistent view of the entries for the length of one ``with`` block."""

    def after(self, last: Entry | None) -> Iterator[Entry]:
        """The entries that follow ``last``, checked against its digest."""
        ...

    def append(
        self,
        event: Event | None,
        *,
        note: str,
        about: About,
        last: Entry | None,
        release: str = "",
    ) -> Entry:
        """Add an entry after ``last``, the newest one; only inside ``writing()``."""
        ...


class Store(Protocol):
    """Append-only entries under a fixed budget.

    A ``writing()`` block is exclusive among all threads and processes that share the
    store; what it appended is durable once the block is left, and gone if it raises.
    """

    @property
    def budget(self) -> Budget: ...
    @property
    def path(self) -> str | None: ...
    @property
    def identity(self) -> str | None: ...
    def check_writable(self) -> None:
        """Raise ``BudgetRefused`` if this process may never append."""
        ...

    def reading(self) -> AbstractContextManager[Page]: ...
    def writing(self) -> AbstractContextManager[Page]: ...


class MemoryStore:
    """Entries in this process. ``home`` is the number of the only process that may append.

    The ledger's lock makes its blocks exclusive; a copy in another process could spend
    the same budget again, so it may not spend at all. A fork leaves its copy without a home
    (``forked``): the system may give a process number a second time.
    """

    def __init__(self, budget: Budget, *, home: int | None) -> None:
        self.budget = budget
        self.path = None
        self.identity = None
        self.home = home
        self.rows: list[Entry] = []

    def check_writable(self) -> None:
        """Refuse to write in a copy of this store."""
        if self.home != os.getpid():
            raise BudgetRefused(
                "this is a copy of a ledger that lives in another process's memory, and a copy "
                "cannot spend; use Ledger.open(path) to share one budget among several processes"
            )

    def forked(self) -> None:
        """Know that this is a copy."""
        self.home = None

    @contextmanager
    def reading(self) -> Iterator[Page]:
        """A view of the entries."""
        yield self

    @contextmanager
    def writing(self) -> Iterator[Page]:
        """A view that may append; the one append of a block is its last step."""
        yield self

    def after(self, last: Entry | None) -> Iterator[Entry]:
        """The entries that follow ``last``."""
        start = 0 if last is None else last.index
        return iter(self.rows[start:])

    def append(
        self,
        event: Event | None,
        *,
        note: str,
        about: About,
        last: Entry | None,
        release: str = "",
    ) -> Entry:
        """Add an entry."""
        entry = new_entry(event, note=note, about=about, last=last, release=release)
        self.rows.append(entry)
        return entry
