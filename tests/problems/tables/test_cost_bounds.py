"""Classifiers with costs do all that classifiers do: the rule is handed over by itself."""

import json

import numpy as np
import pandas as pd
import pytest
from tests.problems.tables.table_costs_cases import rare

from tacit import Ledger
from tacit.checks.testing import seeded
from tacit.core import Hypothesis, hypothesis_from_dict
from tacit.estimators import (
    BestRuleClassifier,
    BoxClassifier,
    RatedClassifier,
    ScoreClassifier,
    TreeClassifier,
)
from tacit.problems.tables.costs import Costed

pytestmark = pytest.mark.exact
X, Y = rare(600)
Y = Y.astype(int)
FRAME = pd.DataFrame(X, columns=["a", "b"])


def made(kind, costs):
    return kind(
        domain={"a": (0, 1), "b": (0, 1)},
        bins=4,
        costs=costs,
        ledger=Ledger.memory(epsilon=100),
        rng=seeded("whole"),
    )


@pytest.mark.parametrize("table", [FRAME, X], ids=["frame", "array"])
@pytest.mark.parametrize("costs", [{1: 20}, "balanced"], ids=str)
@pytest.mark.parametrize(
    "kind", [TreeClassifier, BestRuleClassifier, ScoreClassifier, BoxClassifier]
)
def test_a_rule_by_costs_predicts_scores_and_is_read_back(kind, costs, table):
    fitted = made(kind, costs).fit(table, Y)
    assert isinstance(fitted.rule_, Hypothesis)
    assert not isinstance(fitted.rule_, Costed)
    assert fitted.certificate_.measured.labels
    answers = fitted.predict(FRAME)
    assert np.array_equal(answers, fitted.predict(X))
    assert fitted.export_text()
    assert fitted.describe()
    score = fitted.private_score(table, Y, epsilon=1, ledger=Ledger.memory())
    assert abs(score - float((answers == Y).mean())) < 0.1
    stored = hypothesis_from_dict(json.loads(json.dumps(fitted.to_dict()))["rule"])
    assert np.array_equal(stored.predict(FRAME), answers == 1)


@pytest.mark.parametrize("table", [FRAME, X], ids=["frame", "array"])
@pytest.mark.parametrize("costs", [{1: 20}, "balanced"], ids=str)
@pytest.mark.parametrize(
    "kind", [TreeClassifier, BestRuleClassifier, ScoreClassifier, BoxClassifier]
)
def test_a_rule_by_costs_has_rates(kind, costs, table):
    rated = RatedClassifier(made(kind, costs)).fit(table, Y)
    for asked in (FRAME, X):
        rates = rated.predict_proba(asked)
        assert rates.shape == (len(X), 2)
        assert np.allclose(rates.sum(axis=1), 1)
    assert rated.describe()
