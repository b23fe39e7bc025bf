"""The ledger: one budget, charged before data are touched.

A ledger is an identity. Copying or cloning returns the same ledger. A pickled ledger in
memory cannot spend; a pickled ledger in a file opens the same file again, and spends from
the one budget that is there.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from tacit.accounting.about import About, present
from tacit.accounting.admission import Remaining, refuse, refuse_mixed, remaining
from tacit.accounting.budget import budget_from_dict, read_budget
from tacit.accounting.charges import Charges
from tacit.accounting.composition import Total
from tacit.accounting.entry import Entry
from tacit.accounting.places import check_same, place, store_at, wait_for
from tacit.accounting.postgres import PostgresStore, is_address
from tacit.accounting.postgres import create as create_in_postgres
from tacit.accounting.sqlite import SqliteStore, create
from tacit.accounting.store import MemoryStore, Page, Store
from tacit.core import REPLACE_ONE, BadInput, BudgetRefused, Event, Relation, event_from_dict
from tacit.core.addresses import shown
from tacit.core.certificate import Account
from tacit.core.numbers import Number, probability
from tacit.core.task_fields import RECORD

_KEPT = 1000  # charges of its own that a ledger object remembers


class Ledger:
    """Charges events against a budget. Made by ``Ledger.memory`` or ``Ledger.open``.

    Guarantees, proved in ``composition.proof.md``: what was charged is ``spent`` if the
    costs were fixed beforehand, and all outputs together keep within the limit however
    the costs are chosen (see there for approximate events beside the zCDP route).

    >>> from tacit.core import REPLACE_ONE, Pure
    >>> ledger = Ledger.memory(1)
    >>> entry = ledger.charge(Pure(epsilon="1/4", relation=REPLACE_ONE), note="a threshold")
    >>> ledger
    Ledger(memory; limit: epsilon 1; spent: epsilon = 0.25 (replace-one, basic composition);
    left: epsilon = 0.75; entries: 1)
    """

    _mixes: ClassVar[bool] = False
    """Whether promises about labels and about records may be added up without a pinned relation."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.charged: deque[Entry] = deque(maxlen=_KEPT)
        """The newest entries that this object was charged with, known without the store."""
        self._renew()
        _LIVE.add(self)

    @classmethod
    def memory(
        cls,
        epsilon: Number | None = None,
        delta: Number | None = None,
        *,
        relation: Relation | str | None = None,
    ) -> Ledger:
        """A ledger of this process; ``epsilon=None`` is no limit, ``delta=None`` is 0.

        ``relation`` pins the relation in which the total is stated; else it is the
        weakest one among the entries. Pin it where the limit is a promise to others.
        """
        budget = read_budget(epsilon=epsilon, delta=delta, relation=relation)
        return cls(MemoryStore(budget, home=os.getpid()))

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        epsilon: Number | None = None,
        delta: Number | None = None,
        *,
        relation: Relation | str | None = None,
    ) -> Ledger:
        """The ledger in this file, which is created with this limit if it is missing.

        An existing ledger keeps its budget; ``None`` means "as it is", and anything
        that differs from it is an error. Without a limit nothing is created: a mistyped
        name is an error, not a new ledger.
        """
        asked = read_budget(epsilon=epsilon, delta=delta, relation=relation)
        name = place(path)
        if epsilon is not None:
            if is_address(name):
                create_in_postgres(name, asked)
            elif not os.path.lexists(name) and not create(name, asked):
                wait_for(name)
        ledger = cls(store_at(name))
        check_same(
            ledger._store.budget,
            epsilon=None if epsilon is None else asked.epsilon,
            delta=None if delta is None else asked.delta,
            relation=asked.relation,
        )
        return ledger

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        epsilon: Number,
        delta: Number = 0,
        *,
        relation: Relation | str = REPLACE_ONE,
        data_set: str = "",
        unit: str = RECORD,
        group: str | None = None,
    ) -> Ledger:
        """A new ledger file with this limit; an error if anything is there already.

        ``data_set`` names the records, ``unit`` who is protected; ``group`` shares the file
        with the accounts of a group, in a folder of that group, or in a database with a role.
        """
        budget = read_budget(
            epsilon=epsilon, delta=delta, relation=relation, data_set=data_set, unit=unit
        )
        name = place(path)
        if is_address(name):
            if not create_in_postgres(name, budget, group=group):
                raise BadInput(f"there is a ledger at {shown(name)} already: name a new one")
            return cls(PostgresStore(name))
        if os.path.lexists(name) or not create(name, budget, group=group):
            kept = "; a counter of an earlier ledger is there" if not os.path.lexists(name) else ""
            raise BadInput(f"{os.path.basename(name)} exists already{kept}: name a new file")
        return cls(SqliteStore(name))

    @classmethod
    def open_existing(cls, path: str | os.PathLike[str]) -> Ledger:
        """The ledger in this file, which must be there."""
        return cls(store_at(place(path)))

    def charge(self, event: Event, *, note: str = "") -> Entry:
        """Record the event durably, or raise ``BudgetRefused`` and record nothing.

        The value is the new entry. ``note`` is kept beside the event, with what
        ``describing`` says: public words only.
        """
        if not isinstance(note, str):
            raise BadInput("the note of a charge must be words")
        about = present()
        with self._lock:
            with self._store.writing() as page:
                self._catch_up(page)
                self._admit(event, about)
                entry = page.append(event, note=note, about=about, last=self._last)
            self._take(entry)
            self.charged.append(entry)
        return entry

    def account(self, entry: Entry) -> Account:
        """How this ledger stands, for the certificate of a release that it paid for.

        As the charge left it: a ledger that cannot be read any more costs no paid release.
        """
        budget = self._store.budget
        with self._lock:
            known = self._last is not None and self._last.index >= entry.index
            charges = self._charges if known else self._current()
            spent, left = charges.total(delta=budget.delta), remaining(budget, charges)
        return Account(
            ledger=self._store.identity,
            entry=entry.index,
            digest=entry.digest,
            data_set=budget.data_set,
            limit_epsilon=budget.epsilon,
            limit_delta=budget.delta,
            spent_epsilon=spent.epsilon,
            spent_delta=spent.delta,
            left_epsilon=left.epsilon,
        )

    def delivered(self, entry: Entry, *, digest: str) -> Entry:
        """Record at no cost which release a charge paid for, by the release's digest."""
        with self._lock, self._store.writing() as page:
            self._catch_up(page)
            self._store.check_writable()
            note = released_by(entry.index)
            return page.append(None, note=note, about=present(), last=self._last, release=digest)

    def renew_counter(self) -> None:
        """Make the counter of a file anew: whoever asks says that this is the newest copy."""
        if not isinstance(self._store, SqliteStore):
            raise BadInput("only a ledger in a file has a counter beside it")
        self._store.renew_counter()

    def refusal(self, event: Event) -> str | None:
        """Why ``charge`` would refuse this event now; ``None`` where it would accept it."""
        with self._lock, self._store.reading() as page:
            self._catch_up(page)
            try:
                self._admit(event, present())
            except BudgetRefused as refused:
                return str(refused)
            return None

    def would_allow(self, event: Event) -> bool:
        """Whether ``charge`` would accept this event now."""
        return self.refusal(event) is None

    @property
    def epsilon(self) -> Fraction | None:
        """The limit; ``None`` is no limit."""
        return self._store.budget.epsilon

    @property
    def delta(self) -> Fraction:
        """The delta of the limit, at which ``spent`` is stated."""
        return self._store.budget.delta

    @property
    def relation(self) -> Relation | None:
        """The pinned relation, if there is one."""
        return self._store.budget.relation

    @property
    def path(self) -> str | None:
        """The file or address, or ``None`` for a ledger in memory."""
        return self._store.path

    @property
    def shelf(self) -> PostgresStore | None:
        """Where releases that could not be delivered are kept; ``None`` if beside the file."""
        return self._store if isinstance(self._store, PostgresStore) else None

    @property
    def identity(self) -> str | None:
        """What tells this ledger from all others; ``None`` for one in memory."""
        return self._store.identity

    @property
    def data_set(self) -> str:
        """What the records are called that this ledger protects."""
        return self._store.budget.data_set

    @property
    def unit(self) -> str:
        """Who is protected: one ``record``, or what one person's records are told by."""
        return self._store.budget.unit

    @property
    def spent(self) -> Total:
        """The smallest total that is proved for what was charged, at the ledger's delta."""
        return self.spent_at(self.delta)

    def spent_at(self, delta: object) -> Total:
        """The smallest total that is proved for what was charged, at another delta."""
        number = probability(delta, name="delta", zero="allowed")
        with self._lock:
            return self._current().total(delta=number)

    @property
    def remaining(self) -> Remaining:
        """What one more event may cost."""
        with self._lock:
            return remaining(self._store.budget, self._current())

    left = remaining

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything that was charged, oldest first."""
        return tuple(entry for entry in self.history if entry.event is not None)

    @property
    def history(self) -> tuple[Entry, ...]:
        """Everything that was written down: charges, and the releases they paid for."""
        with self._lock, self._store.reading() as page:
            return tuple(page.after(None))

    def standings(self, *, since: int) -> Iterator[tuple[Total, Remaining]]:
        """What was spent and what was left after each charge, from entry ``since`` on."""
        charges = Charges(self._store.budget)
        for entry in self.entries:
            charges.add(entry.cost)
            if entry.index >= since:
                yield charges.total(delta=self.delta), remaining(self._store.budget, charges)

    def _renew(self) -> None:
        """Forget what was read; the store is read again when needed."""
        self._lock = threading.RLock()
        self._charges = Charges(self._store.budget)
        self._last: Entry | None = None
        self._count = 0

    def _catch_up(self, page: Page) -> None:
        for entry in page.after(self._last):
            self._take(entry)

    def _take(self, entry: Entry) -> None:
        """Count an entry that is durable."""
        if entry.event is not None:
            self._charges.add(entry.event)
            self._count += 1
        self._last = entry

    def _current(self) -> Charges:
        with self._store.reading() as page:
            self._catch_up(page)
        return self._charges

    def _admit(self, event: Event, about: About) -> None:
        if not isinstance(event, Event):
            raise BadInput("a ledger is charged with an Event, such as Pure(epsilon=1, ...)")
        self._store.check_writable()
        if not self._mixes:
            refuse_mixed(event, budget=self._store.budget, charges=self._charges)
        refuse(event, about, budget=self._store.budget, charges=self._charges)

    def __copy__(self) -> Ledger:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Ledger:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        if isinstance(self._store, SqliteStore):
            return _reopened, (self._store.path, self._store.identity)
        if isinstance(self._store, PostgresStore):
            return _reopened, (self._store.address, self._store.identity)
        rows = [(entry.cost.to_dict(), entry.note) for entry in self.entries]
        return _memory_copy, (self._store.budget.to_dict(), rows)

    def _facts(self) -> dict[str, str]:
        with self._lock:
            spent, remaining = self.spent, self.remaining
            count = self._count
        return {
            "limit": self._store.budget.describe(),
            "spent": str(spent),
            "left": str(remaining),
            "entries": str(count),
        }

    def __repr__(self) -> str:
        facts = "; ".join(f"{name}: {value}" for name, value in self._facts().items())
        return f"Ledger({'memory' if self.path is None else 'file'}; {facts})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td>{value}</td></tr>"
            for name, value in self._facts().items()
        )
        return f"<table><caption>Ledger</caption>{rows}</table>"


def released_by(index: int) -> str:
    """What an entry says that names the release of a charge."""
    return f"release of entry {index}"


_LIVE: weakref.WeakSet[Ledger] = weakref.WeakSet()


def opened(identity: str | None) -> Ledger | None:
    """The ledger of this identity, if this process has it open; none in memory has one."""
    found = (one for one in list(_LIVE) if one.identity == identity)
    return None if identity is None else next(found, None)


def _renew_all() -> None:
    """After a fork: another thread may have held a lock, or been half-way through."""
    for ledger in list(_LIVE):
        ledger._renew()
        if isinstance(ledger._store, MemoryStore):
            ledger._store.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)


def _reopened(path: str, identity: str) -> Ledger:
    return Ledger(store_at(path, identity=identity))


def _memory_copy(budget: dict[str, object], rows: list[tuple[dict[str, object], str]]) -> Ledger:
    store = MemoryStore(budget_from_dict(budget), home=None)
    last = None
    for event, note in rows:
        store.append(event_from_dict(event), note=note, about=About(), last=last)
        last = store.rows[-1]
    return Ledger(store)
