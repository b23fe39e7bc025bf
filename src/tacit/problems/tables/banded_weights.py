"""The weights of all scoring rules with bands of several labels at once.

Mistakes add over totals, so all ways to cut one total into bands with labels are summed by going
through its values once; the bands are drawn backwards. Proved in ``banded_weights.proof.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from tacit.core import Sampler
from tacit.domains.guards import check_cells
from tacit.exact.balls import Ball, ball
from tacit.exact.cells import BEYOND, ULP, decay_table
from tacit.problems.tables.banded_scores import MOST_BANDS, BandedScoreRule, BandedScores, Total
from tacit.problems.tables.scores import spread_levels
from tacit.problems.tables.table_rule import Cells

Counts = npt.NDArray[np.int64]
_SMALLEST_PRIOR = Fraction(1, 10**100)


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The levels of the ordered columns, one row per record, and labels as numbers. Private."""

    levels: Counts
    labels: Counts

    def __repr__(self) -> str:
        return "Held(private)"


@dataclass(frozen=True)
class BandWeigher:
    """Weights ``prior(rule) * exp(-rate * mistakes)`` of scoring rules with bands.

    With ``costs``, one a label, every record counts as often as a mistake on its label costs.
    """

    rules: BandedScores
    rate: Fraction
    costs: tuple[int, ...] = ()

    @cached_property
    def totals(self) -> tuple[Total, ...]:
        """Every way to add up points."""
        return tuple(self.rules.totals())

    def held(self, cells: Cells, labels: Counts) -> Held:
        """What is needed of placed records."""
        scores = self.rules.scores
        check_cells(cells, labels, scores.schema.cells)
        if len(labels) and not 0 <= labels.min() <= labels.max() < self.rules.values:
            raise IndexError("a label must be the number of a public value")
        levels = np.zeros((len(labels), len(scores.schema.cells)), dtype=np.int64)
        for column in scores.ordered:
            size = scores.schema.cells[column]
            levels[:, column] = spread_levels(cells[:, column], size, scores.top)
        return Held(levels, labels.astype(np.int64))

    def _joint(self, held: Held, columns: tuple[int, ...]) -> tuple[Counts, Counts]:
        """Which levels of these columns occur together, and how many records have each label,
        times what a mistake on it costs.
        """
        wide, values = self.rules.scores.top + 1, self.rules.values
        place = np.zeros(len(held.labels), dtype=np.int64)
        for column in columns:
            place = place * wide + held.levels[:, column]
        shape = (wide,) * len(columns)
        cells = wide ** len(columns)
        joint = np.bincount(place * values + held.labels, minlength=cells * values)
        joint = joint.reshape(cells, values).astype(np.int64)
        present = np.flatnonzero(joint.any(axis=1))
        levels = np.stack(np.unravel_index(present, shape), axis=1).astype(np.int64)
        found = joint[present]
        return levels, found * np.array(self.costs, dtype=np.int64) if self.costs else found

    def counts(self, held: Held, total: Total) -> Counts:
        """``counts[total, label]``, the least total first."""
        from tacit.problems.tables.banded_kernels import totals_of

        counts = np.zeros((total.many, self.rules.values), dtype=np.int64)
        weights = np.array(total.weights, dtype=np.int64)
        totals_of(*self._joint(held, total.columns), weights, counts, total.least)
        return counts

    # -- weights -------------------------------------------------------------------------

    def relative_error(self) -> float:
        """A bound on the relative error of the float weights of all totals."""
        if self.rules.least_prior() < _SMALLEST_PRIOR:
            return float("inf")
        longest = max(total.many for total in self.totals)
        # In units of 2**-53, as counted in the proof.
        units = 6.0 * (self.rules.values + 1) * longest + 6 * MOST_BANDS * self.rules.values + 4
        return 0.75 * (units + 8) * ULP

    def choices(self, held: Held) -> tuple[Counts, npt.NDArray[np.float64]]:
        """``(m, z)`` of every total."""
        from tacit.problems.tables.banded_kernels import group_sums

        m = np.empty(len(self.totals), dtype=np.int64)
        z = np.empty(len(self.totals), dtype=np.float64)
        decay, at = self.decay(held), 0
        for kind in self.rules.kinds:
            weights = np.array(self.rules.weights(kind), dtype=np.int64)
            some = [self.rules.total((), tuple(one)) for one in weights.tolist()]
            least = np.array([one.least for one in some], dtype=np.int64)
            many = np.array([one.many for one in some], dtype=np.int64)
            shares = np.array([self._shares(kind, one.many) for one in some], dtype=np.float64)
            for columns in self.rules.groups(kind):
                end = at + len(weights)
                given = (*self._joint(held, columns), weights, least, many, shares, decay)
                group_sums(*given, m[at:end], z[at:end])
                at = end
        return m, z

    def _shares(self, kind: int, many: int) -> list[float]:
        """The prior of each number of bands, 0 for more than there may be."""
        most = min(self.rules.values, MOST_BANDS)
        bands = self.rules.most_bands(many)
        share = self.rules.share(kind)
        each = [float(share * self.rules.band_share(many, one + 1)) for one in range(bands)]
        return each + [0.0] * (most - bands)

    def decay(self, held: Held) -> npt.NDArray[np.float64]:
        """The table of ``exp(-rate * j)`` that weights are read from."""
        longest = len(held.labels) * max(self.costs or (1,)) + 1
        return decay_table(self.rate, 1 << longest.bit_length())

    def balls(self, held: Held) -> Iterator[Ball]:
        """The same weights as balls."""
        for total in self.totals:
            counts = self.counts(held, total)
            yield sum(self._ends(total, self._forward(counts)[-1]), ball(0))

    def _ends(self, total: Total, last: list[list[Ball]]) -> Iterator[Ball]:
        """The weight of every number of bands and label of the last one."""
        share = self.rules.share(len(total.columns) - 1)
        for bands, row in enumerate(last[: self.rules.most_bands(total.many)], start=1):
            each = ball(share * self.rules.band_share(total.many, bands))
            yield from (each * one for one in row)

    def _forward(self, counts: Counts) -> list[list[list[Ball]]]:
        """``[place][band][label]``: all ways to cut the totals up to a place, the band that it is
        in numbered from 0, and its label.
        """
        values, most = self.rules.values, self.rules.most_bands(len(counts))
        found: list[list[list[Ball]]] = []
        rate = ball(self.rate)
        for place, (row, every) in enumerate(zip(counts, counts.sum(axis=1), strict=True)):
            wrong = [(-rate * int(every - one)).exp() if every else ball(1) for one in row]
            here = []
            for band in range(min(place + 1, most)):
                ways = [ball(int(place == 0))] * values
                if place and band < place:
                    ways = list(found[place - 1][band])
                if band:
                    others = _others(found[place - 1][band - 1])
                    ways = [one + other for one, other in zip(ways, others, strict=True)]
                here.append([one * factor for one, factor in zip(ways, wrong, strict=True)])
            found.append(here)
        return found

    # -- drawing -------------------------------------------------------------------------

    def draw(self, held: Held, *, rng: Sampler) -> BandedScoreRule:
        """A rule with probability proportional to its weight."""
        m, z = self.choices(held)  # [P1]
        decay = self.decay(held)
        gaps = m - m.min()
        reach = gaps < len(decay)
        choice = rng.cell(  # [P2]
            np.where(reach, z * decay[np.where(reach, gaps, 0)], 0.0),
            relative=self.relative_error(),
            absolute=BEYOND,
            balls=lambda: self.balls(held),
        )
        total = self.totals[choice]
        cuts, labels = self._bands(self.counts(held, total), total, rng)  # [P3]
        return self.rules.hypothesis(total, cuts, labels)

    def _bands(
        self, counts: Counts, total: Total, rng: Sampler
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Where bands begin and their labels, the last band first."""
        values = self.rules.values
        last = len(counts) - 1
        end = _choose(
            rng,
            self.rules.most_bands(total.many) * values,
            lambda: self._ends(total, self._forward(counts)[last]),
        )
        band, label = divmod(end, values)
        cuts: list[int] = []
        labels = [label]
        while band:
            options = [
                (start, one)
                for start in range(band, last + 1)
                for one in range(values)
                if one != label
            ]
            given = (counts, last, band, label)
            found = _choose(rng, len(options), partial(self._begins, *given))
            start, label = options[found]
            cuts.append(start)
            labels.append(label)
            last, band = start - 1, band - 1
        return tuple(reversed(cuts)), tuple(reversed(labels))

    def _begins(self, counts: Counts, last: int, band: int, label: int) -> Iterator[Ball]:
        """The weight of every place where the band up to ``last`` may begin, and of every other
        label that the band before it may have.
        """
        forward = self._forward(counts[: last + 1])
        wrong = counts.sum(axis=1) - counts[:, label]
        for start in range(band, last + 1):
            here = (-ball(self.rate) * int(wrong[start : last + 1].sum())).exp()
            for one, way in enumerate(forward[start - 1][band - 1]):
                if one != label:
                    yield way * here


def _others(ways: list[Ball]) -> list[Ball]:
    """For each label the sum over all others."""
    before, after = [ball(0)], [ball(0)]
    for one in ways[:-1]:
        before.append(before[-1] + one)
    for one in reversed(ways[1:]):
        after.append(after[-1] + one)
    return [low + high for low, high in zip(before, reversed(after), strict=True)]


def _choose(rng: Sampler, many: int, balls: Callable[[], Iterable[Ball]]) -> int:
    """One of several choices, decided by balls alone."""
    return rng.cell(np.ones(many), relative=float("inf"), absolute=0.0, balls=balls)
