"""All ways in which halfspaces through the origin label given points, exactly, in any dimension.

The points are whole-number vectors that span their space. A halfspace that labels them in some
way can be turned, without changing a label off its boundary, until its boundary holds as many
independent points as there is room for; the labels on the boundary are then those of a halfspace
of one dimension less. So a way to label is a list of whole-number vectors: the first of them that
is not 0 at a point decides, and where all are 0 the label is 1 (``arrangement.proof.md``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, factorial, perm, prod

import numpy as np
import numpy.typing as npt

Vector = tuple[int, ...]
Vectors = tuple[Vector, ...]
Whole = npt.NDArray[np.int64]
_SURE = 2.0**-45
_WORD = 2.0**62


def determinant(rows: Sequence[Sequence[int]]) -> int:
    """The determinant of a small square matrix of whole numbers."""
    if not rows:
        return 1
    first, rest = rows[0], rows[1:]
    return sum(
        (-1) ** c * entry * determinant([[*row[:c], *row[c + 1 :]] for row in rest])
        for c, entry in enumerate(first)
        if entry
    )


def normal(points: Sequence[Sequence[int]]) -> Vector:
    """A vector at right angles to one point less than there are columns; 0 if they depend."""
    width = len(points) + 1
    return tuple(
        (-1) ** c * determinant([[*point[:c], *point[c + 1 :]] for point in points])
        for c in range(width)
    )


def bending(prefix: Sequence[Sequence[int]], width: int) -> list[list[int]]:
    """The matrix that turns a further point into ``normal([*prefix, point])``."""
    columns = []
    for place in range(width):
        unit = [0] * width
        unit[place] = 1
        columns.append(normal([*prefix, unit]))
    return [[column[c] for column in columns] for c in range(width)]


def decided(vectors: Vectors, point: Sequence[int]) -> bool:
    """The label of one point: the sign of the first product that is not 0, else 1."""
    for vector in vectors:
        value = sum(a * b for a, b in zip(vector, point, strict=True))
        if value:
            return value > 0
    return True


def recipes(points: int, width: int) -> int:
    """Not below the number of ways to label that can be made from this many points.

    A way to label is named by at most ``width - 1`` points, in an order as far as they are used
    one by one, and by a sign for each of its vectors.
    """
    return sum(
        2**used * comb(points, width - used) * perm(points - width + used, used - 1)
        for used in range(1, width + 1)
    )


def labellings(points: Sequence[Vector]) -> Iterator[tuple[tuple[bool, ...], Vectors]]:
    """Every way to label points that span their space, with vectors that do it.

    The zero vector counts as a halfspace here: it labels all 1. A way may come more than once.
    """
    width = len(points[0])
    yield (True,) * len(points), ()
    if width == 1:
        for sign in (1, -1):
            yield tuple(sign * point[0] >= 0 for point in points), ((sign,),)
        return
    for vector, on in planes(points):
        yield from on_plane(points, vector, on)


def on_plane(
    points: Sequence[Vector], vector: Vector, on: Sequence[int]
) -> Iterator[tuple[tuple[bool, ...], Vectors]]:
    """The ways to label whose first vector is this one, or its opposite; ``on`` are its zeros."""
    drop = next(c for c, entry in enumerate(vector) if entry)
    values = [sum(a * b for a, b in zip(vector, point, strict=True)) for point in points]
    flat = [(*points[i][:drop], *points[i][drop + 1 :]) for i in on]
    for labels, deeper in labellings(flat):
        lifted = tuple((*one[:drop], 0, *one[drop:]) for one in deeper)
        given = dict(zip(on, labels, strict=True))
        for sign in (1, -1):
            first = tuple(sign * entry for entry in vector)
            answer = tuple(
                given[i] if not value else sign * value > 0 for i, value in enumerate(values)
            )
            yield answer, (first, *lifted)


def planes(points: Sequence[Vector]) -> Iterator[tuple[Vector, list[int]]]:
    """Every hyperplane through the origin that points span, once, with the points on it."""
    width = len(points[0])
    for chosen in combinations(range(len(points)), width - 1):
        vector = normal([points[i] for i in chosen])
        if not any(vector):
            continue
        on = [i for i, point in enumerate(points) if not _product(vector, point)]
        if first_basis(points, on, width - 1) == chosen:
            yield vector, on


def _product(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def first_basis(points: Sequence[Vector], among: Sequence[int], rank: int) -> tuple[int, ...]:
    """The first independent points among some that span ``rank`` dimensions."""
    reduced: list[tuple[int, list[int]]] = []
    chosen: list[int] = []
    for i in among:
        left = list(points[i])
        for pivot, row in reduced:
            if left[pivot]:
                scale, take = row[pivot], left[pivot]
                left = [scale * a - take * b for a, b in zip(left, row, strict=True)]
        if any(left):
            reduced.append((next(c for c, entry in enumerate(left) if entry), left))
            chosen.append(i)
            if len(chosen) == rank:
                break
    return tuple(chosen)


class TooWide(ValueError):
    """The points are too long for exact signs in 64 bits."""


def check_width(largest: Sequence[int]) -> None:
    """Refuse points whose determinants a float cannot place within 2^62; by columns' maxima."""
    if factorial(len(largest)) * prod(max(1, one) for one in largest) * _SURE >= _WORD:
        raise TooWide


def signs(matrix: Sequence[Sequence[int]], last: Whole, points: Whole) -> Whole:
    """The signs of ``point . (matrix last)`` for every last point and every point, exactly.

    Floats decide where they are surely right; elsewhere the product is small, so that its
    remainder modulo 2^64 is the product itself.
    """
    real = np.array([[float(entry) for entry in row] for row in matrix])
    wrapped = np.array(
        [[((entry + (1 << 63)) % (1 << 64)) - (1 << 63) for entry in row] for row in matrix],
        dtype=np.int64,
    )
    largest = np.abs(points).max(axis=0).astype(float)
    width = points.shape[1]
    unsure = factorial(width) * float(np.prod(np.maximum(largest, 1.0))) * _SURE
    values = (last.astype(float) @ real.T) @ points.astype(float).T
    found: Whole = np.sign(values).astype(np.int64)
    rows, columns = np.nonzero(np.abs(values) <= max(unsure, 0.5))
    with np.errstate(over="ignore"):
        turned = (last[rows][:, None, :] * wrapped[None, :, :]).sum(axis=2)
        exact = (turned * points[columns]).sum(axis=1)
    found[rows, columns] = np.sign(exact)
    return found
