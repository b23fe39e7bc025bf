"""Tests of ``tacit.estimators.products``."""

import numpy as np
import pytest

from tacit import Ledger
from tacit.checks.testing import seeded
from tacit.core import BadInput
from tacit.estimators import BoxClassifier

pytestmark = pytest.mark.exact


def test_a_box_over_three_columns_is_found_where_two_do_not_suffice():
    rng = np.random.default_rng(1)
    x = rng.random((3000, 4))
    y = ((x > 0.25) & (x < 0.875))[:, [0, 1, 3]].all(axis=1).astype(int)
    scores = {}
    for columns in (2, 3, [(3, 0, 1)]):
        box = BoxClassifier(
            domain=(0, 1),
            bins=8,
            columns=columns,
            epsilon=5,
            ledger=Ledger.memory(epsilon=5),
            rng=seeded(1),
        ).fit(x, y)
        scores[str(columns)] = box.score(x, y)
        assert box.certificate_.error is not None
    assert scores["3"] == scores["[(3, 0, 1)]"] == 1
    assert scores["2"] < 0.95


@pytest.mark.parametrize(
    ("columns", "word"),
    [
        (4, "columns must be"),
        (0, "columns"),
        ("three", "columns"),
        ([], "at least one"),
        ([()], "1 to"),
        ([(0, 0)], "different"),
        ([(0, 9)], "position"),
        ([("x0", "what")], "'what'"),
        (["x0"], "list of tuples"),
    ],
)
def test_wrong_columns_are_told_before_any_charge(columns, word):
    ledger = Ledger.memory(epsilon=1)
    with pytest.raises(BadInput, match=word):
        BoxClassifier(domain=(0, 1), columns=columns, ledger=ledger).fit([[0.1, 0.2]], [1])
    assert not ledger.entries
