"""Probabilistic representation dimension: a game between a designer and an adversary.

The designer draws a set of ``s`` hypotheses; the adversary picks a concept and a law of
points, and wins if no drawn hypothesis has error at most ``alpha``. ``s`` hypotheses are
enough exactly if the designer can keep the adversary's chance at ``beta`` or below. Both
sides are grown in turn (double oracle): the designer plays best against the pairs listed so
far, the adversary looks for a pair that beats the result. Every decision is exact.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.theory.dimensions.deterministic import error_game
from tacit.theory.dimensions.games import Mix, columns_within, rounded
from tacit.theory.dimensions.incidence import Bits, Incidence
from tacit.theory.dimensions.measured import Clock, OutOfTime
from tacit.theory.dimensions.witnesses import HardPairs, RandomRepresentation, Representation

LARGEST = 6
_POINTS, _FEW = 8, 6
"""With more different points than the first, hypotheses are too many to list: a few are taken."""

Hypotheses = tuple[tuple[int, ...], ...]


def find(
    table: Incidence, *, alpha: Fraction, beta: Fraction, size: int, clock: Clock
) -> RandomRepresentation | HardPairs:
    """A random representation by ``size`` hypotheses, or the proof that there is none.

    With many points only the second is looked for, on a few of them.
    """
    cuts = table.cuts if len(table.cuts) <= _POINTS else table.telling(_FEW)
    return _Game(table, cuts, alpha=alpha, beta=beta, size=size, clock=clock).play()


class _Game:
    """Hypotheses are numbers: bit ``i`` is the label of the ``i``-th cut.

    ``pairs`` are the adversary's plays listed so far (concept, law of the cuts), and
    ``good[i]`` says which hypotheses have error at most ``alpha`` on the ``i``-th.
    """

    def __init__(
        self,
        table: Incidence,
        cuts: tuple[int, ...],
        *,
        alpha: Fraction,
        beta: Fraction,
        size: int,
        clock: Clock,
    ) -> None:
        self.table, self.alpha, self.beta = table, alpha, beta
        self.size, self.clock = size, clock
        self.cuts = cuts
        first = {tuple(table.label(f, x) for x in cuts): f for f in reversed(table.distinct)}
        self.concepts = sorted(first.values())
        everyone = np.arange(1 << len(self.cuts))[:, None]
        self.labels = (everyone >> np.arange(len(self.cuts)) & 1).astype(np.int64)
        self.pairs: list[tuple[int, Mix]] = []
        self.good: list[NDArray[np.bool_]] = []
        self.sets: dict[tuple[int, ...], None] = {}

    def play(self) -> RandomRepresentation | HardPairs:
        # to start with: laws that give more than alpha to each of as many cuts as possible
        count = min(math.ceil(1 / self.alpha) - 1, len(self.cuts))
        for f in self.concepts:
            for chosen in combinations(range(len(self.cuts)), count):
                law = [Fraction(int(i in chosen), count) for i in range(len(self.cuts))]
                self._add(f, tuple(law))
        while True:
            self.clock.check()
            hard, mix = self._design()
            if hard is not None:
                return self._hard_pairs(hard)
            answer = self._certify(mix)
            if answer is not None:
                return answer

    def _add(self, concept: int, law: Mix) -> None:
        """List a play of the adversary."""
        scale = math.lcm(*(w.denominator for w in law))
        if scale >= 1 << 60:
            raise OutOfTime
        weights = np.array([int(w * scale) for w in law])
        target = np.array([self.table.label(concept, x) for x in self.cuts])
        wrong = (self.labels != target) @ weights
        self.pairs.append((concept, law))
        self.good.append(wrong <= math.floor(self.alpha * scale))

    def _design(self) -> tuple[Mix | None, dict[tuple[int, ...], Fraction]]:
        """The designer's best play against the listed pairs, by column generation.

        Returns a law of pairs that holds every set's success below ``1 - beta``, or
        ``None`` and a law of sets whose failure is at most ``beta`` on every listed pair.
        """
        good = np.array(self.good).T
        if not self.sets:
            self.sets[self._best(good, np.ones(len(self.pairs), np.int64))[0]] = None
        while True:
            self.clock.check()
            failing = np.array([~good[list(part)].any(axis=0) for part in self.sets])
            p, mix = columns_within(failing.T.astype(np.int64), bound=self.beta)
            if mix is not None:
                return None, {part: m for part, m in zip(self.sets, mix, strict=True) if m}
            hard = rounded(p)
            scale = math.lcm(*(w.denominator for w in hard))
            response, reached = self._best(good, np.array([int(w * scale) for w in hard]))
            if 1 - Fraction(reached, scale) > self.beta:
                return hard, {}
            if response in self.sets:
                raise OutOfTime  # rounding hides the improvement: leave it open
            self.sets[response] = None

    def _best(
        self, good: NDArray[np.bool_], weights: NDArray[np.int64]
    ) -> tuple[tuple[int, ...], int]:
        """``size`` hypotheses that serve the heaviest set of pairs, and its weight."""
        live = np.flatnonzero(weights)
        served, first = np.unique(good[:, live], axis=0, return_index=True)
        beats = served.astype(np.float32) @ (~served.T).astype(np.float32) == 0
        np.fill_diagonal(beats, val=False)
        kept = ~beats.any(axis=1)
        chosen, weight = _cover(served[kept], weights[live], self.size, self.clock)
        return tuple(sorted(int(h) for h in first[kept][chosen])), weight

    def _hard_pairs(self, hard: Mix) -> HardPairs:
        used = [(*pair, w) for pair, w in zip(self.pairs, hard, strict=True) if w]
        return HardPairs(
            digest=self.table.digest,
            alpha=self.alpha,
            beta=self.beta,
            size=self.size,
            concepts=tuple(f for f, _, _ in used),
            laws=tuple(self._widen(law) for _, law, _ in used),
            chances=tuple(w for _, _, w in used),
        )

    def _widen(self, law: Mix) -> Mix:
        wide = [Fraction(0)] * self.table.points
        for x, w in zip(self.cuts, law, strict=True):
            wide[x] = w
        return tuple(wide)

    def _certify(self, mix: dict[tuple[int, ...], Fraction]) -> RandomRepresentation | None:
        """Check the designer's play against every pair; list the pairs that beat it."""
        if len(self.concepts) < len(self.table.distinct) or len(self.cuts) < len(self.table.cuts):
            raise OutOfTime  # some points were left out: nothing to certify
        rows = tuple(self._rows(part) for part in mix)
        chances = tuple(mix.values())
        safe: dict[Bits, tuple[tuple[tuple[int, ...], ...], tuple[Mix, ...]]] = {}
        beaten = False
        for f in self.table.distinct:
            families, mixtures, law = undefeated(
                self.table, f, rows, chances, alpha=self.alpha, beta=self.beta, clock=self.clock
            )
            safe[self.table.rows[f]] = (families, mixtures)
            if law is not None:
                beaten = True
                self._add(f, tuple(law[x] for x in self.cuts))
        if beaten:
            return None
        return RandomRepresentation(
            digest=self.table.digest,
            alpha=self.alpha,
            beta=self.beta,
            sets=rows,
            chances=chances,
            families=tuple(safe[row][0] for row in self.table.rows),
            mixtures=tuple(safe[row][1] for row in self.table.rows),
        )

    def _rows(self, part: tuple[int, ...]) -> Hypotheses:
        """Hypotheses over all points: equal and opposite columns are labelled alike."""
        everything = (1 << self.table.concepts) - 1
        place: dict[Bits, tuple[int, int]] = {}
        for i, x in enumerate(self.cuts):
            place[self.table.columns[x]] = (i, 0)
            place[everything ^ self.table.columns[x]] = (i, 1)

        def label(h: int, column: Bits) -> int:
            if column in (0, everything):
                return int(column != 0)
            i, turned = place[column]
            return (h >> i & 1) ^ turned

        return tuple(tuple(label(h, column) for column in self.table.columns) for h in part)


