"""Tests of ``tacit.problems.tables.gridded_trees``."""

from fractions import Fraction

import pytest
from tests.mechanisms.table_gridded_cases import atoms

from tacit import Ledger
from tacit.checks.testing import seeded
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, Composed
from tacit.estimators import BestRuleClassifier
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.gridded_trees import GriddedTreeLearner

pytestmark = pytest.mark.exact


def test_public_numbers_choose_a_grid_of_its_own():
    x, y = atoms(12_000)
    common = {"domain": [(0, 100)], "rng": seeded(1)}
    model = BestRuleClassifier(epsilon=1, ledger=Ledger.memory(epsilon=1), **common).fit(x, y)
    assert "noisy counts" in model.certificate_.what
    assert (model.predict(x) == y).mean() > 0.99
    equal = BestRuleClassifier(bins=16, epsilon=1, ledger=Ledger.memory(epsilon=1), **common)
    assert (equal.fit(x, y).predict(x) == y).mean() < 0.9
    rules = BestRules(model.schema(x))
    learner = rules.learner(epsilon=Fraction(9, 10), relation=REPLACE_ONE, n=len(y))
    assert isinstance(learner, GriddedTreeLearner)
    assert isinstance(learner.event(), Composed)
    assert learner.grid.epsilon + learner.epsilon == Fraction(9, 10)
    for changes in ({"relation": ADD_REMOVE, "n": None}, {"relation": LABEL}, {"n": 500}):
        given = {"epsilon": Fraction(9, 10), "relation": REPLACE_ONE, "n": len(y)} | changes
        assert not isinstance(rules.learner(**given), GriddedTreeLearner)
    poor = rules.learner(epsilon=Fraction(1, 100), relation=REPLACE_ONE, n=len(y))
    assert not isinstance(poor, GriddedTreeLearner)
