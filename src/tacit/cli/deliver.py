"""Deliver a paid release: kept on disk first, then written where asked, then shown.

The finished release, and nothing else, is kept beside the ledger until it has arrived;
``tacit budget recover`` hands it over again. Exit code 5 says that it did not arrive.
"""

from __future__ import annotations

import io
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tacit.accounting import Entry
from tacit.accounting.about import present
from tacit.cli import silence
from tacit.cli.outputs import NotWritten, Outputs, Target
from tacit.core import BudgetRefused, NotDelivered, Release, SourceChanged, TacitError
from tacit.report.release_file import release_text

if TYPE_CHECKING:
    from rich.console import Console

    from tacit.accounting import Ledger
    from tacit.accounting.postgres import PostgresStore

_UNDELIVERED = ".undelivered-"
_BEGUN: list[Delivery] = []
"""The paid commands that the present call of ``main`` has begun."""


def begin() -> None:
    """Forget what earlier commands of this process have begun: an interrupt is not theirs."""
    _BEGUN.clear()


def spent_outside() -> str:
    """What to say of an interrupt that no paid command was there to tell of."""
    if not _BEGUN:
        return "nothing was spent"
    return f"{_BEGUN[-1].spent()}; {_BEGUN[-1].where()}"


class Interrupted(TacitError):
    """Ctrl-C; the message says what was spent."""

    exit_code = 130


@dataclass(frozen=True)
class Waiting:
    """A release that was paid for and kept with its ledger, because it never arrived."""

    name: str
    read: Callable[[], str]
    forget: Callable[[], object]


def undelivered(ledger: Ledger) -> list[Waiting]:
    """Releases that were paid for from this ledger and never arrived, oldest first."""
    shelf = ledger.shelf
    if shelf is not None:
        return [
            Waiting(key, lambda text=text: text, partial(shelf.forget, key))  # type: ignore[misc]
            for key, text in shelf.kept().items()
        ]
    if ledger.path is None:
        return []
    book = Path(ledger.path)
    start = f"{book.name}{_UNDELIVERED}"
    found = [path for path in book.parent.iterdir() if path.name.startswith(start)]
    found.sort(key=lambda path: (path.stat().st_mtime_ns, path.name))
    return [
        Waiting(path.name, partial(path.read_text, "utf-8"), partial(path.unlink, missing_ok=True))
        for path in found
        if path.suffix == ".json"
    ]


class _OnShelf:
    """A copy that is kept in the ledger's database."""

    def __init__(self, shelf: PostgresStore) -> None:
        self._shelf = shelf
        self._key = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(8)}"
        self.there = False

    def write(self, text: str) -> None:
        self._shelf.keep(self._key, text)
        self.there = True

    def forget(self) -> None:
        self._shelf.forget(self._key)
        self.there = False

    def discard(self) -> None:
        """There is no draft."""


class _InFile:
    """A copy that is kept in a file beside the ledger."""

    def __init__(self, ledger: Path) -> None:
        name = f"{ledger.name}{_UNDELIVERED}{secrets.token_hex(8)}.json"
        self._target = Target(ledger.with_name(name), force=False)

    @property
    def there(self) -> bool:
        return self._target.path.exists()

    def write(self, text: str) -> None:
        self._target.write(text)

    def forget(self) -> None:
        self._target.path.unlink(missing_ok=True)

    def discard(self) -> None:
        """Take the draft away."""
        self._target.discard()


