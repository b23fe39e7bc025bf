"""Tests of ``tacit.problems.finite.queries``."""

import numpy as np
import pytest

from tacit.classes import Parities, Points, Table, Thresholds
from tacit.problems.finite.queries import histogram, queries_of


@pytest.mark.parametrize(
    "concepts",
    [
        Points(size=16),
        Thresholds(size=16),
        Thresholds(size=16, orientation="<="),
        Parities(bits=4),
        Table(np.random.default_rng(0).random((9, 16)) < 0.5),
    ],
    ids=lambda c: c.describe()[:14],
)
def test_all_queries_at_once_are_each_of_them(concepts):
    """Transforms, sums and packed rows against asking every rule by itself."""
    x = np.random.default_rng(1).integers(0, 16, 50)
    queries = queries_of(concepts)
    totals = queries.totals(histogram(concepts, x))
    for index, total in enumerate(totals.tolist()):
        assert total == int(queries.row(index)[x].sum())
    asked = {int(concepts.hypothesis(q).predict(x).sum()) for q in _all(concepts)}
    # A threshold and its complement are one query.
    assert asked <= {*totals.tolist(), *(50 - totals).tolist()}
    weights = np.random.default_rng(2).random(16)
    assert np.allclose(queries.totals(weights)[3], weights[queries.row(3)].sum())


def _all(concepts):
    first = getattr(concepts, "first", 0)
    return range(first, first + concepts.size)
