"""Pairs, and triples where asked, chosen one by one: each one that the law answers badly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import floor, prod

import numpy as np

from tacit.core import Sampler
from tacit.problems.marginals.budget import Budget, whole_above
from tacit.problems.marginals.fitting import MOST_CELLS, Fitting, Measured, product_of
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
    merged,
    pairs,
    records,
    singles,
    triples,
)
from tacit.problems.marginals.model import Law
from tacit.problems.marginals.order import Columns, Order
from tacit.problems.marginals.queries import TableQueries

FIRST = Fraction(1, 16)
GOAL = 0.02
"""Single columns get so much that their noise is about this share of the records."""
MORE_NOISE = Fraction(9, 8)
"""But with a delta pairs are left so much that the noise of single columns grows by an eighth at
most: a fifth of the budget. Without one that is an eighth of it, whose noise would be eight times
that of all of it, and nothing is gained."""
HALF = 32
"""Where one column is asked about single columns get at most half, in parts of 64: whichever of
the two a table needs, its variance is at most twice (without a delta: its noise is at most twice)
what it would be with everything."""
MEASURE, SELECT = Fraction(9, 10), Fraction(1, 10)
CHEAPEST = SELECT / MEASURE
"""No measurement costs less than the selection that finds it."""
_EACH = 20
_WEIGHTS = 1 << 10


@dataclass(slots=True)
class Spent:
    """What was measured so far, and the law that fits it."""

    fit: Fitting
    found: list[Measured]
    law: Law
    total: float
    step: Fraction


@dataclass(frozen=True, slots=True)
class Round:
    """Candidates to spend a part of the budget on.

    ``costs``      of each, beside a step: at most 1.
    ``continues``  whether steps go on where those of the round before ended, not small again.
    """

    costs: Mapping[Columns, Fraction]
    continues: bool = False

    @classmethod
    def even(cls, candidates: Sequence[Columns]) -> Round:
        """The same for each: so the worst answered one is found first."""
        return cls(dict.fromkeys(candidates, Fraction(1)))

    @classmethod
    def by_size(cls, candidates: Sequence[Columns], cells: Sequence[int]) -> Round:
        """With a delta: what makes all noise together least (Theorem 5), about."""
        sizes = {part: prod(cells[column] for column in part) for part in candidates}
        most = max(sizes.values())
        shares = {
            part: Fraction(round(64 * (size / most) ** (2 / 3)), 64) for part, size in sizes.items()
        }
        costs = {part: max(CHEAPEST, share) for part, share in shares.items()}
        return cls(costs, continues=True)

    def weights(self, parts: Sequence[Columns]) -> Counts:
        """How much a gain counts for each: about inverse to what it costs, in whole numbers."""
        least = min(self.costs[part] for part in parts)
        weights = np.array([floor(_WEIGHTS * least / self.costs[part]) for part in parts])
        return np.asarray(weights // np.gcd.reduce(weights), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Adaptive(Method):
    """Single columns first; then again and again a badly answered pair is drawn and measured.

    With a delta half of what is left goes to those that are answered worst, half to those that
    gain most for what they cost. Queries about three columns or more have triples measured as
    well as pairs.

    ``rounds``  so many for each column if none were worth more; a pair whose measurement
                changed less than its own noise doubles what the next ones get.
    """

    rounds: int = 8

    @property
    def name(self) -> str:
        return "adaptive-pairs"

    def parts(self, queries: TableQueries) -> tuple[Columns, ...]:
        every = combinations(range(queries.schema.width), 2) if queries.ways > 1 else ()
        return (*singles(queries), *every, *triples(queries))

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
        fit = fitting(queries, iterations=_EACH)
        law = product_of(ones, total=total)
        if queries.zeros:
            law = fit.fit(list(ones), total=total, old=law.factors)
        rounds = self._rounds(queries, concentrated=budget.concentrated)
        each = budget.amount * (1 - FIRST - more) / len(rounds)
        spent = Spent(fit=fit, found=list(ones), law=law, total=total, step=each)
        for one in rounds if each else ():
            self._spend(counts, queries, budget.of(each), one, spent, rng)  # [P2]
        last = fitting(queries, iterations=LAST)
        return FittedLaw(total, last.fit(spent.found, total=total, old=spent.law.factors))

    def _rounds(self, queries: TableQueries, *, concentrated: bool) -> tuple[Round, ...]:
        """The candidates of rounds that share what is left equally.

        Where one column is asked about its pairs come first and then all pairs: what else the
        columns have to do with each other decides how they tell it together. Without a delta
        half of a budget has twice the noise, so there is one round.
        """
        asked = (*pairs(queries), *triples(queries))
        if queries.about is not None and queries.ways == 2:
            return Round.even(asked), Round.even(self.parts(queries)[queries.schema.width :])
        even = Round.even(asked)
        return (even, Round.by_size(asked, queries.schema.cells)) if concentrated else (even,)

    def _spend(
        self,
        counts: Mapping[Columns, Counts],
        queries: TableQueries,
        budget: Budget,
        candidates: Round,
        spent: Spent,
        rng: Sampler,
    ) -> None:
        """Spend the budget on candidates, drawn and measured one by one, in growing steps."""
        fit, total = spent.fit, spent.total
        open_ones: Sequence[Columns] = tuple(candidates.costs)
        left = budget.amount
        least = left / (self.rounds * queries.schema.width)
        step = spent.step if candidates.continues else least
        while left >= least:
            if left < 2 * step:
                step = left
            else:
                spent.step = step
            known = {one.columns for one in spent.found}
            open_ones = _small(fit, spent.law.order, known, open_ones)
            if not open_ones:
                break
            each = {part: budget.of(step * MEASURE * candidates.costs[part]) for part in open_ones}
            guess = guesses(spent.law, open_ones, queries, total=total)
            misfits = gains(counts, guess, open_ones)
            noise = [_kept_noise(guess[part], each[part].misfit) for part in open_ones]
            gained, weights = misfits - np.array(noise), candidates.weights(open_ones)
            place = budget.of(step * SELECT).chosen(gained, rng, weights=weights)  # [P3]
            part = open_ones[place]
            left -= step * SELECT + each[part].amount  # [P2]
            spent.found += measure(counts, [part], each[part], rng)  # [P4]
            spent.law = fit.fit(spent.found, total=total, old=spent.law.factors)
            changed = float(np.abs(total * spent.law.marginal(part) - guess[part]).sum())
            if changed <= noise[place]:
                step = min(4 * step if budget.concentrated else 2 * step, max(left, step))

    def _more(self, queries: TableQueries, budget: Budget, total: float) -> Fraction:
        """What single columns get besides, so that their noise does not drown everything."""
        width = queries.schema.width
        noise = budget.share(Fraction(1, width)).misfit * sum(queries.schema.cells) / width
        most = 64 // MORE_NOISE**2 if budget.concentrated else 64
        if queries.about is not None:
            most = HALF
        wanted = (noise / (2 * total) / GOAL) ** (2 if budget.concentrated else 1)
        return Fraction(max(0, min(most, round(64 * wanted)) - 4), 64)


def _kept_noise(guess: Counts, noise: float) -> int:
    """How far a fit to noisy counts will be from the true ones, if these are as guessed.

    Counts are not negative and have a known sum. So what a fit lacks in cells of few records, at
    most all of it, it has too much elsewhere: these cells count twice, the others by the noise.
    """
    return whole_above(float(np.minimum(2 * guess, noise).sum()))


def _small(
    fit: Fitting, order: Order, known: set[Columns], every: Sequence[Columns]
) -> list[Columns]:
    """Those with which the law stays small enough to be worked out; the others stay out."""
    tables = [set(axes) for axes in order.axes]
    inside = {part for part in every if any(table.issuperset(part) for table in tables)}
    others = [part for part in every if part not in inside]
    small = {part for part, size in fit.sizes_with(known, others) if size <= MOST_CELLS}
    return [part for part in every if part in inside or part in small]
