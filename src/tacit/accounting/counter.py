"""A counter beside a ledger file: an older copy put back, or a deleted ledger, is noticed.

One line for the new ledger and one for each charge: how many entries there were, and the
digest of the last. Lines are only ever appended, in one write, after the entry is durable;
so the ledger may be ahead of its counter, never behind.
"""

from __future__ import annotations

import os
from pathlib import Path

from tacit.core import BadInput, BudgetRefused

_DIGEST = 64


def counter_path(ledger: str) -> Path:
    """Where the counter of this ledger file is."""
    return Path(f"{ledger}.counter")


def start(ledger: str, digest: str, *, mode: int) -> None:
    """Make the counter of a new ledger."""
    path = counter_path(ledger)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        os.fchmod(handle, mode)
        os.write(handle, _line(0, digest))
        os.fsync(handle)
    finally:
        os.close(handle)


def read(ledger: str) -> tuple[int, str]:
    """The highest count, and the digest of the entry it belongs to."""
    path = counter_path(ledger)
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        raise BadInput(
            f"the counter {path.name} is missing beside the ledger: the ledger was moved or "
            "copied without it. If no other copy of this ledger is in use, "
            f"`tacit budget verify {ledger} --new-counter` makes one"
        ) from None
    except OSError:
        raise BudgetRefused(
            f"the counter {path.name} cannot be read; nothing was touched"
        ) from None
    best: tuple[int, str] | None = None
    for line in lines:  # a line that a crash cut off has the wrong length and counts nothing
        parts = line.split(b" ")
        if len(parts) == 2 and parts[0].isdigit() and len(parts[1]) == _DIGEST:
            found = int(parts[0][:18]), parts[1].decode("ascii", "replace")
            best = found if best is None or found[0] >= best[0] else best
    if best is None:
        raise BadInput(f"the counter {path.name} beside the ledger is damaged")
    return best


class Append:
    """The counter, opened before the charge so that it cannot be missing after it."""

    def __init__(self, ledger: str) -> None:
        try:
            self._handle = os.open(counter_path(ledger), os.O_WRONLY | os.O_APPEND)
        except OSError:
            raise BudgetRefused(
                f"the counter {counter_path(ledger).name} cannot be written; nothing was touched"
            ) from None

    def note(self, count: int, digest: str) -> None:
        """Write down that the ledger has ``count`` entries; the charge stands even if not."""
        try:
            os.write(self._handle, _line(count, digest))
            os.fsync(self._handle)
        except OSError:
            return

    def close(self) -> None:
        os.close(self._handle)


def _line(count: int, digest: str) -> bytes:
    return f"\n{count} {digest}\n".encode("ascii")
