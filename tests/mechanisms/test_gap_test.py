"""Tests of ``tacit.mechanisms.gap_test``."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.mechanisms.b20_samplers_cases import check
from tests.tools.b20_laws import gap_law

from tacit.domains import Integers
from tacit.mechanisms.gap_test import GapTest
from tacit.problems.points.frequent_item import Counts

pytestmark = pytest.mark.statistical


def test_gap_test():
    data = [2] * 9 + [1] * 2
    test = GapTest(score=Counts(Integers(size=4)), epsilon=Fraction(1), delta=Fraction(1, 20))
    wrong = [replace(test, epsilon=e) for e in (Fraction(4, 5), Fraction(5, 4))]
    check(
        lambda rng: test._release(np.array(data), rng=rng),
        gap_law(test, data),
        *(gap_law(other, data) for other in wrong),
    )
