"""Agnostic selection without a union bound: the formula, and the truth below it."""

from fractions import Fraction as F
from itertools import accumulate
from math import comb, exp, log

import numpy as np
import pytest
from flint import arb
from scipy.special import expit
from tests.bounds.upper.deviations_cases import ALPHA, BETA, LAWS, ONE, _failures, records

from tacit.bounds.upper import deviations, selection
from tacit.classes import Points, Thresholds
from tacit.core import Accuracy, Privacy, Task
from tacit.planner import plan

pytestmark = pytest.mark.exact


def test_it_is_monotone_and_beats_the_union_bound_on_large_domains():
    for epsilon in (F(1, 10), F(1, 2), F(2)):
        numbers = [records(bits, epsilon=epsilon) for bits in (8, 16, 64, 256)]
        assert numbers == sorted(numbers)
        for bits, n in zip((64, 256), numbers[2:], strict=True):
            old = selection.agnostic(size=2**bits, alpha=ALPHA, beta=BETA, epsilon=epsilon).n
            assert n < old
    assert records(256) < selection.agnostic(size=2**256, alpha=ALPHA, beta=BETA, epsilon=ONE).n / 5
    assert records(64, epsilon=F(1, 2)) > records(64)
    assert records(64, beta=F(1, 1000)) > records(64)


def test_the_float_sum_is_not_below_the_sum_in_balls():
    n, log_wrong, rate = 2309, 64 * log(2), F(1, 2)
    found = deviations.failure(
        n=n,
        log_wrong=F(log_wrong),
        alpha=ALPHA,
        beta=BETA,
        rate=rate,
        least=deviations.four_halves(ALPHA),
    )
    wrong = arb(F(log_wrong).numerator) / arb(F(log_wrong).denominator)

    def chosen(x):
        weight = (wrong - arb(x) / 2).exp()
        return weight / (1 + weight)

    total = arb(0)
    for x in range(231):
        chance = (-((arb(n) / 10 - x) ** 2) / (2 * n)).exp()
        chance = min(4 * chance, arb(1)) if chance <= arb(0.5) else arb(1)
        total += (chosen(x) - chosen(x + 1)) * chance
        total += (1 - chosen(0)) * chance if x == 0 else 0
    total += chosen(231)
    assert float(total) <= found <= float(total) * 1.0001


def _row(n):
    """``comb(n, k)`` for every ``k``, each from the one before it: alone they take much longer."""
    return accumulate(range(n), lambda many, k: many * (n - k) // (k + 1), initial=1)


@pytest.mark.parametrize(("bits", "epsilon"), [(8, 1), (64, 1), (64, F(1, 4)), (1000, 2), (16, 8)])
def test_on_one_noisy_atom_the_exact_failure_is_below_beta(bits, epsilon):
    """One atom at the last value, 0 with probability (1 + alpha)/2: all cuts but one err."""
    for alpha in (F(1, 10), F(3, 10)):
        n = records(bits, alpha=alpha, epsilon=F(epsilon))
        p, rate, total = float((1 + alpha) / 2), float(epsilon) / 2, 0.0
        ones = np.arange(n + 1)
        masses = np.exp(
            np.array([log(many) for many in _row(n)]) + ones * log(p) + (n - ones) * log(1 - p)
        )
        exponent = bits * log(2) - rate * (2.0 * ones - n)
        total = float(np.dot(masses, expit(exponent)))
        assert total <= 0.05
        assert n > 1


def _multinomials(n, masses):
    if len(masses) == 1:
        yield (n,), masses[0] ** n
        return
    for count in range(n + 1):
        share = comb(n, count) * masses[0] ** count
        for rest, chance in _multinomials(n - count, masses[1:]):
            yield (count, *rest), share * chance


def test_every_law_on_two_values_is_below_the_bound():
    """All laws on a grid, all multinomials: three thresholds on two values."""
    alpha, epsilon = F(1, 2), 8
    n = deviations.thresholds(size=3, alpha=alpha, beta=F(1, 5), epsilon=F(epsilon)).n
    labels = [(0, 0), (0, 1), (1, 1)]  # what the three say at the two values
    worst, tried = 0.0, 0
    for a in range(0, 11, 2):
        for b in range(0, 11 - a, 2):
            for c in range(0, 11 - a - b, 2):
                masses = [a / 10, b / 10, c / 10, (10 - a - b - c) / 10]
                cells = [(0, 0), (0, 1), (1, 0), (1, 1)]
                errors = [
                    sum(m for m, (x, y) in zip(masses, cells, strict=True) if rule[x] != y)
                    for rule in labels
                ]
                failure = 0.0
                for counts, chance in _multinomials(n, masses):
                    weights = [
                        exp(
                            -epsilon
                            / 2
                            * sum(k for k, (x, y) in zip(counts, cells, strict=True) if r[x] != y)
                        )
                        for r in labels
                    ]
                    wrong = sum(
                        w
                        for w, e in zip(weights, errors, strict=True)
                        if e > min(errors) + 0.5 + 1e-9
                    )
                    failure += chance * wrong / sum(weights)
                worst, tried = max(worst, failure), tried + 1
    assert tried == 56
    assert 0 < worst <= 0.2


def test_a_tenth_of_the_records_fails():
    assert _failures(230, 60, LAWS["one atom"]) > 20


def test_the_planner_takes_it():
    for concepts, name in ((Thresholds(bits=64), "thresholds-agnostic"), (Points(bits=64), None)):
        task = Task(
            concepts,
            privacy=Privacy(1),
            accuracy=Accuracy(ALPHA, BETA),
            setting="agnostic",
            output="proper",
        )
        best = plan(task).best
        assert best.name == (name or "growing-class")
        assert best.n < 7000
