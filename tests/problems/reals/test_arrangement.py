"""All ways in which halfspaces label points, against a linear program for each labelling."""

from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.optimize import linprog

from tacit.problems.reals.arrangement import (
    TooWide,
    bending,
    check_width,
    decided,
    first_basis,
    labellings,
    normal,
    recipes,
    signs,
)

pytestmark = pytest.mark.exact


def feasible(points, labels):
    """Whether some vector, not 0, has product >= 0 exactly at the points of label 1."""
    width = len(points[0])
    rows = [[-a for a in p] if one else list(p) for p, one in zip(points, labels, strict=True)]
    least = [0 if one else -1 for one in labels]
    tries = [([], [])]
    if all(labels):
        units = np.eye(width, dtype=int).tolist()
        tries = [([[-s * a for a in unit]], [-1]) for unit in units for s in (1, -1)]
    return any(
        linprog(
            [0] * width, A_ub=rows + more, b_ub=least + bound, bounds=[(None, None)] * width
        ).status
        == 0
        for more, bound in tries
    )


@pytest.mark.parametrize(("width", "sizes"), [(2, (2, 4, 6)), (3, (3, 5, 6)), (4, (5,))])
def test_every_way_to_label_comes_and_no_other(width, sizes):
    rng = np.random.default_rng(width)
    tried = 0
    for size in sizes:
        for _ in range(6):
            rows = rng.integers(-2, 3, (size, width))
            points = sorted({tuple(row) for row in rows.tolist() if any(row)})
            if len(first_basis(points, range(len(points)), width)) < width:
                continue
            tried += 1
            found = [(labels, vectors) for labels, vectors in labellings(points) if vectors]
            for labels, vectors in found:
                assert labels == tuple(decided(vectors, point) for point in points)
            ways = {labels for labels, _ in found}
            every = product((False, True), repeat=len(points))
            assert ways == {labels for labels in every if feasible(points, labels)}
            assert len(ways) <= 2 * sum(comb(len(points) - 1, i) for i in range(width))
            assert len(found) <= recipes(len(points), width)
    assert tried >= 3


@pytest.mark.parametrize("width", [3, 4])
def test_signs_are_exact_where_floats_are_not(width):
    rng = np.random.default_rng(1)
    points = rng.integers(-(1 << 22), 1 << 22, (30, width))
    points[5], points[7], points[9] = points[3], points[1] + points[2], -points[4]
    check_width([1 << 22] * width)
    prefix = points[1 : width - 1].tolist()
    found = signs(bending(prefix, width), points, points)
    zeros = 0
    for i, last in enumerate(points.tolist()):
        vector = normal([*prefix, last])
        for j, point in enumerate(points.tolist()):
            value = sum(a * b for a, b in zip(vector, point, strict=True))
            assert found[i, j] == (value > 0) - (value < 0)
            zeros += value == 0
    assert zeros > 60


def test_rows_that_are_too_long_are_refused():
    with pytest.raises(TooWide):
        check_width([1 << 22] * 5)
