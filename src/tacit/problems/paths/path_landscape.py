"""The mistakes of all paths of a binary tree, grouped by the deepest data node above their end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from tacit.exact.levels import Levels


@dataclass(frozen=True, slots=True, eq=False)
class PathLandscape:
    """Mistakes of the path to every node ``1, ..., 2^(bits+1) - 1``. Private.

    ``nodes``   data nodes, ascending; node ``u`` has the children ``2 u`` and ``2 u + 1``. The
                first entry is 0, which stands above the root.
    ``errors``  of a path that ends below ``nodes[i]`` and below no deeper data node.
    ``inside``  for each, the nearest data nodes below it, ascending.
    """

    bits: int
    nodes: list[int]
    errors: list[int]
    inside: list[list[int]]

    def __repr__(self) -> str:
        return "PathLandscape(private)"

    @classmethod
    def of(cls, bits: int, gains: dict[int, int], positives: int) -> PathLandscape:
        """``gains``: of each data node, records of label 1 less those of label 0."""
        nodes = [0, *sorted(node for node in gains if node)]
        place = {node: i for i, node in enumerate(nodes)}
        errors = [positives]
        inside: list[list[int]] = [[] for _ in nodes]
        for node in nodes[1:]:
            above = node >> 1
            while above not in place:
                above >>= 1
            # A parent has a smaller number, so its errors are known already.
            errors.append(errors[place[above]] - gains[node])
            inside[place[above]].append(node)
        return cls(bits=bits, nodes=nodes, errors=errors, inside=inside)

    def _below(self, node: int) -> int:
        """How many nodes lie at ``node`` or below it."""
        top = max(node, 1)
        return (1 << (self.bits + 2 - top.bit_length())) - 1

    def _size(self, i: int) -> int:
        return self._below(self.nodes[i]) - sum(map(self._below, self.inside[i]))

    def levels(self) -> Levels:
        sizes: Counter[int] = Counter()
        for i, error in enumerate(self.errors):
            sizes[error] += self._size(i)
        errors = sorted(error for error, size in sizes.items() if size)
        counts = np.array([sizes[error] for error in errors], dtype=object)
        return Levels(np.array(errors, dtype=np.int64), counts)

    def member(self, error: int, rank: int) -> int:
        for i, found in enumerate(self.errors):
            if found == error:
                size = self._size(i)
                if rank < size:
                    return self._end(i, rank)
                rank -= size
        raise AssertionError("a rank below the size of its level")

    def _end(self, i: int, rank: int) -> int:
        """The ``rank``-th node below ``nodes[i]`` and below none of ``inside[i]``, by depth."""
        first = last = max(self.nodes[i], 1)
        while True:
            depth = first.bit_length()
            # What lies under deeper data nodes at this depth: runs, ascending.
            cut = [
                (node << spare, (node + 1) << spare)
                for node in self.inside[i]
                if (spare := depth - node.bit_length()) >= 0
            ]
            cut.sort()
            free = last - first + 1 - sum(stop - start for start, stop in cut)
            if rank < free:
                node = first + rank
                for start, stop in cut:
                    node += stop - start if start <= node else 0
                return node
            rank -= free
            first, last = 2 * first, 2 * last + 1
