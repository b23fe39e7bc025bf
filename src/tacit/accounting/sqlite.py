"""A ledger in an SQLite file: durable, append-only, shared among processes by its path.

- A charge is one ``BEGIN IMMEDIATE`` transaction, so check and append are one step
  among all processes. A killed process leaves a journal that the next one rolls back.
- Rollback journal with ``synchronous=EXTRA``, not WAL: at rest there is one file, so a
  copied or moved ledger cannot lose entries that sat in a side file; it also works
  where shared memory does not. ``EXTRA`` syncs the directory, too: a committed charge
  survives a power cut. A charge costs a few syncs; a release is rare and dear.
- Triggers forbid changing and deleting; a hash chain and the autoincrement counter
  show damage, edits and a cut-off tail; a counter in a second file shows an older copy.
  They are no seal against somebody who may write both files and means to cheat: their
  owner (mode 0600), or the group that shares them (0660), is trusted.
- A connection lives for one block only: nothing to share among threads or to inherit
  through ``fork``.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from tacit.accounting import counter
from tacit.accounting.about import About
from tacit.accounting.budget import Budget, budget_from_dict
from tacit.accounting.entry import Entry, fingerprint, new_entry, read_entry
from tacit.accounting.store import Page
from tacit.core import BadInput, BudgetRefused, Event

_APPLICATION = 0x54414349  # "TACI": marks a file as a ledger of ours
_VERSION = 2
_WAIT_SECONDS = 120.0
_SHARED = 0o660  # read and written by the owner and the group
_DRAFT = ".ledger-"

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
    note TEXT NOT NULL, about TEXT NOT NULL, release TEXT NOT NULL, digest TEXT NOT NULL
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
    try:
        # On every open: another program may have changed the mode, and macOS syncs only if asked.
        mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
        connection.execute("PRAGMA fullfsync = 1")
        connection.execute("PRAGMA synchronous = EXTRA")
        if mode != ("delete",):
            raise sqlite3.OperationalError("the rollback journal cannot be used")
    except BaseException:
        connection.close()
        raise
    return connection


def create(path: str, budget: Budget, *, group: str | None = None) -> bool:
    """Put a new ledger with its counter at ``path``; false if something is there already.

    It is made complete under another name, then linked into place: nobody ever sees
    half a ledger, and of two creators one wins. ``group`` shares it with the accounts of
    a group; else only its owner may read it.
    """
    folder = str(Path(path).parent)
    number = None if group is None else shared_group(folder, group)
    identity = secrets.token_hex(16)
    try:
        handle, draft = tempfile.mkstemp(prefix=_DRAFT, dir=folder)
        os.close(handle)
        try:
            with closing(_connect(draft)) as connection:
                connection.executescript(f"BEGIN;{_SCHEMA}")
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {_VERSION}")
                row = (identity, json.dumps(budget.to_dict()))
                connection.execute("INSERT INTO ledger VALUES (?, ?)", row)
                connection.execute("COMMIT")
            if number is not None:
                os.chown(draft, -1, number)
                os.chmod(draft, _SHARED)
            # The counter first: who finds a ledger finds its counter, and a counter without a
            # ledger shows that one was taken away.
            counter.start(path, fingerprint(identity, budget.to_dict()), mode=_mode(draft))
            if number is not None:
                os.chown(counter.counter_path(path), -1, number)
            _link(draft, path)
        finally:
            Path(draft).unlink(missing_ok=True)
        _sync_folder(folder)
    except FileExistsError:
        return False
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or "SQLite cannot write there"
        raise BadInput(f"no ledger can be created at {path!r}: {reason}") from None
    return True


def _link(draft: str, path: str) -> None:
    """Give the draft its name unless the name is taken."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links: of two creators, one gets the handle
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        os.replace(draft, path)


def _check_one_name(path: str) -> None:
    """Refuse a file with two names: each has a counter and a journal of its own.

    A creator that was killed leaves its draft, which is taken away here.
    """
    if _names(path) > 1:
        for draft in Path(path).parent.glob(f"{_DRAFT}*"):
            with suppress(OSError):
                if draft.samefile(path):
                    draft.unlink()
    if _names(path) <= 1:
        return
    raise BadInput(
        f"the ledger {path!r} has a second name (a hard link), under which it could be charged "
        "without this one's counter: remove the other name"
    )


def _names(path: str) -> int:
    try:
        return os.stat(path).st_nlink
    except OSError:  # SQLite says what is wrong with it
        return 0


