"""Tests of ``tacit.problems.tables.scores``."""

import tracemalloc
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_short_lists_cases import columns

from tacit import Ledger
from tacit.accounting import About
from tacit.core import BadInput
from tacit.estimators import ScoreClassifier
from tacit.problems.tables import scores as scores_module
from tacit.problems.tables.scores import Scores
from tacit.report.release_file import digest_of, release_record, release_text
from tacit.report.verify import verify

pytestmark = pytest.mark.exact


def test_scores_fit_public_numbers():
    wide, rate = complete(columns(30), bins=32), Fraction(1, 20)
    poor = Scores.fitting(wide, 500, rate)
    assert (poor.fewest, poor.columns) == (2, 2)
    assert Scores.fitting(wide, 1000, rate).columns == 3
    assert Scores.fitting(wide, 500, 4 * rate).columns == 3
    assert Scores.fitting(wide, None, rate).columns == 2
    assert Scores.fitting(complete([bool]), 500, rate).columns == 1
    assert Scores.fitting(complete(columns(200), bins=16), 100_000, rate).columns == 2
    assert Scores.fitting(complete(columns(300), bins=16), 100_000, rate).columns == 1
    with pytest.raises(BadInput, match="fewest"):
        Scores(complete([bool]), fewest=2)


def test_columns_of_many_cells_have_several_to_a_level():
    """The mistakes that are tallied are those of the rules, whose levels go up to 33."""
    fine = complete([(0, 1), (0, 2)], bins=64)
    scores = Scores(fine, columns=2, fewest=2)
    assert scores.top == 33
    rng = np.random.default_rng(3)
    x, y = rng.random((60, 2)), rng.integers(0, 2, 60).astype(bool)
    cells = np.asarray(fine.coerce(x))
    found = scores.landscape(cells, y)
    for error in found.levels().errors[:3].tolist():
        rule = scores.hypothesis(found.member(error, 0))
        assert scores.has(rule)
        assert int((rule.predict(x) != y).sum()) == error


def test_scores_of_exactly_two_columns_leave_others_out():
    schema = complete([(0, 1), bool], bins=3)
    scores = Scores(schema, columns=2, most=1, fewest=2)
    rng = np.random.default_rng(1)
    x = schema.coerce([(rng.random(), bool(rng.integers(2))) for _ in range(9)])
    tallies = scores.landscape(x, rng.integers(0, 2, 9).astype(bool))
    levels = tallies.levels()
    assert int(sum(levels.counts)) == scores.size == scores.many[1]
    drawn = {
        scores.hypothesis(tallies.member(int(error), rank)).columns
        for error, count in zip(levels.errors, levels.counts, strict=True)
        for rank in range(int(count))
    }
    assert drawn == {(0, 1)}


@pytest.mark.parametrize("fewest", [1, 2, 3])
def test_tallies_of_up_to_three_columns_are_the_mistakes_of_their_rules(fewest):
    schema = complete([range(3), ("a", "b", "c"), bool, {"kind": "boolean", "missing": True}])
    scores = Scores(schema, most=2, fewest=fewest)
    rng = np.random.default_rng(fewest)
    rows = [
        (int(rng.integers(3)), "a", bool(rng.integers(2)), [None, False, True][rng.integers(3)])
        for _ in range(8)
    ]
    y = rng.integers(0, 2, 8).astype(bool)
    tallies = scores.landscape(schema.coerce(rows), y)
    wanted, candidate = {}, 0
    for many, factor in zip(scores.many, scores.factors, strict=True):
        for _ in range(many):
            if factor:
                rule = scores.hypothesis(candidate)
                wrong = int(np.sum(rule.predict(rows) != y))
                wanted[wrong] = wanted.get(wrong, []) + [rule] * factor
            candidate += 1
    levels = tallies.levels()
    counted = dict(zip(levels.errors.tolist(), levels.counts.tolist(), strict=True))
    assert counted == {wrong: len(rules) for wrong, rules in wanted.items()}
    fewest_first = sorted(wanted.items(), key=lambda level: len(level[1]))
    for wrong, rules in fewest_first[:3]:
        found = [scores.hypothesis(tallies.member(wrong, rank)) for rank in range(len(rules))]
        assert sorted(map(str, found)) == sorted(map(str, rules))


def test_what_all_records_cost_takes_no_memory():
    """A number for each possible cost would be five million; there are 88 rules."""
    schema = complete([(0, 1), bool], bins=3)
    scores = Scores(schema)
    rng = np.random.default_rng(2)
    cells = np.stack([rng.integers(0, 3, 100_000), rng.integers(0, 2, 100_000)], axis=1)
    y = rng.integers(0, 2, 100_000).astype(bool)
    scores.landscape(cells.astype(np.int32)[:2], y[:2], (1, 100))  # compiled before
    tracemalloc.start()
    try:
        tallies = scores.landscape(cells.astype(np.int32), y, (1, 100))
        levels = tallies.levels()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 12e6  # the levels of 100,000 records take a third of that
    assert len(levels.errors) <= sum(scores.many)
    assert int(levels.errors[-1]) > 1_000_000
    rule = scores.hypothesis(tallies.member(int(levels.errors[0]), 0))
    wrong = rule.of_cells(cells) != y
    assert int((wrong * np.where(y, 100, 1)).sum()) == int(levels.errors[0])


def test_tallies_are_the_same_in_pieces(monkeypatch):
    schema = complete(columns(5), bins=4)
    scores = Scores(schema)
    rng = np.random.default_rng(4)
    cells = rng.integers(0, 4, (300, 5)).astype(np.int32)
    y = rng.integers(0, 2, 300).astype(bool)
    whole = scores.landscape(cells, y, (7, 93)).levels()
    monkeypatch.setattr(scores_module, "_AT_ONCE", 1)
    parts = scores.landscape(cells, y, (7, 93)).levels()
    assert int(sum(whole.counts)) == scores.size
    assert whole.errors.tolist() == parts.errors.tolist()
    assert whole.counts.tolist() == parts.counts.tolist()


@pytest.mark.parametrize(
    "other",
    [
        {"weights": (7, 1)},
        {"weights": (0, 1)},
        {"top": 9},
        {"threshold": 1000},
        {"threshold": -1},
        {"columns": (1, 1)},
        {"columns": (1, 0)},
    ],
)
def test_a_rule_of_another_class_has_no_prior(other):
    scores = Scores(complete(columns(3), bins=3), fewest=2, columns=2)
    every = [scores.hypothesis(candidate) for candidate in range(sum(scores.many))]
    assert sum(scores.prior(rule) * scores.has(rule) for rule in every) == 1
    rule = next(one for one in every if one.columns == (0, 1) and one.weights == (1, 1))
    assert scores.prior(rule) == scores.least_prior()
    assert scores.prior(replace(rule, **other)) == 0


def test_a_release_whose_rule_is_none_of_its_class_does_not_verify(tmp_path):
    rng = np.random.default_rng(1)
    x = rng.random((300, 2))
    ledger = Ledger.memory(epsilon=1)
    model = ScoreClassifier(domain=(0, 1), bins=4, epsilon=1, ledger=ledger)
    release = model.fit(x, (x.sum(axis=1) > 1).astype(int)).release_
    told = release_record(release, about=About(), counted=True)
    assert verify_record(told, tmp_path / "own.json")
    told["rule"]["top"] += 1
    assert not verify_record(told, tmp_path / "other.json")


def verify_record(told, path):
    told["digests"]["release"] = digest_of(told)
    path.write_text(release_text(told))
    return verify(path, seconds=None)
