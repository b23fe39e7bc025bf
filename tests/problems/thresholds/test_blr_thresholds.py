"""Tests of ``tacit.problems.thresholds.blr_thresholds``."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import exp

import numpy as np
import pytest
from tests.exact.sanitizers_laws_cases import SOME
from tests.tools.levels import accepts

from tacit.checks.testing import seeded
from tacit.core import Sample
from tacit.domains import Integers
from tacit.problems.thresholds.blr_thresholds import ThresholdSelection

pytestmark = pytest.mark.statistical


def test_a_selected_table_has_the_law_of_the_exponential_mechanism():
    """End to end, with the real samplers, against a list of all tables."""
    data, size, rows = [0, 0, 1, 3, 3], 4, 2
    tables = list(combinations_with_replacement(range(size), rows))

    def law(epsilon):
        errors = [
            max(
                -(-abs(rows * sum(x <= t for x in data) - 5 * sum(z <= t for z in table)) // rows)
                for t in range(size)
            )
            for table in tables
        ]
        weights = [exp(-epsilon * error / 2) for error in errors]
        return [w / sum(weights) for w in weights]

    mechanism = ThresholdSelection(domain=Integers(size=size), rows=rows, epsilon=Fraction(1))
    sample, rng = Sample(np.array(data), None), seeded("whole tables")
    seen = Counter(
        tuple(mechanism._release(sample, rng=rng).values().tolist()) for _ in range(SOME // 2)
    )
    observed = [seen[table] for table in tables]
    assert sum(observed) == SOME // 2
    assert accepts(observed, law(1.0))
    assert not accepts(observed, law(0.8))
    assert not accepts(observed, law(1.2))
