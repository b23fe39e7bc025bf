"""The mistakes of all ways to label public points by a halfspace, counted in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tacit.exact.levels import Levels
from tacit.problems.reals.arrangement import (
    Vectors,
    Whole,
    bending,
    first_basis,
    labellings,
    normal,
    signs,
)

_PLACES = 1 << 40
Labels = list[tuple[tuple[bool, ...], Vectors]]


@dataclass(slots=True, eq=False)
class ArrangementLandscape:
    """Mistakes of every way to label ``points``; the labels are private, the points are not.

    ``points``         distinct whole-number vectors that span their space.
    ``zeros``, ``ones``  how many records of either label are at each of them.

    Where a hyperplane holds no more points than it takes to span it, these can be labelled in
    every way: such ways are counted in blocks. The others are listed.
    """

    points: Whole
    zeros: Whole
    ones: Whole
    counts: dict[tuple[int, ...], Whole] = field(default_factory=dict)
    listed: list[tuple[tuple[int, ...], Whole]] = field(default_factory=list)

    def _count(self) -> None:
        for prefix in self._prefixes():
            errors, crowded = self._block(prefix)
            group = prefix[:1]
            found = np.bincount(errors.ravel(), minlength=self._most + 1)
            self.counts[group] = self.counts.get(group, 0) + found
            self.listed += [(basis, self._listed_errors(basis)) for basis in crowded]

    def __repr__(self) -> str:
        return "ArrangementLandscape(private)"

    @property
    def width(self) -> int:
        """How many columns a point has."""
        return int(self.points.shape[1])

    @property
    def _most(self) -> int:
        return int(self.zeros.sum() + self.ones.sum())

    def _prefixes(self) -> Iterator[tuple[int, ...]]:
        """All but the last of the points that span a hyperplane."""
        return combinations(range(len(self.points) - 1), self.width - 2)

    def _lasts(self, prefix: tuple[int, ...]) -> Whole:
        return np.arange(prefix[-1] + 1 if prefix else 0, len(self.points))

    def _block(self, prefix: tuple[int, ...]) -> tuple[Whole, list[tuple[int, ...]]]:
        """Mistakes of the ways to label at hyperplanes through ``prefix`` and one more point: a
        row for each in which nothing else lies; and the bases of those where more does.
        """
        lasts = self._lasts(prefix)
        side = self._sides(prefix, lasts)
        on = (side == 0).sum(axis=1)
        free = on == self.width - 1
        crowded = [
            basis
            for last, row in zip(lasts[~free].tolist(), side[~free], strict=True)
            if (basis := (*prefix, last)) == self._first(row)
        ]
        return self._errors(side[free], prefix, lasts[free]), crowded

    def _sides(self, prefix: tuple[int, ...], lasts: Whole) -> Whole:
        matrix = bending(self.points[list(prefix)].tolist(), self.width)
        return signs(matrix, self.points[lasts], self.points)

    def _first(self, row: Whole) -> tuple[int, ...]:
        """The first basis of a hyperplane; none where the points depend and all are on it."""
        if not row.any():
            return ()
        among = np.flatnonzero(row == 0).tolist()
        return first_basis(self.points.tolist(), among, self.width - 1)

    def _errors(self, side: Whole, prefix: tuple[int, ...], lasts: Whole) -> Whole:
        up, down = (side > 0).astype(np.float64), (side < 0).astype(np.float64)
        off = [up @ self.zeros + down @ self.ones, up @ self.ones + down @ self.zeros]
        bases = np.column_stack([*[np.full(len(lasts), i) for i in prefix], lasts])
        columns = []
        for first in off:
            for pattern in range(1 << (self.width - 1)):
                wrong = first.astype(np.int64)
                for place in range(self.width - 1):
                    of = self.zeros if pattern >> place & 1 else self.ones
                    wrong = wrong + of[bases[:, place]]
                columns.append(wrong)
        return np.stack(columns, axis=1)

    def _crowd(self, basis: tuple[int, ...]) -> tuple[Whole, Labels]:
        """Which side each point is on, and the ways to label those that are on the hyperplane."""
        side = self._sides(basis[:-1], np.array(basis[-1:]))[0]
        found: dict[tuple[bool, ...], Vectors] = {}
        for labels, vectors in self.flat(basis, np.flatnonzero(side == 0).tolist()):
            found.setdefault(labels, vectors)
        return side, list(found.items())

    def flat(
        self, basis: tuple[int, ...], on: list[int]
    ) -> Iterator[tuple[tuple[bool, ...], Vectors]]:
        """The ways to label the points ``on`` a hyperplane, by vectors of the whole space."""
        rows = self.points.tolist()
        vector = normal([rows[i] for i in basis])
        drop = next(c for c, entry in enumerate(vector) if entry)
        for labels, deeper in labellings([(*rows[i][:drop], *rows[i][drop + 1 :]) for i in on]):
            yield labels, tuple((*one[:drop], 0, *one[drop:]) for one in deeper)

    def _listed_errors(self, basis: tuple[int, ...]) -> Whole:
        side, ways = self._crowd(basis)
        up, down = side > 0, side < 0
        off = (
            int(self.zeros[up].sum() + self.ones[down].sum()),
            int(self.ones[up].sum() + self.zeros[down].sum()),
        )
        on = np.flatnonzero(side == 0)
        given = np.array([labels for labels, _ in ways])
        wrong = given @ self.zeros[on] + ~given @ self.ones[on]
        return np.concatenate([wrong + off[0], wrong + off[1]])

    # -- what an exact selection needs -----------------------------------------------------

    def levels(self) -> Levels:
        if not self.counts:
            self._count()
        total = sum(self.counts.values(), np.zeros(self._most + 1, dtype=np.int64))
        for _, errors in self.listed:
            total = total + np.bincount(errors, minlength=self._most + 1)
        present = np.flatnonzero(total)
        return Levels(present, total[present])

    def member(self, error: int, rank: int) -> int:
        for group, found in self.counts.items():
            here = int(found[error])
            if rank < here:
                return self._in_group(group, error, rank)
            rank -= here
        for basis, errors in self.listed:
            places = np.flatnonzero(errors == error)
            if rank < len(places):
                return self._name(basis, int(places[rank]), crowded=True)
            rank -= len(places)
        raise AssertionError("a rank below the size of its level")

    def _in_group(self, group: tuple[int, ...], error: int, rank: int) -> int:
        for prefix in self._prefixes():
            if prefix[:1] != group:
                continue
            errors, _ = self._block(prefix)
            rows, ways = np.nonzero(errors == error)
            if rank < len(rows):
                lasts = self._lasts(prefix)
                side = self._sides(prefix, lasts)
                free = lasts[(side == 0).sum(axis=1) == self.width - 1]
                return self._name((*prefix, int(free[rows[rank]])), int(ways[rank]), crowded=False)
            rank -= len(rows)
        raise AssertionError("a rank below the size of its group")

    def _name(self, basis: tuple[int, ...], way: int, *, crowded: bool) -> int:
        code = 0
        for i in basis:
            code = code * len(self.points) + i
        return (code * _PLACES + way) * 2 + int(crowded)

    def vectors(self, candidate: int) -> Vectors:
        """What labels the points as a candidate does: the first product that is not 0 decides."""
        rest, crowded = divmod(candidate, 2)
        code, way = divmod(rest, _PLACES)
        basis: tuple[int, ...] = ()
        for _ in range(self.width - 1):
            code, i = divmod(code, len(self.points))
            basis = (i, *basis)
        first = normal([self.points[i].tolist() for i in basis])
        if crowded:
            _, ways = self._crowd(basis)
            sign, place = divmod(way, len(ways))
            deeper = ways[place][1]
        else:
            sign, pattern = divmod(way, 1 << (self.width - 1))
            wanted = tuple(bool(pattern >> place & 1) for place in range(self.width - 1))
            deeper = next(v for labels, v in self.flat(basis, list(basis)) if labels == wanted)
        return (tuple(-entry if sign else entry for entry in first), *deeper)


def spanning(x: Whole, y: npt.NDArray[np.bool_]) -> ArrangementLandscape:
    """The landscape of records: their distinct points, and the unit vectors, which hold none."""
    width = x.shape[1]
    units = np.eye(width, dtype=np.int64)
    points, place = np.unique(np.concatenate([x, units]), axis=0, return_inverse=True)
    place = place.ravel()[: len(x)]
    ones = np.bincount(place[y], minlength=len(points))
    zeros = np.bincount(place[~y], minlength=len(points))
    return ArrangementLandscape(points, zeros, ones)
