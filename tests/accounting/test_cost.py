"""Tests of ``tacit.accounting.cost``."""

from tacit.accounting.cost import cost, implies, weakest
from tacit.core import (
    ADD_REMOVE,
    LABEL,
    REPLACE_ONE,
    ZCDP,
    Approximate,
)


def test_group_privacy_quadruples_rho_and_caps_delta():
    assert cost(ZCDP(rho=1, relation=ADD_REMOVE), relation=LABEL).amount == 4
    assert cost(ZCDP(rho=1, relation=REPLACE_ONE), relation=LABEL).amount == 1
    for epsilon in (5, 10**6):
        large = Approximate(epsilon=epsilon, delta="0.1", relation=ADD_REMOVE)
        assert cost(large, relation=REPLACE_ONE).delta == 1


def test_the_weakest_relation_is_stated():
    assert weakest([ADD_REMOVE, ADD_REMOVE]) is ADD_REMOVE
    assert weakest([ADD_REMOVE, REPLACE_ONE]) is REPLACE_ONE
    assert weakest([LABEL, REPLACE_ONE, ADD_REMOVE]) is LABEL
    assert weakest([]) is None
    assert implies(REPLACE_ONE, LABEL)
    assert not implies(LABEL, REPLACE_ONE)
    assert not implies(REPLACE_ONE, ADD_REMOVE)
