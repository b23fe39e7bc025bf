"""All queries of a class at once, on weights or counts over a small domain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Condition
from tacit.core.tally import Streamed
from tacit.exact.arrays import Values
from tacit.problems.finite.listed import Table
from tacit.tallies.distinct import distinct

MOST_VALUES = 1 << 20
"""Domains up to this size can be listed."""

MOST_CELLS = 1 << 28
"""Written-out classes up to this many cells can be worked with."""

_BLOCK = 1 << 24


class Queries(Protocol):
    """The answers of every query, and the values on which one of them is 1."""

    def totals(self, weights: Values) -> Values:
        """For each query the sum of the weights on which it is 1; whole numbers stay exact."""
        ...

    def row(self, index: int) -> npt.NDArray[np.bool_]: ...


@dataclass(frozen=True, slots=True)
class _Prefixes:
    """``x < t`` for ``t = 1, ..., size``; the other thresholds are complements of these."""

    size: int

    def totals(self, weights: Values) -> Values:
        return np.cumsum(weights)

    def row(self, index: int) -> npt.NDArray[np.bool_]:
        return np.asarray(np.arange(self.size) <= index)


@dataclass(frozen=True, slots=True)
class _Singles:
    size: int

    def totals(self, weights: Values) -> Values:
        return weights.copy()

    def row(self, index: int) -> npt.NDArray[np.bool_]:
        return np.asarray(np.arange(self.size) == index)


@dataclass(frozen=True, slots=True)
class _Walsh:
    """Parities: ``(total - transform) / 2``, by the Walsh-Hadamard transform."""

    size: int

    def totals(self, weights: Values) -> Values:
        table = weights.copy()
        half = 1
        while half < self.size:
            pairs = table.reshape(-1, 2, half)
            total = pairs[:, 0] + pairs[:, 1]
            pairs[:, 1] = pairs[:, 0] - pairs[:, 1]
            pairs[:, 0] = total
            half *= 2
        halves = weights.sum() - table
        return np.asarray(halves // 2 if halves.dtype.kind == "i" else halves / 2)

    def row(self, index: int) -> npt.NDArray[np.bool_]:
        both = np.arange(self.size, dtype=np.uint64) & np.uint64(index)
        return np.asarray(np.bitwise_count(both) & 1, dtype=bool)


@dataclass(frozen=True, slots=True, eq=False)
class _Listed:
    """One packed row per query, unpacked block by block for the matrix product."""

    packed: npt.NDArray[np.uint8]
    size: int

    def totals(self, weights: Values) -> Values:
        step = max(1, _BLOCK // self.size)
        # Counts are below 2^53, where sums of float64 are exact.
        real = weights.astype(np.float64)
        parts = [
            np.unpackbits(self.packed[i : i + step], axis=1, count=self.size).astype(np.float64)
            @ real
            for i in range(0, len(self.packed), step)
        ]
        return np.concatenate(parts).astype(weights.dtype)

    def row(self, index: int) -> npt.NDArray[np.bool_]:
        return np.unpackbits(self.packed[index], count=self.size).astype(bool)


def too_large(concepts: Any) -> str | None:
    """Why the queries of a class cannot be listed, if they cannot."""
    if concepts.domain.size > MOST_VALUES:
        return f"lists the domain, which may have {MOST_VALUES} values at most"
    if isinstance(concepts, Table) and concepts.size * concepts.domain.size > MOST_CELLS:
        return "would need too much memory for a written-out class of this size"
    return None


LISTABLE = (
    Condition(
        f"at most {MOST_VALUES} values, and a class that fits in memory",
        lambda task: too_large(task.concept_class) is None,
        "lists the domain",
    ),
)


def queries_of(concepts: Any) -> Queries:
    """The queries of a class; public."""
    size = concepts.domain.size
    match concepts.name:
        case "thresholds":
            return _Prefixes(size)
        case "points":
            return _Singles(size)
        case "parities":
            return _Walsh(size)
        case "table":
            return _Listed(np.packbits(concepts.matrix, axis=1), size)
        case _:
            raise BadInput("queries must be points, thresholds, parities or a table")


def histogram(concepts: Any, x: Any) -> npt.NDArray[np.int64]:
    """How often every value of the domain occurs."""
    size = concepts.domain.size
    if isinstance(x, Streamed):
        values, counts = distinct(x, concepts.domain)
        found = np.zeros(size, dtype=np.int64)
        found[values.astype(np.int64)] = counts
        return found
    return np.bincount(concepts.domain.coerce(x).astype(np.int64), minlength=size)
