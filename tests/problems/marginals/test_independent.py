"""Tests of ``tacit.problems.marginals.independent``."""

from itertools import product

import numpy as np
import pytest
from tests.problems.marginals.marginals_privacy_cases import SCHEMA, pairs, renyi

from tacit.core import REPLACE_ONE
from tacit.domains import Schema
from tacit.problems.marginals import budget as budget_module
from tacit.problems.marginals.independent import Independent
from tacit.problems.marginals.queries import Conditions, Marginals, PrefixSums, Ranges

pytestmark = pytest.mark.exact


def test_too_little_gaussian_noise_is_caught(monkeypatch):
    right = budget_module.noise_variance
    monkeypatch.setattr(budget_module, "noise_variance", lambda **given: right(**given) / 4)
    worst = max(
        sum(renyi(a, b, 2.0) for a, b in zip(here, there, strict=True))
        for here, there in pairs(Independent(), REPLACE_ONE, concentrated=True, runs=2)
    )
    assert worst > 2 * 2.0


QUERIES = (
    Marginals(SCHEMA, ways=2),
    Marginals(SCHEMA, ways=1),
    Conditions(SCHEMA, ways=2),
    Ranges(Schema.of([range(3), ("u", "v")]).declared_complete()),
    PrefixSums(Schema.of([range(3), ("u", "v")]).declared_complete()),
)


def plain_counts(rows, queries):
    found = {}
    for part in queries.parts:
        counts = np.zeros([queries.schema.cells[c] for c in part], dtype=np.int64)
        for row in rows:
            counts[tuple(row[c] for c in part)] += 1
        found[part] = counts
    return found


@pytest.mark.parametrize("queries", QUERIES, ids=lambda one: f"{one.name} {one.ways}")
def test_every_error_moves_by_at_most_one(queries):
    cells = queries.schema.cells
    records = list(product(*map(range, cells)))
    tables = np.random.default_rng(1).integers(0, np.array(cells), size=(2, 5, len(cells)))
    compared = 0
    for table in tables.tolist():
        made = plain_counts(table, queries)

        def errors(rows, made=made):
            return queries.errors(plain_counts(rows, queries), made, n=2, rows=5)

        known = {data: errors(data) for data in product(records, repeat=2)}
        fewer = {record: errors((record,)) for record in records}
        for (first, _), here in known.items():
            neighbours = [known[first, other] for other in records] + [fewer[first]]
            for there in neighbours:
                assert int(np.abs(there - here).max()) <= 1
                assert abs(int(there.max()) - int(here.max())) <= 1
                compared += 1
    assert compared >= 2 * len(records) ** 3


def test_the_pair_that_floating_point_moves_by_two():
    schema = Schema.of([bool, bool]).declared_complete()
    queries = Marginals(schema, ways=2)
    table = {(0, 1): np.array([[0, 2], [2, 3]])}
    errors = [
        int(queries.errors({(0, 1): np.array(one)}, table, n=20, rows=7)[0])
        for one in ([[6, 4], [3, 7]], [[7, 4], [2, 7]])
    ]
    assert errors == [6, 7]
    floats = [
        np.ceil(0.5 * np.abs(np.array(one) - table[0, 1] * 20 / 7).sum())
        for one in ([[6, 4], [3, 7]], [[7, 4], [2, 7]])
    ]
    assert floats[1] - floats[0] == 2
