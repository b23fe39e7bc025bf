"""Bounds of the accountant against divergences computed exactly on small worst cases."""

import itertools
import math
from fractions import Fraction as F
from functools import cache

import pytest
from tests.accounting.accounting_divergence_cases import exponential_law, neighbours, pair

from tacit.accounting import total
from tacit.accounting.budget import read_budget
from tacit.accounting.charges import Charges
from tacit.core import ADD_REMOVE, REPLACE_ONE, Approximate, Pure, Selection
from tacit.exact.balls import above, at, ball, below

pytestmark = pytest.mark.exact


def hockey_stick(kind, epsilon, place, count, target):
    """The least delta of ``count`` independent worst steps at epsilon ``target``."""

    def value():
        p, q, high, low = pair(kind, epsilon, place)
        lost = ball(0)
        for k in range(count + 1):
            if k * high + (count - k) * low > target:
                ways = math.comb(count, k)
                gain = p**k * (1 - p) ** (count - k)
                loss = q**k * (1 - q) ** (count - k)
                lost += ways * (gain - ball(target).exp() * loss)
        return lost

    return value


@pytest.mark.parametrize(
    ("kind", "epsilon", "count", "delta"),
    [
        (Selection, F(1, 20), 100, F(1, 10**6)),
        (Selection, F(1, 2), 40, F(1, 10**6)),
        (Selection, F(2), 10, F(1, 100)),
        (Pure, F(1, 20), 100, F(1, 10**6)),
        (Pure, F(1), 30, F(1, 10**9)),
        (Pure, F(1, 2), 2, F(1, 10)),
    ],
)
def test_totals_cover_the_exact_loss_of_composed_worst_steps(kind, epsilon, count, delta):
    stated = total([kind(epsilon=epsilon, relation=REPLACE_ONE)] * count, delta=delta)
    places = [F(k, 16) for k in range(1, 16)] if kind is Selection else [F(1)]
    exact = [above(hockey_stick(kind, epsilon, place, count, stated.epsilon)) for place in places]
    assert max(exact) <= stated.delta
    # The test has power: six tenths of the stated epsilon would not hold.
    shy = stated.epsilon * F(6, 10)
    assert max(below(hockey_stick(kind, epsilon, place, count, shy)) for place in places) > delta


def test_bounded_range_doubles_for_two_neighbours_in_a_row():
    epsilon, widest = F(1), F(0)
    for left, middle in neighbours():
        for move in itertools.product((-1, 1), repeat=3):
            right = [s + m for s, m in zip(middle, move, strict=True)]
            with at(128):
                p, q = exponential_law(left, epsilon), exponential_law(right, epsilon)
                logs = [(x / y).log() for x, y in zip(p, q, strict=True)]
                spread = max(float((s - t).upper()) for s in logs for t in logs)
            widest = max(widest, F(spread))
    assert float(widest) == pytest.approx(2 * epsilon)


def test_approximate_group_privacy_is_met_with_equality():
    e, d = F(1, 2), F(1, 100)
    growth = math.exp(e)
    third = 0.05
    second = growth * third + float(d)
    first = growth * second + float(d)
    for one, other in itertools.permutations((first, second, third), 2):
        if {one, other} != {first, third}:  # the middle law is a neighbour of both
            assert one - growth * other <= float(d) + 1e-15
            assert (1 - one) - growth * (1 - other) <= float(d) + 1e-15
    stated = total([Approximate(epsilon=e, delta=d, relation=ADD_REMOVE)], relation=REPLACE_ONE)
    assert stated.epsilon == 2 * e
    assert first - growth**2 * third == pytest.approx(float(stated.delta), rel=1e-12)


def outcomes(event, place):
    """A worst pair of laws for the event, as pairs of probabilities in floats."""
    kind = Pure if isinstance(event, Approximate) else type(event)
    with at(64):
        p, q, _, _ = pair(kind, event.epsilon, place)
        p, q = float(p), float(q)
    if kind is type(event):
        return [(p, q), (1 - p, 1 - q)]
    d = float(event.delta)  # with probability delta all is told
    return [(d, 0.0), ((1 - d) * p, (1 - d) * q), ((1 - d) * (1 - p), (1 - d) * (1 - q)), (0.0, d)]


def adversary(budget, steps):
    """The largest delta anybody gets at a target epsilon by choosing costs after outputs.

    Found by trying all ways to go on with ``steps`` while the budget allows.
    """
    laws = [outcomes(event, place) for event, place in steps]

    @cache
    def allowed(counts):
        charges = Charges(budget)
        for (event, _), count in zip(steps, counts, strict=True):
            for _ in range(count):
                charges.add(event)
        return budget.allows(charges.sums())

    def best(gain, loss, counts, target, depth):
        value = max(0.0, gain - math.exp(target) * loss)
        if depth == 0 or gain == 0.0:
            return value
        for k, law in enumerate(laws):
            after = (*counts[:k], counts[k] + 1, *counts[k + 1 :])
            if allowed(after):
                ways = (best(gain * p, loss * q, after, target, depth - 1) for p, q in law)
                value = max(value, sum(ways))
        return value

    return lambda target, depth: best(1.0, 1.0, (0,) * len(steps), float(target), depth)


@pytest.mark.parametrize("limit", [(F(1), F(1, 10)), (F(3, 2), F(1, 50))])
def test_a_limit_holds_against_everybody_who_picks_costs_after_seeing_outputs(limit):
    epsilon, delta = limit
    worst = adversary(
        read_budget(epsilon=epsilon, delta=delta, relation=None),
        [
            (Selection(epsilon=F(2, 5), relation=REPLACE_ONE), F(1, 2)),
            (Selection(epsilon=F(1, 5), relation=REPLACE_ONE), F(1, 2)),
            (Selection(epsilon=F(2, 5), relation=REPLACE_ONE), F(3, 4)),
            (Pure(epsilon=F(1, 4), relation=REPLACE_ONE), F(1)),
        ],
    )
    assert worst(epsilon, 6) <= delta
    assert worst(epsilon / 3, 6) > delta


def test_approximate_events_beside_the_zcdp_route_cost_at_most_their_delta_more():
    epsilon, delta = F(1), F(1, 10)
    budget = read_budget(epsilon=epsilon, delta=delta, relation=None)
    steps = [
        (Selection(epsilon=F(2, 5), relation=REPLACE_ONE), F(3, 4)),
        (Pure(epsilon=F(1, 4), relation=REPLACE_ONE), F(1)),
        (Approximate(epsilon=F(1, 5), delta=delta / 2, relation=REPLACE_ONE), F(1)),
    ]
    assert adversary(budget, steps)(epsilon, 5) <= 2 * delta
    assert adversary(budget, steps[2:])(epsilon, 5) <= delta
    assert adversary(budget, steps[2:])(epsilon, 5) >= delta * F(9, 10)
