"""Records that suffice do suffice: exact failure probabilities on tiny instances."""

from collections import Counter
from fractions import Fraction as F
from itertools import combinations_with_replacement, product
from math import comb, exp, factorial, prod

import numpy as np
import pytest

from tacit.bounds.tails import SLACK, binomial, fading
from tacit.bounds.upper import selection
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE
from tacit.problems.finite import sanitizers_upper as sanitizers
from tacit.problems.parities import joint_parities_upper as joint_parities
from tacit.problems.points import hashed_upper as hashing
from tacit.problems.points import points_upper as points
from tacit.problems.thresholds import thresholds_upper as thresholds


def law(errors, *, rate, selector):
    """The probability of each candidate, by its number of mistakes."""
    weights = np.exp(-rate * (np.asarray(errors, float) - min(errors)))
    if selector == "exponential":
        return weights / weights.sum()
    chosen = np.zeros(len(weights))
    for coins in product((0, 1), repeat=len(weights)):
        accepted = [i for i, coin in enumerate(coins) if coin]
        chance = prod(w if coin else 1 - w for w, coin in zip(weights, coins, strict=True))
        for i in accepted:
            chosen[i] += chance / len(accepted)
    return chosen


def failure(concepts, distribution, *, n, rate, selector, bad):
    """Exactly how often selection ends in ``bad``; records are (value, label) pairs."""
    symbols = [s for s, p in distribution.items() if p]
    total = 0.0
    for table in combinations_with_replacement(range(len(symbols)), n):
        count = Counter(table)
        chance = factorial(n) / prod(factorial(c) for c in count.values())
        chance *= prod(float(distribution[symbols[s]]) ** c for s, c in count.items())
        errors = [
            sum(c for s, c in count.items() if concept[symbols[s][0]] != symbols[s][1])
            for concept in concepts
        ]
        chosen = law(errors, rate=rate, selector=selector)
        total += chance * sum(chosen[i] for i in bad)
    return total


def error(concept, distribution):
    return sum(p for (x, y), p in distribution.items() if concept[x] != y)


def realizable_cases(concepts, steps=5):
    """Every target with every marginal on a coarse grid."""
    values = range(len(concepts[0]))
    for parts in product(range(steps + 1), repeat=len(values)):
        if sum(parts) == steps:
            for target in concepts:
                yield {(x, target[x]): F(w, steps) for x, w in zip(values, parts, strict=True)}


POINTS = [tuple(int(x == p) for x in range(4)) for p in range(4)]
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


def test_half_the_records_do_not_suffice_for_points():
    alpha, beta, epsilon = F(3, 10), F(1, 4), F(4)
    n = points.exact_tail(size=4, alpha=alpha, beta=beta, epsilon=epsilon).n
    just_above = F(301, 1000)
    distribution = {(0, 1): just_above, (1, 0): 1 - just_above}
    rest = {"rate": 2.0, "selector": "exponential", "bad": [1, 2, 3]}
    assert failure(POINTS, distribution, n=n, **rest) <= beta
    assert failure(POINTS, distribution, n=n // 2, **rest) > beta


def test_points_whose_wrong_answers_share_the_mass():
    """Several wrong points of small mass beat one wrong crowd: the cover of q is needed."""
    alpha, beta, epsilon, size = F(1, 4), F(1, 4), F(4), 4
    n = points.exact_tail(size=size, alpha=alpha, beta=beta, epsilon=epsilon).n
    for target_mass in (F(0), F(1, 20), F(1, 10), F(1, 5), F(1, 4)):
        others = (1 - target_mass) / 3
        distribution = {(0, 1): target_mass, **{(x, 0): others for x in (1, 2, 3)}}
        bad = [i for i in (1, 2, 3) if target_mass + others > alpha]
        got = failure(POINTS, distribution, n=n, rate=2.0, selector="exponential", bad=bad)
        assert got <= beta


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


@pytest.mark.parametrize(
    ("n", "p"), [(1, F(1, 2)), (50, F(1, 10)), (400, F(9, 10)), (10**5, F(1, 1000))]
)
def test_binomial_windows(n, p):
    window = binomial(n, p)
    for i in range(0, len(window.weights), max(1, len(window.weights) // 20)):
        k = window.start + i
        truth = comb(n, k) * p**k * (1 - p) ** (n - k)
        got = F(float(window.weights[i]))
        assert got / F(SLACK) <= truth <= got * F(SLACK)
    assert float(window.weights.sum()) + window.missing >= 1 - 1e-8
    assert window.missing < 1e-9


def test_fading_never_falls_short():
    table = fading(log_size=F(10), rate=F(1, 3), start=0, count=200)
    truth = [exp(10 - k / 3) for k in range(200)]
    assert np.allclose(table, truth, rtol=1e-9)
    assert fading(log_size=F(10**4), rate=F(1, 3), start=0, count=3).tolist() == [np.inf] * 3
    assert (fading(log_size=F(0), rate=F(1), start=10**4, count=3) > 0).all()
