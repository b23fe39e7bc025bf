"""Pairs chosen one by one: each time one that the law so far answers badly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.core import Sampler
from tacit.problems.marginals.budget import Budget, whole_above
from tacit.problems.marginals.fitting import Fitting, product_of
from tacit.problems.marginals.independent import Independent
from tacit.problems.marginals.method import (
    LAST,
    Counts,
    Fitted,
    Method,
    fitting,
    gains,
    measure,
    merged,
    pairs,
    records,
    singles,
)
from tacit.problems.marginals.model import Columns
from tacit.problems.marginals.queries import TableQueries

FIRST = Fraction(1, 16)
GOAL = 0.02
"""Single columns get so much that their noise is about this share of the records."""
MEASURE, SELECT = Fraction(9, 10), Fraction(1, 10)
MOST_CELLS = 1 << 17
"""Pairs whose law would need more cells are not measured: public, and known beforehand."""
_EACH = 40


@dataclass(frozen=True, slots=True)
class Adaptive(Method):
    """Single columns first; then again and again a badly answered pair is drawn and measured.

    ``rounds``  so many for each column if none were worth more; a pair whose measurement
                changed less than its own noise doubles what the next ones get.
    """

    rounds: int = 8

    @property
    def name(self) -> str:
        return "adaptive-pairs"

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
        if not pairs(queries):
            return Independent().fitted(counts, queries, budget, n=n, rng=rng)
        width = queries.schema.width
        first = budget.share(FIRST)
        ones = measure(counts, singles(queries), first.share(Fraction(1, width)), rng)  # [P1]
        total = records(ones, n=n)
        more = self._more(queries, budget, total)
        if more:
            again = budget.share(more / width)
            ones = merged(ones, measure(counts, singles(queries), again, rng))  # [P1]
            total = records(ones, n=n)
        left = budget.amount * (1 - FIRST - more)
        step = left / (self.rounds * width)
        fit = fitting(queries, iterations=_EACH)
        found = list(ones)
        law = product_of(ones, total=total)
        if queries.zeros:
            law = fit.fit(found, total=total, old=law.factors)
        while left > 0:
            if left < 2 * step:
                step = left
            left -= step  # [P2]
            known = {one.columns for one in found}
            open_ones = _small(fit, known, pairs(queries))
            if not open_ones:
                break
            each = budget.of(step * MEASURE)
            misfits = gains(counts, law, open_ones, total=total)
            noise = [whole_above(each.misfit * counts[part].size) for part in open_ones]
            place = budget.of(step * SELECT).chosen(misfits - np.array(noise), rng)  # [P3]
            part = open_ones[place]
            found += measure(counts, [part], each, rng)  # [P4]
            before = law.pairs({part[0]})[part]
            law = fit.fit(found, total=total, old=law.factors)
            if total * float(np.abs(law.marginal(part) - before).sum()) <= noise[place]:
                step = min(4 * step if budget.concentrated else 2 * step, max(left, step))
        last = fitting(queries, iterations=LAST)
        return Fitted(last.fit(found, total=total, old=law.factors), total)

    def _more(self, queries: TableQueries, budget: Budget, total: float) -> Fraction:
        """What single columns get besides, so that their noise does not drown everything."""
        width = queries.schema.width
        noise = budget.share(Fraction(1, width)).misfit * sum(queries.schema.cells) / width
        wanted = (noise / (2 * total) / GOAL) ** (2 if budget.concentrated else 1)
        return Fraction(max(0, min(64, round(64 * wanted)) - 4), 64)


def _small(fit: Fitting, known: set[Columns], every: tuple[Columns, ...]) -> list[Columns]:
    """The pairs with which the law stays small enough to be worked out."""
    return [part for part in every if part in known or fit.order({*known, part}).size <= MOST_CELLS]
