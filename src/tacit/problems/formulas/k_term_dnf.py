"""DNF formulas of few terms, and the CNF formulas of short clauses that stand in for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, hypothesis_kind
from tacit.core.numbers import whole
from tacit.domains.bits import Bits

_MOST_VARIABLES = 64
_MOST_CLAUSES = 1 << 20

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

    def predict(self, x: Any) -> npt.NDArray[np.bool_]:
        cells = self.domain.coerce(x)
        answers = np.ones(len(cells), dtype=bool)
        for mask, false in self.clauses:
            answers &= (cells & np.uint64(mask)) != np.uint64(false)
        return answers

    def describe(self, *, column: str = "x") -> str:
        shown = [self._words(clause, column) for clause in self.clauses[:6]]
        more = f" and {len(self.clauses) - 6} more" if len(self.clauses) > 6 else ""
        return f"1 if {' and '.join(shown)}{more}, else 0" if shown else "1 everywhere"

    def _words(self, clause: Clause, column: str) -> str:
        mask, false = clause
        length = self.domain.length
        # The first column is the highest bit.
        literals = [
            f"{'not ' if false >> i & 1 else ''}{column}{length - i}"
            for i in reversed(range(length))
            if mask >> i & 1
        ]
        return f"({' or '.join(literals)})"

    def to_dict(self) -> dict[str, Any]:
        clauses = [[str(mask), str(false)] for mask, false in self.clauses]
        return {"kind": self.kind, "variables": self.domain.length, "clauses": clauses}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> CnfRule:
        clauses = tuple((int(mask), int(false)) for mask, false in record["clauses"])
        return cls(domain=Bits(int(record["variables"])), clauses=clauses)


@dataclass(frozen=True, slots=True)
class KTermDnf:
    """Formulas ``T_1 or ... or T_k`` over rows of bits, each term a conjunction of literals.

    ``size`` is an upper bound: how many choices of at most ``terms`` terms there are.
    """

    domain: Bits
    terms: int
    name: ClassVar[str] = "k-term-dnf"

    def __init__(self, *, variables: int, terms: int) -> None:
        count = whole(variables, name="variables", least=1)
        if count > _MOST_VARIABLES:
            raise BadInput(f"variables must be at most {_MOST_VARIABLES}")
        object.__setattr__(self, "domain", Bits(count))
        object.__setattr__(self, "terms", whole(terms, name="terms", least=1))
        if self.clauses > _MOST_CLAUSES:
            raise BadInput("this many variables and terms give more than 2**20 clauses")

    @property
    def size(self) -> int:
        choices = 3**self.domain.length
        return sum(comb(choices, i) for i in range(self.terms + 1))

    @property
    def width(self) -> int:
        """How many literals a clause of the stand-in has."""
        return min(self.terms, self.domain.length)

    @property
    def clauses(self) -> int:
        """How many clauses of that width there are."""
        return comb(self.domain.length, self.width) << self.width

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(variables=3, terms=1)

    def describe(self) -> str:
        return f"DNF formulas of at most {self.terms} terms over {self.domain.describe()}"

    def clause(self, place: int) -> Clause:
        """The clause at one place of ``false_counts``."""
        which, pattern = divmod(place, 1 << self.width)
        mask = masks(self.domain.length, self.width)[which]
        return mask, _spread(pattern, mask)

    def false_counts(self, cells: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """How many of the rows make each clause false; one clause per choice of variables."""
        counts = []
        for mask in masks(self.domain.length, self.width):
            pattern = np.zeros(len(cells), dtype=np.int64)
            places = [i for i in range(mask.bit_length()) if mask >> i & 1]
            for place, i in enumerate(places):
                pattern |= (((cells >> np.uint64(i)) & np.uint64(1)) << np.uint64(place)).astype(
                    np.int64
                )
            counts.append(np.bincount(pattern, minlength=1 << self.width))
        return np.concatenate(counts)
