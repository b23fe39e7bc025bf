"""Tests of ``tacit.problems.points.hashed_upper``."""

from fractions import Fraction as F
from math import comb, exp

import numpy as np
import pytest

from tacit.problems.points import hashed_upper as hashing

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(("epsilon", "beta"), [(F(1), F(1, 20)), (F(3), F(1, 3))])
def test_hashing_adds_up(epsilon, beta):
    """The expectation over collision masses, integrated finely in floats."""
    alpha = 0.1
    plan = hashing.realizable(alpha=F(1, 10), beta=beta, epsilon=epsilon)
    cells, k = 2 ** plan.choices["bits"], plan.choices["hashes"]
    rate = float(plan.choices["epsilon"]) / 2
    mass = np.geomspace(1 / cells, alpha, 20000)

    def fails(n):
        shrink = 1 - alpha * (1 - exp(-rate)) + mass * (exp(rate) - 1)
        failing = np.minimum(1, (cells * k - 1) * shrink**n)
        chance = (1 / (cells * mass)) ** k
        steps = np.diff(failing) * (chance[:-1] + chance[1:]) / 2
        return failing[0] + steps.sum() + (1 - failing[-1]) * chance[-1]

    assert fails(plan.n) <= beta
    assert fails(0.95 * plan.n) > beta


def test_hashing_on_the_worst_distribution_for_one_hash():
    """One target, one other value that collides with chance 1/M: failure by enumeration."""
    alpha, beta, epsilon = F(3, 10), F(1, 4), F(4)
    plan = hashing.realizable(alpha=alpha, beta=beta, epsilon=epsilon)
    cells, k, n = 2 ** plan.choices["bits"], plan.choices["hashes"], plan.n
    rate = float(plan.choices["epsilon"]) / 2
    p, total = 0.3001, 0.0
    for colliding in range(k + 1):
        weight = comb(k, colliding) * (1 / cells) ** colliding * (1 - 1 / cells) ** (k - colliding)
        for hits in range(n + 1):
            chance = comb(n, hits) * p**hits * (1 - p) ** (n - hits)
            # Per hash: the target's cell, the other value's cell, and all empty cells.
            good = (k - colliding) * 1.0
            bad = (k - colliding) * exp(-rate * n) + colliding * exp(-rate * (n - hits))
            bad += ((k - colliding) * (cells - 2) + colliding * (cells - 1)) * exp(-rate * hits)
            total += weight * chance * bad / (good + bad)
    assert total <= beta
