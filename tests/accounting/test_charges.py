"""Tests of ``tacit.accounting.charges``: running sums are the sums of all events."""

from fractions import Fraction

import pytest

from tacit.accounting.budget import read_budget
from tacit.accounting.charges import Charges
from tacit.accounting.composition import total
from tacit.core import ADD_REMOVE, REPLACE_ONE, Approximate, Composed, Pure, Selection

pytestmark = pytest.mark.unit

NO_LIMIT = read_budget(epsilon=None, delta=0, relation=None)


def events(relation):
    parts = (
        Pure(epsilon="1/4", relation=relation),
        Selection(epsilon="1/3", relation=relation),
        Approximate(epsilon="1/5", delta="1/1000", relation=relation),
    )
    return [*parts, Composed(relation=relation, events=parts)]


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 100)])
def test_the_running_total_is_that_of_all_events_at_once(relation, delta):
    charges, seen = Charges(NO_LIMIT), []
    for event in events(relation):
        beforehand = charges.sums(event)
        charges.add(event)
        seen.append(event)
        assert charges.sums() == beforehand
        assert charges.total(delta=delta) == total(seen, delta=delta)


def test_one_substitution_costs_what_a_removal_and_an_addition_cost():
    charges = Charges(NO_LIMIT)
    charges.add(Pure(epsilon="1/4", relation=ADD_REMOVE))
    assert charges.sums().epsilon == Fraction(1, 4)
    charges.add(Pure(epsilon="1/4", relation=REPLACE_ONE))
    assert charges.relation() is REPLACE_ONE
    assert charges.sums().epsilon == Fraction(3, 4)
