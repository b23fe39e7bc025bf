"""A table for any finite class by private multiplicative weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    ZCDP,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Event,
    Mechanism,
    Pure,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Task,
    Tiny,
)
from tacit.core.numbers import positive, whole
from tacit.core.tiny import DELTA, RARE
from tacit.exact.balls import ball, below
from tacit.exact.landscape import Flat
from tacit.problems.finite import finite_tables_upper as finite_tables
from tacit.problems.finite.listed import Table
from tacit.problems.finite.queries import LISTABLE, histogram, queries_of, too_large
from tacit.problems.finite.reasons import TABLES_NEED
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.parities.parities import Parities
from tacit.problems.points.points import Points
from tacit.problems.points.tiny_points import on_point_queries
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.tallies.distinct import features

_STEP = 4
_PROOF = "problems/finite/multiplicative_weights.proof.md"
CLASSES = (Points, Thresholds, Parities, Table)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedTable(Mechanism[Sample, SyntheticTable]):
    """Weights over the domain, corrected ``rounds`` times at the query that errs most.

    Each round selects a query and releases its count with noise; the table is rounded from
    the average of the weights. Give ``epsilon`` (pure) or ``rho`` (zCDP).

    Privacy
    -------
    Requires  the number of records is public.
    Ensures   ``epsilon``-DP, or ``rho``-zCDP, under ``REPLACE_ONE``.
    Proof     Theorem 1 of ``multiplicative_weights.proof.md``.
    Numerics  selections and noise are exact. The weights are floats: they are made from
              released numbers alone.

    Utility
    -------
    ``tacit.problems.finite.finite_tables_upper.weighted``.

    Edge cases
    ----------
    No records: noise alone decides. One value: all rows are that value.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Theorem 25",
        statement="rounds of selecting a query and releasing its noisy count are private, and "
        "what is made of them is, too; constants ours",
        proof=_PROOF,
    )

    concepts: Any
    rounds: int
    rows: int
    epsilon: Fraction | None = None
    rho: Fraction | None = None

    def __post_init__(self) -> None:
        if (self.epsilon is None) == (self.rho is None):
            raise BadInput("give either epsilon= or rho= for multiplicative weights")
        for name in ("epsilon", "rho"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, positive(getattr(self, name), name=name))
        object.__setattr__(self, "rounds", whole(self.rounds, name="rounds", least=1))
        object.__setattr__(self, "rows", whole(self.rows, name="rows", least=1))
        reason = too_large(self.concepts)
        if reason:
            raise BadInput(f"multiplicative weights {reason}")

    def event(self) -> Event:
        if self.rho is not None:
            return ZCDP(rho=self.rho, relation=Relation.REPLACE_ONE)
        assert self.epsilon is not None
        return Pure(epsilon=self.epsilon, relation=Relation.REPLACE_ONE)

    @property
    def selection(self) -> Fraction:
        """What one selection costs."""
        if self.rho is not None:
            rho = self.rho
            return below(lambda: (4 * ball(rho) / self.rounds).sqrt(), bits=64)
        assert self.epsilon is not None
        return self.epsilon / (2 * self.rounds)

    def _noise(self, rng: Sampler) -> int:
        if self.rho is not None:
            return rng.gaussian(self.rounds / self.rho)
        return rng.geometric(1 / self.selection)

    def streams(self, n: int | None) -> bool:  # noqa: ARG002 - counts of any number
        return True

    def _release(self, data: Sample, *, rng: Sampler) -> SyntheticTable:
        queries = queries_of(self.concepts)
        truth = queries.totals(histogram(self.concepts, features(data)))  # [P1]
        n = max(1, len(data))
        rate = self.selection / 2
        logs = np.zeros(self.concepts.domain.size)
        average = np.zeros_like(logs)
        for _ in range(self.rounds):
            weights = _exponentials(logs - logs.max())
            weights /= weights.sum()
            average += weights
            answers = queries.totals(weights)
            guess = np.floor(np.clip(answers, 0, 1) * n).astype(np.int64)
            landscape = Flat(errors=-np.abs(guess - truth))  # [P2]
            levels = landscape.levels()
            index = rng.level(levels, rate=rate)
            rank = rng.below(int(levels.counts[index]))
            query = landscape.member(int(levels.errors[index]), rank)
            noisy = int(truth[query]) + self._noise(rng)  # [P3]
            measured = min(1.0, max(0.0, noisy / n))
            logs += _STEP * (measured - float(answers[query])) * queries.row(query)
        counts = whole_rows(average / self.rounds, rows=self.rows)  # [P4]
        rows = tuple((int(v), int(counts[v])) for v in np.flatnonzero(counts))
        return SyntheticTable(domain=self.concepts.domain, rows=rows)


