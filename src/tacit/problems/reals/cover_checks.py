"""Verifiers that a list of rules is a cover, or a packing.

Covers of thresholds and boxes carry an exact ``radius`` computed from their very cuts.
For halfspaces the check below searches the sphere for a direction that no normal is
near to. Neither knows how the cover was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import pi, sqrt
from typing import Any

import numpy as np

from tacit.domains.reals import Floats
from tacit.problems.reals.halfspaces import HalfspaceCover

_SAFETY = 1e-9
_DEPTH = 24
_BLOCK = 1 << 20


def is_packing(concept_class: Any, rules: Sequence[Any], radius: Fraction) -> bool:
    """Whether all pairs certainly disagree more often than ``radius`` under the reference."""
    return all(
        concept_class.disagreement(one, other) > radius for one, other in combinations(rules, 2)
    )


def is_cover(cover: Any, radius: Fraction) -> bool:
    """Whether every concept certainly disagrees with some listed rule at most ``radius`` often.

    True is certain. False may be a cover whose radius is all but reached.
    """
    if isinstance(cover, HalfspaceCover):
        angle = radius - cover.domain.rounding
        normals = cover.normals(0, cover.size)
        return angle > 0 and _near_everything(normals, pi * float(angle))
    return bool(cover.radius <= radius)


def _near_everything(normals: Floats, angle: float) -> bool:
    # Branch and bound over the faces of the cube: a cell is done when its farthest point
    # is certainly near the normal that is nearest to its centre; else it is split.
    dimension = normals.shape[1]
    units = normals / np.sqrt((normals**2).sum(axis=1, keepdims=True))
    halves = np.array(list(product((-0.5, 0.5), repeat=dimension - 1)))
    for axis, side in product(range(dimension), (1.0, -1.0)):
        centres, width = np.zeros((1, dimension - 1)), 1.0
        for _ in range(_DEPTH):
            points = np.insert(centres, axis, side, axis=1)
            lengths = np.sqrt((points**2).sum(axis=1))
            nearest = _least_angle(points / lengths[:, None], units)
            reach = np.arcsin(np.minimum(1.0, width * sqrt(dimension - 1) / lengths))
            open_cells = centres[nearest + reach > angle - _SAFETY]
            if (nearest > angle + _SAFETY).any():
                return False
            if len(open_cells) == 0:
                break
            width /= 2
            centres = (open_cells[:, None, :] + 2 * width * halves).reshape(-1, dimension - 1)
        else:
            return False
    return True


def _least_angle(points: Floats, units: Floats) -> Floats:
    rows = max(1, _BLOCK // len(units))
    best = [
        (points[start : start + rows] @ units.T).max(axis=1)
        for start in range(0, len(points), rows)
    ]
    angles: Floats = np.arccos(np.clip(np.concatenate(best), -1.0, 1.0))
    return angles
