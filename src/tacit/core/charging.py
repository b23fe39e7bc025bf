"""Charge, then touch: the only way to the data."""

from __future__ import annotations

from typing import Protocol, TypeVar

from tacit.core.errors import ReleaseFailed, SourceChanged
from tacit.core.event import Event
from tacit.core.mechanism import Mechanism
from tacit.core.release import Receipt, Release
from tacit.core.sampler import Sampler

D = TypeVar("D")
V = TypeVar("V")


class LedgerLike(Protocol):
    """A ledger, as far as ``run`` needs to know it."""

    def charge(self, event: Event, *, note: str = "") -> Receipt | None:
        """Record the cost durably, or raise ``BudgetRefused`` and record nothing."""
        ...


def run(mechanism: Mechanism[D, V], data: D, *, ledger: LedgerLike, rng: Sampler) -> Release[V]:
    """Prepare the mechanism, charge the ledger durably, then let it touch the data.

    A crash after the charge costs budget; a touch before the charge cannot happen.
    If the mechanism breaks, the cause is withheld: it could carry private values.
    With a seeded generator, whose releases are not private anyway, it is shown.
    """
    event = mechanism.event()
    mechanism.prepare()
    receipt = ledger.charge(event, note=mechanism.label())
    try:
        value = mechanism._release(data, rng=rng)
    except SourceChanged:
        raise  # says that the file changed, and nothing about a record
    except Exception:
        if not rng.private:
            raise
        failure = ReleaseFailed(
            f"{mechanism.label()} failed after it was charged; the cause is withheld because "
            "it may hold private values (repeat on made-up data with tacit.checks.testing.seeded)"
        )
    else:
        return Release(
            value=value,
            event=event,
            claim=mechanism.CLAIM,
            private=rng.private,
            receipt=receipt,
        )
    raise failure
