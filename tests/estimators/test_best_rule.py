"""Tests of ``tacit.estimators.best_rule``."""

import numpy as np
import pytest
from tests.problems.tables.table_short_lists_cases import columns

from tacit import Ledger
from tacit.checks.testing import seeded
from tacit.estimators import BestRuleClassifier

pytestmark = pytest.mark.exact


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
