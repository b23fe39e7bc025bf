"""Trees on a private grid: exact privacy, the joining of cells, and when it is used."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.mechanisms.table_gridded_cases import atoms

from tacit import Ledger, audit
from tacit.checks.testing import seeded
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, BadInput, Sample
from tacit.domains.fields import Number
from tacit.domains.schema import Schema
from tacit.estimators import BestRuleClassifier
from tacit.mechanisms.private_grid import PrivateGrid, joined
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.gridded_trees import GriddedTreeLearner, on_fine_grid
from tacit.problems.tables.tree_nodes import Cut, simpler, splits
from tacit.problems.tables.trees import TreeRule

pytestmark = pytest.mark.exact

UNIT = complete([(0, 1), bool], bins=2)

RECORDS = [((0.1, False), 0), ((0.4, False), 1), ((0.9, False), 1)]


def grid(epsilon=1, relation=REPLACE_ONE, **changes):
    given = {"schema": UNIT, "columns": (0,), "fine": 3, "cells": 2} | changes
    return PrivateGrid(epsilon=Fraction(epsilon), relation=relation, **given)


def form(records):
    rows = np.empty((len(records), 2), dtype=object)
    rows[:] = [row for row, _ in records]
    return Sample(rows, np.array([label for _, label in records]))


def found(mechanism, **given):
    return audit.exact(mechanism, RECORDS, 2, form=form, faint=Fraction(1, 1 << 20), **given)


def test_the_grid_is_private_by_following_every_draw():
    seen = found(grid())
    assert not seen.violated
    assert Fraction(1, 5) < seen.epsilon[0] <= 1
    assert found(grid(epsilon=4), epsilon=1).violated


def test_a_tree_on_its_grid_is_private_by_following_every_draw():
    learner = GriddedTreeLearner(grid=grid(Fraction(1, 2)), epsilon=Fraction(1, 2), depth=1)
    seen = found(learner)
    assert not seen.violated
    assert Fraction(1, 4) < seen.epsilon[0] <= 1
    loose = GriddedTreeLearner(grid=grid(2), epsilon=Fraction(2), depth=1)
    assert found(loose, epsilon=1).violated


@pytest.mark.parametrize(("relation", "moved"), [(REPLACE_ONE, 4), (ADD_REMOVE, 2), (LABEL, 0)])
def test_noise_covers_what_a_neighbour_moves(relation, moved):
    two = complete([(0, 1), (0, 1)], bins=2)
    mechanism = grid(relation=relation, schema=two, columns=(0, 1), fine=8)
    assert mechanism.scale == moved
    place = mechanism.fine_schema.coerce
    rows = [(0.05, 0.95), (0.5, 0.5), (0.9, 0.1)]
    counts = [np.eye(8, dtype=int)[place([row])[0]].ravel() for row in rows]
    if relation is REPLACE_ONE:
        assert max(abs(a - b).sum() for a in counts for b in counts) == moved
    if relation is ADD_REMOVE:
        assert max(a.sum() for a in counts) == moved


def test_under_label_privacy_the_grid_is_the_features_own():
    mechanism = grid(relation=LABEL, fine=8, cells=3)
    data = form([((0.30, False), 0)] * 5 + [((0.31, False), 1)] * 4 + [((0.8, True), 0)] * 9)
    one = mechanism._release(data, rng=seeded(1))
    assert one == mechanism._release(data, rng=seeded(2))
    assert one.fields[0].edges == (Fraction(3, 4), Fraction(7, 8))


def test_heavy_cells_stay_apart_and_light_ones_are_joined():
    assert joined([0, 0, 50, 0, 60, 0, 0, 0], 4) == [3, 4, 5]
    assert joined([3, 3, 3, 3], 2) == [2]
    assert joined([-5, -5, 7], 2) == [2]
    assert joined([1], 1) == []
    for cells in range(1, 9):
        assert len(joined([4, 0, 9, -2, 2, 2, 7, 1], cells)) == cells - 1


def test_a_released_grid_has_borders_of_the_fine_one_only():
    schema = complete({"x": (0, 10), "word": ("a", "b")})
    schema = Schema(schema.names, (Number(low=0, high=10, bins=16, missing=True), schema.fields[1]))
    mechanism = PrivateGrid(schema=schema, columns=(0,), epsilon=Fraction(1))
    rng = np.random.default_rng(3)
    rows = np.empty((40, 2), dtype=object)
    rows[:] = [(None if i % 7 == 0 else rng.random() * 10, "a") for i in range(40)]
    for data in (Sample(rows, np.zeros(40)), Sample(rows[:0], np.zeros(0))):
        released = mechanism._release(data, rng=seeded(4))
        assert released.cells == (17, 2)
        assert set(released.fields[0].edges) <= set(mechanism.fine_schema.fields[0].edges)
        assert released.fields[1] == schema.fields[1]
        for cell in range(16):  # the first cut parts missing values from all others
            cut = Cut(column=0, cell=cell, ordered=True)
            rule = TreeRule(schema=released, root=(cut, True, False))
            twin = on_fine_grid(rule, mechanism.fine_schema)
            assert (twin.predict(rows) == rule.predict(rows)).all()
            if cell == 0:
                assert rule.predict(rows).sum() == 6


def test_missing_values_weigh_nothing():
    schema = Schema(("x",), (Number(low=0, high=8, bins=8, missing=True),))
    mechanism = PrivateGrid(
        schema=schema, columns=(0,), epsilon=Fraction(1), relation=LABEL, fine=8, cells=3
    )
    rows = np.array([[None]] * 90 + [[6.5]] * 5 + [[7.5]] * 5, dtype=object)
    released = mechanism._release(Sample(rows, np.zeros(100)), rng=seeded(1))
    assert released.fields[0].edges == (6, 7)


def test_a_rule_is_the_same_on_the_fine_grid():
    mechanism = PrivateGrid(schema=UNIT, columns=(0,), epsilon=Fraction(1))
    schema = mechanism._release(form(RECORDS), rng=seeded(5))
    root = (
        Cut(column=0, cell=4, ordered=True),
        (Cut(column=0, cell=1, ordered=True), True, False),
        (Cut(column=1, cell=0, ordered=schema.fields[1].ordered), False, True),
    )
    rule = TreeRule(schema=schema, root=root)
    twin = on_fine_grid(rule, mechanism.fine_schema)
    x = np.empty((200, 2), dtype=object)
    x[:] = [(value, value > 0.5) for value in np.linspace(0, 1, 200)]
    assert (twin.predict(x) == rule.predict(x)).all()


def test_the_certificate_uses_a_prior_that_was_fixed_beforehand():
    x, y = atoms(12_000)
    model = BestRuleClassifier(
        domain=[(0, 100)], epsilon=1, ledger=Ledger.memory(epsilon=1), rng=seeded(2)
    ).fit(x, y)
    rules = BestRules(model.schema(x))
    learner = rules.learner(epsilon=Fraction(9, 10), relation=REPLACE_ONE, n=len(y))
    on_own_grid = learner.drawer(model.rule_.schema).prior(model.rule_)
    questions = splits(simpler(model.rule_.root))
    assert questions >= 2
    # 63 places to cut a column instead of 15, for each question.
    assert learner.prior(model.rule_) == on_own_grid * Fraction(16, 64) ** questions
    certificate = model.certificate_
    assert certificate.error is not None
    assert (model.predict(x) != y).mean() <= certificate.error
    assert certificate.comparators == ()


def test_only_different_numeric_columns_have_a_grid():
    for columns in ((), (1,), (0, 0)):
        with pytest.raises(BadInput, match="numeric columns"):
            grid(columns=columns)
    with pytest.raises(BadInput, match="fine"):
        grid(fine=1)
