"""A ledger in an SQLite file: durable, append-only, shared among processes by its path.

- A charge is one ``BEGIN IMMEDIATE`` transaction, so check and append are one step
  among all processes. A killed process leaves a journal that the next one rolls back.
- Rollback journal with ``synchronous=EXTRA``, not WAL: at rest there is one file, so a
  copied or moved ledger cannot lose entries that sat in a side file; it also works
  where shared memory does not. ``EXTRA`` syncs the directory, too: a committed charge
  survives a power cut. A charge costs a few syncs; a release is rare and dear.
- Triggers forbid changing and deleting; a hash chain and the autoincrement counter
  show damage, edits and a cut-off tail. They are no seal against somebody who may
  write the file and means to cheat: its owner (mode 0600) is trusted.
- A connection lives for one block only: nothing to share among threads or to inherit
  through ``fork``.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from tacit.accounting.budget import Budget, budget_from_dict
from tacit.accounting.entry import Entry, fingerprint, new_entry, read_entry
from tacit.accounting.store import Page
from tacit.core import BadInput, BudgetRefused, Event

_APPLICATION = 0x54414349
_VERSION = 1
_WAIT_SECONDS = 120.0

_PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
"""Primary result codes that say nothing against the file's content."""

_SCHEMA = """
CREATE TABLE ledger (id TEXT NOT NULL, budget TEXT NOT NULL);
CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, event TEXT NOT NULL,
    note TEXT NOT NULL, digest TEXT NOT NULL
);
CREATE TRIGGER entries_keep BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER entries_stay BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER entries_grow BEFORE INSERT ON entries
    WHEN NEW.id <> (SELECT coalesce(max(id), 0) + 1 FROM entries)
    BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER ledger_keep BEFORE UPDATE ON ledger
    BEGIN SELECT RAISE(ABORT, 'a budget is fixed'); END;
CREATE TRIGGER ledger_stay BEFORE DELETE ON ledger
    BEGIN SELECT RAISE(ABORT, 'a budget is fixed'); END;
CREATE TRIGGER ledger_one BEFORE INSERT ON ledger WHEN (SELECT count(*) FROM ledger) > 0
    BEGIN SELECT RAISE(ABORT, 'a budget is fixed'); END;
"""


def _connect(path: str) -> sqlite3.Connection:
    uri = f"file:{quote(path)}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)
    connection.execute("PRAGMA synchronous = EXTRA")
    return connection


def create(path: str, budget: Budget) -> None:
    """Put a new ledger at ``path`` unless something is there already.

    It is made complete under another name, then linked into place: nobody ever sees
    half a ledger, and of two creators one wins.
    """
    folder = str(Path(path).parent)
    try:
        handle, draft = tempfile.mkstemp(prefix=".ledger-", dir=folder)
        os.close(handle)
        try:
            with closing(_connect(draft)) as connection:
                connection.executescript(f"BEGIN;{_SCHEMA}")
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {_VERSION}")
                row = (secrets.token_hex(16), json.dumps(budget.to_dict()))
                connection.execute("INSERT INTO ledger VALUES (?, ?)", row)
                connection.execute("COMMIT")
            os.link(draft, path)
        finally:
            os.unlink(draft)
        _sync_folder(folder)
    except FileExistsError:
        return
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or "SQLite cannot write there"
        raise BadInput(f"no ledger can be created at {path!r}: {reason}") from None


def _sync_folder(folder: str) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class SqliteStore:
    """An existing ledger file. ``identity``, if given, must be the one in the file."""

    def __init__(self, path: str, *, identity: str | None = None) -> None:
        self.path = path
        if not Path(path).is_file():
            raise BadInput(f"there is no ledger file at {path!r}")
        self.identity = identity
        with self._block("BEGIN") as connection:
            healthy = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
            row = connection.execute("SELECT id, budget FROM ledger").fetchone()
        try:
            if not healthy:
                raise ValueError
            self.identity, self.budget = row[0], budget_from_dict(json.loads(row[1]))
        except (KeyError, TypeError, ValueError):
            raise self._damaged() from None
        self._start = fingerprint(self.identity, self.budget.to_dict())

    def _damaged(self) -> BadInput:
        return BadInput(f"{self.path!r} is not a Tacit ledger, or it is damaged")

    @contextmanager
    def _block(self, begin: str) -> Iterator[sqlite3.Connection]:
        """One transaction; what goes wrong in SQLite comes out in our words."""
        try:
            with closing(_connect(self.path)) as connection:
                connection.execute(begin)
                self._check_file(connection)
                yield connection
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code not in _PASSING:
                raise self._damaged() from None
            raise BudgetRefused(  # closing has rolled back
                f"the ledger file {self.path!r} cannot be used now (missing, locked, read-only or "
                "disk full); nothing was touched"
            ) from None

    def _check_file(self, connection: sqlite3.Connection) -> None:
        if connection.execute("PRAGMA application_id").fetchone() != (_APPLICATION,):
            raise self._damaged()
        if connection.execute("PRAGMA user_version").fetchone() != (_VERSION,):
            raise BadInput(f"the ledger {self.path!r} was written by another version of Tacit")
        found = connection.execute("SELECT id FROM ledger").fetchone()
        if self.identity is not None and found != (self.identity,):
            raise BadInput(f"another ledger has taken the place of the one at {self.path!r}")

    def check_writable(self) -> None:
        """Every process that can open the file may write; SQLite keeps the order."""

    @contextmanager
    def reading(self) -> Iterator[Page]:
        """A consistent view."""
        with self._block("BEGIN") as connection:
            yield _SqlitePage(connection, start=self._start)

    @contextmanager
    def writing(self) -> Iterator[Page]:
        """An exclusive view; what it appends is durable when the block is left."""
        with self._block("BEGIN IMMEDIATE") as connection:
            yield _SqlitePage(connection, start=self._start)


class _SqlitePage:
    def __init__(self, connection: sqlite3.Connection, *, start: str) -> None:
        self._connection = connection
        self._start = start

    def after(self, last: Entry | None) -> Iterator[Entry]:
        index, digest = (0, self._start) if last is None else (last.index, last.digest)
        rows = self._connection.execute(
            "SELECT id, at, event, note, digest FROM entries WHERE id >= ? ORDER BY id", (index,)
        )
        if last is not None and (rows.fetchone() or ("",))[-1] != digest:
            raise BadInput("the ledger lost entries that this process has seen; restore the file")
        for number, at, event, note, stored in rows:
            entry = read_entry(
                index=number, at=at, event=event, note=note, digest=stored, previous=digest
            )
            index, digest = entry.index, entry.digest
            yield entry
        counter = self._connection.execute("SELECT seq FROM sqlite_sequence").fetchone()
        if (counter or (0,)) != (index,):
            raise BadInput("the ledger is damaged: its last entries are missing")

    def append(self, event: Event, *, note: str, last: Entry | None) -> None:
        previous = self._start if last is None else last.digest
        index = 1 if last is None else last.index + 1
        entry = new_entry(event, note=note, index=index, previous=previous)
        row = (index, entry.at, json.dumps(event.to_dict()), note, entry.digest)
        self._connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", row)
