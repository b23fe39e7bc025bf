"""Tests of ``tacit.problems.points.point_table``."""

import pytest
from tests.problems.points.sanitizers_tables_cases import EIGHT

from tacit.problems.points.point_table import fit


@pytest.mark.parametrize(
    ("bins", "cap"),
    [
        ((), 0),
        ((), 1),
        ((), 2),
        (((3, 4),), 0),
        (((3, 4),), 3),
        (((3, 40),), 1),
        (((0, 9), (7, 8)), 2),
        (tuple((v, 2) for v in range(8)), 1),
        (((2, -5),), 2),
    ],
)
@pytest.mark.parametrize("n", [0, 1, 10, 33])
def test_point_tables_have_exactly_n_rows(bins, cap, n):
    table = fit(EIGHT, bins, n=n, cap=cap)
    assert len(table) == n
    assert all(0 <= value < 8 for value, _ in table.rows)


def test_listed_counts_are_kept_where_they_add_up():
    assert fit(EIGHT, ((1, 6), (4, 4)), n=10, cap=1).rows == ((1, 6), (4, 4))


def test_the_excess_is_taken_from_all_alike():
    assert fit(EIGHT, ((1, 6), (4, 1), (5, 9)), n=10, cap=1).rows == ((1, 3), (5, 7))
