"""Intervals grouped by where their ends lie: against brute force."""

from collections import Counter

import numpy as np
import pytest

from tacit.classes import GridIntervals
from tacit.problems.boxes import interval_landscape as module
from tacit.problems.boxes.interval_landscape import ends_of, number_of

pytestmark = pytest.mark.exact


def test_numbers_count_through_the_intervals():
    pairs = [(0, 0)] + [(low, high) for high in range(1, 30) for low in range(high)]
    assert [number_of(*pair) for pair in pairs[1:]] == list(range(1, len(pairs)))
    assert [ends_of(number) for number in range(len(pairs))] == pairs
    long = (1 << 300) + 5
    assert ends_of(number_of(17, long)) == (17, long)
    assert ends_of(number_of(long - 1, long)) == (long - 1, long)


@pytest.mark.parametrize("plain", [0, 1 << 10])
def test_groups_are_those_of_all_intervals(plain, monkeypatch):
    monkeypatch.setattr(module, "_PLAIN", plain)
    rng = np.random.default_rng(5)
    for _ in range(60):
        family = GridIntervals(size=int(rng.integers(1, 9)))
        n = int(rng.integers(0, 12))
        x = rng.integers(0, family.domain.size, n).astype(np.uint64)
        y = rng.random(n) < 0.5
        rules = [family.hypothesis(number) for number in range(family.size)]
        errors = [int((rule.predict(x) != y).sum()) for rule in rules]
        found = family.landscape(x, y)
        levels = found.levels()
        counts = dict(zip(levels.errors.tolist(), levels.counts.tolist(), strict=True))
        assert counts == Counter(errors)
        for error, count in counts.items():
            members = [found.member(error, rank) for rank in range(count)]
            assert sorted(members) == [i for i, e in enumerate(errors) if e == error]


def test_long_numbers_are_counted_whole():
    family = GridIntervals(bits=200)
    rng = np.random.default_rng(6)
    x = np.array([int(v) << 140 for v in rng.integers(0, 1 << 60, 400)], dtype=object)
    y = rng.random(400) < 0.5
    found = family.landscape(x, y)
    levels = found.levels()
    assert sum(levels.counts.tolist()) == family.size
    for place in (0, len(levels.errors) // 2, -1):
        error, count = int(levels.errors[place]), int(levels.counts[place])
        for rank in {0, count // 3, count - 1}:
            rule = family.hypothesis(found.member(error, rank))
            assert int((rule.predict(x) != y).sum()) == error
    assert repr(found) == "IntervalLandscape(private)"
