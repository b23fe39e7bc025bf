"""Arrays in memory as a source of batches: slices, shared out among threads, no copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from queue import Empty, Queue
from threading import Event, Thread
from typing import TypeVar

import numpy as np

from tacit.core.resources import Watch, resources
from tacit.core.source import Batch
from tacit.core.tally import Glimpsed, Tally, fold
from tacit.exact.arrays import Placed

S = TypeVar("S")
_ROWS = 1 << 18
_SERIAL = 1 << 18
_AHEAD = 4
_GLIMPSE = 1 << 15
_WORTH_A_GLIMPSE = 32


@dataclass(frozen=True, slots=True, eq=False)
class ArrayBatch:
    """Columns of equal length, of which rows ``start`` to ``stop`` are shown."""

    columns: tuple[Placed, ...]
    start: int
    stop: int

    def __repr__(self) -> str:
        return "ArrayBatch(private)"

    @property
    def num_rows(self) -> int:
        return self.stop - self.start

    def column(self, i: int | str) -> Placed:
        return self.columns[int(i)][self.start : self.stop]


@dataclass(frozen=True, slots=True, eq=False)
class ReadBatch:
    """Columns that were read already: arrays, or tables of several columns."""

    columns: tuple[object, ...]
    num_rows: int

    def __repr__(self) -> str:
        return "ReadBatch(private)"

    def column(self, i: int | str) -> object:
        return self.columns[int(i)]


def _watched(batches: Iterator[Batch], watch: Watch) -> Iterator[Batch]:
    """The batches, telling whoever watches."""
    for batch in batches:
        yield batch
        watch.read(batch.num_rows)


def fold_ahead(batches: Iterator[Batch], tally: Tally[S], *, rows: int = 0) -> S:
    """Add up all batches, of ``rows`` in all if known, while another thread fetches a few ahead."""
    allowed = resources()
    allowed.watch.begin(rows)
    watched = _watched(batches, allowed.watch)
    if allowed.workers == 1:
        return fold(watched, tally)
    ahead: Queue[Batch | BaseException | None] = Queue(maxsize=_AHEAD)
    stop = Event()

    def fetch() -> None:
        try:
            for batch in watched:
                if stop.is_set():
                    return
                ahead.put(batch)
            ahead.put(None)
        except BaseException as failure:  # noqa: BLE001 - raised again by whoever waits for it
            ahead.put(failure)

    fetching = Thread(target=fetch, daemon=True)
    fetching.start()
    counter = tally.zero()
    try:
        while (batch := ahead.get()) is not None:
            if isinstance(batch, BaseException):
                raise batch
            counter = tally.add(counter, batch)
        return counter
    finally:
        stop.set()
        while fetching.is_alive():
            with suppress(Empty):
                ahead.get(timeout=0.01)


def fold_shares(shares: Sequence[Iterator[Batch]], tally: Tally[S], *, rows: int = 0) -> S:
    """Add up all batches of all shares, as ``fold_ahead``, each share in a thread of its own."""
    watch, stop = resources().watch, Event()
    watch.begin(rows)

    def work(share: Iterator[Batch]) -> S:
        counter = tally.zero()
        try:
            for batch in _watched(share, watch):
                counter = tally.add(counter, batch)
                if stop.is_set():
                    break
        except BaseException:
            stop.set()  # the others need not go on
            raise
        return counter

    with ThreadPoolExecutor(len(shares)) as pool:
        begun = [pool.submit(work, share) for share in shares]
    first, *others = [one.result() for one in begun]
    for other in others:
        first = tally.merge(first, other)
    return first


@dataclass(frozen=True, slots=True, eq=False)
class ArrayRecords(Glimpsed):
    """Records held in arrays, one a column; implements ``tacit.core.tally.Records``."""

    columns: tuple[Placed, ...]
    rows: int = _ROWS

    def __repr__(self) -> str:
        return "ArrayRecords(private)"

    def __len__(self) -> int:
        return len(self.columns[0])

    def batches(self) -> Iterator[ArrayBatch]:
        """The records in order, ``rows`` at a time."""
        return (self._batch(place) for place in range(self._count()))

    def _count(self) -> int:
        return -(-len(self) // self.rows)

    def _batch(self, place: int) -> ArrayBatch:
        start = place * self.rows
        return ArrayBatch(self.columns, start, min(start + self.rows, len(self)))

    def fold(self, tally: Tally[S]) -> S:
        """The counter of all records; threads take the next batch as they come free."""
        allowed = resources()
        threads = allowed.workers if len(self) > _SERIAL else 1
        places, last, watch = count(), self._count(), allowed.watch
        watch.begin(len(self))

        def work() -> S:
            counter = tally.zero()
            while (place := next(places)) < last:
                batch = self._batch(place)
                counter = tally.add(counter, batch)
                watch.read(batch.num_rows)
            return counter

        if threads == 1:
            return work()
        with ThreadPoolExecutor(threads) as pool:
            first, *others = [done.result() for done in [pool.submit(work) for _ in range(threads)]]
        for other in others:
            first = tally.merge(first, other)
        return first

    def glimpse(self, tally: Tally[S]) -> S | None:
        """The counter of every so manieth record, if there are many more than those."""
        step = len(self) // _GLIMPSE
        if step < _WORTH_A_GLIMPSE:
            return None
        some = tuple(np.ascontiguousarray(column[::step]) for column in self.columns)
        return tally.add(tally.zero(), ArrayBatch(some, 0, len(some[0])))
