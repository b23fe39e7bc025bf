"""The process's own ledger, charged when no other is given."""

from __future__ import annotations

import multiprocessing
import warnings

from tacit.accounting.entry import Entry
from tacit.accounting.ledgers import Ledger
from tacit.core import BudgetRefused, Event


class UncountedWarning(UserWarning):
    """A release was charged to a ledger that has no limit and ends with the process."""


class _ProcessLedger(Ledger):
    """Warns once, and refuses in worker processes, where its entries would be lost."""

    _warned = False
    _mixes = True  # it limits nothing, and says under which relation its total is stated

    def charge(self, event: Event, *, note: str = "") -> Entry:
        if multiprocessing.parent_process() is not None:
            raise BudgetRefused(
                "a worker process has no ledger of its own: what it charges would be lost with "
                "it. Pass ledger=Ledger.open(path, epsilon=...), which all workers share; "
                "nothing was charged"
            )
        entry = super().charge(event, note=note)
        if not _ProcessLedger._warned:
            _ProcessLedger._warned = True
            warnings.warn(
                "no ledger was given: this release counts against no limit, and nothing "
                "remembers it after this process. Pass ledger=Ledger.open(path, epsilon=...)",
                UncountedWarning,
                stacklevel=5,
            )
        return entry


_LEDGER = _ProcessLedger(Ledger.memory()._store)


def ledger() -> Ledger:
    """The ledger in memory, without a limit, that is charged when no other is given.

    Its first charge warns. It refuses in worker processes and after ``os.fork``, where
    its entries would be lost; processes that share one budget use ``Ledger.open(path)``.
    """
    return _LEDGER
