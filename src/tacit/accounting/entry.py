"""One line of a ledger, chained to the line before it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime

from tacit.accounting.about import About, about_from_dict
from tacit.core import BadInput, Event, event_from_dict
from tacit.core.records import check_depth


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A charged event. ``digest`` covers this entry and, through the chain, all before it.

    ``release`` is the digest of the release that an earlier charge paid for; such an entry
    costs nothing, and its ``event`` is ``None``.
    """

    index: int
    at: str
    event: Event | None
    note: str
    about: About
    release: str
    digest: str

    @property
    def cost(self) -> Event:
        """The event of a charge."""
        if self.event is None:
            raise BadInput("this entry of the ledger names a release and costs nothing")
        return self.event

    def row(self) -> tuple[int, str, str, str, str, str, str]:
        """The entry as a table holds it; ``read_entry`` reads it back."""
        event = json.dumps(None if self.event is None else self.event.to_dict())
        about = json.dumps(self.about.to_dict())
        return self.index, self.at, event, self.note, about, self.release, self.digest

    def content(self) -> dict[str, object]:
        """What the digest covers, besides the entry before."""
        return {
            "index": self.index,
            "at": self.at,
            "event": None if self.event is None else self.event.to_dict(),
            "note": self.note,
            "about": self.about.to_dict(),
            "release": self.release,
        }


def fingerprint(*parts: object) -> str:
    """SHA-256 of JSON-ready public values, in hexadecimal."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def new_entry(
    event: Event | None,
    *,
    note: str,
    about: About,
    last: Entry | None,
    start: str = "",
    release: str = "",
) -> Entry:
    """The entry that follows ``last``; the first one follows the digest ``start``."""
    index, previous = (1, start) if last is None else (last.index + 1, last.digest)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    known = None if event is None else event.to_dict()
    parts = (previous, index, at, known, note, about.to_dict(), release)
    return Entry(
        index=index,
        at=at,
        event=event,
        note=note,
        about=about,
        release=release,
        digest=fingerprint(*parts),
    )


def read_entry(
    *, index: int, at: str, event: str, note: str, about: str, release: str, digest: str,
    previous: str,
) -> Entry:  # fmt: skip
    """Read a stored entry back; one that does not continue the chain is refused."""
    sound = False
    try:
        record, words = json.loads(event), json.loads(about)
        check_depth(record)
        parts = (previous, index, at, record, note, words, release)
        sound = fingerprint(*parts) == digest
        known = None if record is None else event_from_dict(record)
        told = about_from_dict(words)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        sound = False
    if not sound:
        raise BadInput(f"the ledger is damaged or was changed by hand: entry {index} is wrong")
    return Entry(
        index=index, at=at, event=known, note=note, about=told, release=release, digest=digest
    )
