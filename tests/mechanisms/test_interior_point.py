"""Tests of ``tacit.mechanisms.interior_point``."""

from fractions import Fraction

import pytest
from tests.mechanisms.b20_ranks_cases import DOMAIN, LAST_DIGIT, VALUES, worst_ratio
from tests.tools.b20_laws import BITS, selected

from tacit.core import Relation
from tacit.exact.balls import at, ball
from tacit.mechanisms.interior_point import InteriorPoint

pytestmark = pytest.mark.exact

"""Stands for a record that is not selected; between neighbours it may turn into one that is."""


@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, Relation.ADD_REMOVE])
def test_interior_point_is_pure_and_a_higher_rate_is_not(relation):
    def worst(epsilon, n):
        mechanism = InteriorPoint(domain=DOMAIN, epsilon=epsilon, relation=relation)
        return worst_ratio(lambda data: selected(mechanism, data, VALUES), VALUES, n, relation)

    with at(BITS):
        for n in range(1, 6):
            assert worst(Fraction(1), n) < ball(1 + LAST_DIGIT)
        assert worst(Fraction(3, 2), 5) > 1
