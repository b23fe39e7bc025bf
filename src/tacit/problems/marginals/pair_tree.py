"""A tree of pairs: every column is measured with the one that tells most about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tacit.core import Sampler
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.fitting import MOST_CELLS, product_of
from tacit.problems.marginals.independent import Independent
from tacit.problems.marginals.method import (
    LAST,
    Counts,
    Fitted,
    FittedLaw,
    Method,
    fitting,
    gains,
    guesses,
    measure,
    pairs,
    records,
    singles,
)
from tacit.problems.marginals.order import Columns
from tacit.problems.marginals.queries import TableQueries

ONES, TREE, PAIRS = Fraction(3, 18), Fraction(3, 18), Fraction(12, 18)
"""What single columns, the selections and the pairs get of the budget."""


@dataclass(frozen=True, slots=True)
class PairTree(Method):
    """Single columns; then a tree of pairs, drawn pair by pair; then the counts of its pairs."""

    @property
    def name(self) -> str:
        return "tree-of-pairs"

    def parts(self, queries: TableQueries) -> tuple[Columns, ...]:
        return (*singles(queries), *pairs(queries))

    def fitted(
        self,
        counts: Mapping[Columns, Counts],
        queries: TableQueries,
        budget: Budget,
        *,
        n: int | None,
        rng: Sampler,
    ) -> Fitted:
        width = queries.schema.width
        if not pairs(queries):
            return Independent().fitted(counts, queries, budget, n=n, rng=rng)
        each = budget.share(ONES / width)
        ones = measure(counts, singles(queries), each, rng)  # [P1]
        total = records(ones, n=n)
        law = product_of(ones, total=total)
        candidates = pairs(queries)
        misfits = gains(counts, guesses(law, candidates, queries, total=total), candidates)  # [P2]
        draw, fit = budget.share(TREE / (width - 1)), fitting(queries, iterations=LAST)
        edges: list[Columns] = []
        for _ in range(width - 1):
            joining = _joining(candidates, edges, width)
            if queries.zeros:  # with them a tree may join more columns than a law has room for
                sizes = fit.sizes_with(edges, [candidates[place] for place in joining])
                both = zip(joining, sizes, strict=True)
                joining = [place for place, (_, size) in both if size <= MOST_CELLS]
            if not joining:
                break
            place = joining[draw.chosen(misfits[joining], rng)]  # [P3]
            edges.append(candidates[place])
        twos = measure(counts, edges, budget.share(PAIRS / (width - 1)), rng)  # [P4]
        return FittedLaw(total, fit.fit([*ones, *twos], total=total, old=law.factors))


def _joining(candidates: Sequence[Columns], edges: Sequence[Columns], width: int) -> list[int]:
    """Which pairs join two parts of the forest so far."""
    part = list(range(width))
    for a, b in edges:
        old, new = part[a], part[b]
        part = [new if one == old else one for one in part]
    return [place for place, (a, b) in enumerate(candidates) if part[a] != part[b]]
