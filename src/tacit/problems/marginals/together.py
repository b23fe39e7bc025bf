"""All columns together: one noisy count for every combination of cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import numpy as np

from tacit.core import Sampler, Task
from tacit.exact.arrays import Floats
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.fitting import projected
from tacit.problems.marginals.method import Counts, Fitted, Method, measure, records
from tacit.problems.marginals.order import Columns
from tacit.problems.marginals.queries import TableQueries
from tacit.problems.marginals.rows import Cells, in_mixed_order, whole_counts

MOST_COMBINATIONS = 1 << 20
"""So many noisy counts are drawn and held."""


@dataclass(frozen=True, slots=True)
class FittedCells(Fitted):
    """The share of every combination of cells, and how many records they stand for."""

    shares: Floats

    def dealt(self, rows: int) -> Cells:
        """Each combination in whole counts next to its share."""
        counts = whole_counts(self.shares.reshape(-1), rows)
        places = np.repeat(np.arange(len(counts)), counts)
        cells = np.stack(np.unravel_index(places, self.shares.shape), axis=1).astype(np.int32)
        return in_mixed_order(cells)


@dataclass(frozen=True, slots=True)
class Together(Method):
    """Noisy counts of all columns together: nothing is fitted, so the error is known beforehand."""

    @property
    def name(self) -> str:
        return "all-combinations"

    def parts(self, queries: TableQueries) -> tuple[Columns, ...]:
        return (tuple(range(queries.schema.width)),)

    def fitted(
        self,
        counts: Mapping[Columns, Counts],
        queries: TableQueries,
        budget: Budget,
        *,
        n: int | None,
        rng: Sampler,
    ) -> Fitted:
        found = measure(counts, self.parts(queries), budget, rng)  # [P1]
        total = records(found, n=n)
        noisy = found[0].counts
        possible = np.ones(noisy.shape, dtype=bool)
        for columns, zero in queries.zeros:
            axes = [columns.index(c) if c in columns else -1 for c in range(noisy.ndim)]
            shape = [1 if axis < 0 else zero.shape[axis] for axis in axes]
            possible &= ~zero.reshape(shape)
        if not possible.any():  # together they leave nothing: then nothing is left out
            possible[:] = True
        shares = np.zeros(noisy.shape)
        shares[possible] = projected(noisy[possible], total=total)
        return FittedCells(total, shares)


def combinations_of(queries: TableQueries) -> int:
    """How many combinations of cells all columns have."""
    return prod(queries.schema.cells)


def too_many(task: Task) -> str | None:
    """Why the counts cannot be held, in words; ``None`` if they can."""
    queries = task.concept_class
    assert isinstance(queries, TableQueries)
    if combinations_of(queries) <= MOST_COMBINATIONS:
        return None
    return (
        f"has {combinations_of(queries):,} combinations of cells to count, and at most "
        f"{MOST_COMBINATIONS:,} are held: declare fewer columns or bins"
    )
