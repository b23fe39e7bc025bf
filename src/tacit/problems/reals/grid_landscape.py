"""The mistakes of all halfspaces of a large grid, counted line by line and not listed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacit.exact.arrays import Counts, Floats, Truths
from tacit.exact.levels import Levels
from tacit.problems.reals import grid_kernel


@dataclass(slots=True, eq=False)
class GridLandscape:
    """Mistakes of the normals of ``sphere_grid``, in its order. Private.

    ``x``, ``y``   records as ``Sphere`` holds them, and their labels.
    ``lines``      how many lines of ``cells`` normals the grid has, in ``2 width cells`` parts.
    """

    x: Floats
    y: Truths
    cells: int
    counts: list[Counts] = field(default_factory=list)

    def __repr__(self) -> str:
        return "GridLandscape(private)"

    @property
    def _part(self) -> int:
        """How many lines a part has: all but the last digit of a face's places are free."""
        return int(self.cells ** (self.x.shape[1] - 3))

    @property
    def _parts(self) -> int:
        return int(2 * self.x.shape[1] * self.cells)

    def levels(self) -> Levels:
        if not self.counts:
            self.counts.extend(
                grid_kernel.count_lines(
                    self.x,
                    self.y,
                    start=part * self._part,
                    stop=(part + 1) * self._part,
                    cells=self.cells,
                )[0]
                for part in range(self._parts)
            )
        total = np.sum(self.counts, axis=0)
        present = np.flatnonzero(total)
        return Levels(present, total[present])

    def member(self, error: int, rank: int) -> int:
        self.levels()
        for part, counts in enumerate(self.counts):
            here = int(counts[error])
            if rank < here:
                return self._in_part(part, error, rank)
            rank -= here
        raise AssertionError("a rank below the size of its level")

    def _in_part(self, part: int, error: int, rank: int) -> int:
        # One line after another: a part may have more normals than are listed at once.
        for line in range(part * self._part, (part + 1) * self._part):
            _, found = grid_kernel.count_lines(
                self.x, self.y, start=line, stop=line + 1, cells=self.cells, listed=True
            )
            places = np.flatnonzero(found == error)
            if rank < len(places):
                return line * self.cells + int(places[rank])
            rank -= len(places)
        raise AssertionError("a rank below the size of its part")
