"""A ledger in a PostgreSQL database, shared by several machines.

``postgresql://host/database#name`` is the ledger ``name`` of that database: a schema
``tacit_name`` with append-only tables. A charge is one serializable transaction that locks
the counter first, so check and append are one step among all machines, and it is committed
synchronously. Releases that never arrived are kept in the database, too. A role that shares it
may read, append and count, and change nothing that is there.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlunsplit

from tacit.accounting.about import About
from tacit.accounting.budget import Budget, budget_from_dict
from tacit.accounting.entry import Entry, fingerprint, new_entry, read_entry
from tacit.accounting.store import Page
from tacit.core import BadInput, BudgetRefused, Event
from tacit.core.addresses import parts_of, shown

if TYPE_CHECKING:
    import psycopg

_SCHEMA = """
CREATE SCHEMA {name};
CREATE TABLE {name}.ledger (id text NOT NULL, budget text NOT NULL);
CREATE TABLE {name}.entries (
    id bigint PRIMARY KEY, at text NOT NULL, event text NOT NULL, note text NOT NULL,
    about text NOT NULL, release text NOT NULL, digest text NOT NULL
);
CREATE TABLE {name}.counter (entries bigint NOT NULL);
INSERT INTO {name}.counter VALUES (0);
CREATE TABLE {name}.undelivered (id text PRIMARY KEY, release text NOT NULL);
CREATE FUNCTION {name}.refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'a ledger is append-only'; END $$;
CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON {name}.entries
    FOR EACH STATEMENT EXECUTE FUNCTION {name}.refuse();
CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON {name}.ledger
    FOR EACH STATEMENT EXECUTE FUNCTION {name}.refuse();
"""


_SHARED = (
    "USAGE ON SCHEMA {name}",
    "SELECT ON {name}.ledger",
    "SELECT, INSERT ON {name}.entries",
    "SELECT, UPDATE ON {name}.counter",
    "SELECT, INSERT, DELETE ON {name}.undelivered",
)
"""What a role that shares a ledger is granted: all that a charge and a delivery need."""

_PATIENCE = {"connect_timeout": 30, "tcp_user_timeout": 30_000}
"""Seconds, and milliseconds: a server that answers no more is given up."""


def is_address(name: str) -> bool:
    """Whether a ledger's name is the address of a database."""
    return name.startswith(("postgresql://", "postgres://"))


def _split(address: str) -> tuple[str, str]:
    """Where to connect, and the schema of the ledger."""
    parts = parts_of(address)
    name = parts.fragment or "ledger"
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name):
        raise BadInput(
            "name the ledger after # in small letters, digits and _: postgresql://host/db#ward7"
        )
    return urlunsplit(parts._replace(fragment="")), f"tacit_{name}"


def _driver() -> Any:
    try:
        import psycopg
    except ImportError:
        raise BadInput(
            "a ledger in PostgreSQL needs the postgres extra: pip install 'tacit[postgres]'"
        ) from None
    return psycopg


def create(address: str, budget: Budget, *, group: str | None = None) -> bool:
    """Make a new ledger in a database; false if there is one of this name already.

    ``group`` is a role whose accounts may charge it, and change nothing that is there.
    """
    driver = _driver()
    where, name = _split(address)
    try:
        with driver.connect(where, **_PATIENCE) as connection:
            connection.execute(_SCHEMA.format(name=name))
            row = (secrets.token_hex(16), json.dumps(budget.to_dict()))
            connection.execute(f"INSERT INTO {name}.ledger VALUES (%s, %s)", row)  # noqa: S608
            if group is not None:
                role = driver.sql.Identifier(group)
                for right in _SHARED:
                    text = driver.sql.SQL(f"GRANT {right.format(name=name)} TO {{}}")
                    connection.execute(text.format(role))
    except driver.errors.UndefinedObject:
        raise BadInput(f"there is no role {group!r} in the database") from None
    except (driver.errors.DuplicateSchema, driver.errors.UniqueViolation):
        return False
    except driver.Error:
        raise BadInput(
            f"no ledger can be created at {shown(address)}: the database cannot be reached, or "
            "this account may not create a schema there"
        ) from None
    return True


