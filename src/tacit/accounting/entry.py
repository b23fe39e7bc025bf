"""One line of a ledger, chained to the line before it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime

from tacit.core import BadInput, Event, event_from_dict


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A charged event. ``digest`` covers this entry and, through ``previous``, all before it."""

    index: int
    at: str
    event: Event
    note: str
    digest: str


def fingerprint(*parts: object) -> str:
    """SHA-256 of JSON-ready public values, in hexadecimal."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def new_entry(event: Event, *, note: str, index: int, previous: str) -> Entry:
    """The next entry after one whose digest is ``previous``."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    digest = fingerprint(previous, index, at, event.to_dict(), note)
    return Entry(index=index, at=at, event=event, note=note, digest=digest)


def read_entry(*, index: int, at: str, event: str, note: str, digest: str, previous: str) -> Entry:
    """Read a stored entry back; one that does not continue the chain is refused."""
    try:
        record = json.loads(event)
        sound = fingerprint(previous, index, at, record, note) == digest
        known = event_from_dict(record)
    except (AttributeError, KeyError, TypeError, ValueError):
        sound = False
    if not sound:
        raise BadInput(f"the ledger is damaged or was changed by hand: entry {index} is wrong")
    return Entry(index=index, at=at, event=known, note=note, digest=digest)
