"""Tests of ``tacit.estimators.best_rule``."""

import numpy as np
import pytest
from tests.mechanisms.table_gridded_cases import atoms
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


def test_cells_are_as_fine_as_three_levels_can_be_weighed_on():
    for width, cells in ((3, 65), (4, 65), (5, 33), (8, 33), (9, 17), (16, 17), (17, 33), (30, 33)):
        auto = BestRuleClassifier(domain=columns(width))
        assert set(auto.schema(np.zeros((1, width))).cells) == {cells}
    asked = BestRuleClassifier(domain=columns(30), bins=10)
    assert set(asked.schema(np.zeros((1, 30))).cells) == {11}


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_a_narrow_band_is_found_whatever_is_known_of_the_number_of_records(relation):
    """Sixteen cells do not show it; finer ones do, and no part of the budget looks for them."""
    x, y = atoms(12_000)
    given = {"domain": [(0, 100)], "epsilon": 1, "relation": relation, "rng": seeded(1)}
    model = BestRuleClassifier(ledger=Ledger.memory(epsilon=1), **given).fit(x, y)
    assert (model.predict(x) == y).mean() > 0.99
    equal = BestRuleClassifier(bins=16, ledger=Ledger.memory(epsilon=1), **given).fit(x, y)
    assert (equal.predict(x) == y).mean() < 0.9
