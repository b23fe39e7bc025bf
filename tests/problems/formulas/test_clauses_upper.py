"""Tests of ``tacit.problems.formulas.clauses_upper``."""

from fractions import Fraction

import pytest

from tacit.core import BadInput
from tacit.problems.formulas.clauses_upper import k_term_dnf
from tacit.problems.formulas.k_term_dnf import KTermDnf


def test_observation_2_7_bound():
    numbers = {"alpha": Fraction(1, 10), "beta": Fraction(1, 20), "epsilon": Fraction(1)}
    bound = k_term_dnf(variables=4, terms=2, **numbers)
    assert bound.n == 46_795
    assert bound.choices["threshold"] == 74
    assert k_term_dnf(variables=5, terms=2, **numbers).n > bound.n
    with pytest.raises(BadInput):
        KTermDnf(columns=60, terms=8)
    with pytest.raises(BadInput):
        KTermDnf(columns=65, terms=1)
