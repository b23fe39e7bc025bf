"""The ledger: one budget, charged before data are touched.

A ledger is an identity. Copying or cloning returns the same ledger. A pickled ledger in
memory cannot spend; a pickled ledger in a file opens the same file again, and spends from
the one budget that is there.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.accounting.about import RECORD, About, present
from tacit.accounting.budget import Budget, budget_from_dict, read_budget
from tacit.accounting.composition import Total
from tacit.accounting.cost import implies
from tacit.accounting.entry import Entry
from tacit.accounting.postgres import PostgresStore, is_address, shown
from tacit.accounting.postgres import create as create_in_postgres
from tacit.accounting.sqlite import SqliteStore, create
from tacit.accounting.store import MemoryStore, Page, Store
from tacit.accounting.tally import Tally
from tacit.core import (
    LABEL,
    REPLACE_ONE,
    BadInput,
    BudgetRefused,
    Event,
    Relation,
    event_from_dict,
    leaves,
)
from tacit.core.certificate import Account
from tacit.core.numbers import Number, probability, show, show_rounded_down, show_rounded_up
from tacit.exact.entropy import here


@dataclass(frozen=True, slots=True, kw_only=True)
class Remaining:
    """What one more event may cost; ``None`` is no limit.

    ``epsilon`` is always free for a pure event. It can be less than the limit minus
    what is spent, for the limit must hold even if costs are chosen after seeing outputs.
    ``delta`` is what approximate events have left over.
    """

    epsilon: Fraction | None
    delta: Fraction | None

    def __str__(self) -> str:
        if self.epsilon is None:
            return "no limit"
        delta = f", delta = {show_rounded_down(self.delta)}" if self.delta else ""
        return f"epsilon = {show_rounded_down(self.epsilon)}{delta}"


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

    def __init__(self, store: Store) -> None:
        self._store = store
        self._renew()
        _LIVE.add(self)

    @classmethod
    def memory(
        cls,
        epsilon: Number | None = None,
        delta: Number = 0,
        *,
        relation: Relation | str | None = None,
    ) -> Ledger:
        """A ledger of this process; ``epsilon=None`` is no limit.

        ``relation`` pins the relation in which the total is stated; else it is the
        weakest one among the entries. Pin it where the limit is a promise to others.
        """
        budget = read_budget(epsilon=epsilon, delta=delta, relation=relation)
        return cls(MemoryStore(budget, home=here()))

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
        name = _place(path)
        if epsilon is not None:
            if is_address(name):
                create_in_postgres(name, asked)
            elif not os.path.lexists(name) and not create(name, asked):
                _wait_for(name)
        ledger = cls(_store(name))
        _check_same(
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
        with the accounts of a group, in a folder of that group.
        """
        budget = read_budget(
            epsilon=epsilon, delta=delta, relation=relation, data_set=data_set, unit=unit
        )
        name = _place(path)
        if is_address(name):
            if group is not None:
                raise BadInput("a database shares by its own accounts: leave out the group")
            if not create_in_postgres(name, budget):
                raise BadInput(f"there is a ledger at {shown(name)} already: name a new one")
            return cls(PostgresStore(name))
        if os.path.lexists(name) or not create(name, budget, group=group):
            kept = "; a counter of an earlier ledger is there" if not os.path.lexists(name) else ""
            raise BadInput(f"{os.path.basename(name)} exists already{kept}: name a new file")
        return cls(SqliteStore(name))

    @classmethod
    def open_existing(cls, path: str | os.PathLike[str]) -> Ledger:
        """The ledger in this file, which must be there."""
        return cls(_store(_place(path)))

    def charge(self, event: Event, *, note: str = "") -> Entry:
        """Record the event durably, or raise ``BudgetRefused`` and record nothing.

        The value is the new entry. ``note`` is kept beside the event, with what
        ``describing`` says: public words only.
        """
        if not isinstance(note, str):
            raise BadInput("the note of a charge must be words")
        about = present()
        with self._lock, self._store.writing() as page:
            self._catch_up(page)
            self._admit(event, about)
            return page.append(event, note=note, about=about, last=self._last)

    def account(self, entry: Entry) -> Account:
        """How this ledger stands now, for the certificate of a release that it paid for."""
        with self._lock:
            spent, left = self.spent, self.remaining
        return Account(
            ledger=self.identity,
            entry=entry.index,
            digest=entry.digest,
            data_set=self.data_set,
            limit_epsilon=self.epsilon,
            limit_delta=self.delta,
            spent_epsilon=spent.epsilon,
            spent_delta=spent.delta,
            left_epsilon=left.epsilon,
        )

    def delivered(self, entry: Entry, *, digest: str) -> Entry:
        """Record at no cost which release a charge paid for, by the release's digest."""
        with self._lock, self._store.writing() as page:
            self._catch_up(page)
            self._store.check_writable()
            note = f"release of entry {entry.index}"
            return page.append(None, note=note, about=present(), last=self._last, release=digest)

    def renew_counter(self) -> None:
        """Make the counter of a file anew: whoever asks says that this is the newest copy."""
        if not isinstance(self._store, SqliteStore):
            raise BadInput("only a ledger in a file has a counter beside it")
        self._store.renew_counter()

    def would_allow(self, event: Event) -> bool:
        """Whether ``charge`` would accept this event now."""
        with self._lock, self._store.reading() as page:
            self._catch_up(page)
            try:
                self._admit(event, present())
            except BudgetRefused:
                return False
            return True

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
        """Where releases wait that have not arrived; ``None`` where that is beside a file."""
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
            return self._left(self._current())

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

    def _renew(self) -> None:
        """Forget what was read; the store is read again when needed."""
        self._lock = threading.RLock()
        self._tally = Tally(self._store.budget)
        self._last: Entry | None = None
        self._charges = 0

    def _catch_up(self, page: Page) -> None:
        for entry in page.after(self._last):
            if entry.event is not None:
                self._tally.add(entry.event)
                self._charges += 1
            self._last = entry

    def _current(self) -> Tally:
        with self._store.reading() as page:
            self._catch_up(page)
        return self._tally

    def _left(self, tally: Tally) -> Remaining:
        budget, sums = self._store.budget, tally.sums()
        used = budget.used(sums)
        if budget.epsilon is None or used is None:
            return Remaining(epsilon=None, delta=None)
        return Remaining(epsilon=budget.epsilon - used, delta=budget.delta - sums.delta)

    def _admit(self, event: Event, about: About) -> None:
        if not isinstance(event, Event):
            raise BadInput("a ledger is charged with an Event, such as Pure(epsilon=1, ...)")
        self._store.check_writable()
        budget = self._store.budget
        self._check_terms(event, about)
        if budget.relation is not None and not implies(event.relation, budget.relation):
            raise BudgetRefused(
                f"this ledger is kept for {budget.relation.value} neighbours, and an event under "
                f"{event.relation.value} promises nothing about them; nothing was charged"
            )
        sums = self._tally.sums(event)
        if budget.allows(sums):
            return
        used = budget.used(sums)
        raise BudgetRefused(
            f"the budget ({budget.describe()}) has no room for {_asked(event)}: "
            + (
                f"the total would be epsilon = {show_rounded_up(used)}"
                if used is not None
                else f"no total with delta at most {show(budget.delta)} would be known"
            )
            + f"; spent so far: {self._tally.total(delta=budget.delta)}; "
            f"left: {self._left(self._tally)}; nothing was charged"
        )

    def _check_terms(self, event: Event, about: About) -> None:
        """Refuse what is promised for other records, or to less than the ledger promises."""
        budget = self._store.budget
        if budget.relation is None and budget.epsilon is not None and event.relation is LABEL:
            raise BudgetRefused(
                "this ledger's limit speaks of whole records, and an event under label promises "
                "nothing about their features: use a ledger with relation='label'; nothing was "
                "charged"
            )
        if about.data_set and budget.data_set and about.data_set != budget.data_set:
            raise BudgetRefused(
                f"this ledger is kept for the data set {budget.data_set!r}, not for "
                f"{about.data_set!r}; nothing was charged"
            )
        if budget.unit not in (RECORD, about.unit):
            raise BudgetRefused(
                f"this ledger protects each {budget.unit}, and a release that protects each "
                f"{about.unit} promises less; nothing was charged"
            )

    def __copy__(self) -> Ledger:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Ledger:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if isinstance(self._store, SqliteStore):
            return _reopened, (self._store.path, self._store.identity)
        if isinstance(self._store, PostgresStore):
            return _reopened, (self._store.address, self._store.identity)
        rows = [(entry.cost.to_dict(), entry.note) for entry in self.entries]
        return _memory_copy, (self._store.budget.to_dict(), rows)

    def _facts(self) -> dict[str, str]:
        with self._lock:
            spent, remaining = self.spent, self.remaining
            count = self._charges
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


