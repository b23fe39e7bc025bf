"""Whole-number normals that come close to every direction, and how close they come.

Directions in R^n are scaled to the surface of the cube ``[-1, 1]^n``; each of its 2n
faces is divided into ``cells^(n-1)`` equal cubes, and their centres are the normals.
The angle from any direction to the nearest is at most ``arctan(sqrt(n-1) / cells)``
(``public_reference.proof.md``, Lemma 3).
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, cos, pi, sqrt, tan

import numpy as np

from tacit.core import BadInput
from tacit.domains.reals import Floats
from tacit.domains.sphere import SCALE
from tacit.exact.balls import Ball, above, ball, below

_MOST_TRIED = 1 << 17


def cap(dimension: int, angle: Ball) -> Ball:
    """The share of the sphere within ``angle <= pi/2`` of a point."""
    share = (angle.sin() ** 2).beta_lower(
        ball(Fraction(dimension - 1, 2)), ball(Fraction(1, 2)), regularized=True
    )
    return share / 2


def grid_size(dimension: int, cells: int) -> int:
    """How many normals the grid has."""
    if dimension == 2:
        return cells
    return int(2 * dimension * cells ** (dimension - 1))


def grid_angle(dimension: int, cells: int) -> Fraction:
    """Not below the share of pi by which a direction can miss the nearest normal."""
    if dimension == 2:
        return Fraction(1, cells)
    wide = above(lambda: (ball(dimension - 1).sqrt() / cells).atan() / (4 * ball(1).atan()))
    return Fraction(-(-wide.numerator * (1 << 60) // wide.denominator), 1 << 60)


def grid_cells(dimension: int, angle: Fraction) -> int:
    """The least fineness at which the grid misses by no more than a share ``angle`` of pi."""
    if dimension == 2:
        return max(1, ceil(1 / angle))
    if angle >= Fraction(1, 2):
        return 1
    cells = max(1, int(sqrt(dimension - 1) / tan(pi * float(angle))) - 1)
    while grid_angle(dimension, cells) > angle:
        cells += 1
    return cells


def grid_normals(dimension: int, cells: int, start: int, stop: int) -> Floats:
    """The normals number ``start`` to ``stop - 1``, whole numbers held as float64."""
    index = np.arange(start, stop, dtype=np.int64)
    if dimension == 2:
        angle = 2 * np.pi * index / cells
        circle: Floats = np.rint(SCALE * np.column_stack([np.cos(angle), np.sin(angle)])) + 0.0
        return circle
    normals = np.empty((len(index), dimension))
    face, index = np.divmod(index, cells ** (dimension - 1))
    axis, side = np.divmod(face, 2)
    for step in range(1, dimension):
        index, place = np.divmod(index, cells)
        normals[np.arange(len(axis)), (axis + step) % dimension] = 2 * place + 1 - cells
    normals[np.arange(len(axis)), axis] = np.where(side == 0, cells, -cells)
    return normals


def share_between(one: tuple[int, ...], other: tuple[int, ...]) -> Fraction:
    """The angle between two normals as a share of pi, rounded down by less than 2^-60."""
    product = sum(a * b for a, b in zip(one, other, strict=True))
    lengths = sum(a * a for a in one) * sum(b * b for b in other)

    def angle() -> Ball:
        across = ball(lengths - product * product).sqrt()
        return type(across).atan2(across, ball(product)) / (4 * ball(1).atan())

    low = below(angle)
    return max(Fraction(0), Fraction(low.numerator * (1 << 62) // low.denominator, 1 << 62))


def spread_normals(dimension: int, share: Fraction) -> Floats:
    """Whole-number normals, pairwise further apart than a share ``share`` of pi.

    Equal angles in the plane; in more dimensions the first that fit, from a fine grid.
    """
    if dimension == 2:
        count = ceil(2 / (share + Fraction(1, SCALE))) - 1
        return grid_normals(2, count, 0, count)
    cells = grid_cells(dimension, share / 2)
    size = grid_size(dimension, cells)
    if size > _MOST_TRIED:
        raise BadInput("this packing is too fine to be searched; choose a larger radius")
    normals = grid_normals(dimension, cells, 0, size)
    units = normals / np.sqrt((normals**2).sum(axis=1, keepdims=True))
    # Floats only propose; the margin keeps every pair certainly apart.
    limit = cos(pi * float(share)) - 1e-9
    free = np.ones(size, dtype=bool)
    chosen: list[int] = []
    while free.any():
        first = int(np.argmax(free))
        chosen.append(first)
        free &= units @ units[first] < limit
    return normals[chosen]
