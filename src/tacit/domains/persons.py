"""Whose row is it, and which rows of a person are kept: each person by itself.

Proved in ``mechanisms/persons.proof.md``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from uuid import UUID

import numpy as np
import numpy.typing as npt

from tacit.core import Domain, Sample
from tacit.core.persons import PersonRows
from tacit.domains.columns import as_array
from tacit.domains.texts import is_text, place_texts
from tacit.domains.values import is_missing
from tacit.exact.arrays import Values

_SALT = b"tacit rows of one person 1"
NOBODY = -1
_EXACT = 1 << 53
_UNREADABLE = "\N{REPLACEMENT CHARACTER}"
"""The id of a line that cannot be read: lines of several persons must not become one person's."""
_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@dataclass(frozen=True, slots=True, eq=False)
class Owners:
    """The different ids in ascending order, and the place of each row's id; private.

    A row without an id has place -1.
    """

    ids: list[str]
    places: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        return "Owners(private)"


def id_text(value: object) -> str:
    """An id as text, compared exactly; empty where there is none.

    Text, whole numbers and UUIDs are ids; 7, 7.0 and "7" are one, "007" and " 7" others.
    """
    try:
        return _id_text(value, type(value))
    except Exception:  # noqa: BLE001 - any record whatever must have an answer
        return ""


def _id_text(value: object, kind: type) -> str:
    if issubclass(kind, str):
        text = str.__str__(value)
        return "" if text == _UNREADABLE else text
    if issubclass(kind, (bool, np.bool_)):
        return ""
    if issubclass(kind, int):
        return str(int.__int__(value))  # type: ignore[arg-type]
    if issubclass(kind, np.integer):
        return str(int(value))  # type: ignore[call-overload]
    if issubclass(kind, UUID):
        return UUID.__str__(value)
    if issubclass(kind, (float, np.floating)) and not is_missing(value):
        number = float(value)  # type: ignore[arg-type]
        return str(int(number)) if number.is_integer() and abs(number) < _EXACT else ""
    return ""


def owners(column: object) -> Owners:
    """Whose the rows of a column of ids are; each cell is read by itself."""
    texts = _texts(column)
    ids, places = np.unique(texts, return_inverse=True)
    places = places.astype(np.int64).reshape(-1)
    if len(ids) and ids[0] == "":
        return Owners(ids[1:].tolist(), places - 1)
    return Owners(ids.tolist(), places)


def _texts(column: object) -> Values:
    """The ids as an array of Python texts, empty where a row has none."""
    if is_text(column):
        return place_texts(column, _each)
    array = as_array(column)
    if array.ndim != 1:
        array = np.array([""] * len(array), dtype=object)
    if array.dtype.kind in "iu":
        different, places = np.unique(array, return_inverse=True)
        return _each(different.astype(object))[places.reshape(-1)]
    return _each(array)


def _each(values: Values) -> Values:
    out = np.empty(len(values), dtype=object)
    out[:] = [id_text(value) for value in values.tolist()]
    return out


def kept_rows(
    held: Owners, cells: Values, labels: Values | None, *, rows: int
) -> npt.NDArray[np.int64]:
    """Which rows are kept: of every person at most ``rows``, person after person.

    A person's rows are put in the order of their public cells, then of their labels; which
    places of that order are kept is told by a public salt, the id and the place alone.
    """
    order = np.lexsort((*_columns(labels)[::-1], *_columns(cells)[::-1], held.places))  # [K1]
    owner = held.places[order]
    order, owner = order[owner != NOBODY], owner[owner != NOBODY]  # [K2]
    first = np.searchsorted(owner, owner, side="left")
    place = np.arange(len(owner)) - first
    keys = _keys(_seeds(held.ids)[owner], place)  # [K3]
    by_key = np.lexsort((keys, owner))
    rank = np.arange(len(owner)) - first  # owners stand as before
    chosen: npt.NDArray[np.int64] = order[by_key][rank < rows]  # [K4]
    return chosen


def _columns(table: Values | None) -> list[Values]:
    """The columns of cells or labels as numbers that sort alike."""
    if table is None:
        return []
    columns = [table] if table.ndim == 1 else list(table.T)
    return [
        np.unique(one, return_inverse=True)[1].reshape(-1) if one.dtype == object else one
        for one in columns
    ]


def _seeds(ids: list[str]) -> npt.NDArray[np.uint64]:
    """64 bits for each id that look random and depend on it and the salt alone."""
    found = b"".join(
        hashlib.blake2b(one.encode("utf-8", "surrogatepass"), digest_size=8, key=_SALT).digest()
        for one in ids
    )
    return np.frombuffer(found, dtype="<u8").astype(np.uint64)


def _keys(seeds: npt.NDArray[np.uint64], places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """A number for every place of a person's order; no two places of one have the same."""
    mixed = seeds + (places.astype(np.uint64) + np.uint64(1)) * np.uint64(_STEP)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(_FIRST)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(_SECOND)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)), dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class ListedPersons:
    """Persons written out, each with all rows ``(x, y)``: for tests, audits and examples.

    Implements ``tacit.core.persons.Persons``; somebody without rows is counted here.
    """

    domain: Domain
    persons: tuple[tuple[tuple[object, object], ...], ...]

    def __repr__(self) -> str:
        return "ListedPersons(private)"

    @property
    def number(self) -> int:
        """How many persons there are."""
        return len(self.persons)

    def at_most(self, rows: int) -> PersonRows:
        """At most so many rows of each person."""
        listed = [(i, row) for i, one in enumerate(self.persons) for row in one]
        x = np.array([row[0] for _, row in listed], dtype=object)
        y = np.array([bool(row[1]) for _, row in listed], dtype=bool)
        places = np.array([i for i, _ in listed], dtype=np.int64)
        held = Owners([str(i) for i in range(len(self.persons))], places)
        kept = kept_rows(held, np.asarray(self.domain.coerce(x)), y, rows=rows)
        return PersonRows(Sample(x[kept], y[kept], positive=True), places[kept])


def persons_of(
    rows: Sequence[tuple[object, object]], *, most: int
) -> list[tuple[tuple[object, object], ...]]:
    """Everybody with at most so many of these rows, also who has none.

    >>> persons_of([(0, 1)], most=2)
    [(), ((0, 1),), ((0, 1), (0, 1))]
    """
    return [one for c in range(most + 1) for one in combinations_with_replacement(rows, c)]
