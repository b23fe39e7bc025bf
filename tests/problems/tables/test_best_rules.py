"""Tests of ``tacit.problems.tables.best_rules``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete

from tacit import Ledger, run
from tacit.checks.testing import seeded
from tacit.core import REPLACE_ONE, Sample
from tacit.problems.tables.best_rules import (
    BestRules,
)

pytestmark = pytest.mark.exact


def test_never_much_below_the_better_constant_label():
    """Theorem 3: on labels without any pattern, the mean of the mistakes over many draws."""
    table = complete([(0, 1)] * 12, bins=16)
    rng = np.random.default_rng(1)
    n = 600
    x, y = rng.random((n, 12)), rng.random(n) < 0.2
    epsilon = Fraction(1, 20)
    made = BestRules(table).learner(epsilon=epsilon, relation=REPLACE_ONE, n=n)
    book, source = Ledger.memory(), seeded("constant")
    wrong = [
        int((run(made, Sample(x, y), ledger=book, rng=source).value.predict(x) != y).sum())
        for _ in range(60)
    ]
    allowed = float(1 / made.rate)
    assert np.mean(wrong) <= min(y.sum(), n - y.sum()) + allowed
    assert np.mean(wrong) <= min(y.sum(), n - y.sum()) + 0.02 * n
