"""Adaptive composition of equal ranges: closed forms, brute force, and what the ledger would say."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest

from tacit.bounds.upper.adaptive import adaptive_delta, adaptive_share


def exactly(k, e, epsilon, *, points=400):
    """``f_k(1)`` with the recursion written out over a fine grid of ``t``: from below."""
    t = np.linspace(0, e, points + 1)[1:]
    q = (1 - np.exp(t - e)) / (np.exp(t) - np.exp(t - e))

    def f(j, ratio):
        if j == 0:
            return np.maximum(ratio - exp(epsilon), 0)
        up, down = np.multiply.outer(ratio, np.exp(t)), np.multiply.outer(ratio, np.exp(t - e))
        return (q * f(j - 1, up) + (1 - q) * f(j - 1, down)).max(axis=-1)

    return float(f(k, np.array(1.0)))


@pytest.mark.parametrize(("k", "e", "epsilon"), [(1, 1.0, 0.5), (2, 0.5, 0.1), (2, 1.0, 0.3)])
def test_the_grid_is_above_the_recursion_and_near_it(k, e, epsilon):
    true = exactly(k, e, epsilon)
    bounds = [
        float(adaptive_delta(k=k, each=Fraction(e), epsilon=Fraction(epsilon), steps=m))
        for m in (20, 150, 800)
    ]
    assert bounds == sorted(bounds, reverse=True)
    assert true <= bounds[-1] <= 1.004 * true


def test_one_selection_has_its_closed_form():
    """The worst place of one interval is t = (epsilon + e)/2."""
    e, epsilon = 1.0, 0.5
    t = (epsilon + e) / 2
    closed = (1 - exp(t - e)) / (exp(t) - exp(t - e)) * (exp(t) - exp(epsilon))
    found = float(adaptive_delta(k=1, each=Fraction(1), epsilon=Fraction(1, 2), steps=1000))
    assert closed <= found <= 1.005 * closed


def test_two_values_known_from_theory():
    assert abs(exactly(2, 0.5, 0.1) - 0.11581) < 2e-5
    assert abs(exactly(2, 1.0, 0.3) - 0.20587) < 2e-5


def test_shares_keep_their_promise_and_a_larger_one_does_not():
    for k, epsilon in ((10, Fraction(1)), (3, Fraction(5))):
        delta = Fraction(1, 10**6)
        each = adaptive_share(epsilon=epsilon, delta=delta, k=k)
        assert each > epsilon / k
        assert adaptive_delta(k=k, each=each, epsilon=epsilon) <= delta
        # By a lower bound on what such steps can reach: randomised steps, not adaptive.
        assert adaptive_delta(k=k, each=each * Fraction(103, 100), epsilon=epsilon) > delta


def test_edges():
    assert adaptive_delta(k=3, each=Fraction(1, 3), epsilon=Fraction(1)) == 0
    assert adaptive_delta(k=3, each=Fraction(60), epsilon=Fraction(50)) == 1
    assert adaptive_share(epsilon=Fraction(1), delta=Fraction(1, 10), k=1) == 1
