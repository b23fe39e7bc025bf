"""Halfspaces and balls over rows of whole numbers (FX14 section 4.1), and rules with exact sides.

Both are halfspaces through the origin once a row ``x`` is written as ``(x, 1)``, or for balls as
``(x, |x|^2, 1)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, gcd, log
from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, ConceptClass, Hypothesis, Labels, hypothesis_kind
from tacit.core.hypothesis import numbered
from tacit.core.records import Stored
from tacit.domains.lattice import Lattice
from tacit.domains.sphere import SCALE, Sphere
from tacit.exact.landscape import Flat
from tacit.problems.finite import growth_functions
from tacit.problems.reals.arrangement import Vector, Vectors, Whole, labellings

_SPACES = ("directions", "halfspace", "ball")
_FEW = 16  # rows on which all sides are listed
_UP = 1 + 1e-9


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceRule:
    """``weights . lifted x >= 0``, decided in whole numbers of any length.

    ``space``  how a row is lifted: ``directions`` as ``x``, ``halfspace`` as ``(x, 1)``,
               ``ball`` as ``(x, |x|^2, 1)``.
    ``bits``   of the numbers in a row; 0 for directions.
    """

    kind: ClassVar[str] = "surface"
    space: str
    bits: int
    weights: Vector

    def __post_init__(self) -> None:
        if self.space not in _SPACES or not any(self.weights):
            raise BadInput("a surface has weights, not all zero, in a known space")
        shared = gcd(*self.weights)
        object.__setattr__(self, "weights", tuple(weight // shared for weight in self.weights))

    @property
    def domain(self) -> Sphere | Lattice:
        """Rows before they are lifted."""
        if self.space == "directions":
            return Sphere(columns=len(self.weights))
        return Lattice(bits=self.bits, width=len(self.weights) - _SPACES.index(self.space))

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        rows = lifted(self.space, self.domain.coerce(x))
        # Whole numbers of any length: Python's own.
        total = rows.astype(object) @ np.array(self.weights, dtype=object)
        return np.array([value >= 0 for value in total.tolist()], dtype=bool)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        return self.worded(numbered(column, self.domain.width), labels)

    def worded(self, columns: Sequence[str], labels: Labels) -> str:
        """The rule in words, with a name for each column."""
        width = self.domain.width
        parts = [f"{w:+d} {name}" for w, name in zip(self.weights, columns, strict=False)]
        if self.space == "ball":
            squares = " + ".join(f"{name}^2" for name in columns)
            parts.append(f"{self.weights[width]:+d} ({squares})")
        if self.space != "directions":
            parts.append(f"{self.weights[-1]:+d}")
        said = f"{labels[1]} if {' '.join(parts)} >= 0, else {labels[0]}"
        return f"{said}\n{self.domain.placing(columns[0])}"

    def to_dict(self) -> dict[str, object]:
        weights = [str(weight) for weight in self.weights]
        return {"kind": self.kind, "space": self.space, "bits": self.bits, "weights": weights}

    @classmethod
    def from_dict(cls, record: Stored) -> SurfaceRule:
        weights = tuple(int(weight) for weight in record["weights"])
        return cls(space=str(record["space"]), bits=int(record["bits"]), weights=weights)


def lifted(space: str, rows: npt.NDArray[np.int64] | npt.NDArray[np.float64]) -> Whole:
    """Rows as points of which a surface is a halfspace through the origin."""
    whole_rows = np.asarray(rows).astype(np.int64)
    if space == "directions":
        return whole_rows
    one = np.ones((len(whole_rows), 1), dtype=np.int64)
    if space == "halfspace":
        return np.concatenate([whole_rows, one], axis=1)
    square = (whole_rows**2).sum(axis=1, keepdims=True)
    return np.concatenate([whole_rows, square, one], axis=1)


def one_vector(vectors: Vectors, largest: Vector) -> Vector:
    """A vector whose sign, at every point within ``largest``, is that of the first product with
    ``vectors`` that is not 0 (and 0 where all are).
    """
    total = (0,) * len(largest)
    for vector in reversed(vectors):
        # At least 1 in size where it is not 0, so times this it outweighs all that follow.
        bound = sum(abs(a) * b for a, b in zip(total, largest, strict=True)) + 1
        total = tuple(bound * a + b for a, b in zip(vector, total, strict=True))
    return total


@runtime_checkable
class Lifted(ConceptClass, Protocol):
    """A class whose concepts are halfspaces through the origin of lifted rows."""

    @property
    def space(self) -> str: ...

    @property
    def largest(self) -> Vector:
        """The largest size of a number in each lifted column."""
        ...

    def surface(self, vectors: Vectors) -> Hypothesis:
        """The rule that these vectors decide, one after another."""
        ...


class _Listed:
    """What halfspaces and balls over a lattice share: all of them are listed if rows are few."""

    __slots__ = ()
    domain: Lattice
    space: ClassVar[str]

    @property
    def bits(self) -> int:
        """Of a number in a row."""
        return self.domain.bits

    @property
    def columns(self) -> int:
        """How many numbers a row has."""
        return self.domain.width

    @property
    def vc(self) -> int:
        """The VC dimension, or a bound above it."""
        return self.columns + 1

    @property
    def littlestone(self) -> int:
        """Not above the Littlestone dimension: on each axis a threshold of its own
        (``arrangement.proof.md``), and the VC dimension.
        """
        return max(self.bits * self.columns, self.vc)

    @property
    def too_many(self) -> str | None:
        """Rows are many: the class is known, but not listed."""
        if self.domain.size <= _FEW:
            return None
        return f"would list all {self.space}s on more than {_FEW} rows"

    @property
    def largest(self) -> Vector:
        """The largest size of a number in each lifted column."""
        (row,) = lifted(self.space, np.full((1, self.columns), self.domain.top))
        return tuple(int(entry) for entry in row)

    def surface(self, vectors: Vectors) -> SurfaceRule:
        """The rule that these vectors decide, one after another."""
        weights = one_vector(vectors, self.largest)
        return SurfaceRule(space=self.space, bits=self.bits, weights=weights)

    def _table(self) -> tuple[npt.NDArray[np.bool_], tuple[Vectors, ...]]:
        return _all_surfaces(self.space, self.bits, self.columns)

    def hypothesis(self, candidate: int) -> SurfaceRule:
        """The rule of one listed concept."""
        return self.surface(self._table()[1][candidate])

    def landscape(self, x: Whole, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every concept."""
        table, _ = self._table()
        place = np.zeros(len(x), dtype=np.int64)
        for column in range(self.columns):
            place = (place << self.bits) | x[:, column]
        gains = np.bincount(place, weights=np.where(y, -1.0, 1.0), minlength=self.domain.size)
        return Flat(errors=(table @ gains).astype(np.int64) + int(np.count_nonzero(y)))


