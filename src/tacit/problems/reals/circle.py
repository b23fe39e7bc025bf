"""Halfspaces in the plane on given records: all of them lie on one circle.

Turn a normal counterclockwise once around. A record's answer becomes 1 when the normal
reaches the record's direction turned back by a right angle, and 0 just after the record's
direction turned on by one. Two halfspaces disagree on no more records than change on the
way from one to the other, so covering the way covers the class.
"""

from __future__ import annotations

import numpy as np

from tacit.domains.reals import Floats
from tacit.domains.sphere import SCALE
from tacit.problems.reals.real_cuts import steps


def normals_on(x: Floats, reach: int) -> Floats:
    """Few whole-number normals such that every halfspace of the plane disagrees with one of
    them on at most ``reach`` of the records ``x`` (whole numbers, as ``Sphere`` holds them).
    """
    if len(x) == 0:
        return np.array([[float(SCALE), 0.0]])
    begin = np.column_stack([x[:, 1], -x[:, 0]]) + 0.0
    end = np.column_stack([-x[:, 1], x[:, 0]]) + 0.0
    turns = np.concatenate([begin, end])
    # Different directions of this size are 2^-46 apart, far more than arctan2 errs.
    angle = np.arctan2(turns[:, 1], turns[:, 0])
    _, first, place = np.unique(angle, return_index=True, return_inverse=True)
    ways = turns[first]
    on = np.bincount(place[: len(x)], minlength=len(ways))
    off = np.bincount(place[len(x) :], minlength=len(ways))
    after = np.roll(ways, -1, axis=0)
    between = ways + after
    straight = ~between.any(axis=1)
    between[straight] = np.column_stack([-ways[straight, 1], ways[straight, 0]])
    # At each turn: the normal on it, then any normal before the next one.
    path = np.stack([ways, between], axis=1).reshape(-1, 2)
    changed = np.cumsum(np.stack([on, off], axis=1).ravel())
    return path[steps(changed, reach)] + 0.0
