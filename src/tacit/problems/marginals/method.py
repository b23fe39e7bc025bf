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
from tacit.problems.marginals.model import Columns, Law
from tacit.problems.marginals.queries import TableQueries

Counts = npt.NDArray[np.int64]
LAST = 300
"""Steps of the last fit."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A law that was fitted to noisy counts, and how many records it stands for."""

    law: Law
    total: float


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
    """All pairs of columns, if the queries are about more than one column; else none."""
    width = queries.schema.width
    if queries.ways < 2:
        return ()
    return tuple((a, b) for a in range(width) for b in range(a + 1, width))


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


def gains(
    counts: Mapping[Columns, Counts], law: Law, parts: Sequence[Columns], *, total: float
) -> Counts:
    """For each pair of columns, the sum of absolute differences between truth and law.

    The law's counts are rounded to whole numbers first, so that these are whole and exact.
    """
    guesses = law.pairs({part[0] for part in parts})
    found = np.empty(len(parts), dtype=np.int64)
    for place, part in enumerate(parts):
        guess = np.rint(np.clip(total * guesses[part], 0, 2.0**60)).astype(np.int64)
        found[place] = np.abs(counts[part] - guess).sum()
    return found
