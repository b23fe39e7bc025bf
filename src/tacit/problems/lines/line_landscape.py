"""The mistakes of all lines modulo a prime, grouped by how many data points they hold.

Lines through two or more data points are listed, at most one a pair; those through exactly one
make the mistakes of that point; all others make the same. Nothing of size ``p`` is written down.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from tacit.exact.levels import Levels
from tacit.problems.points.points import unlisted


@dataclass(frozen=True, slots=True, eq=False)
class LineLandscape:
    """Mistakes of the ``p**2`` lines ``y = a x + b``; candidate ``a p + b``. Private.

    ``points``   distinct data points, with ``gains[i]``: records of label 1 less those of 0.
    ``lines``    slope and offset of every line through two points or more.
    ``counts``   how many points each of these lines holds, ``weights`` their gains together.
    ``through``  how many of these lines pass through each point.
    """

    p: int
    points: list[tuple[int, int]]
    gains: list[int]
    positives: int
    lines: list[tuple[int, int]] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    through: list[int] = field(default_factory=list)

    def __repr__(self) -> str:
        return "LineLandscape(private)"

    @classmethod
    def of(
        cls, p: int, points: list[tuple[int, int]], gains: list[int], ones: int
    ) -> LineLandscape:
        """List the lines through two points or more, each at its first point."""
        found = cls(p=p, points=points, gains=gains, positives=ones, through=[0] * len(points))
        seen: set[tuple[int, int]] = set()
        inverse: dict[int, int] = {}
        for i, (x, y) in enumerate(points):
            at_slope: dict[int, list[int]] = {}
            for j in range(i + 1, len(points)):
                across = (points[j][0] - x) % p
                if across:
                    if across not in inverse:
                        inverse[across] = pow(across, -1, p)
                    slope = (points[j][1] - y) * inverse[across] % p
                    at_slope.setdefault(slope, []).append(j)
            for slope, others in at_slope.items():
                line = (slope, (y - slope * x) % p)
                if line in seen:
                    continue
                seen.add(line)
                members = [i, *others]
                found.lines.append(line)
                found.counts.append(len(members))
                found.weights.append(sum(gains[m] for m in members))
                for m in members:
                    found.through[m] += 1
        return found

    def _nowhere(self) -> int:
        """How many lines hold no data point."""
        alone = sum(self.p - listed for listed in self.through)
        return self.p * self.p - len(self.lines) - alone

    def levels(self) -> Levels:
        sizes: Counter[int] = Counter(self.positives - weight for weight in self.weights)
        for gain, listed in zip(self.gains, self.through, strict=True):
            sizes[self.positives - gain] += self.p - listed
        sizes[self.positives] += self._nowhere()
        errors = sorted(error for error, size in sizes.items() if size)
        counts = np.array([sizes[error] for error in errors], dtype=object)
        return Levels(np.array(errors, dtype=np.int64), counts)

    def member(self, error: int, rank: int) -> int:
        listed = [k for k, weight in enumerate(self.weights) if self.positives - weight == error]
        if rank < len(listed):
            slope, offset = self.lines[listed[rank]]
            return slope * self.p + offset
        rank -= len(listed)
        for i, gain in enumerate(self.gains):
            if self.positives - gain == error:
                if rank < self.p - self.through[i]:
                    return self._alone(i, rank)
                rank -= self.p - self.through[i]
        return self._missing(rank)

    def _alone(self, i: int, rank: int) -> int:
        """The ``rank``-th line through point ``i`` and no other data point."""
        x, y = self.points[i]
        taken = {
            (other_y - y) * pow(other_x - x, -1, self.p) % self.p
            for other_x, other_y in self.points
            if (other_x - x) % self.p
        }
        slope = unlisted(np.array(sorted(taken), dtype=object), rank)
        return slope * self.p + (y - slope * x) % self.p

    def _missing(self, rank: int) -> int:
        """The ``rank``-th line through no data point: listed slopes first, then the others."""
        used: dict[int, int] = {}
        for (slope, _), count in zip(self.lines, self.counts, strict=True):
            used[slope] = used.get(slope, 0) + count - 1
        slopes = sorted(used)
        for slope in slopes:
            free = self.p - (len(self.points) - used[slope])
            if rank < free:
                return self._offset(slope, rank)
            rank -= free
        free = self.p - len(self.points)
        place, left = divmod(rank, free)
        return self._offset(unlisted(np.array(slopes, dtype=object), place), left)

    def _offset(self, slope: int, rank: int) -> int:
        taken = sorted({(y - slope * x) % self.p for x, y in self.points})
        return slope * self.p + unlisted(np.array(taken, dtype=object), rank)
