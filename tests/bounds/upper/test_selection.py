"""Records that suffice do suffice: exact failure probabilities on tiny instances."""

from fractions import Fraction as F
from itertools import combinations_with_replacement, product
from math import exp, factorial, prod

import numpy as np
import pytest
from tests.bounds.upper.bounds_upper_witness_cases import POINTS, failure

from tacit.bounds.upper import selection
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE
from tacit.problems.finite import sanitizers_upper as sanitizers
from tacit.problems.parities import joint_parities_upper as joint_parities
from tacit.problems.points import points_upper as points
from tacit.problems.thresholds import thresholds_upper as thresholds

pytestmark = pytest.mark.exact


def error(concept, distribution):
    return sum(p for (x, y), p in distribution.items() if concept[x] != y)


def realizable_cases(concepts, steps=5):
    """Every target with every marginal on a coarse grid."""
    values = range(len(concepts[0]))
    for parts in product(range(steps + 1), repeat=len(values)):
        if sum(parts) == steps:
            for target in concepts:
                yield {(x, target[x]): F(w, steps) for x, w in zip(values, parts, strict=True)}


THRESHOLDS = [tuple(int(x >= t) for x in range(4)) for t in range(5)]


@pytest.mark.parametrize("selector", selection.SELECTORS)
@pytest.mark.parametrize(
    ("concepts", "bound"),
    [
        (POINTS, points.exact_tail),
        (THRESHOLDS, thresholds.exact_tail),
        (POINTS, selection.realizable),
    ],
    ids=["points", "thresholds", "any"],
)
def test_realizable_selection_at_the_planned_records(concepts, bound, selector):
    alpha, beta, epsilon = F(3, 10), F(1, 4), F(4)
    plan = bound(size=len(concepts), alpha=alpha, beta=beta, epsilon=epsilon, selector=selector)
    assert 1 < plan.n <= 12
    rate = float(plan.choices["epsilon"]) / 2
    worst = 0.0
    for distribution in realizable_cases(concepts, steps=3):
        bad = [i for i, c in enumerate(concepts) if error(c, distribution) > alpha]
        rest = {"n": plan.n, "rate": rate, "selector": selector, "bad": bad}
        worst = max(worst, failure(concepts, distribution, **rest))
    assert 0 < worst <= beta


def test_agnostic_selection_at_the_planned_records():
    concepts, alpha, beta, epsilon = [(0, 1), (1, 0), (1, 1)], F(1, 2), F(3, 10), F(3)
    plan = selection.agnostic(size=3, alpha=alpha, beta=beta, epsilon=epsilon)
    rate = float(plan.choices["epsilon"]) / 2
    cells = [(0, 0), (0, 1), (1, 0), (1, 1)]
    worst = 0.0
    for parts in product(range(5), repeat=4):
        if sum(parts) != 4:
            continue
        distribution = {cell: F(w, 4) for cell, w in zip(cells, parts, strict=True)}
        best = min(error(c, distribution) for c in concepts)
        bad = [i for i, c in enumerate(concepts) if error(c, distribution) > best + alpha]
        rest = {"n": plan.n, "rate": rate, "selector": "exponential", "bad": bad}
        worst = max(worst, failure(concepts, distribution, **rest))
    assert 0 < worst <= beta


def test_a_gentler_selection_is_used_when_it_learns_faster():
    plan = selection.agnostic(size=1000, alpha=F(1, 10), beta=F(1, 20), epsilon=F(4))
    assert plan.choices["epsilon"] < 4
    full = [F(1, 10), F(1, 5), F(1), F(4)]
    sizes = [
        selection.agnostic(size=1000, alpha=F(1, 10), beta=F(1, 20), epsilon=e).n for e in full
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == sizes[-2]


@pytest.mark.parametrize(("relation", "spread"), [(REPLACE_ONE, 2), (LABEL, 2), (ADD_REMOVE, 1)])
def test_relations_set_the_rate(relation, spread):
    kwargs = {"size": 2**20, "alpha": F(1, 10), "beta": F(1, 20)}
    got = selection.realizable(epsilon=F(1), relation=relation, **kwargs).n
    assert got == selection.realizable(epsilon=F(2, spread), relation=REPLACE_ONE, **kwargs).n


@pytest.mark.parametrize("k", [1, 2])
def test_joint_parities_at_the_planned_records(k):
    bits, beta, epsilon = 2, F(1, 4), F(4)
    n = joint_parities.exact_recovery(bits=bits, k=k, beta=beta, epsilon=epsilon).n
    values = list(product((0, 1), repeat=bits))
    vectors = list(product(values, repeat=k))

    def labels(vector, x):
        return tuple(sum(a * b for a, b in zip(c, x, strict=True)) % 2 for c in vector)

    # By symmetry the target is the zero vector; a record is wrong if any label is not zero.
    wrong = np.array([[any(labels(v, x)) for x in values] for v in vectors])
    total = 0.0
    for table in combinations_with_replacement(range(len(values)), n):
        count = np.bincount(table, minlength=len(values))
        chance = factorial(n) / prod(factorial(c) for c in count) / len(values) ** n
        weights = np.exp(-2.0 * (wrong @ count))
        total += chance * (1 - weights[0] / weights.sum())
    assert 0 < total <= beta


def tail(q, m):
    """``P(Z >= m)`` of the two-sided geometric law, ``m >= 1``."""
    return q**m / (1 + q)


def test_pure_histogram_at_the_planned_records():
    alpha, beta, epsilon, size = F(1, 5), F(1, 10), F(1), 1000
    plan = sanitizers.pure_histogram(domain_size=size, alpha=alpha, beta=beta, epsilon=epsilon)
    q = exp(-0.5)

    def fails(n, threshold):
        # All records on one value: its report may vanish or err; every other bin may appear.
        limit = int(alpha * n)
        quiet = 1 - tail(q, max(threshold, limit + 1))
        heavy = 1 - tail(q, limit + 1) - tail(q, min(limit + 1, n - threshold + 1))
        return 1 - quiet ** (size - 1) * heavy

    assert fails(plan.n, plan.choices["threshold"]) <= beta
    half = plan.n // 2
    assert fails(half, plan.choices["threshold"] // 2) > beta