@lru_cache(maxsize=16)
def _all_surfaces(
    space: str, bits: int, width: int
) -> tuple[npt.NDArray[np.bool_], tuple[Vectors, ...]]:
    """Every way in which halfspaces or balls label all rows, in a fixed order."""
    rows = lifted(space, Lattice(bits=bits, width=width).rows())
    found: dict[tuple[bool, ...], Vectors] = {}
    for labels, vectors in labellings([tuple(row) for row in rows.tolist()]):
        # A ball has a negative weight on the square; the other surfaces are none.
        if vectors and (space != "ball" or _is_ball(vectors, tuple(rows.max(axis=0).tolist()))):
            found.setdefault(labels, vectors)
    order = sorted(found)
    return np.array(order), tuple(found[one] for one in order)


def _is_ball(vectors: Vectors, largest: Vector) -> bool:
    return one_vector(vectors, largest)[-2] < 0


@dataclass(frozen=True, slots=True)
class GridHalfspaces(_Listed):
    """All halfspaces ``w . x >= t`` over rows of ``columns`` whole numbers of ``bits`` bits."""

    domain: Lattice
    name: ClassVar[str] = "grid-halfspaces"
    space: ClassVar[str] = "halfspace"

    def __init__(self, *, bits: int, columns: int = 2) -> None:
        object.__setattr__(self, "domain", Lattice(bits=bits, width=columns))

    @property
    def size(self) -> int:
        """How many there are if they can be listed; else not below that: halfspaces label N
        points in at most ``2 (C(N-1, 0) + ... + C(N-1, columns))`` ways.
        """
        if self.too_many is None:
            return len(self._table()[1])
        return 2 * sum(comb(self.domain.size - 1, i) for i in range(self.columns + 1))

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(bits=1)

    def describe(self) -> str:
        """The class in a few words."""
        return f"halfspaces w . x >= t over {self.domain.describe()}"

    def log_growth(self, n: int) -> float:
        """Cover's count of the ways in which halfspaces label ``n`` points."""
        if n <= self.columns:
            return growth_functions.sauer(self.vc)(n)
        return log(2 * sum(comb(n - 1, i) for i in range(self.columns + 1))) * _UP


@dataclass(frozen=True, slots=True)
class GridBalls(_Listed):
    """All balls ``|x - c| <= r`` over rows of ``columns`` whole numbers of ``bits`` bits.

    The centre and the radius are any real numbers; a ball that holds no row is one too.
    """

    domain: Lattice
    name: ClassVar[str] = "grid-balls"
    space: ClassVar[str] = "ball"

    def __init__(self, *, bits: int, columns: int = 2) -> None:
        object.__setattr__(self, "domain", Lattice(bits=bits, width=columns))

    @property
    def size(self) -> int:
        """How many there are if they can be listed; else not below that, by the VC dimension."""
        if self.too_many is None:
            return len(self._table()[1])
        return sum(comb(self.domain.size, i) for i in range(self.vc + 1))

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(bits=1)

    def describe(self) -> str:
        """The class in a few words."""
        return f"balls |x - c| <= r over {self.domain.describe()}"

    def log_growth(self, n: int) -> float:
        """The VC dimension is ``columns + 1``."""
        return growth_functions.sauer(self.vc)(n)


def directions(weights: Vectors, width: int) -> SurfaceRule:
    """A halfspace through the origin, over directions."""
    return SurfaceRule(space="directions", bits=0, weights=one_vector(weights, (SCALE,) * width))