def _mode(path: str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def shared_group(folder: str, group: str) -> int:
    """The number of a group that may share a ledger in this folder, which must let it."""
    try:
        import grp

        number = grp.getgrnam(group).gr_gid
    except (ImportError, KeyError):
        raise BadInput(f"there is no group {group!r} on this machine") from None
    found = os.stat(folder)
    needed = stat.S_ISGID | stat.S_IRGRP | stat.S_IWGRP | stat.S_IXGRP
    if found.st_gid != number or found.st_mode & needed != needed:
        raise BadInput(
            f"a ledger that a group shares needs a folder of that group: "
            f"mkdir DIR; chgrp {group} DIR; chmod g+rwxs DIR; then create the ledger in DIR"
        )
    return number


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
        try:
            there = Path(path).is_file()
        except OSError as error:  # a folder that this account may not enter
            reason = f"the ledger {path!r} cannot be reached: {error.strerror}"
            raise BadInput(f"{reason}; nothing was touched") from None
        if not there:
            raise BadInput(
                f"there is no ledger file at {path!r}: "
                "`tacit budget create` makes one, with a limit"
            )
        self.identity = identity
        with self._block("BEGIN") as connection:
            healthy = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
            row = connection.execute("SELECT id, budget FROM ledger").fetchone()
        try:
            if not healthy:
                raise ValueError
            self.identity, self.budget = row[0], budget_from_dict(json.loads(row[1]))
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            raise self._damaged() from None
        self._start = fingerprint(self.identity, self.budget.to_dict())

    def _damaged(self) -> BadInput:
        return BadInput(f"{self.path!r} is not a Tacit ledger, or it is damaged")

    @contextmanager
    def _block(self, begin: str) -> Iterator[sqlite3.Connection]:
        """One transaction; what goes wrong in SQLite comes out in our words."""
        _check_one_name(self.path)
        try:
            with closing(_connect(self.path)) as connection:
                connection.execute(begin)
                self._check_file(connection)
                yield connection
                connection.execute("COMMIT")
        except UnicodeError:  # SQLite quotes what it could not read
            raise self._damaged() from None
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
        seen = counter.read(self.path)  # before the view, which may only be ahead of it
        with self._block("BEGIN") as connection:
            yield _SqlitePage(connection, start=self._start, seen=seen)

    @contextmanager
    def writing(self) -> Iterator[Page]:
        """An exclusive view; what it appends is durable when the block is left."""
        seen = counter.read(self.path)
        with closing(counter.Append(self.path)) as line:
            with self._block("BEGIN IMMEDIATE") as connection:
                page = _SqlitePage(connection, start=self._start, seen=seen)
                yield page
            if page.newest is not None:
                line.note(page.newest.index, page.newest.digest)

    def renew_counter(self) -> None:
        """Make the counter anew from the file as it is: whoever asks says that it is the newest."""
        with self._block("BEGIN") as connection:
            page = _SqlitePage(connection, start=self._start, seen=None)
            entries = list(page.after(None))
        path = counter.counter_path(self.path)
        path.unlink(missing_ok=True)
        counter.start(self.path, self._start, mode=_mode(self.path))
        if entries:
            with closing(counter.Append(self.path)) as line:
                line.note(entries[-1].index, entries[-1].digest)


class _SqlitePage:
    def __init__(
        self, connection: sqlite3.Connection, *, start: str, seen: tuple[int, str] | None
    ) -> None:
        self._connection = connection
        self._start = start
        self.newest: Entry | None = None
        if seen is not None:
            self._check_counter(*seen)

    def _check_counter(self, count: int, digest: str) -> None:
        """The entry that the counter has seen last must be here."""
        query = "SELECT digest FROM entries WHERE id = ?"
        row = self._connection.execute(query, (count,)).fetchone() if count else (self._start,)
        if row != (digest,):
            raise BadInput(
                "this ledger file is older than its counter, or another one: a copy was put in "
                "its place, or its last entries were cut off; restore the newest file"
            )

    def after(self, last: Entry | None) -> Iterator[Entry]:
        index, digest = (0, self._start) if last is None else (last.index, last.digest)
        rows = self._connection.execute(
            "SELECT id, at, event, note, about, release, digest FROM entries WHERE id >= ? "
            "ORDER BY id",
            (index,),
        )
        if last is not None and (rows.fetchone() or ("",))[-1] != digest:
            raise BadInput("the ledger lost entries that this process has seen; restore the file")
        for number, at, event, note, about, release, stored in rows:
            entry = read_entry(
                index=number,
                at=at,
                event=event,
                note=note,
                about=about,
                release=release,
                digest=stored,
                previous=digest,
            )
            index, digest = entry.index, entry.digest
            yield entry
        counter = self._connection.execute("SELECT seq FROM sqlite_sequence").fetchone()
        if (counter or (0,)) != (index,):
            raise BadInput("the ledger is damaged: its last entries are missing")

    def append(
        self,
        event: Event | None,
        *,
        note: str,
        about: About,
        last: Entry | None,
        release: str = "",
    ) -> Entry:
        entry = new_entry(
            event, note=note, about=about, last=last, start=self._start, release=release
        )
        query = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._connection.execute(query, entry.row())
        self.newest = entry
        return entry
