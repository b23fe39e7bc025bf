"""Tests of ``tacit.bounds.matrices``."""

from itertools import product

import pytest

from tacit.bounds.matrices import by_rank

pytestmark = pytest.mark.exact


def test_matrices_by_rank():
    for rows, columns in ((2, 3), (3, 3)):
        counts = [0] * (min(rows, columns) + 1)
        for bits in product((0, 1), repeat=rows * columns):
            left = [sum(bits[r * columns + c] << c for c in range(columns)) for r in range(rows)]
            rank = 0
            while any(left):
                pivot = next(v for v in left if v)
                low = pivot & -pivot
                left = [v ^ pivot if v & low else v for v in left]
                rank += 1
            counts[rank] += 1
        assert tuple(counts) == by_rank(rows=rows, columns=columns)
    assert sum(by_rank(rows=5, columns=4)) == 2**20