class Delivery:
    """One paid command: its output files, the copy that is kept, and what it has spent.

    Everything that can fail for reasons of the machine fails when this is made, before
    the charge. Inside the block, Ctrl-C ends with what was spent.
    """

    def __init__(
        self,
        outputs: Mapping[str, Path | None],
        *,
        inputs: Mapping[str, Path | None],
        ledger: Ledger,
        force: bool,
    ) -> None:
        self._ledger = ledger
        entries = ledger.entries
        self._before = entries[-1].index if entries else 0
        self._kept: _OnShelf | _InFile | None = None
        shelf, path = ledger.shelf, ledger.path
        self.files = Outputs(outputs, inputs=inputs, force=force)
        try:
            if shelf is not None:
                self._kept = _OnShelf(shelf)
            elif path is not None:
                self._kept = _InFile(Path(path))
        except BaseException:  # Ctrl-C, too
            self.files.discard()
            raise

    def __enter__(self) -> Self:
        _BEGUN.append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.files.discard()
        if self._kept is not None:
            self._kept.discard()
        if isinstance(error, SourceChanged) and self._charged() != []:
            raise NotDelivered(f"{error}; {self.spent()}; {self.where()}") from None
        if kind is KeyboardInterrupt:
            raise Interrupted(f"interrupted: {self.spent()}; {self.where()}") from None

    def spent(self) -> str:
        """What this command charged, in words."""
        charged = self._charged()
        if charged is None:
            return "whether it was charged cannot be told while the ledger cannot be read"
        if not charged:
            return "nothing was spent"
        return " and ".join(entry.cost.describe() for entry in charged) + " was spent"

    def _charged(self) -> list[Entry] | None:
        """The charges of this command; ``None`` where one may be there that nobody can read."""
        known = [entry for entry in self._ledger.charged if entry.index > self._before]
        if known:
            return known
        try:  # one that was cut off before it came back
            entries, who = self._ledger.entries, present().who
        except (OSError, TacitError):
            return None
        return [one for one in entries if one.index > self._before and one.about.who == who]

    def finish(
        self,
        record: Mapping[str, Any],
        release: Release[object],
        *,
        write: Callable[[Outputs], None],
        show: Callable[[Console], None] | None,
    ) -> None:
        """Keep the release, name it in the ledger, write the files, then print.

        Without ``show`` the release itself is printed, as JSON; so it is where the machine let
        it be neither kept nor written.
        """
        lost = None
        try:
            self.deliver(record, release, write=write)
        except NotDelivered as problem:
            if self._is_somewhere():
                raise
            lost, show = problem, None
        with self._undelivered("the output was closed before all was shown", printing=True):
            say(release_text(record).rstrip("\n") if show is None else drawn(show))
        if lost is not None:
            raise NotDelivered(f"{lost}; what was printed is the release, and its only copy")
        self.arrived()

    def deliver(
        self,
        record: Mapping[str, Any],
        release: Release[object],
        *,
        write: Callable[[Outputs], None],
    ) -> None:
        """Keep the release, name it in the ledger, and write the files.

        A copy that cannot be kept is no loss where the files can be written.
        """
        unkept = None
        if self._kept is not None:
            try:
                with self._undelivered("it could not be kept beside the ledger"):
                    self._kept.write(release_text(record))
            except NotDelivered as problem:
                unkept = problem
        if isinstance(release.receipt, Entry):
            with suppress(TacitError):  # paid and kept: it is delivered even if this fails
                self._ledger.delivered(release.receipt, digest=record["digests"]["release"])
        with self._undelivered("the output could not be written"):
            write(self.files)
        if unkept is not None and not self._is_somewhere():
            raise unkept

    def arrived(self) -> None:
        """Whoever paid has the release: the copy beside the ledger is no longer needed."""
        if self._kept is not None:
            with suppress(OSError, TacitError):  # a copy too many does no harm
                self._kept.forget()

    @contextmanager
    def _undelivered(self, what: str, *, printing: bool = False) -> Iterator[None]:
        try:
            yield
        except (BudgetRefused, NotWritten, OSError) as error:
            if printing:
                silence(sys.stdout)
            reason = str(error) if isinstance(error, NotWritten) else what
            raise NotDelivered(f"{reason}; {self.spent()}; {self.where()}") from None

    def _written(self) -> bool:
        return bool(self.files.paths) and all(path.exists() for path in self.files.paths)

    def _is_somewhere(self) -> bool:
        """Whether the release is on disk, beside the ledger or where it was asked for."""
        return self._written() or (self._kept is not None and self._kept.there)

    def where(self) -> str:
        """Where the release is, in words."""
        if self._written():
            return f"the release is in {', '.join(map(str, self.files.paths))}"
        if self._kept is not None and self._kept.there:
            book = self._ledger.path
            return f"the release is kept; `tacit budget recover {book}` hands it over at no cost"
        return "nothing was written"


def say(text: str) -> None:
    """Print and make sure that it went out."""
    print(text)
    sys.stdout.flush()


def drawn(draw: Callable[[Console], None]) -> str:
    """What ``draw`` prints on a console like the user's, as text."""
    from rich.console import Console

    theirs, text = Console(), io.StringIO()
    draw(Console(file=text, force_terminal=theirs.is_terminal, width=theirs.width))
    return text.getvalue().rstrip("\n")