_LIVE: weakref.WeakSet[Ledger] = weakref.WeakSet()


def _renew_all() -> None:
    """After a fork: another thread may have held a lock, or been half-way through."""
    for ledger in list(_LIVE):
        ledger._renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)


def _reopened(path: str, identity: str) -> Ledger:
    return Ledger(_store(path, identity=identity))


def _place(path: str | os.PathLike[str]) -> str:
    """The real path of a ledger file, or the address of a database as it is."""
    name = os.fspath(path)
    return name if is_address(name) else os.path.realpath(name)


def _store(name: str, *, identity: str | None = None) -> SqliteStore | PostgresStore:
    kind = PostgresStore if is_address(name) else SqliteStore
    return kind(name, identity=identity)


def _memory_copy(budget: dict[str, Any], rows: list[tuple[dict[str, Any], str]]) -> Ledger:
    store = MemoryStore(budget_from_dict(budget), home=None)
    last = None
    for event, note in rows:
        store.append(event_from_dict(event), note=note, about=About(), last=last)
        last = store.rows[-1]
    return Ledger(store)


def _wait_for(path: str) -> None:
    """Another process is creating this ledger: its counter is there, the file soon will be."""
    for _ in range(40):
        if os.path.lexists(path):
            return
        time.sleep(0.05)
    raise BadInput(
        f"a ledger was at {path!r} before: its counter is still there. Restore the ledger, or name "
        "a new file"
    )


def _check_same(
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


def _asked(event: Event) -> str:
    parts = leaves(event)
    what = event.describe() if len(parts) <= 3 else f"{len(parts)} steps composed"
    return f"{what} ({event.relation.value})"
