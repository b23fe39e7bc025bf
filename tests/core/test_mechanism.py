"""Tests of ``tacit.core.mechanism``."""

from fractions import Fraction

import pytest
from tests.mechanisms.persons_cases import MATRIX

from tacit.core import (
    REPLACE_ONE,
    BadInput,
    Mechanism,
)
from tacit.mechanisms.persons import ForPersons
from tacit.problems.finite.finite_class import FiniteClassLearner

pytestmark = pytest.mark.exact


def test_a_mechanism_for_replaced_rows_is_refused_for_several():
    inner = FiniteClassLearner(concept_class=MATRIX, epsilon=Fraction(1), relation=REPLACE_ONE)
    with pytest.raises(BadInput, match="add-remove"):
        ForPersons(inner=inner, rows=2, relation=REPLACE_ONE)
    assert isinstance(ForPersons(inner=inner, rows=1, relation=REPLACE_ONE), Mechanism)