class PostgresStore:
    """An existing ledger in a database. ``identity``, if given, must be the one that is there."""

    def __init__(self, address: str, *, identity: str | None = None) -> None:
        self.address = address
        self.path = shown(address)
        self._where, self._name = _split(address)
        self.identity = identity
        with self._block(lock=False) as connection:
            row = connection.execute(f"SELECT id, budget FROM {self._name}.ledger").fetchone()  # noqa: S608
        try:
            found, self.budget = row[0], budget_from_dict(json.loads(row[1]))
        except (KeyError, TypeError, ValueError):
            raise BadInput(f"the ledger at {self.path} is damaged") from None
        if identity not in (None, found):
            raise BadInput(f"another ledger has taken the place of the one at {self.path}")
        self.identity = found
        self._start = fingerprint(self.identity, self.budget.to_dict())

    @contextmanager
    def _block(self, *, lock: bool) -> Iterator[psycopg.Connection[Any]]:
        """One serializable transaction; what goes wrong comes out in our words."""
        driver = _driver()
        try:
            with driver.connect(self._where, **_PATIENCE) as connection:
                connection.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
                connection.execute("SET LOCAL synchronous_commit TO on")
                connection.execute("SET LOCAL lock_timeout TO '60s'")
                if lock:  # before the first look, so that the look is the newest
                    connection.execute(f"LOCK TABLE {self._name}.counter IN EXCLUSIVE MODE")
                yield connection
        except (driver.errors.UndefinedTable, driver.errors.InvalidSchemaName):
            raise BadInput(f"there is no ledger at {self.path}") from None
        except driver.errors.InsufficientPrivilege:
            raise BudgetRefused(
                f"this account may not use the ledger at {self.path}: `tacit budget create --group "
                "ROLE` shares a new one with a role; nothing was touched"
            ) from None
        except driver.Error:
            raise BudgetRefused(
                f"the ledger at {self.path} cannot be used now; whatever would have "
                "charged it touched no record"
            ) from None

    def check_writable(self) -> None:
        """Every account that may insert may write; the database keeps the order."""

    @contextmanager
    def reading(self) -> Iterator[Page]:
        """A consistent view."""
        with self._block(lock=False) as connection:
            yield _PostgresPage(connection, name=self._name, start=self._start)

    @contextmanager
    def writing(self) -> Iterator[Page]:
        """An exclusive view; what it appends is durable when the block is left."""
        with self._block(lock=True) as connection:
            yield _PostgresPage(connection, name=self._name, start=self._start)

    # -- releases that have not arrived ----------------------------------------------------

    def keep(self, key: str, release: str) -> None:
        """Keep a finished release until it has arrived."""
        with self._block(lock=False) as connection:
            query = f"INSERT INTO {self._name}.undelivered VALUES (%s, %s)"  # noqa: S608
            connection.execute(query, (key, release))

    def kept(self) -> dict[str, str]:
        """Every release that has not arrived."""
        with self._block(lock=False) as connection:
            query = f"SELECT id, release FROM {self._name}.undelivered ORDER BY id"  # noqa: S608
            return dict(connection.execute(query).fetchall())

    def forget(self, key: str) -> None:
        """A release has arrived."""
        with self._block(lock=False) as connection:
            query = f"DELETE FROM {self._name}.undelivered WHERE id = %s"  # noqa: S608
            connection.execute(query, (key,))


class _PostgresPage:
    def __init__(self, connection: psycopg.Connection[object], *, name: str, start: str) -> None:
        self._connection = connection
        self._name = name
        self._start = start

    def after(self, last: Entry | None) -> Iterator[Entry]:
        index, digest = (0, self._start) if last is None else (last.index, last.digest)
        query = (
            f"SELECT id, at, event, note, about, release, digest FROM {self._name}.entries "  # noqa: S608
            "WHERE id >= %s ORDER BY id"
        )
        rows = iter(self._connection.execute(query, (index,)).fetchall())
        if last is not None and next(rows, ("",))[-1] != digest:
            raise BadInput("the ledger lost entries that this process has seen; restore it")
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
        counted = self._connection.execute(f"SELECT entries FROM {self._name}.counter").fetchone()  # noqa: S608
        if counted != (index,):
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
        query = f"INSERT INTO {self._name}.entries VALUES (%s, %s, %s, %s, %s, %s, %s)"  # noqa: S608
        self._connection.execute(query, entry.row())
        self._connection.execute(f"UPDATE {self._name}.counter SET entries = %s", (entry.index,))  # noqa: S608
        return entry
