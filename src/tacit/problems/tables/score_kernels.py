"""Compiled counting of the mistakes of all small-integer scoring rules."""

from __future__ import annotations

import numpy as np

from tacit.exact.arrays import Values
from tacit.exact.compiled import compiled


@compiled()
def scan_scores(
    levels: Values,
    gains: Values,
    groups: Values,
    weights: Values,
    top: int,
    errors: Values,
    wanted: int,
    rank: int,
) -> object:
    """List the mistakes of all rules, or find the ``rank``-th rule with ``wanted`` mistakes.

    ``levels[column, row]`` has a last column of zeros, which pads small groups. A rule is a
    group of three columns, a row of ``weights`` (the same number of leading non-zeros for
    all) and a threshold ``t = 0, ..., span``: it says 1 where the score, counted from its
    least value, is at least ``t``. ``gains[row]`` is what a mistake on the row costs, negative
    where its label is 0. With ``wanted < 0``, ``errors`` gets what the mistakes of each rule cost;
    otherwise the group, the weights and the threshold are returned.
    """
    rows = levels.shape[1]
    side = top + 1
    ones = 0
    for row in range(rows):
        ones += max(gains[row], 0)
    gain = np.zeros(side * side * side, np.int64)
    used = np.empty(min(rows, side * side * side), np.int64)
    first, second, third, worth = np.empty((4, len(used)), np.int64)
    worst = listed = 0
    for choice in range(weights.shape[0]):
        span = top * (abs(weights[choice, 0]) + abs(weights[choice, 1]) + abs(weights[choice, 2]))
        worst = max(worst, span)
    scores = np.zeros(worst + 1, np.int64)
    seen = np.zeros(side * side * side, np.bool_)
    for group in range(groups.shape[0]):
        a, b, c = groups[group, 0], groups[group, 1], groups[group, 2]
        many = 0
        for row in range(rows):
            key = (levels[a, row] * side + levels[b, row]) * side + levels[c, row]
            if not seen[key]:
                seen[key] = True
                used[many] = key
                many += 1
            gain[key] += gains[row]
        for place in range(many):  # once for all weights: it divides
            key = used[place]
            first[place], second[place] = key // (side * side), key // side % side
            third[place], worth[place] = key % side, gain[key]
        for choice in range(weights.shape[0]):
            u, v, w = weights[choice, 0], weights[choice, 1], weights[choice, 2]
            span = top * (abs(u) + abs(v) + abs(w))
            least = top * (min(u, 0) + min(v, 0) + min(w, 0))
            scores[: span + 1] = 0
            for place in range(many):
                score = u * first[place] + v * second[place] + w * third[place] - least
                scores[score] += worth[place]
            right = 0
            for threshold in range(span, -1, -1):
                right += scores[threshold]
                mistakes = ones - right
                if wanted < 0:
                    errors[listed] = mistakes
                    listed += 1
                elif mistakes == wanted:
                    if rank == 0:
                        return group, choice, threshold
                    rank -= 1
        for place in range(many):
            gain[used[place]] = 0
            seen[used[place]] = False
    return -1, -1, -1
