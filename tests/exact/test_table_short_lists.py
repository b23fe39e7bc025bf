"""Short lists of rules: mistakes against prediction, exact privacy, and when they are used."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from tests.complete import complete

from tacit import Ledger
from tacit.checks.testing import exact_epsilon, flip_law, neighbours, seeded
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, BadInput
from tacit.estimators import BestRuleClassifier
from tacit.exact.balls import at, ball
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.short_lists import FewCuts, Totals

MIXED = complete([(0, 1), ("a", "b", "c"), bool, range(3)], bins=20)


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    words = np.array(["a", "b", "c", "other"])
    rows = [
        (rng.random(), words[rng.integers(4)], bool(rng.integers(2)), int(rng.integers(3)))
        for _ in range(n)
    ]
    return rows, rng.integers(0, 2, n).astype(bool)


@pytest.mark.parametrize("listed", [FewCuts(MIXED), Totals(MIXED)], ids=lambda c: c.name)
def test_landscapes_are_the_mistakes_of_their_rules(listed):
    x, y = table(31)
    errors = listed.landscape(MIXED.coerce(x), y).errors
    assert len(errors) == listed.size
    seen = set()
    for candidate, error in enumerate(errors.tolist()):
        rule = listed.hypothesis(candidate)
        assert error == np.sum(rule.predict(x) != y)
        seen.add(str(rule.to_dict()))
    assert len(seen) == listed.size


def test_the_lists_are_short_and_hold_the_constants():
    x, _ = table(9)
    few, totals = FewCuts(MIXED), Totals(MIXED)
    assert [cut.cell for cut in few.cuts if cut.column == 0] == [2, 4, 7, 9, 12, 14, 17]
    assert few.size == 2 * (1 + 7 + 3 + 1 + 2)
    assert totals.size == 16
    for listed in (few, totals):
        answers = [listed.hypothesis(one).predict(x) for one in range(listed.size)]
        assert any(a.all() for a in answers)
        assert any(not a.any() for a in answers)


def test_totals_need_levels():
    with pytest.raises(BadInput, match="numeric or boolean"):
        Totals(complete([("a", "b", "c")]))


@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL, ADD_REMOVE])
@pytest.mark.parametrize("kind", [FewCuts, Totals])
def test_privacy_by_enumerating_neighbours(kind, relation):
    listed = kind(complete([bool, range(3)]))
    learner = FiniteClassLearner(
        concept_class=listed, epsilon=Fraction(1), relation=relation, selector="permute-and-flip"
    )
    records = [((0, 0), 0), ((0, 0), 1), ((1, 2), 1), ((1, 0), 0)]

    @cache
    def law(rows):
        x = np.array([row for row, _ in rows], dtype=np.int32).reshape(-1, 2)
        y = np.array([label for _, label in rows], dtype=bool)
        return flip_law(listed.landscape(x, y).errors.tolist(), learner._selection().rate)

    worst = ball(0)
    with at(256):
        for left, right in neighbours(records, 3, relation):
            worst = worst.max(exact_epsilon(law(left), law(right)))
        assert worst < 1 + ball(Fraction(1, 1 << 200))
        assert worst > ball(Fraction(1, 5))


def columns(width):
    return [(0, 1)] * width


@pytest.mark.parametrize(
    ("rows", "width", "kinds"),
    [
        (8, 3, set()),  # nothing can be told apart: a constant label
        (20, 3, {"totals", "few cuts"}),
        (150, 3, {"totals", "few cuts", "scores", "trees of two levels"}),
        (5000, 3, {"totals", "few cuts", "scores", "trees of two levels"}),
        (50, 30, {"totals", "few cuts"}),
        (700, 30, {"totals", "few cuts", "scores", "trees of two levels"}),
    ],
)
def test_public_numbers_say_which_kinds_are_drawn_from(rows, width, kinds):
    rng = np.random.default_rng(rows)
    x = rng.random((rows, width))
    y = (x[:, 0] > 0.5).astype(int)
    fitted = []
    for labels in (y, 1 - y, np.zeros(rows, dtype=int)):
        rule = BestRuleClassifier(
            domain=columns(width),
            bins=16,
            rng=seeded(3),
            ledger=Ledger.memory(epsilon=5),
        ).fit(x, labels)
        fitted.append(rule.certificate_.what)
        assert isinstance(rule.rule_.predict(x), np.ndarray)
        assert rule.describe()
        assert rule.export_text()
        assert rule.to_svg().startswith("<svg")
        assert rule.get_n_leaves() <= 2 ** rule.get_depth()
    assert len(set(fitted)) == 1  # never the labels
    for kind in ("totals", "few cuts", "scores", "trees of two levels"):
        assert (kind in fitted[0]) == (kind in kinds), fitted[0]
    assert "constant labels" in fitted[0]


def test_a_private_number_of_records_never_chooses():
    rng = np.random.default_rng(5)
    x = rng.random((12, 3))
    rule = BestRuleClassifier(
        domain=columns(3), relation="add-remove", ledger=Ledger.memory(epsilon=1)
    ).fit(x, (x[:, 0] > 0.5).astype(int))
    assert "trees" in rule.certificate_.what


def test_bins_are_fine_only_where_scoring_rules_are_drawn():
    auto = BestRuleClassifier(domain=columns(3))
    assert set(auto.schema(np.zeros((1, 3))).cells) == {17}
    auto = BestRuleClassifier(domain=columns(30))
    assert set(auto.schema(np.zeros((1, 30))).cells) == {33}
    asked = BestRuleClassifier(domain=columns(30), bins=10)
    assert set(asked.schema(np.zeros((1, 30))).cells) == {11}


def test_scores_fit_public_numbers():
    wide = complete(columns(30), bins=32)
    assert (Scores.fitting(wide, 500).fewest, Scores.fitting(wide, 500).columns) == (2, 2)
    assert Scores.fitting(wide, 5000).columns == 3
    assert Scores.fitting(wide, None).columns == 2
    assert Scores.fitting(complete([bool]), 500).columns == 1
    assert Scores.fitting(complete(columns(200), bins=16), 100_000).columns == 2
    assert Scores.fitting(complete(columns(300), bins=16), 100_000).columns == 1
    with pytest.raises(BadInput, match="fewest"):
        Scores(complete([bool]), fewest=2)


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
