"""Tests of ``tacit.bounds.upper.weights``."""

from fractions import Fraction as F
from math import exp, log, sqrt

import numpy as np
import pytest
from tests.problems.several.bounds_theorems_cases import A, B, E

from tacit.bounds.upper import weights

pytestmark = pytest.mark.exact


def test_a_tree_at_the_planned_records():
    plan = weights.tree(bits=2, alpha=F(1, 5), beta=F(1, 10), epsilon=E)
    assert plan.choices["levels"] == 1
    # One level of four leaves: prefixes are sums of one, two or three of them.
    q = exp(-0.5)
    span = np.arange(-200, 201)
    noise = (1 - q) / (1 + q) * q ** np.abs(span)

    def fails(limit):
        # Probability that a walk of three steps leaves [-limit, limit].
        inside = np.abs(span) <= limit
        state = noise * inside
        for _ in range(2):
            state = np.convolve(state, noise, mode="same") * inside
        return 1 - state.sum()

    assert fails(int(0.2 * plan.n)) <= 0.1
    assert fails(int(0.2 * plan.n / 4)) > 0.1


@pytest.mark.parametrize("delta", [F(0), F(1, 10**6)])
def test_weights_answer_within_alpha_and_not_with_fewer(delta):
    size, domain = 100, 256
    plan = weights.multiplicative_weights(
        size=size, domain_size=domain, alpha=A, beta=B, epsilon=E, delta=delta
    )
    rounds = plan.choices["rounds"]
    if delta:
        rho = float(weights.concentrated(epsilon=E, delta=delta))
        e0 = sqrt(4 * rho / rounds)
        noise = sqrt(rounds / rho) * sqrt(2 * log(40 * rounds))
        assert rounds * (e0**2 / 8 + 1 / (2 * (rounds / rho))) <= rho * (1 + 1e-9)
    else:
        e0 = 1 / (2 * rounds)
        noise = log(40 * rounds / (1 + exp(-e0))) / e0
    selected = 2 / e0 * log(20 * size * rounds)

    def error(n):
        return selected / n + sqrt(log(domain) / (2 * rounds) + (noise / n) ** 2)

    assert error(plan.n) <= 0.1 * (1 + 1e-9) < error(plan.n * 0.99)


@pytest.mark.parametrize("epsilon", [F(1, 10), F(1), F(8)])
@pytest.mark.parametrize("delta", [F(1, 10**9), F(1, 10**6), F(1, 10)])
def test_a_budget_holds_as_much_zcdp_as_some_order_proves(epsilon, delta):
    rho = float(weights.concentrated(epsilon=epsilon, delta=delta))
    room = -log(delta)
    assert rho >= (sqrt(room + float(epsilon)) - sqrt(room)) ** 2 * (1 - 1e-9)
    orders = 1 + np.geomspace(1e-3, 1e6, 400_000)
    spent = rho * orders + np.log1p(-1 / orders) - np.log(float(delta) * orders) / (orders - 1)
    assert spent.min() <= float(epsilon) * (1 + 1e-6)
    more = spent + 0.001 * rho * orders
    assert more.min() > float(epsilon)