def _exponentials(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """``exp`` of each number, none above 0.

    Numpy's own differs in the last bit between processors with and without AVX-512, and then the
    same noise makes another table.
    """
    return np.array([math.exp(value) for value in values.tolist()])


def whole_rows(shares: npt.NDArray[np.float64], *, rows: int) -> npt.NDArray[np.int64]:
    """``rows`` rows in about these shares, by largest remainder."""
    wanted = shares / shares.sum() * rows
    counts: npt.NDArray[np.int64] = np.floor(wanted).astype(np.int64)
    missing = rows - int(counts.sum())
    if missing > 0:
        order = np.argsort(counts - wanted, kind="stable")
        np.add.at(counts, order[np.arange(missing) % len(order)], 1)
    while missing < 0:
        # Only where floats rounded up; nothing is taken from an empty cell.
        counts[int(np.argmax(counts))] -= 1
        missing += 1
    return counts


def _bound(task: Task, *, delta: Fraction) -> SampleBound:
    return finite_tables.weighted(
        size=task.concept_class.size or 1,
        domain_size=task.concept_class.domain.size,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        delta=delta,
    )


def _built(task: Task, n: int, bound: SampleBound) -> WeightedTable:
    rho = bound.choices.get("rho")
    return WeightedTable(
        concepts=task.concept_class,
        rounds=bound.choices["rounds"],
        rows=finite_tables.weighted_rows(
            domain_size=task.concept_class.domain.size, alpha=task.accuracy.alpha, n=n
        ),
        epsilon=None if rho is not None else task.privacy.epsilon,
        rho=rho,
    )


def _tiny(entry: Algorithm) -> Tiny:
    return on_point_queries(entry).exactly(
        lambda e: WeightedTable(concepts=Points(size=2), rounds=3, rows=64, epsilon=e),
        records=(0, 1),
        n=4,
    )


def _tiny_gaussian(entry: Algorithm) -> Tiny:
    return on_point_queries(entry, delta=DELTA).exactly(
        lambda e: WeightedTable(concepts=Points(size=2), rounds=2, rows=64, rho=e**2 / 8),
        records=(0, 1),
        n=6,
        delta=RARE,
    )


WEIGHTS = ALGORITHMS.add(
    Algorithm(
        name="multiplicative-weights",
        summary="weights over the domain, corrected again and again where they err most",
        applies=Applies(
            proper=True,
            goal="sanitize",
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=CLASSES,
            further=LISTABLE,
        ),
        claim=finite_tables.WEIGHTS,
        bound=lambda task: _bound(task, delta=Fraction(0)),
        build=lambda task, bound, size: _built(task, size.n, bound),
        tiny=_tiny,
    )
)

GAUSSIAN_WEIGHTS = ALGORITHMS.add(
    Algorithm(
        name="gaussian-multiplicative-weights",
        summary="the same with Gaussian noise and all rounds' costs added up as zCDP",
        applies=Applies(
            proper=True,
            goal="sanitize",
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=CLASSES,
            delta=True,
            further=LISTABLE,
        ),
        claim=finite_tables.WEIGHTS,
        bound=lambda task: _bound(task, delta=task.privacy.delta),
        build=lambda task, bound, size: _built(task, size.n, bound),
        tiny=_tiny_gaussian,
    )
)
