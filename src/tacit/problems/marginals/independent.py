"""Every column by itself: the counts of each with noise, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tacit.core import Sampler
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.fitting import product_of
from tacit.problems.marginals.method import (
    LAST,
    Counts,
    Fitted,
    FittedLaw,
    Method,
    fitting,
    measure,
    records,
    singles,
)
from tacit.problems.marginals.order import Columns
from tacit.problems.marginals.queries import TableQueries


@dataclass(frozen=True, slots=True)
class Independent(Method):
    """Noisy counts of every column; in the table, columns are independent of each other."""

    @property
    def name(self) -> str:
        return "independent-columns"

    def parts(self, queries: TableQueries) -> tuple[Columns, ...]:
        return singles(queries)

    def fitted(
        self,
        counts: Mapping[Columns, Counts],
        queries: TableQueries,
        budget: Budget,
        *,
        n: int | None,
        rng: Sampler,
    ) -> Fitted:
        each = budget.share(Fraction(1, queries.schema.width))
        ones = measure(counts, singles(queries), each, rng)  # [P1]
        total = records(ones, n=n)
        if not queries.zeros:
            return FittedLaw(total, product_of(ones, total=total))
        law = fitting(queries, iterations=LAST).fit(ones, total=total, old={})
        return FittedLaw(total, law)
