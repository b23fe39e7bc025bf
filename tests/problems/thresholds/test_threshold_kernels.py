"""Tests of ``tacit.problems.thresholds.threshold_kernels``."""

from itertools import product

import numpy as np
import pytest
from tests.problems.thresholds.classes_landscapes_cases import (
    ORIENTATIONS,
    _all_errors,
    _candidates,
)

from tacit.checks.testing import seeded
from tacit.classes import Points, Table, Thresholds
from tacit.core import BadInput, hypothesis_from_dict
from tacit.domains import Integers
from tacit.problems.points.hashes import Hash, HashedPoints
from tacit.problems.thresholds import thresholds as module


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
