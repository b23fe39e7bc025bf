"""Rules learned on a synthetic table: the best of their kind, and certified on the records."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from tacit.core import BadInput
from tacit.domains import Schema
from tacit.problems.marginals.table import SyntheticRows
from tacit.problems.marginals.through import rule_through
from tacit.queries import Marginals
from tacit.tallies.parts import counts_of_cells

SCHEMA = Schema.of({"a": range(3), "b": ("u", "v", "w"), "c": bool, "d": bool}).declared_complete()


def rows(n, seed):
    rng = np.random.default_rng(seed)
    cells = np.stack([rng.integers(0, count, n) for count in SCHEMA.cells], axis=1)
    cells[:, 3] = (cells[:, 0] + (cells[:, 1] == 1) >= 2) ^ (rng.random(n) < 0.2)
    return cells.astype(np.int32)


def brute(cells, label, ways):
    """The fewest mistakes of any function of ``ways - 1`` columns."""
    others = [column for column in range(4) if column != label]
    best = len(cells)
    for columns in combinations(others, ways - 1):
        wrong = 0
        for values in product(*(range(SCHEMA.cells[c]) for c in columns)):
            here = np.all(cells[:, columns] == values, axis=1)
            ones = int((cells[here, label] == 1).sum())
            wrong += min(ones, int(here.sum()) - ones)
        best = min(best, wrong)
    return best


@pytest.mark.parametrize("ways", [2, 3, 4])
@pytest.mark.parametrize("label", ["c", "d"])
def test_the_rule_is_the_best_and_its_words_are_its_mistakes(label, ways):
    cells = rows(200, 1)
    table = SyntheticRows(SCHEMA, cells)
    place = SCHEMA.names.index(label)
    found = rule_through(table, distance=Fraction(1, 10), ways=ways, label=label, positive=True)
    assert found.on_table == Fraction(brute(cells, place, ways), 200)
    answers = found.rule.predict(table.to_arrow())
    assert Fraction(int((answers != (cells[:, place] == 1)).sum()), 200) == found.on_table
    assert len(found.rule.reads) <= ways - 1
    assert found.error == found.on_table + Fraction(1, 10)
    assert "at most" in found.describe()


def test_every_rule_errs_on_the_records_as_the_distance_allows():
    table, records = rows(150, 2), rows(170, 3)
    queries = Marginals(SCHEMA, ways=3)
    parts = queries.parts
    here, there = (counts_of_cells(one, SCHEMA, parts) for one in (records, table))
    errors = queries.errors(here, there, n=170, rows=150)
    distance = Fraction(int(errors.max()), 170)
    for label in ("c", "d"):
        place = SCHEMA.names.index(label)
        found = rule_through(
            SyntheticRows(SCHEMA, table), distance=distance, ways=3, label=label, positive=[True]
        )
        answers = found.rule.predict(SyntheticRows(SCHEMA, records).to_arrow())
        wrong = Fraction(int((answers != (records[:, place] == 1)).sum()), 170)
        assert wrong <= found.error
        assert wrong - Fraction(brute(records, place, 3), 170) <= found.excess


@pytest.mark.parametrize(
    ("change", "said"),
    [({"label": "e"}, "no column"), ({"ways": 1}, "two ways"), ({"ways": 5}, "two ways")],
)
def test_refusals(change, said):
    given = {"distance": Fraction(1, 10), "ways": 3, "label": "d", "positive": True} | change
    with pytest.raises(BadInput, match=said):
        rule_through(SyntheticRows(SCHEMA, rows(10, 0)), **given)


def test_an_undeclared_label_value_is_refused():
    schema = Schema.of({"a": bool, "b": ("u", "v")})
    table = SyntheticRows(schema, np.zeros((5, 2), dtype=np.int32))
    with pytest.raises(BadInput, match="does not declare"):
        rule_through(table, distance=Fraction(0), ways=2, label="b", positive="x")


@pytest.mark.parametrize(
    ("positive", "said"),
    [(99, "does not declare"), ([], "or none"), (3, "share a cell"), ([0, 1, 2], "share a cell")],
)
def test_a_label_of_numbers_is_whole_cells(positive, said):
    """Of a value that shares its cell the table does not say how often it is on the records."""
    schema = Schema.of({"a": bool, "n": {"kind": "integer", "low": 0, "high": 19, "bins": 5}})
    table = SyntheticRows(schema, np.ones((5, 2), dtype=np.int32))
    given = {"distance": Fraction(0), "ways": 2, "label": "n"}
    with pytest.raises(BadInput, match=said):
        rule_through(table, positive=positive, **given)
    assert rule_through(table, positive=[0, 1, 2, 3], **given).error == 0


@pytest.mark.parametrize("distance", [Fraction(-1), Fraction(3, 2), float("nan")])
def test_a_distance_that_is_none_is_refused(distance):
    table = SyntheticRows(SCHEMA, rows(20, 1))
    with pytest.raises(BadInput, match="distance must be the certified error"):
        rule_through(table, distance=distance, ways=2, label="c", positive=True)
    with pytest.raises(BadInput, match="does not declare"):
        rule_through(table, distance=Fraction(0), ways=2, label="b", positive="x")
