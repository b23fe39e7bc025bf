"""Mistakes of all concepts at once, against counting them one by one."""

from itertools import product

import numpy as np
import pytest

from tacit.checks.testing import seeded
from tacit.classes import Points, Table, Thresholds
from tacit.core import BadInput, hypothesis_from_dict
from tacit.domains import Integers
from tacit.problems.points.hashes import Hash, HashedPoints
from tacit.problems.points.points import unlisted
from tacit.problems.thresholds import thresholds as module

ORIENTATIONS = [">=", "<", "<=", "INTERVAL", "THRESH"]


def _candidates(concept_class):
    first = getattr(concept_class, "first", 0)
    return range(first, first + concept_class.size)


def _all_errors(landscape):
    levels = landscape.levels()
    return {
        landscape.member(error, rank): error
        for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True)
        for rank in range(int(count))
    }


def _by_counting(concept_class, x, y):
    return {
        c: int(np.count_nonzero(concept_class.hypothesis(c).predict(x) != y))
        for c in _candidates(concept_class)
    }


def _classes(size):
    hashes = tuple(Hash.draw(seeded(k), domain=Integers(size=size), bits=2) for k in range(2))
    return [
        Points(size=size),
        *(Thresholds(size=size, orientation=o) for o in ORIENTATIONS),
        Table(list(product((0, 1), repeat=size))),
        HashedPoints(Integers(size=size), hashes),
    ]


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
def test_all_tiny_data_sets(size, n):
    """In every order of the records, so that no landscape may rely on one."""
    records = list(product(range(size), (False, True)))
    for data in product(records, repeat=n):
        x = np.array([record[0] for record in data], dtype=np.uint64)
        y = np.array([record[1] for record in data], dtype=bool)
        for concept_class in _classes(size) if n < 3 else _classes(size)[:6]:
            found = _all_errors(concept_class.landscape(x, y))
            assert found == _by_counting(concept_class, x, y)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_sorted_and_counted_forms_agree(orientation):
    """A short domain is counted, a long one sorted; both tell the same."""
    concept_class = Thresholds(size=9, orientation=orientation)
    rng = np.random.default_rng(5)
    x = rng.integers(0, 9, 40).astype(np.uint64)
    y = rng.integers(0, 2, 40).astype(bool)
    high = y if concept_class.orientation == ">=" else ~y
    counted = concept_class._from_histogram(x, high)
    values, ups = module._sorted_by_value(x, high, concept_class.domain)
    assert _all_errors(counted) == _all_errors(concept_class._from_sorted(values, ups))


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("size", [2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**1000])
def test_thresholds_at_the_edges_of_a_word(size, orientation):
    concept_class = Thresholds(size=size, orientation=orientation)
    x = concept_class.domain.coerce([0, 1, size // 2, size - 2, size - 1, size - 1])
    y = np.array([False, True, False, True, True, False])
    landscape = concept_class.landscape(x, y)
    levels = landscape.levels()
    assert levels.total == concept_class.size
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        for rank in {0, int(count) // 2, int(count) - 1}:
            rule = concept_class.hypothesis(landscape.member(error, rank))
            assert np.count_nonzero(rule.predict(x) != y) == error


@pytest.mark.parametrize("size", [2**63, 2**64 - 1, 2**64, 2**64 + 3, 2**64 + 4, 2**1000])
def test_points_at_the_edges_of_a_word(size):
    concept_class = Points(size=size)
    x = concept_class.domain.coerce([0, 0, 5, size - 1, size - 1, size - 2])
    y = np.array([True, False, True, True, True, False])
    landscape = concept_class.landscape(x, y)
    levels = landscape.levels()
    assert levels.total == size
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        for rank in {0, int(count) // 2, int(count) - 1}:
            point = landscape.member(error, rank)
            assert 0 <= point < size
            assert np.count_nonzero(concept_class.hypothesis(point).predict(x) != y) == error


@pytest.mark.parametrize("values", [[], [0], [3], [0, 1, 2], [1, 3, 4, 9], [0, 2, 4, 6, 8]])
def test_unlisted_numbers_what_is_missing(values):
    missing = [v for v in range(40) if v not in values]
    array = np.array(values, dtype=np.uint64)
    assert [unlisted(array, rank) for rank in range(30)] == missing[:30]


def test_the_compiled_count_is_the_plain_count(monkeypatch):
    from tacit.problems.thresholds.threshold_kernels import count_labels

    rng = np.random.default_rng(1)
    x = rng.integers(0, 50, 3000).astype(np.uint64)
    y = rng.integers(0, 2, 3000).astype(bool)
    plain = np.stack(module.label_histogram(x, y, 50), axis=1)
    assert (count_labels(x, y, 50) == plain).all()
    strided = np.stack([x, x], axis=1)[:, 0]
    assert (count_labels(strided, y, 50) == plain).all()
    monkeypatch.setattr(module, "_FAST_ROWS", 100)
    assert (np.stack(module.label_histogram(x, y, 50), axis=1) == plain).all()


def test_landscapes_leave_the_data_alone():
    x = np.array([5, 1, 3], dtype=np.int64)
    y = np.array([True, False, True])
    before = x.copy()
    for concept_class in (Points(size=9), Thresholds(size=9), Thresholds(bits=64)):
        concept_class.landscape(concept_class.domain.coerce(x), y)
        assert (x == before).all()


def test_nothing_private_is_printed():
    x, y = np.array([4711], dtype=np.uint64), np.array([True])
    for concept_class in (Points(bits=20), Thresholds(bits=20)):
        assert "4711" not in repr(concept_class.landscape(x, y))


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_threshold_rules_say_what_they_do(orientation):
    concept_class = Thresholds(size=4, orientation=orientation)
    tables = [
        concept_class.hypothesis(c).predict(range(4)).tolist() for c in _candidates(concept_class)
    ]
    assert len({tuple(table) for table in tables}) == concept_class.size
    steps = {">=": 1, "<": -1, "<=": -1}[concept_class.orientation]
    assert all(table == sorted(table, reverse=steps < 0) for table in tables)
    constant = [table for table in tables if len(set(table)) == 1]
    assert len(constant) == (1 if concept_class.orientation == "<=" else 2)


def test_sizes_and_dimensions():
    assert Thresholds(size=4).size == 5
    assert Thresholds(size=4, orientation="THRESH").size == 4
    assert Thresholds(bits=64).littlestone == 64
    assert Points(size=4).vc == Points(size=4).littlestone == 1
    assert Points(size=1).vc == 0
    with pytest.raises(BadInput, match="orientation"):
        Thresholds(size=4, orientation=">")


RULES = [
    Points(bits=70).hypothesis(2**69 + 1),
    Points(bits=64).hypothesis(2**64 - 1),
    Thresholds(bits=64).hypothesis(2**64),
    Thresholds(bits=64, orientation="<").hypothesis(2**64),
    Thresholds(bits=8, orientation="<=").hypothesis(1),
    Table([[0, 1, 1]]).hypothesis(0),
    HashedPoints(
        Integers(bits=100), (Hash.draw(seeded(0), domain=Integers(bits=100), bits=7),)
    ).hypothesis(99),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind)
def test_rules_survive_being_written_down(rule):
    import json

    again = hypothesis_from_dict(json.loads(json.dumps(rule.to_dict())))
    assert again == rule
    x = [0, 1, 2, 2**64 - 1, 2**69 + 1]
    assert (again.predict(x) == rule.predict(x)).all()
    assert rule.describe()
    assert "col" in rule.describe(column="col")


@pytest.mark.parametrize(
    "record", [{}, {"kind": "point"}, {"kind": "?"}, {"kind": "point", "size": "x"}]
)
def test_damaged_rules_are_refused(record):
    with pytest.raises(BadInput, match="rule"):
        hypothesis_from_dict(record)


def test_tables():
    table = Table([[0, 1], [1, 1]])
    assert table == Table(np.array([[False, True], [True, True]]))
    assert hash(table) == hash(Table([[0, 1], [1, 1]]))
    assert table != Table([[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="read-only"):
        table.matrix[0, 0] = True
    for bad in ([[0, 2]], [], [[]], [0, 1], [[0], [1, 0]], [[0.5]], [["a"]]):
        with pytest.raises(BadInput, match="matrix"):
            Table(bad)
