"""A finite class as bits: the one place where a class of any form is read.

A set of concepts, and a set of points, is a Python integer: bit ``i`` says whether
``i`` is in it. Everything in this package works on these.
"""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tacit.core import BadInput
from tacit.core.concept import Numbered, WrittenOut, first_number
from tacit.domains.bits import Bits as BitStrings
from tacit.domains.integers import Integers
from tacit.domains.plane import Plane

Bits = int
"""A set of small integers."""

_LARGEST = 1 << 26
"""Cells of the largest table that is written out for a named class."""


@dataclass(frozen=True)
class Incidence:
    """A 0/1 table, concepts by points; ``rows[f]`` is the set of points that ``f`` labels 1.

    Indices are those of the table as given: duplicate concepts and points are kept, so
    that a witness can be checked against the table it was made from.
    """

    rows: tuple[Bits, ...]
    points: int

    @property
    def concepts(self) -> int:
        return len(self.rows)

    @cached_property
    def columns(self) -> tuple[Bits, ...]:
        """``columns[x]`` is the set of concepts that label ``x`` 1."""
        return _pack(self.matrix.T)

    @cached_property
    def matrix(self) -> NDArray[np.bool_]:
        width = max(1, -(-self.points // 8))
        data = b"".join(row.to_bytes(width, "little") for row in self.rows)
        packed = np.frombuffer(data, dtype=np.uint8).reshape(self.concepts, width)
        bits = np.unpackbits(packed, axis=1, bitorder="little", count=width * 8)
        return bits[:, : self.points].astype(bool)

    @cached_property
    def digest(self) -> str:
        """Names the table: a witness for another table is refused."""
        body = f"{self.concepts}x{self.points}:" + ",".join(f"{row:x}" for row in self.rows)
        return hashlib.sha256(body.encode()).hexdigest()[:16]

    @cached_property
    def distinct(self) -> tuple[int, ...]:
        """One index for each different concept, in order of first appearance."""
        return tuple({row: i for i, row in reversed(list(enumerate(self.rows)))}.values())[::-1]

    @cached_property
    def cuts(self) -> tuple[int, ...]:
        """One point for each different way of splitting the concepts in two.

        Constant columns split nothing; a column and its complement split alike.
        """
        everything = (1 << self.concepts) - 1
        first: dict[Bits, int] = {}
        for x, column in enumerate(self.columns):
            if column not in (0, everything):
                first.setdefault(min(column, everything ^ column), x)
        return tuple(first.values())

    def telling(self, count: int) -> tuple[int, ...]:
        """Some cuts that tell many concepts apart, chosen one after another."""
        rows = [self.rows[f] for f in self.distinct[:512]]
        chosen: list[int] = []
        while len(chosen) < min(count, len(self.cuts)):
            left = [x for x in self.cuts if x not in chosen]
            masks = {x: sum(1 << y for y in (*chosen, x)) for x in left}
            chosen.append(max(left, key=lambda x: len({row & masks[x] for row in rows})))
        return tuple(chosen)

    def label(self, concept: int, point: int) -> int:
        return self.rows[concept] >> point & 1

    def restrict(self, *, concepts: tuple[int, ...]) -> Incidence:
        """The class of these concepts only."""
        return Incidence(rows=tuple(self.rows[f] for f in concepts), points=self.points)


def read(concept_class: object) -> Incidence:
    """Read a class: a listed class, one whose concepts are numbered, a 0/1 array or
    list of lists (concepts by points), or the path of a CSV file.

    >>> read([[0, 1], [1, 1]]).columns
    (2, 3)
    """
    if isinstance(concept_class, Incidence):
        return concept_class
    if isinstance(concept_class, (str, Path)):
        return _from_array(_read_csv(Path(concept_class)))
    if isinstance(concept_class, WrittenOut):
        return _from_array(concept_class.matrix)
    if isinstance(concept_class, Numbered):
        return _from_array(_written_out(concept_class))
    return _from_array(concept_class)


def _written_out(concept_class: Numbered) -> NDArray[np.bool_]:
    """The table of a named class: every concept on every point of its domain."""
    size, domain = concept_class.size, concept_class.domain
    if size is None or not isinstance(domain, (Integers, BitStrings, Plane)):
        raise BadInput(f"{concept_class.describe()} cannot be written out as a table")
    if size * domain.size > _LARGEST:
        raise BadInput(f"{concept_class.describe()} is too large to be written out as a table")
    points = np.arange(domain.size)
    if isinstance(domain, Plane):
        points = np.stack(np.divmod(points, domain.p), axis=1)
    if isinstance(domain, BitStrings):
        points = points[:, None] >> np.arange(domain.columns) & 1
    first = first_number(concept_class)
    rules = (concept_class.hypothesis(first + i) for i in range(size))
    return np.array([rule.predict(points) for rule in rules])


def _from_array(values: object) -> Incidence:
    try:
        array = np.asarray(values)
    except ValueError:
        array = np.empty(0)
    if array.ndim != 2 or array.dtype.kind not in "biuf" or not np.isin(array, (0, 1)).all():
        raise BadInput(
            "a class must be a table of 0 and 1 with one row per concept and one column per "
            "point, the path of such a CSV file, or a finite class such as Thresholds(size=8)"
        )
    return Incidence(rows=_pack(array.astype(bool)), points=array.shape[1])


def _pack(array: NDArray[np.bool_]) -> tuple[Bits, ...]:
    packed = np.packbits(array, axis=1, bitorder="little")
    return tuple(int.from_bytes(row.tobytes(), "little") for row in packed)


def _read_csv(path: Path) -> list[list[int]]:
    """Rows of 0 and 1; a heading and a first column of names are allowed."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            table = [[cell.strip() for cell in row] for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError):
        raise BadInput(f"cannot read {path} as a CSV file") from None
    if table and not set(table[0][1:] or table[0]) <= {"0", "1"}:
        table = table[1:]
    if table and all(row[0] not in ("0", "1") for row in table):
        table = [row[1:] for row in table]
    if not table or any(len(row) != len(table[0]) or not set(row) <= {"0", "1"} for row in table):
        raise BadInput(
            f"{path} must hold one row of 0 and 1 per concept, all equally long "
            "(a heading and a first column of names are allowed)"
        )
    return [[int(cell) for cell in row] for row in table]
