"""Tests of ``tacit.problems.marginals.order`` against sets of columns in plain Python."""

from math import prod

import numpy as np
import pytest

from tacit.problems.marginals.order import order_of, sizes_with


def by_hand(cells, together):
    """Columns with their later ones, each time that of the smallest table."""
    near = {column: set() for column in range(len(cells))}
    for columns in together:
        for column in columns:
            near[column] |= set(columns) - {column}
    steps = []
    while near:
        sizes = {one: cells[one] * prod(cells[c] for c in near[one]) for one in near}
        column = min(near, key=lambda one: (sizes[one], one))
        given = near.pop(column)
        for other in given:
            near[other] = (near[other] | given) - {other, column}
        steps.append((column, tuple(sorted(given)), sizes[column]))
    return steps


@pytest.mark.parametrize("seed", range(30))
def test_columns_are_taken_away_as_by_hand(seed):
    rng = np.random.default_rng(seed)
    width = int(rng.integers(1, 35))
    cells = rng.integers(1, 33, width).tolist()
    together = [
        tuple(rng.permutation(width)[: rng.integers(1, 4)].tolist())
        for _ in range(int(rng.integers(0, 2 * width)))
    ]
    order = order_of(cells, together)
    steps = by_hand(cells, together)
    assert [(one.column, one.given) for one in order.steps] == [one[:2] for one in steps]
    assert order.size == sum(size for *_, size in steps)
    more = [tuple(rng.permutation(width)[:3].tolist()) for _ in range(5)]
    found = list(sizes_with(cells, together, more))
    wanted = [sum(size for *_, size in by_hand(cells, [*together, one])) for one in more]
    assert np.allclose(found, np.array(wanted, dtype=float), rtol=1e-12, atol=0)
    assert all(a == b for a, b in zip(found, wanted, strict=True) if b < 1 << 53)


def test_axes_lie_as_columns_are_taken_away():
    order = order_of((2, 3, 4, 5), [(0, 1), (1, 2), (2, 3), (0, 3)])
    for place, axes in enumerate(order.axes):
        assert set(axes) == {order.steps[place].column, *order.steps[place].given}
        assert [order.place[column] for column in axes] == sorted(order.place[c] for c in axes)
        if order.parent(place) is not None:
            assert set(axes[1:]) <= set(order.axes[order.parent(place)])
            assert order.axes[order.parent(place)][0] == axes[1]
