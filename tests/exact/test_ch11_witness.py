"""CH11 Theorem 27 with our constants, on laws so small that the failure is computed exactly.

Every sample is listed with its probability; the law of the draw is exact; the sum is
compared with the bound. Tight cases show that the bound could not be much smaller.
"""

from collections import Counter
from fractions import Fraction as F
from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np
import pytest

from tacit.checks.testing import exponential_law
from tacit.classes import Halfspaces, RealIntervals, RealThresholds
from tacit.exact.balls import at, ball
from tacit.problems.reals.label_covers_upper import log_failure

# Places, their masses, and the label that the target gives each.
LINE = ([[0.1], [0.4], [0.6], [0.9]], [F(1, 20), F(9, 20), F(9, 20), F(1, 20)])
PLANE = ([[1, 0], [0, 1], [-1, -1]], [F(1, 3), F(1, 3), F(1, 3)])
CASES = {
    "thresholds": (RealThresholds(), LINE, [0, 0, 1, 1]),
    "thresholds, all ones": (RealThresholds(), LINE, [1, 1, 1, 1]),
    "intervals": (RealIntervals(), LINE, [0, 1, 0, 0]),
    "plane": (Halfspaces(2), PLANE, [1, 0, 0]),
}


def _samples(records, n):
    """Every multiset of n records with its probability; a record is (place, label, mass)."""
    for chosen in combinations_with_replacement(range(len(records)), n):
        counts = Counter(chosen)
        ways = factorial(n) // prod(factorial(count) for count in counts.values())
        chance = ways * prod(records[i][2] ** count for i, count in counts.items())
        yield [records[i] for i in chosen], chance


def _failure(concept_class, law, labels, *, alpha, rate, n, reach, flip):
    places, masses = law
    points = np.array(places, dtype=float)
    truth = np.array(labels, dtype=bool)
    records = [
        (place, truth[place] ^ wrong, mass * (flip if wrong else 1 - flip))
        for (place, mass), wrong in product(enumerate(masses), (False, True))
        if flip or not wrong
    ]

    def excess(rule):
        apart = rule.predict(points) != truth
        return (1 - 2 * flip) * sum(m for m, differs in zip(masses, apart, strict=True) if differs)

    total = ball(0)
    with at(128):
        for sample, chance in _samples(records, n):
            x = concept_class.domain.coerce(points[[place for place, _, _ in sample]])
            y = np.array([label for _, label, _ in sample])
            cover = concept_class.cover_on(x, reach)
            errors = cover.landscape(x, y).errors.tolist()
            law_of_draw = exponential_law(errors, rate)
            bad = [i for i in range(cover.size) if excess(cover.hypothesis(i)) > alpha]
            total += ball(chance) * sum((law_of_draw[i] for i in bad), ball(0))
    return float(total)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("reach", [0, 2])
@pytest.mark.parametrize("rate", [F(1, 2), F(4)])
def test_realizable_failure_is_within_the_bound(case, reach, rate):
    concept_class, law, labels = CASES[case]
    alpha, n = F(3, 10), 7
    exact = _failure(
        concept_class, law, labels, alpha=alpha, rate=rate, n=n, reach=reach, flip=F(0)
    )
    log_bound = log_failure(
        concept_class, setting="realizable", alpha=alpha, rate=rate, n=n, reach=reach
    )
    assert 0 < exact <= min(1, float(log_bound.exp()))


@pytest.mark.parametrize("case", ["thresholds", "plane"])
@pytest.mark.parametrize("flip", [F(1, 10), F(1, 4)])
def test_agnostic_failure_is_within_the_bound(case, flip):
    concept_class, law, labels = CASES[case]
    alpha, n = F(1, 5), 4
    exact = _failure(concept_class, law, labels, alpha=alpha, rate=F(1, 4), n=n, reach=0, flip=flip)
    log_bound = log_failure(
        concept_class, setting="agnostic", alpha=alpha, rate=F(1, 4), n=n, reach=0
    )
    assert 0 < exact <= min(1, float(log_bound.exp()))


def test_a_bound_below_one_is_respected_and_not_idle():
    # Two places: the wrong rule is the constant 0, and the bound is within a factor 30.
    law = ([[0.2], [0.8]], [F(1, 5), F(4, 5)])
    alpha, n, rate = F(3, 5), 12, F(2)
    exact = _failure(RealThresholds(), law, [0, 1], alpha=alpha, rate=rate, n=n, reach=0, flip=F(0))
    bound = float(
        log_failure(
            RealThresholds(), setting="realizable", alpha=alpha, rate=rate, n=n, reach=0
        ).exp()
    )
    assert exact < bound < 1
    # The worst law has its wrong rule just above alpha.
    tight = ([[0.2], [0.8]], [F(399, 1000), F(601, 1000)])
    worse = _failure(
        RealThresholds(), tight, [0, 1], alpha=alpha, rate=rate, n=n, reach=0, flip=F(0)
    )
    assert exact < worse < bound < 30 * worse
