"""Bands of points of a rule: a few public ranges on both sides of its threshold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tacit.problems.tables.points_rule import PointsRule
from tacit.problems.tables.scores import ScoreRule, spread_levels

_BANDS = 4
"""On each side of the threshold at most."""


_ODDS = (-40, -20, -10, 10, 20, 40)
"""Around the start of a sum, in points: half a unit, one, and two of the logarithm of the odds.

Of a sum of trees whose weights were capped a point stands for less, half as much near 0.
"""


def borders(rule: ScoreRule | PointsRule) -> tuple[int, ...]:
    """Where bands begin, all but the first, in rising order; the threshold is one of them.

    They follow from the rule alone. Bands of one side are equally wide, as far as whole points go;
    those of a sum of trees begin at its threshold and around its start.
    """
    if isinstance(rule, PointsRule):
        near = {rule.start + 1 + points for points in (0, *_ODDS)}
        return tuple(sorted({rule.threshold + 1} | near))
    ends = [weight * rule.top for weight in rule.weights]
    low, high = sum(min(end, 0) for end in ends), sum(max(end, 0) for end in ends)
    found = {rule.threshold}
    for first, last in ((low, rule.threshold - 1), (rule.threshold, high)):
        size = last - first + 1
        if size > 0:
            found |= {first + size * part // _BANDS for part in range(1, min(_BANDS, size))}
    return tuple(sorted(found))


def band_of(rule: ScoreRule | PointsRule, x: object) -> npt.NDArray[np.int64]:
    """The band of every record, by that record alone, from the lowest on."""
    points = rule.score(x) if isinstance(rule, PointsRule) else score_points(rule, x)
    return np.searchsorted(np.array(borders(rule)), points, side="right").astype(np.int64)


def score_points(rule: ScoreRule, x: object) -> npt.NDArray[np.int64]:
    cells = rule.schema.coerce(x, only=rule.reads)
    points = np.zeros(len(cells), dtype=np.int64)
    for column, weight in zip(rule.columns, rule.weights, strict=True):
        points += weight * spread_levels(cells[:, column], rule.schema.cells[column], rule.top)
    return points


def band_words(rule: ScoreRule | PointsRule) -> list[str]:
    """The bands in words, from the lowest on."""
    begins = borders(rule)
    told = [f"where the points are below {begins[0]}"]
    for low, high in pairwise(begins):
        upper = f" to {high - 1}" if high - 1 > low else ""
        told.append(f"where the points are {low}{upper}")
    return [*told, f"where the points are {begins[-1]} or more"]


def rising(rates: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The nearest rates that never fall, by weighted squares: neighbours that do are pooled.

    >>> rising([0.1, 0.5, 0.3, 0.9], [1, 1, 1, 1])
    [0.1, 0.4, 0.4, 0.9]
    """
    pools: list[tuple[float, float, int]] = []
    for rate, weight in zip(rates, weights, strict=True):
        pools.append((rate, weight, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, u, m), (b, v, n) = pools[-2:]
            pools[-2:] = [((a * u + b * v) / (u + v), u + v, m + n)]
    return [rate for rate, _, many in pools for _ in range(many)]
