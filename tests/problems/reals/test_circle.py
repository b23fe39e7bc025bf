"""Covers built on records: every concept is near, and there are no more rules than stated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.classes import Halfspaces, RealBoxes, RealIntervals, RealThresholds
from tacit.problems.reals.circle import normals_on
from tacit.problems.reals.real_cuts import most_steps, steps

pytestmark = pytest.mark.property

COLUMN = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5000001, 0.75, 1.0]), max_size=14)

PLANE = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=0, max_size=10)


def _patterns(rules, x):
    return np.array([rule.predict(x) for rule in rules]).reshape(len(rules), len(x))


def _farthest(patterns, cover):
    return int((patterns[:, None, :] != cover[None, :, :]).sum(axis=2).min(axis=1).max())


@given(st.lists(st.integers(0, 60), min_size=1, max_size=30), st.integers(0, 20))
def test_steps_cover_the_line_with_few(points, reach):
    line = np.sort(np.array(points))
    chosen = line[steps(line, reach)]
    assert max(np.abs(line[:, None] - chosen[None, :]).min(axis=1)) <= reach
    assert len(chosen) <= most_steps(60, reach)


@given(COLUMN, st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_thresholds_on_records(column, reach):
    thresholds = RealThresholds()
    x = thresholds.domain.coerce(np.array(column, dtype=float))
    cover = thresholds.cover_on(x, reach)
    assert cover.size <= thresholds.most_on(len(column), reach)
    cuts = [*sorted(set(column)), 2.0]
    everything = x[:, 0][None, :] >= np.array(cuts)[:, None]
    rules = [cover.hypothesis(i) for i in range(cover.size)]
    assert _farthest(everything, _patterns(rules, x)) <= reach


@pytest.mark.parametrize("columns", [1, 2])
@given(data=st.data(), reach=st.integers(0, 9))
@settings(max_examples=25, deadline=None)
def test_boxes_on_records(columns, data, reach):
    boxes = RealIntervals() if columns == 1 else RealBoxes(columns=2)
    rows = data.draw(
        st.lists(st.tuples(*[st.sampled_from([0.0, 0.2, 0.4, 0.9, 1.0])] * columns), max_size=9)
    )
    x = boxes.domain.coerce(np.array(rows, dtype=float).reshape(-1, columns))
    cover = boxes.cover_on(x, reach)
    assert cover.size <= boxes.most_on(len(rows), reach)
    full = boxes.cover_on(x, 0)
    every = _patterns([full.hypothesis(i) for i in range(full.size)], x)
    rules = [cover.hypothesis(i) for i in range(cover.size)]
    assert _farthest(every, _patterns(rules, x)) <= reach
    # The full one has every box: compare with all ends at values and above.
    ends = [0.0, 0.2, 0.4, 0.9, 1.0, 2.0]
    wanted = {
        tuple(np.all([(x[:, c] >= low[c]) & (x[:, c] < high[c]) for c in range(columns)], axis=0))
        for low in np.array(np.meshgrid(*[ends] * columns)).T.reshape(-1, columns)
        for high in np.array(np.meshgrid(*[ends] * columns)).T.reshape(-1, columns)
    }
    assert wanted <= {tuple(pattern) for pattern in every}


@given(PLANE, st.integers(0, 6))
@settings(max_examples=60, deadline=None)
def test_halfspaces_on_records_in_the_plane(rows, reach):
    plane = Halfspaces(columns=2)
    x = plane.domain.coerce(np.array(rows, dtype=float).reshape(-1, 2))
    cover = plane.cover_on(x, reach)
    assert cover.size <= plane.most_on(len(rows), reach)
    # Every halfspace's answers: on each boundary exactly, and between, by brute force.
    turned = np.concatenate([x[:, ::-1] * [1, -1], x[:, ::-1] * [-1, 1], [[1, 0]]]).astype(np.int64)
    angles = np.linspace(0, 2 * np.pi, 721) + 1e-4
    free = np.rint(1e6 * np.column_stack([np.cos(angles), np.sin(angles)])).astype(np.int64)
    normals = np.concatenate([turned, free])
    everything = (normals @ x.astype(np.int64).T) >= 0
    listed = (cover.normals(0, cover.size).astype(np.int64) @ x.astype(np.int64).T) >= 0
    assert _farthest(everything, listed) <= reach
    rules = [cover.hypothesis(i) for i in range(cover.size)]
    assert (_patterns(rules, x) == listed).all()


def test_the_circle_is_covered_when_all_records_are_opposite():
    x = Halfspaces(columns=2).domain.coerce([[1, 0]] * 5 + [[-1, 0]] * 5)
    patterns = {tuple((x @ normal >= 0).tolist()) for normal in normals_on(x, 0)}
    # One side, the other side, and both together on the boundary.
    assert patterns == {(True,) * 5 + (False,) * 5, (False,) * 5 + (True,) * 5, (True,) * 10}
