"""The packing attack: among many far-apart answers a private learner must miss one.

``N`` databases have disjoint sets of good answers. On the first one, the learner's answer
falls into most of the other sets hardly ever; privacy carries that over to their
databases, at ``exp(epsilon)`` a differing record. BBKN13 Theorem 3.6 (points), Theorem 7.2
(tables), CH11 Theorem 5 (thresholds).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tacit.checks.attacks.confidence import lower, upper
from tacit.core import BadInput, Mechanism, Sample, Sampler
from tacit.core.numbers import exact, positive, probability, whole
from tacit.exact.balls import above, ball, below
from tacit.exact.entropy import SYSTEM


@dataclass(frozen=True, slots=True, kw_only=True)
class Packing:
    """Databases, any two of which differ in at most ``differ`` records, and their good answers.

    ``good(answer)`` is the number of the one database for which the answer is good, or
    ``None``: good sets are disjoint by construction.
    """

    name: str
    databases: int
    database: Callable[[int], object]
    good: Callable[[object], int | None]
    differ: int


def points(*, size: int, n: int) -> Packing:
    """All records are one value with label 1; only that point is right (BBKN13 Theorem 3.6)."""

    def database(index: int) -> Sample:
        return Sample(np.full(n, index, dtype=np.uint64), np.ones(n, dtype=int))

    return Packing(
        name=f"{size} points", databases=size, database=database, good=_the_point, differ=n
    )


@runtime_checkable
class _Pointed(Protocol):
    """A rule that names one value."""

    @property
    def point(self) -> int: ...


def _the_point(rule: object) -> int | None:
    return int(rule.point) if isinstance(rule, _Pointed) else None


def thresholds(*, size: int, n: int) -> Packing:
    """Half of the records just below a boundary, half on it (CH11 Theorem 5); ``x >= t``."""

    def database(index: int) -> Sample:
        labels = np.arange(n) % 2
        return Sample((index + labels).astype(np.uint64), labels)

    def good(rule: Any) -> int | None:
        said = np.asarray(rule.predict(np.arange(size, dtype=np.uint64)))
        turns = np.flatnonzero(said[1:] & ~said[:-1])
        return int(turns[0]) if len(turns) == 1 and not np.any(~said[1:] & said[:-1]) else None

    return Packing(
        name=f"{size - 1} thresholds", databases=size - 1, database=database, good=good, differ=n
    )


def point_tables(*, size: int, n: int, alpha: Fraction) -> Packing:
    """Records at the value 0 but for a share ``2 alpha`` elsewhere (BBKN13 Theorem 7.2).

    A table is good for value ``i`` if it gives ``i`` more than ``alpha``, and no value but
    0 and ``i``.
    """
    planted = int(2 * alpha * n) + 1

    def database(index: int) -> Sample:
        records = np.zeros(n, dtype=np.uint64)
        records[:planted] = index + 1
        # A sanitizer reads no labels.
        return Sample(records, np.zeros(n, dtype=int))

    def good(table: object) -> int | None:
        heavy = [
            value
            for value, share in zip(*_shares(table), strict=True)
            if value != 0 and share > float(alpha)
        ]
        return heavy[0] - 1 if len(heavy) == 1 else None

    return Packing(
        name=f"{size - 1} tables", databases=size - 1, database=database, good=good, differ=planted
    )


def _shares(table: Any) -> tuple[list[int], list[float]]:
    rows = [(int(value), int(count)) for value, count in table.rows]
    total = sum(count for _, count in rows) or 1
    return [value for value, _ in rows], [count / total for _, count in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """The database that was found, and what the learner did on it.

    ``allowed``   the most that ``epsilon`` lets the learner succeed there, given how
                  rarely it answers so on the first database (certified).
    ``success``   a confidence interval for how often it did succeed.
    ``epsilon``   its epsilon is certainly larger than this.
    """

    packing: str
    database: int
    runs: int
    successes: int
    claimed: Fraction
    allowed: Fraction
    success: tuple[Fraction, Fraction]
    epsilon: Fraction

    @property
    def not_private(self) -> bool:
        """The learner succeeds more often than its epsilon allows."""
        return self.epsilon > self.claimed

    def fails(self, beta: Fraction) -> bool:
        """The learner certainly misses its target more often than ``beta``."""
        return self.success[1] < 1 - beta


def attack(
    learner: Mechanism[object, object] | Callable[[object], object],
    packing: Packing,
    *,
    epsilon: object,
    runs: int = 2000,
    level: object = "1/1000",
    rng: Sampler = SYSTEM,
) -> Missed:
    """Find the database on which a learner that claims ``epsilon`` must fail, and try it.

    Either it fails there, or its epsilon is larger than it claims: the result says which,
    both certified but for a probability ``level``.
    """
    claimed, sure = positive(epsilon, name="epsilon"), probability(level, name="level")
    runs = whole(runs, name="runs", least=1)
    if packing.databases < 2:
        raise BadInput("a packing needs two databases")
    answer = _answering(learner, rng)
    home = packing.database(0)
    # The rarest answer is looked for on other runs than those that count it.
    seen = np.zeros(packing.databases, dtype=int)
    for _ in range(runs):
        hit = packing.good(answer(home))
        if hit is not None and hit < packing.databases:
            seen[hit] += 1
    rare = int(np.argmin(seen[1:])) + 1
    there = packing.database(rare)
    hits = sum(packing.good(answer(home)) == rare for _ in range(runs))
    successes = sum(packing.good(answer(there)) == rare for _ in range(runs))
    share = sure / 3
    at_home = upper(hits, runs, level=share)
    low, high = lower(successes, runs, level=share), upper(successes, runs, level=share)
    allowed = above(lambda: ball(at_home) * ball(claimed * packing.differ).exp())
    found = below(lambda: (ball(low) / ball(at_home)).log()) if low > at_home else Fraction(0)
    return Missed(
        packing=packing.name,
        database=rare,
        runs=runs,
        successes=successes,
        claimed=claimed,
        allowed=min(exact(1, name="one"), allowed),
        success=(low, high),
        epsilon=found / packing.differ,
    )


def _answering(learner: Any, rng: Sampler) -> Callable[[Any], Any]:
    if isinstance(learner, Mechanism):
        return lambda data: rng.part(learner, data)
    called: Callable[[Any], Any] = learner
    return called
