"""Tests of ``tacit.problems.tables.fitting_trees``."""

import pytest
from tests.problems.tables.table_costs_cases import rare, task

from tacit import Ledger, learn
from tacit.checks.testing import seeded
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.fitting_trees import FittingTrees
from tacit.problems.tables.trees import RuleLists, Trees

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("family", [Trees, RuleLists, FittingTrees, BestRules])
@pytest.mark.parametrize("costs", [{"1": 20}, "balanced"])
def test_a_rare_label_is_found(family, costs):
    x, y = rare()
    plain = learn(
        task(None, family), (x, y), ledger=Ledger.memory(), rng=seeded("plain"), negative=0
    )
    release = learn(
        task(costs, family), (x, y), ledger=Ledger.memory(), rng=seeded("costs"), negative=0
    )
    recall, before = (r.value.predict(x)[y == 1].mean() for r in (release, plain))
    assert recall > 0.6 > before
    found = release.certificate.measured
    assert [one.label for one in found.labels] == ["0", "1"]
    assert release.certificate.spent.epsilon == 1
    assert sum(one.noisy_mistakes for one in found.labels) == found.noisy_mistakes
    text = release.certificate.to_markdown()
    assert "where the label is 1" in text
    assert ("counts alike" in text) == (costs == "balanced")
    assert (found.balanced is not None) == (costs == "balanced")
