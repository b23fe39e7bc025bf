"""In which order the columns of a product of potentials are taken away, and how each of them is.

Every order gives the same marginals; what it costs differs by orders of magnitude. ``Order`` tries
random greedy ones, the more the longer a step of the best takes, and keeps the cheapest. Its draws
have a fixed seed, so that the same cliques always have the same order.
"""

from __future__ import annotations

import math
import random


def cells_of(columns, sizes):
    """How many cells some columns have together."""
    return math.prod(sizes[a] for a in columns)


class Order:
    """The cheapest order found in which columns are taken away, and how each of them is.

    ``steps`` are sets of columns, ``nanoseconds`` about what a step of the fit takes.
    """

    def __init__(self, scopes, sizes, kept):
        self.sizes, self.known = sizes, {}
        self.nanoseconds, self.steps = math.inf, []
        draw, trial, tries = random.Random(0), 0, 4
        while trial < tries:
            self._try(set(scopes), set(kept), draw, trial)
            trial += 1
            tries = max(4, min(1000, self.nanoseconds / (3e6 if kept else 6e4)))

    def _try(self, now, kept, draw, trial):
        noise, tilt = min(1.0, trial / 8), (0.0, 0.3, 1.0)[trial % 3]
        left, steps, cost = set().union(*now) - kept, [], 0.0
        while left and cost < self.nanoseconds:
            if not kept and (cells_of(left, self.sizes) < 4096 or len(left) < 7):
                rest, _ = self.split(now, left)
                self._better(cost + rest, [*steps, frozenset(left)])
            weights = {}
            for a in sorted(left):
                near = set().union(*(scope for scope in now if a in scope)) - {a}
                weights[a] = math.log(cells_of(near, self.sizes)) + tilt * math.log(self.sizes[a])
                weights[a] += noise * draw.gauss(0, 1)
            gone = frozenset({min(weights, key=weights.get)})
            bucket = {scope for scope in now if gone <= scope}
            cost += self.split(bucket, gone)[0]
            now = now - bucket
            now |= {scope for scope in [frozenset().union(*bucket) - gone] if scope}
            left -= gone
            steps.append(gone)
        if not left:
            self._better(cost, steps)

    def _better(self, cost, steps):
        if cost < self.nanoseconds:
            self.nanoseconds, self.steps = cost, steps

    def split(self, scopes, gone):
        """How to sum a product over columns: nanoseconds, and the groups of two parts, or none."""
        key = frozenset(scopes), frozenset(gone)
        if key not in self.known:
            self.known[key] = self._split(*key)
        return self.known[key]

    def _split(self, scopes, gone):
        groups = maximal(scopes)
        everything = frozenset().union(*groups)
        whole, out = cells_of(everything, self.sizes), cells_of(everything - gone, self.sizes)
        rest = merged(groups, self.sizes, whole)
        inner = 8 * sum(cells_of(one, self.sizes) for one in rest if one not in groups)
        best, chosen = 5000 + 5 * whole + inner + 3 * out, None
        groups = maximal(merged(groups, self.sizes, 0, 7))
        for mask in range(2 ** (len(groups) - 1) - 1):
            left = [g for i, g in enumerate(groups) if mask >> i & 1 or i + 1 == len(groups)]
            right = [g for g in groups if g not in left]
            one, two = frozenset().union(*left), frozenset().union(*right)
            batches = cells_of((one & two) - gone, self.sizes)
            cost = 6 * (cells_of(one, self.sizes) + cells_of(two, self.sizes))
            cost += 8000 + 400 * batches + 0.3 * whole + 4 * out
            if gone <= one & two and cost < best:
                best, chosen = cost, (left, right)
        return best, chosen


def maximal(scopes):
    """Those that lie in no other, longest first."""
    groups = []
    for one in sorted(scopes, key=lambda scope: (-len(scope), sorted(scope))):
        if not any(one <= other for other in groups):
            groups.append(one)
    return groups


def merged(groups, sizes, whole, most=3):
    """Unions of two, as long as these are small beside the whole or there are too many groups."""
    groups = list(groups)
    while len(groups) > 1:
        cells, i, j = most_alike(groups, sizes)
        if len(groups) <= most and cells * 2 > whole:
            break
        groups.append(groups.pop(i) | groups.pop(j))
    return groups


def most_alike(groups, sizes):
    """The two groups with the smallest union: its cells, and their places, the later one first."""
    return min(
        (cells_of(a | b, sizes), i, j)
        for i, a in enumerate(groups)
        for j, b in enumerate(groups[:i])
    )
