"""Tables within an error: counted without listing them, and each found by its rank once."""

from itertools import combinations_with_replacement, product
from math import comb

import numpy as np
import pytest

from tacit.checks.testing import seeded
from tacit.problems.finite.blr_enumerated import every_table
from tacit.problems.points import blr_points
from tacit.problems.points.allotments import powers
from tacit.problems.thresholds import blr_thresholds
from tacit.problems.thresholds.staircase import Staircase

pytestmark = pytest.mark.exact

CASES = [(1, 3, 2), (2, 5, 3), (4, 0, 2), (4, 1, 3), (5, 4, 2), (4, 6, 4), (6, 5, 3)]


def _data(size, n, seed):
    rng = seeded(f"counting {size} {n} {seed}")
    return sorted(rng.below(size) for _ in range(n))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("size", "n", "rows"), CASES)
def test_threshold_tables_within_every_level(size, n, rows, seed):
    data = _data(size, n, seed)
    cells = np.array(data, dtype=np.uint64)

    def error(table):
        return max(
            abs(rows * sum(x <= t for x in data) - n * sum(z <= t for z in table))
            for t in range(size)
        )

    tables = list(combinations_with_replacement(range(size), rows))
    for level in range(n + 1):
        found = blr_thresholds.within(cells, level, rows=rows, size=size)
        wanted = [table for table in tables if error(table) <= level * rows]
        assert found.count() == len(wanted)
        assert sorted(tuple(found.member(r)) for r in range(found.count())) == wanted
    assert found.count() == comb(size + rows - 1, rows), "at level n every table will do"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("size", "n", "rows"), CASES)
def test_point_tables_within_every_level(size, n, rows, seed):
    data = _data(size, n, seed)
    counts = [data.count(value) for value in range(size)]
    kinds = sorted(set(counts))
    bins = [counts.count(kind) for kind in kinds]
    tables = [t for t in product(range(rows + 1), repeat=size) if sum(t) == rows]
    for level in range(n + 1):
        found = blr_points.within(kinds, bins, level, n=n, rows=rows)
        wanted = {
            table
            for table in tables
            if all(
                abs(rows * c - n * t) <= level * rows for c, t in zip(counts, table, strict=True)
            )
        }
        assert found.count() == len(wanted)
        listed = set()
        for rank in range(found.count()):
            table = [0] * size
            for kind, group, more in zip(kinds, found.groups, found.member(rank), strict=True):
                here = [value for value in range(size) if counts[value] == kind]
                for value in here:
                    table[value] += group.least
                for place, extra in more.items():
                    table[here[place]] += extra
            listed.add(tuple(table))
        assert listed == wanted


@pytest.mark.parametrize(("bins", "most", "rows"), [(1, 2, 4), (3, 1, 3), (4, 2, 6), (5, 9, 4)])
def test_powers_are_counted(bins, most, rows):
    sums = [sum(t) for t in product(range(most + 1), repeat=bins)]
    assert powers(bins, most, rows) == tuple(sums.count(j) for j in range(rows + 1))


def test_huge_numbers_are_exact():
    assert powers(2**200, 5, 3)[3] == comb(2**200 + 2, 3)
    staircase = Staircase([0] * 4, [2**100 - 1] * 4, size=2**100)
    assert staircase.count() == comb(2**100 + 3, 4)
    last = staircase.member(staircase.count() - 1)
    assert last == sorted(last)
    assert all(0 <= value < 2**100 for value in last)


@pytest.mark.parametrize(("size", "rows"), [(1, 3), (2, 4), (4, 3)])
def test_every_table_is_listed_once(size, rows):
    found = every_table(size, rows)
    assert len(found) == comb(size + rows - 1, rows) == len({tuple(row) for row in found.tolist()})
    assert (found.sum(axis=1) == rows).all()
    assert (found >= 0).all()
