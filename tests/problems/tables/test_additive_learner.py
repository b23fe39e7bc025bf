"""Points of every column's cells: the law of a column, what a budget pays for, what is learned."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_boosted_cases import budget, by_hand

from tacit import Accuracy, Ledger, Privacy, Task, learn, plan, run
from tacit.checks.testing import neighbours, seeded
from tacit.core import BadInput, Relation, Sample
from tacit.domains.schema import Schema
from tacit.problems.tables.additive_learner import (
    ADDITIVE_POINTS,
    AdditiveLearner,
    _learners,
    _summed,
    paid_cells,
)
from tacit.problems.tables.additive_rules import AdditivePoints
from tacit.problems.tables.odds_steps import STEPS, chances, slopes

pytestmark = pytest.mark.exact


def _made(schema, amount, *, concentrated=False, relation=Relation.REPLACE_ONE, **more):
    return AdditiveLearner(
        family=AdditivePoints(schema),
        budget=budget(amount, concentrated, relation),
        spent=Fraction(amount),
        **more,
    )


def _single(made):
    """Points of one cell from its two noisy sums."""
    return lambda gap, slope: made._points(np.array([gap]), np.array([slope]))[0]


def test_one_cell_is_exactly_epsilon_private():
    """The law by hand on all neighbours of two records."""
    amount = 6
    made = _made(complete([range(1)]), amount, steps=2, sizes=Fraction(1, 3))
    laws = [by_hand(made, ones, 2, _single(made)) for ones in range(3)]
    worst = 0.0
    for one, other in ((0, 1), (1, 2)):
        shared = laws[one].keys() & laws[other].keys()
        assert len(shared) >= 4
        loss = max(abs(np.log(laws[one][rule] / laws[other][rule])) for rule in shared)
        worst = max(worst, loss)
    assert amount / 5 < worst < amount


def _sums(made, records, start, cells):
    places = np.array([cell for cell, _ in records], dtype=np.int64)
    labels = np.array([label for _, label in records], dtype=np.int64)
    chance = chances(np.full(len(records), start), made.steps)
    return [
        _summed(of, places, cells)
        for of in (made.steps * labels - chance, slopes(chance, made.steps))
    ]


@pytest.mark.parametrize("relation", Relation)
def test_the_points_of_two_cells_cost_what_a_column_costs(relation):
    """Every pair of neighbours of two records over two cells, given the start; all noisy sums."""
    made = _made(complete([range(2)]), 16, relation=relation, steps=4)
    cost, start, grid = float(made.each.amount), 3, range(-8, 9)
    noisy = np.array(list(product(grid, grid, range(-3, 6), range(-3, 6))))
    if relation is Relation.LABEL:  # slopes are public: no noise is put on them
        noisy = np.array([(*pair, 0, 0) for pair in product(grid, grid)])
    scale, known = float(made.sums.noise[0]), {}

    def points_of(curves):
        if curves not in known:
            told = [(one[:2], one[2:] if curves is None else np.array(curves)) for one in noisy]
            known[curves] = [made._points(*both) for both in told]
        return known[curves]

    def law(records):
        gaps, curves = _sums(made, records, start, 2)
        far = abs(noisy[:, :2] - gaps).sum(axis=1)
        public = tuple(curves.tolist()) if relation is Relation.LABEL else None
        if public is None:
            far = far + abs(noisy[:, 2:] - curves).sum(axis=1)
        found = {}
        for points, mass in zip(points_of(public), np.exp(-far / scale).tolist(), strict=True):
            found[points] = found.get(points, 0.0) + mass
        return found

    kinds = [(cell, label) for cell in (0, 1) for label in (0, 1)]
    pairs = list(neighbours(kinds, 2, relation))
    laws = {data: law(data) for data in {tuple(one) for pair in pairs for one in pair}}
    worst = 0.0
    for one, other in pairs:
        left, right = laws[tuple(one)], laws[tuple(other)]
        assert left.keys() == right.keys() or relation is Relation.LABEL
        shared = left.keys() & right.keys()
        worst = max(worst, *(abs(np.log(left[key] / right[key])) for key in shared))
    assert cost / 3 < worst < cost * (1 + 1e-9)


def test_draws_follow_the_law_and_no_other_noise():
    schema = complete([range(1)])
    made, louder = (_made(schema, amount, steps=2) for amount in (16, 4))
    x, book, rng, draws = np.zeros((2, 1), dtype=object), Ledger.memory(), seeded("one"), 1000
    found = [
        run(made, Sample(x, np.ones(2, int)), ledger=book, rng=rng).value for _ in range(draws)
    ]
    share = sum(bool(rule.predict(x)[0]) for rule in found) / draws
    right, wrong = (
        sum(
            mass
            for (start, points, least), mass in by_hand(one, 2, 2, _single(one)).items()
            if start + points > least
        )
        for one in (made, louder)
    )
    spread = 4 * (0.25 / draws) ** 0.5
    assert abs(share - right) < spread
    assert abs(share - wrong) > spread


def test_sums_are_those_of_the_records_one_by_one():
    rng = np.random.default_rng(8)
    places, of = rng.integers(0, 5, 300), rng.integers(-256, 257, 300)
    each = [sum(one for one, cell in zip(of, places, strict=True) if cell == k) for k in range(6)]
    assert _summed(of, places, 6).tolist() == each
    assert _summed(of[:0], places[:0], 3).tolist() == [0, 0, 0]


def test_never_much_below_the_better_constant_label():
    """Theorem 2, on labels without any pattern."""
    rng = np.random.default_rng(2)
    x, y = rng.random((3000, 3)), rng.random(3000) < 0.3
    made = _made(complete([(0, 1)] * 3, bins=8), Fraction(1, 2))
    book, source, beta = Ledger.memory(), seeded("noise"), Fraction(1, 20)
    over = 0
    for _ in range(40):
        rule = run(made, Sample(x, y), ledger=book, rng=source).value
        wrong = int((rule.predict(x) != y).sum())
        over += wrong > min(y.sum(), (~y).sum()) + float(made.lost(beta))
    assert over <= 6


def test_the_promise_holds_at_the_planned_number_of_records_and_not_at_a_tenth():
    """A label that no column tells of, just so frequent that the wrong constant errs too much."""
    task = Task(
        AdditivePoints(complete([range(2)])),
        privacy=Privacy(1),
        accuracy=Accuracy("0.1", "0.05"),
        setting="agnostic",
    )
    planned = next(one.n for one in plan(task).options if one.algorithm is ADDITIVE_POINTS)
    frequent, runs, source, book = 0.551, 120, seeded("promise"), Ledger.memory()
    rng = np.random.default_rng(3)

    def broken(n):
        learner = _learners(task)[0]
        found = 0
        for _ in range(runs):
            x, y = rng.integers(0, 2, (n, 1)), rng.random(n) < frequent
            rule = run(learner, Sample(x, y), ledger=book, rng=source).value
            says = rule.predict(np.array([[0], [1]]))
            error = np.where(says, 1 - frequent, frequent).mean()
            found += error - (1 - frequent) > float(task.accuracy.alpha)
        return found / runs

    beta = float(task.accuracy.beta)
    assert broken(planned) <= beta
    assert broken(planned // 10) > beta


def test_a_delta_buys_zcdp_where_that_is_less_noise():
    """Few columns are cheaper purely, many by zCDP; either costs what was asked at most."""
    rng = np.random.default_rng(4)
    for columns, concentrated in ((2, False), (40, True)):
        schema = complete([(0, 1)] * columns, bins=4)
        task = Task(
            AdditivePoints(schema),
            privacy=Privacy(1, "1e-6"),
            accuracy=Accuracy("0.1", "0.05"),
            error_share=0,
        )
        kinds = {one.budget.concentrated: one.sums.usual for one in _learners(task)}
        assert (kinds[True] < kinds[False]) is concentrated
        book = Ledger.memory(epsilon=1, delta=Fraction(1, 10**6))
        data = (rng.random((200, columns)), rng.integers(0, 2, 200))
        learn(task, data, ledger=book, rng=seeded("delta"))
        assert (book.spent.delta > 0) is concentrated
        assert Fraction(9, 10) < book.spent.epsilon <= 1


@pytest.mark.parametrize("relation", Relation)
@pytest.mark.parametrize("concentrated", [False, True])
def test_what_the_columns_and_the_rest_cost_is_the_budget(relation, concentrated):
    made = _made(complete([(0, 1)] * 7, bins=4), 1, concentrated=concentrated, relation=relation)
    whole = made.budget
    parts = [made.each.amount] * 7 + [whole.share(made.sizes).amount, Fraction(1, 20)]
    assert sum(parts) == whole.amount == 1
    assert made.event() == whole.event()
    assert made.sums.budget == made.each


def test_public_numbers_say_how_many_cells_are_paid_for():
    """Theorem 3: as many cells as noise is no more than sampling, and one more would be."""
    schema = complete([(0, 1)] * 10, bins=16)
    for relation in Relation:
        for concentrated in (False, True):
            spent = budget(Fraction(1, 2), concentrated, relation)
            n = 99_991
            cells = paid_cells(AdditivePoints(schema), spent, n)
            noise = replace(_made(schema, 1), budget=spent).sums.usual / STEPS
            assert noise <= (n / (4 * cells)) ** 0.5
            assert noise > (n / (4 * (cells + 1))) ** 0.5
    pure = paid_cells(AdditivePoints(schema), budget(1), 100_000)
    assert pure == int(100_000 / (4 * 2 * (2 * 10 / 0.9) ** 2))
    assert paid_cells(AdditivePoints(schema), budget(Fraction(1, 100)), 100) == 0


def test_columns_that_say_little_each_are_added_up():
    """No single question does half as well as all columns together."""
    rng = np.random.default_rng(5)
    x = rng.random((8000, 6))
    odds = 2.5 * (x - 0.5).sum(axis=1)
    y = rng.random(8000) < 1 / (1 + np.exp(-odds))
    rule = run(
        _made(complete([(0, 1)] * 6, bins=8), 8),
        Sample(x, y),
        ledger=Ledger.memory(),
        rng=seeded("sum"),
    ).value
    best = np.mean((odds > 0) == y)
    assert np.mean(rule.predict(x) == y) > best - 0.02
    assert best - 0.02 > max(np.mean((x[:, place] > 0.5) == y) for place in range(6)) + 0.05
    points = np.array([np.diff(one) for one in rule.columns])
    assert (points.sum(axis=1) > 8).all()  # every column's points rise


def test_what_cannot_be_paid_is_refused_before_anything_is_read():
    schema = complete([(0, 1)] * 3, bins=4)
    with pytest.raises(BadInput, match="too small for so many columns"):
        _made(schema, Fraction(1, 1 << 60))
    wide = Schema.of([bool] * 500).declared_complete()
    with pytest.raises(BadInput, match="too small for so many columns"):
        _made(wide, Fraction(1, 1 << 34))
    with pytest.raises(BadInput, match="leave something"):
        _made(schema, 1, sizes=Fraction(19, 20))


def test_odd_tables_are_served():
    """No records, one column of one cell, one label: noise decides, and nothing fails."""
    book, source = Ledger.memory(), seeded("odd")
    for columns, n, label in ((1, 0, 0), (1, 1, 1), (3, 50, 1), (3, 50, 0)):
        made = _made(complete([range(1)] * columns), 1)
        data = Sample(np.zeros((n, columns), dtype=object), np.full(n, label))
        rule = run(made, data, ledger=book, rng=source).value
        assert len(rule.columns) == columns
