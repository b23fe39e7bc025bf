"""Where a ledger is kept: a file or a database, found by its name."""

from __future__ import annotations

import os
import time
from fractions import Fraction

from tacit.accounting.budget import Budget
from tacit.accounting.postgres import PostgresStore, is_address
from tacit.accounting.sqlite import SqliteStore
from tacit.core import BadInput, Relation
from tacit.core.addresses import looks_like_address, shown


def place(path: str | os.PathLike[str]) -> str:
    """The real path of a ledger file, or the address of a database as it is."""
    name = os.fspath(path)
    if "\0" in name:
        raise BadInput("no file or database has a name with the character 0 in it")
    if is_address(name):
        return name
    if looks_like_address(name) and not os.path.lexists(name):
        raise BadInput(f"{shown(name)}: the address of a ledger begins with postgresql://")
    return os.path.realpath(name)


def store_at(name: str, *, identity: str | None = None) -> SqliteStore | PostgresStore:
    kind = PostgresStore if is_address(name) else SqliteStore
    return kind(name, identity=identity)


def wait_for(path: str) -> None:
    """Another process is creating this ledger: its counter is there, the file soon will be."""
    for _ in range(40):
        if os.path.lexists(path):
            return
        time.sleep(0.05)
    raise BadInput(
        f"a ledger was at {path!r} before: its counter is still there. Restore the ledger, or name "
        "a new file"
    )


def check_same(
    stored: Budget,
    *,
    epsilon: Fraction | None,
    delta: Fraction | None,
    relation: Relation | None,
) -> None:
    asked = {"epsilon": epsilon, "delta": delta, "relation": relation}
    differs = [
        name
        for name, value in asked.items()
        if value is not None and value != getattr(stored, name)
    ]
    if differs:
        raise BadInput(
            f"this ledger exists with the budget {stored.describe()}; another "
            f"{' and '.join(differs)} was asked for. Open it without a budget to use it as it is"
        )
