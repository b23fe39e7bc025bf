"""What a certificate says about money: the cost of its release, and how the ledger stands."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from tacit.accounting.composition import total_of_counts
from tacit.accounting.entry import Entry
from tacit.accounting.ledgers import Ledger
from tacit.accounting.process import ledger as process_ledger
from tacit.core import Event, Release
from tacit.core.certificate import Account, Spent


def spent_of(event: Event, *, delta: Fraction) -> Spent:
    """What an event costs at a delta: what the ledger was charged, and nothing else."""
    spent = total_of_counts(Counter(event.parts or (event,)), delta=delta, relation=None)
    return Spent(event=event, epsilon=spent.epsilon, delta=spent.delta)


def account_of(release: Release[object], ledger: Ledger | None) -> Account | None:
    """How the ledger that paid stands after this release; ``None`` is the process's own."""
    book = process_ledger() if ledger is None else ledger
    if isinstance(book, Ledger) and isinstance(release.receipt, Entry):
        return book.account(release.receipt)
    return None
