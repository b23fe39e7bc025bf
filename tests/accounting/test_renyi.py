"""Tests of ``tacit.accounting.renyi``."""

from fractions import Fraction as F

import pytest
from tests.accounting.accounting_divergence_cases import exponential_law, neighbours, pair

from tacit.accounting.cost import Cost, Kind
from tacit.accounting.renyi import divergence
from tacit.core import Pure, Selection
from tacit.exact.balls import at, ball, below

pytestmark = pytest.mark.exact

ORDERS = (F(3, 2), F(2), F(5), F(20))


def renyi(p, q, order):
    a = ball(order)
    moment = sum((a * x.log() + (1 - a) * y.log()).exp() for x, y in zip(p, q, strict=True))
    return moment.log() / (a - 1)


@pytest.mark.parametrize("epsilon", [F(1, 10), F(1), F(4)])
def test_exponential_mechanism_has_bounded_range_and_the_stated_divergence(epsilon):
    cost = Cost(kind=Kind.SELECTION, amount=epsilon)
    worst = dict.fromkeys(ORDERS, F(0))
    for left, right in neighbours():
        with at(128):
            p, q = exponential_law(left, epsilon), exponential_law(right, epsilon)
            logs = [(x / y).log() for x, y in zip(p, q, strict=True)]
            assert not any(s - t > ball(epsilon) for s in logs for t in logs)
        for order in ORDERS:
            value = below(lambda p=p, q=q, order=order: renyi(p, q, order))
            worst[order] = max(worst[order], value)
    for order in ORDERS:
        assert worst[order] <= divergence(cost, order=order)
        assert worst[order] <= order * epsilon**2 / 8
        # a bound of half the size would be found out
        assert worst[order] > divergence(cost, order=order) / 2 or order * epsilon > 4


@pytest.mark.parametrize("kind", [Pure, Selection])
@pytest.mark.parametrize("epsilon", [F(1, 5), F(1), F(3)])
def test_sharp_divergences_are_those_of_the_worst_pair(kind, epsilon):
    cost = Cost(kind=Kind.PURE if kind is Pure else Kind.SELECTION, amount=epsilon)
    for order in ORDERS:
        worst = F(0)
        for place in (F(k, 64) for k in range(1, 64)):

            def value(place=place, order=order):
                p, q, _, _ = pair(kind, epsilon, place)
                return renyi((p, 1 - p), (q, 1 - q), order)

            assert below(value) <= divergence(cost, order=order)
            worst = max(worst, below(value))
        assert worst == pytest.approx(divergence(cost, order=order), rel=2e-2)
