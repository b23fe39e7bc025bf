"""Tests of ``tacit.problems.tables.tree_weights``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete

from tacit.problems.tables import tree_weights
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import Trees

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@pytest.mark.parametrize("rows", [0, 1, 5, 6, 23])
def test_a_table_read_in_pieces_has_the_counts_of_the_whole(depth, rows, monkeypatch):
    rng = np.random.default_rng(rows)
    schema = complete([(0, 1), (0, 1)], bins=3)
    x, y = rng.random((rows, 2)), rng.integers(0, 2, rows).astype(bool)
    weigher = Weigher(Trees(schema, depth=depth), Fraction(1))
    whole = weigher.root(schema.coerce(x), y)
    monkeypatch.setattr(tree_weights, "_PIECE", 5)
    read = weigher.read(x, y)
    assert (read.zeros, read.ones) == (whole.zeros, whole.ones)
    assert (read.counts is None) == (whole.counts is None)
    assert read.counts is None or np.array_equal(read.counts, whole.counts)
    assert (read.rows is None) == (depth < 3)
