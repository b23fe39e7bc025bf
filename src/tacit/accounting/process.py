"""The process's own ledger, so that nothing is ever uncounted."""

from __future__ import annotations

import os

from tacit.accounting.ledger import Ledger
from tacit.accounting.store import MemoryStore

_STORE = MemoryStore(Ledger.memory()._store.budget, home=os.getpid())
_LEDGER = Ledger(_STORE)


def ledger() -> Ledger:
    """The ledger in memory, without a limit, that is charged when no other is given.

    After ``os.fork`` the child goes on with a copy of its own: it starts with what the
    parent had charged until then, and neither sees what the other charges afterwards.
    Processes that must share one budget use ``Ledger.open(path)``.
    """
    return _LEDGER


def _move_in() -> None:
    _STORE.home = os.getpid()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_move_in)
