"""Doubling dimension of the disagreement metric of a finite class (CH11 section 2).

The least ``d`` such that every ball is covered by ``2**d`` balls of half its radius, with
centres anywhere in the class. Balls change only at distances and at twice a distance, so
finitely many radii are looked at. A cover by half balls bounds ``d`` from above. From below, the
concepts of a ball get weights such that those in any half ball add up to at most 1 (the dual
program): then at least as many half balls are needed as all the weights add up to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.core.numbers import Number
from tacit.theory.dimensions.incidence import Bits, Incidence, read
from tacit.theory.dimensions.measured import Clock, Measured, OutOfTime, Progress, silent
from tacit.theory.dimensions.metric import Metric, disagreement
from tacit.theory.dimensions.witnesses import HalfCovers, HardBall, Witness

_LARGEST = 1024
"""Balls of more concepts than this are not written out."""


def doubling(
    concept_class: object,
    *,
    reference: str | Sequence[Number] = "uniform",
    time_limit: float | None = None,
    progress: Progress = silent,
) -> Measured:
    """The log2 of the most half balls that a ball of the class needs.

    ``least`` and ``most`` count half balls. They differ when time runs out, or when the
    dual program leaves a gap.

    >>> from tacit.theory.dimensions.named import thresholds
    >>> doubling(thresholds(8)).least
    3
    """
    clock = Clock(time_limit)
    table = read(concept_class)
    if len(table.distinct) > _LARGEST:
        return _measured(1, len(table.distinct), (), clock)
    search = _Covers(table, disagreement(table, reference), clock)
    hardest = search.hardest(progress)
    covers = search.half_covers()
    return _measured(hardest.size, covers.size, (covers, hardest), clock)


def _measured(least: int, most: int, witnesses: tuple[Witness, ...], clock: Clock) -> Measured:
    return Measured(
        quantity="doubling dimension",
        least=least,
        most=most,
        unit="half balls",
        witnesses=witnesses,
        seconds=clock.seconds,
        logarithmic=True,
        upper_by="witness" if witnesses else "one ball for each concept",
    )


class _Covers:
    """Half covers of every ball, greedy at first, improved where they are the largest."""

    def __init__(self, table: Incidence, metric: Metric, clock: Clock) -> None:
        self.table, self.metric, self.clock = table, metric, clock
        steps = [int(d) for d in np.unique(metric.distances) if d > 0]
        self.radii = sorted({*steps, *(2 * d for d in steps)}) or [1]
        self.halves = {r: metric.balls(r // 2) for r in self.radii}
        self.covers: dict[tuple[int, int], list[int]] = {}
        self.balls: dict[tuple[int, int], Bits] = {}
        for r in self.radii:
            for z, ball in enumerate(metric.balls(r)):
                self.balls[r, z] = ball
                if clock.left > 0:
                    self.covers[r, z] = _greedy_cover(ball, self.halves[r])
                else:  # every concept of the ball covers itself
                    self.covers[r, z] = [i for i in range(ball.bit_length()) if ball >> i & 1]

    def hardest(self, progress: Progress) -> HardBall:
        """Look at the balls with the largest covers until no other can be harder."""
        best = self._hard_ball(self.radii[0], 0, [Fraction(int(i == 0)) for i in self._everyone])
        try:
            for r, z in sorted(self.covers, key=lambda key: -len(self.covers[key])):
                if len(self.covers[r, z]) <= best.size:
                    break
                self.clock.check()
                found = self._hard_ball(r, z, _dual(self.balls[r, z], self.halves[r]))
                if found.size > best.size:
                    best = found
                    progress(found.says())
                if found.size < len(self.covers[r, z]):
                    self.covers[r, z] = _least_cover(self.balls[r, z], self.halves[r])
        except OutOfTime:
            pass
        return best

    @property
    def _everyone(self) -> range:
        return range(len(self.metric.concepts))

    def _hard_ball(self, r: int, z: int, weights: list[Fraction]) -> HardBall:
        wide = [Fraction(0)] * self.table.concepts
        for i, weight in zip(self.metric.concepts, weights, strict=True):
            wide[i] = weight
        return HardBall(
            digest=self.table.digest,
            reference=self.metric.reference,
            size=math.ceil(sum(weights)),
            radius=Fraction(r, self.metric.scale),
            centre=self.metric.concepts[z],
            weights=tuple(wide),
        )

    def half_covers(self) -> HalfCovers:
        place = {self.table.rows[f]: i for i, f in enumerate(self.metric.concepts)}
        who = [place[row] for row in self.table.rows]
        name = self.metric.concepts
        return HalfCovers(
            digest=self.table.digest,
            reference=self.metric.reference,
            size=max(len(cover) for cover in self.covers.values()),
            radii=tuple(Fraction(r, self.metric.scale) for r in self.radii),
            covers=tuple(
                tuple(tuple(name[g] for g in self.covers[r, i]) for i in who) for r in self.radii
            ),
        )


def _greedy_cover(ball: Bits, halves: list[Bits]) -> list[int]:
    chosen = []
    while ball:
        best = max(range(len(halves)), key=lambda g: (halves[g] & ball).bit_count())
        chosen.append(best)
        ball &= ~halves[best]
    return chosen


def _incidence(ball: Bits, halves: list[Bits]) -> tuple[list[int], Any]:
    members = [i for i in range(len(halves)) if ball >> i & 1]
    return members, np.array([[half >> i & 1 for half in halves] for i in members], dtype=float)


def _dual(ball: Bits, halves: list[Bits]) -> list[Fraction]:
    """Rational weights on the ball, as heavy as HiGHS finds, at most 1 in each half ball."""
    from scipy.optimize import linprog

    members, matrix = _incidence(ball, halves)
    found = linprog(
        -np.ones(len(members)), A_ub=matrix.T, b_ub=np.ones(len(halves)), method="highs"
    )
    weights = [Fraction(0)] * len(halves)
    for i, weight in zip(members, found.x, strict=True):
        weights[i] = Fraction(max(float(weight), 0.0)).limit_denominator(5040)
    heaviest = max(sum(w for i, w in enumerate(weights) if half >> i & 1) for half in halves)
    return [weight / max(heaviest, 1) for weight in weights]


def _least_cover(ball: Bits, halves: list[Bits]) -> list[int]:
    from scipy.optimize import Bounds, LinearConstraint, milp

    members, matrix = _incidence(ball, halves)
    found = milp(
        np.ones(len(halves)),
        constraints=LinearConstraint(matrix, lb=np.ones(len(members))),
        integrality=np.ones(len(halves)),
        bounds=Bounds(0, 1),
    )
    return [g for g in range(len(halves)) if found.x[g] > 0.5]