def _cover(
    served: NDArray[np.bool_], weights: NDArray[np.int64], size: int, clock: Clock
) -> tuple[list[int], int]:
    """The ``size`` rows that together serve the most weight, by branch and bound."""
    best: tuple[int, list[int]] = (-1, [])

    def extend(chosen: list[int], left: NDArray[np.int64], have: int, rows: Any) -> None:
        nonlocal best
        if have > best[0]:
            best = (have, chosen)
        more = size - len(chosen)
        if not more or not rows.size:
            return
        clock.check()
        gains = served[rows] @ left
        order = np.argsort(-gains, kind="stable")
        rows, gains = rows[order], gains[order]
        totals = np.concatenate([[0], np.cumsum(gains)])
        for at, row in enumerate(rows):
            if have + totals[min(at + more, len(gains))] - totals[at] <= best[0]:
                return
            rest = np.where(served[row], 0, left)
            extend([*chosen, int(row)], rest, have + int(gains[at]), rows[at + 1 :])

    extend([], weights, 0, np.arange(len(served)))
    return best[1], best[0]


def undefeated(
    table: Incidence,
    concept: int,
    sets: tuple[Hypotheses, ...],
    chances: Mix,
    *,
    alpha: Fraction,
    beta: Fraction,
    clock: Clock,
) -> tuple[tuple[tuple[int, ...], ...], tuple[Mix, ...], Mix | None]:
    """Small families of sets that no law of points defeats, such that whatever contains none
    of them has a chance of at most ``beta``; or a law that defeats more than that.
    """
    families: list[tuple[int, ...]] = []
    mixtures: list[Mix] = []

    def game(family: list[int]) -> tuple[Fraction, Mix, Mix]:
        clock.check()
        hypotheses = tuple(h for i in family for h in sets[i])
        return error_game(table, concept=concept, hypotheses=hypotheses)

    while True:
        heavy = _heavy_rest([sum(1 << i for i in one) for one in families], chances, beta, clock)
        if heavy is None:
            return tuple(families), tuple(mixtures), None
        family = [i for i in range(len(sets)) if heavy >> i & 1]
        error, law, _ = game(family)
        if error > alpha:
            return tuple(families), tuple(mixtures), law
        for i in list(family):
            fewer = [j for j in family if j != i]
            if fewer and game(fewer)[0] <= alpha:
                family = fewer
        families.append(tuple(family))
        mixtures.append(game(family)[2])


def _heavy_rest(families: list[Bits], chances: Mix, beta: Fraction, clock: Clock) -> Bits | None:
    """Some sets with joint chance above ``beta`` that contain none of the families."""
    seen: set[Bits] = set()

    def rest(have: Bits, chance: Fraction) -> Bits | None:
        if chance <= beta or have in seen:
            return None
        seen.add(have)
        clock.check()
        inside = [family for family in families if family & ~have == 0]
        if not inside:
            return have
        smallest = min(inside, key=int.bit_count)
        for i, weight in enumerate(chances):
            if smallest >> i & 1:
                found = rest(have ^ (1 << i), chance - weight)
                if found is not None:
                    return found
        return None

    return rest((1 << len(chances)) - 1, Fraction(1))


def constant(whole: Representation, *, beta: Fraction) -> RandomRepresentation:
    """A fixed representation, seen as a random one."""
    return RandomRepresentation(
        digest=whole.digest,
        alpha=whole.alpha,
        beta=beta,
        sets=(whole.hypotheses,),
        chances=(Fraction(1),),
        families=(((0,),),) * len(whole.mixtures),
        mixtures=tuple((mixture,) for mixture in whole.mixtures),
    )
