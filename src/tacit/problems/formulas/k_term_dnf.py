"""DNF formulas of few terms, and the CNF formulas of short clauses that stand in for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.hypothesis import numbered
from tacit.core.numbers import whole
from tacit.core.records import Stored, below
from tacit.core.respelled import respelled
from tacit.domains.bits import Bits
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.tallies.distinct import Counts
from tacit.tallies.mistakes import AddsUp

_WORD = 64

_MOST_VARIABLES = 64
_MOST_CLAUSES = 1 << 20
_MOST_LISTED_VARIABLES = 6
_MOST_LISTED = 1 << 19

Clause = tuple[int, int]
"""``(mask, false)``: false exactly where the masked bits spell ``false``."""


@lru_cache(maxsize=64)
def masks(variables: int, width: int) -> tuple[int, ...]:
    """Every choice of ``width`` variables, as bit masks (fewer if there are fewer)."""
    width = min(width, variables)
    return tuple(sum(1 << i for i in some) for some in combinations(range(variables), width))


def _spread(pattern: int, mask: int) -> int:
    """Put the bits of ``pattern`` at the places of ``mask``."""
    result, place = 0, 0
    for i in range(mask.bit_length()):
        if mask >> i & 1:
            result |= (pattern >> place & 1) << i
            place += 1
    return result


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class CnfRule:
    """Every listed clause holds."""

    kind: ClassVar[str] = "cnf"
    domain: Bits
    clauses: tuple[Clause, ...]

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        cells = self.domain.coerce(x)
        answers = np.ones(len(cells), dtype=bool)
        for mask, false in self.clauses:
            answers &= (cells & np.uint64(mask)) != np.uint64(false)
        return answers

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        return self.worded(numbered(column, self.domain.columns), labels)

    def worded(self, columns: Sequence[str], labels: Labels) -> str:
        """The rule in words, with a name for each column."""
        shown = [self._words(clause, columns) for clause in self.clauses]
        return (
            f"{labels[1]} if {' and '.join(shown)}, else {labels[0]}"
            if shown
            else f"{labels[1]} everywhere"
        )

    def _words(self, clause: Clause, columns: Sequence[str]) -> str:
        mask, false = clause
        length = self.domain.columns
        # The first column is the highest bit.
        literals = [
            f"{'not ' if false >> i & 1 else ''}{columns[length - 1 - i]}"
            for i in reversed(range(length))
            if mask >> i & 1
        ]
        return f"({' or '.join(literals)})"

    def to_dict(self) -> dict[str, object]:
        clauses = [[str(mask), str(false)] for mask, false in self.clauses]
        return {"kind": self.kind, "variables": self.domain.columns, "clauses": clauses}

    @classmethod
    def from_dict(cls, record: Stored) -> CnfRule:
        domain = Bits(columns=below(_WORD + 1, record["variables"]))
        return cls(domain=domain, clauses=_masks(record["clauses"], domain))


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class DnfRule:
    """Some listed term holds: the masked bits spell what the term says."""

    kind: ClassVar[str] = "dnf"
    domain: Bits
    terms: tuple[Clause, ...]

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        cells = self.domain.coerce(x)
        answers = np.zeros(len(cells), dtype=bool)
        for mask, value in self.terms:
            answers |= (cells & np.uint64(mask)) == np.uint64(value)
        return answers

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        return self.worded(numbered(column, self.domain.columns), labels)

    def worded(self, columns: Sequence[str], labels: Labels) -> str:
        """The rule in words, with a name for each column."""
        length = self.domain.columns
        shown = []
        for mask, value in self.terms:
            literals = [
                f"{'' if value >> i & 1 else 'not '}{columns[length - 1 - i]}"
                for i in reversed(range(length))
                if mask >> i & 1
            ]
            shown.append(f"({' and '.join(literals)})" if literals else "always")
        if not shown:
            return f"{labels[0]} everywhere"
        return f"{labels[1]} if {' or '.join(shown)}, else {labels[0]}"

    def to_dict(self) -> dict[str, object]:
        terms = [[str(mask), str(value)] for mask, value in self.terms]
        return {"kind": self.kind, "variables": self.domain.columns, "terms": terms}

    @classmethod
    def from_dict(cls, record: Stored) -> DnfRule:
        domain = Bits(columns=below(_WORD + 1, record["variables"]))
        return cls(domain=domain, terms=_masks(record["terms"], domain))


def _masks(found: Iterable[tuple[object, object]], domain: Bits) -> tuple[Clause, ...]:
    """Pairs of words over the variables, as a file holds them."""
    return tuple((below(domain.size, mask), below(domain.size, word)) for mask, word in found)


@lru_cache(maxsize=16)
def _terms(variables: int) -> dict[int, Clause]:
    """Every conjunction of literals, by its truth table: bit ``c`` is its value at ``c``."""
    found = {}
    for mask in range(1 << variables):
        for pattern in range(1 << mask.bit_count()):
            value = _spread(pattern, mask)
            table = sum(1 << c for c in range(1 << variables) if c & mask == value)
            found[table] = (mask, value)
    return found


@lru_cache(maxsize=16)
def _functions(variables: int, terms: int) -> npt.NDArray[np.uint64]:
    """The truth tables of all formulas of at most ``terms`` terms, ascending, each once."""
    single = np.array(sorted(_terms(variables)), dtype=np.uint64)
    found = np.zeros(1, dtype=np.uint64)
    for _ in range(terms):
        found = np.unique(np.append(found, (found[:, None] | single[None, :]).ravel()))
    return found


@respelled(variables="columns")
@dataclass(frozen=True, slots=True)
class KTermDnf(AddsUp):
    """Formulas ``T_1 or ... or T_k`` over rows of bits, each term a conjunction of literals.

    ``size`` counts the different functions where they can be listed; else it is an upper
    bound: how many choices of at most ``terms`` terms there are.
    """

    domain: Bits
    terms: int
    name: ClassVar[str] = "k-term-dnf"

    def __init__(self, *, columns: int, terms: int) -> None:
        count = whole(columns, name="columns", least=1)
        if count > _MOST_VARIABLES:
            raise BadInput(f"columns must be at most {_MOST_VARIABLES}")
        object.__setattr__(self, "domain", Bits(columns=count))
        object.__setattr__(self, "terms", whole(terms, name="terms", least=1))
        if self.clauses > _MOST_CLAUSES:
            raise BadInput("this many columns and terms give more than 2**20 clauses")

    @property
    def _choices(self) -> int:
        return sum(comb(3**self.domain.columns, i) for i in range(self.terms + 1))

    @property
    def size(self) -> int:
        """How many concepts there are; ``None`` if infinitely many."""
        listed = self.too_many is None
        return len(_functions(self.domain.columns, self.terms)) if listed else self._choices

    @property
    def too_many(self) -> str | None:
        """Why the mistakes of all formulas cannot be counted here, if they cannot."""
        fits = self.domain.columns <= _MOST_LISTED_VARIABLES and self._choices <= _MOST_LISTED
        return None if fits else "would have to list every formula"

    def hypothesis(self, function: int) -> DnfRule:
        """A formula of the ``function``-th truth table."""
        table = int(_functions(self.domain.columns, self.terms)[function])
        return DnfRule(domain=self.domain, terms=self._cover(table, self.terms))

    def _cover(self, table: int, terms: int) -> tuple[Clause, ...]:
        every = _terms(self.domain.columns)
        if table == 0:
            return ()
        inside = [one for one in every if one & ~table == 0]
        if terms == 1 or table in every:
            return (every[table],)
        known = set(_functions(self.domain.columns, terms - 1).tolist())
        for one in inside:
            # What is left to cover may be covered together with any part of this term.
            for rest in inside:
                if one | rest == table:
                    return (every[one], every[rest])
            if terms > 2:
                for rest in known:
                    if one | rest == table and rest != table:
                        return (every[one], *self._cover(rest, terms - 1))
        raise BadInput("this truth table is no formula of the class")

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every function; refused where they cannot be listed."""
        if self.too_many is not None:
            raise BadInput(f"this class {self.too_many}")
        tables = _functions(self.domain.columns, self.terms)
        cells = x.astype(np.int64)
        gains = np.bincount(cells, weights=np.where(y, -1.0, 1.0), minlength=self.domain.size)
        errors = np.full(len(tables), int(np.count_nonzero(y)), dtype=np.int64)
        for cell in np.flatnonzero(gains):
            there = (tables >> np.uint64(cell) & np.uint64(1)).astype(np.int64)
            errors += there * int(gains[cell])
        return Flat(errors=errors)

    @property
    def width(self) -> int:
        """How many literals a clause of the stand-in has."""
        return min(self.terms, self.domain.columns)

    @property
    def clauses(self) -> int:
        """How many clauses of that width there are."""
        return comb(self.domain.columns, self.width) << self.width

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(columns=3, terms=1)

    def describe(self) -> str:
        """The class in a few words."""
        return f"DNF formulas of at most {self.terms} terms over {self.domain.describe()}"

    def clause(self, place: int) -> Clause:
        """The clause at one place of ``false_counts``."""
        which, pattern = divmod(place, 1 << self.width)
        mask = masks(self.domain.columns, self.width)[which]
        return mask, _spread(pattern, mask)

    def false_counts(self, cells: Placed, times: Counts) -> npt.NDArray[np.int64]:
        """How many rows make each clause false; one clause per choice of variables.

        Each of the cells is there so many ``times``.
        """
        counts = []
        for mask in masks(self.domain.columns, self.width):
            pattern = np.zeros(len(cells), dtype=np.int64)
            places = [i for i in range(mask.bit_length()) if mask >> i & 1]
            for place, i in enumerate(places):
                pattern |= (((cells >> np.uint64(i)) & np.uint64(1)) << np.uint64(place)).astype(
                    np.int64
                )
            # Sums of whole numbers below 2**53 are exact in float64.
            counts.append(np.bincount(pattern, weights=times, minlength=1 << self.width))
        return np.concatenate(counts).astype(np.int64)
