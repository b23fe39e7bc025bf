"""Totals: known figures, both routes, and what relations do to them."""

import math
from fractions import Fraction as F

import pytest

from tacit.accounting import total
from tacit.accounting.cost import Cost, Kind, cost, implies, weakest
from tacit.accounting.renyi import conversion, divergence
from tacit.core import (
    ADD_REMOVE,
    LABEL,
    REPLACE_ONE,
    ZCDP,
    Approximate,
    BadInput,
    Composed,
    Event,
    Pure,
    Selection,
)


def pure(epsilon, relation=REPLACE_ONE):
    return Pure(epsilon=epsilon, relation=relation)


def selection(epsilon, relation=REPLACE_ONE):
    return Selection(epsilon=epsilon, relation=relation)


def test_a_hundred_selections_cost_less_than_a_quarter_of_their_sum():
    events = [selection("0.05")] * 100
    assert total(events).epsilon == 5
    assert total(events).method == "basic"
    tight = total(events, delta=1e-6)
    assert tight.method == "zcdp"
    assert tight.delta == F(1, 10**6)
    assert F(113, 100) < tight.epsilon <= F(115, 100)


def test_pure_events_gain_less_than_selections():
    pures = total([pure("0.05")] * 100, delta=1e-6)
    assert F(23, 10) < pures.epsilon <= F(242, 100)


def test_the_simple_zcdp_bound_is_never_beaten_by_more_than_the_formula_says():
    # theory: eps^2/8-zCDP and the conversion at its best order give 1.14.
    rho = 100 * 0.05**2 / 8
    simple = min(
        rho * a + math.log(1 - 1 / a) - math.log(1e-6 * a) / (a - 1)
        for a in (1 + k / 100 for k in range(1, 5000))
    )
    assert float(total([selection("0.05")] * 100, delta=1e-6).epsilon) <= simple
    assert float(total([ZCDP(rho=F(1, 32), relation=REPLACE_ONE)], delta=1e-6).epsilon) == (
        pytest.approx(simple, rel=1e-5)
    )


def test_one_pure_event_stays_pure_although_delta_is_there():
    assert total([pure("1/2")], delta=1e-6).epsilon == F(1, 2)
    assert total([pure("1/2")], delta=1e-6).delta == 0


def test_a_large_event_beside_many_small_ones_is_added_as_it_is():
    small = [selection("0.05")] * 100
    both = total([*small, pure(2)], delta=1e-6)
    assert both.method == "zcdp"
    assert both.epsilon <= total(small, delta=1e-6).epsilon + 2


def test_approximate_events_add_on_top():
    step = Approximate(epsilon="1/4", delta="1e-7", relation=REPLACE_ONE)
    basic = total([step, step, pure("1/2")], delta=1e-6)
    assert (basic.epsilon, basic.delta, basic.method) == (1, F(2, 10**7), "basic")
    small = [selection("0.05")] * 100
    mixed = total([step, *small], delta=1e-6)
    alone = total(small, delta=F(9, 10**7))
    assert mixed.epsilon == pytest.approx(alone.epsilon + F(1, 4))
    assert mixed.delta == F(1, 10**6)


def test_zcdp_events_have_no_pure_total():
    step = ZCDP(rho="1/2", relation=REPLACE_ONE)
    assert total([step]).epsilon is None
    assert "unbounded" in str(total([step]))
    assert total([step], delta=1e-6).epsilon > 1


def test_more_delta_than_asked_for_is_told():
    step = Approximate(epsilon=1, delta="0.5", relation=REPLACE_ONE)
    assert total([step], delta="0.1").delta == F(1, 2)
    assert total([step] * 3).delta == 1


def test_nothing_costs_nothing():
    none = total([])
    assert (none.epsilon, none.delta, none.relation, str(none)) == (0, 0, None, "nothing")


def test_composed_events_are_opened():
    parts = Composed(events=(pure("1/4"), selection("1/4")), relation=REPLACE_ONE)
    nested = Composed(events=(parts, pure("1/2")), relation=REPLACE_ONE)
    assert total([nested]).epsilon == 1


@pytest.mark.parametrize(
    ("event", "epsilon", "delta"),
    [
        (pure("1/2", ADD_REMOVE), 1, 0),
        (selection("1/2", ADD_REMOVE), 1, 0),
        (Approximate(epsilon=1, delta="1e-6", relation=ADD_REMOVE), 2, (1 + math.e) * 1e-6),
    ],
)
@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL])
def test_add_remove_is_paid_twice_for_a_substitution(event, epsilon, delta, relation):
    assert total([event]).epsilon == epsilon / 2
    other = Pure(epsilon=7, relation=relation)
    both = total([event, other])
    assert both.relation is relation
    assert both.epsilon == epsilon + 7
    assert float(both.delta) == pytest.approx(delta)
    assert total([event], relation=relation).epsilon == epsilon


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


def test_a_promise_about_less_is_not_taken_for_more():
    with pytest.raises(BadInput, match="label says nothing under replace-one"):
        total([pure(1, LABEL)], relation=REPLACE_ONE)


def test_unknown_events_are_refused():
    class Strange(Event):
        pass

    with pytest.raises(BadInput, match="does not know"):
        total([Strange(relation=REPLACE_ONE)])


@pytest.mark.parametrize("delta", [-1, 1, "nan"])
def test_delta_must_be_a_probability(delta):
    with pytest.raises(BadInput, match="delta"):
        total([pure(1)], delta=delta)


@pytest.mark.parametrize("amount", ["1e-60", "1e-12", "0.001", "1", "30", "499", "1e12"])
@pytest.mark.parametrize("kind", [Kind.PURE, Kind.SELECTION])
def test_a_divergence_is_below_each_simple_bound(amount, kind):
    share = 2 if kind is Kind.PURE else 8
    for order in (F(1001, 1000), F(3, 2), F(20), F(10**9)):
        e = F(amount)
        found = divergence(Cost(kind=kind, amount=e), order=order)
        assert 0 < found <= min(e, order * e**2 / share)


def test_extreme_numbers_do_not_break():
    assert total([pure("1e-50")] * 3, delta="1e-400").epsilon <= F(3, 10**50)
    assert total([pure("1e60")], delta="1e-6").epsilon <= F(10) ** 60
    assert conversion(order=F(2), delta=F(1, 10**400)) > 900
    str(total([Approximate(epsilon="1e-400", delta="1e-400", relation=REPLACE_ONE)]))
