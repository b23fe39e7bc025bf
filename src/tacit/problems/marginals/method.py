"""What is measured, and when: the ways to spend a budget on the marginals of a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core import Sampler
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.fitting import Fitting, Measured
from tacit.problems.marginals.model import Law
from tacit.problems.marginals.order import Columns
from tacit.problems.marginals.queries import TableQueries
from tacit.problems.marginals.rows import Cells, rows_of
from tacit.tallies.parts import counts_of_cells

Counts = npt.NDArray[np.int64]
LAST = 300
"""Steps of the last fit."""
_ROWS = 1 << 18


@dataclass(frozen=True, slots=True)
class Fitted(ABC):
    """What was made of noisy counts, and how many records it stands for."""

    total: float

    @abstractmethod
    def dealt(self, rows: int) -> Cells:
        """So many rows that follow it, without a coin."""


@dataclass(frozen=True, slots=True)
class FittedLaw(Fitted):
    """A law that was fitted to noisy counts."""

    law: Law

    def dealt(self, rows: int) -> Cells:
        """Rows in about the shares of the law."""
        return rows_of(self.law, rows)


class Method(ABC):
    """A way to spend a budget on noisy counts; what it finds is fitted by one law."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What the registry calls it."""

    @abstractmethod
    def parts(self, queries: TableQueries) -> tuple[Columns, ...]:
        """Whose counts it may ask for."""

    @abstractmethod
    def fitted(
        self,
        counts: Mapping[Columns, Counts],
        queries: TableQueries,
        budget: Budget,
        *,
        n: int | None,
        rng: Sampler,
    ) -> Fitted:
        """Spend the budget; ``n`` is the number of records where that is public."""


def singles(queries: TableQueries) -> tuple[Columns, ...]:
    """Every column by itself."""
    return tuple((column,) for column in range(queries.schema.width))


def pairs(queries: TableQueries) -> tuple[Columns, ...]:
    """The pairs that queries ask about, if they are about more than one column; else none."""
    return queries.together(2) if queries.ways > 1 else ()


def fitting(queries: TableQueries, *, iterations: int) -> Fitting:
    """How laws are fitted for these queries."""
    return Fitting(queries.schema.cells, queries.zeros, iterations)


def measure(
    counts: Mapping[Columns, Counts], parts: Sequence[Columns], each: Budget, rng: Sampler
) -> list[Measured]:
    """Noisy counts of some marginals, the same budget for each."""
    return [
        Measured(part, each.measured(counts[part], rng).astype(np.float64), each.variance)
        for part in parts
    ]


def merged(first: Sequence[Measured], again: Sequence[Measured]) -> list[Measured]:
    """Two measurements of the same columns as one: each counts by what its variance says."""
    found = []
    for one, other in zip(first, again, strict=True):
        share = other.variance / (one.variance + other.variance)
        counts = share * one.counts + (1 - share) * other.counts
        found.append(Measured(one.columns, counts, share * one.variance))
    return found


def records(ones: Sequence[Measured], *, n: int | None) -> float:
    """How many records there are: the public number, or the mean of noisy sums."""
    if n is not None:
        return float(max(1, n))
    weights = [1 / one.counts.size for one in ones]
    sums = [float(one.counts.sum()) * weight for one, weight in zip(ones, weights, strict=True)]
    return max(1.0, sum(sums) / sum(weights))


def triples(queries: TableQueries) -> tuple[Columns, ...]:
    """The sets of three columns that queries ask about, if they are about as many; else none."""
    return queries.together(3) if queries.ways > 2 else ()


def guesses(
    law: Law, parts: Sequence[Columns], queries: TableQueries, *, total: float
) -> dict[Columns, Counts]:
    """The law's counts of pairs and of longer sets of columns, in whole numbers.

    Longer sets are counted on rows that are dealt out by the law: as many as there are records,
    and at most ``_ROWS``.
    """
    joint = law.pairs({part[0] for part in parts if len(part) == 2})
    short = (part for part in parts if len(part) == 2)
    found: dict[Columns, Counts] = {part: _whole(total * joint[part]) for part in short}
    longer = tuple(part for part in parts if len(part) > 2)
    if longer:
        rows = min(max(1, round(total)), _ROWS)
        dealt = counts_of_cells(rows_of(law, rows), queries.schema, longer)
        found |= {part: _whole(total / rows * dealt[part].astype(np.float64)) for part in longer}
    return found


def gains(
    counts: Mapping[Columns, Counts], guess: Mapping[Columns, Counts], parts: Sequence[Columns]
) -> Counts:
    """For each set of columns, the sum of absolute differences between truth and guess.

    Both are whole numbers, so these are whole and exact.
    """
    return np.array([np.abs(counts[part] - guess[part]).sum() for part in parts], dtype=np.int64)


def _whole(counts: npt.NDArray[np.float64]) -> Counts:
    return np.rint(np.clip(counts, 0, 2.0**60)).astype(np.int64)
