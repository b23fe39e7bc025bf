"""Exact privacy of frequent values: selected, above a threshold, or by a gap test."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.problems.points.b20_histograms_cases import DOMAIN
from tests.tools.b20_laws import BITS, FAR, gap_law, selected, top_law

from tacit.checks.attacks.faulty import PrintedGapTest
from tacit.checks.testing import divergence, exact_delta, exact_epsilon, neighbours
from tacit.core import Relation
from tacit.domains import Integers
from tacit.exact.balls import at, ball
from tacit.exact.geometric_tails import at_least, mass
from tacit.mechanisms.gap_test import GapTest, leader
from tacit.mechanisms.stability import StabilityHistogram
from tacit.problems.points.frequent_item import Counts, MostFrequent

pytestmark = pytest.mark.exact

VALUES = range(4)

DELTAS = (Fraction(1, 10), Fraction(1, 10**6))

EPSILONS = (Fraction(1, 2), Fraction(2))

LAST_DIGIT = Fraction(1, 1 << 180)


@pytest.mark.parametrize("relation", Relation)
@pytest.mark.parametrize("n", [1, 3, 5])
def test_most_frequent_is_pure_and_a_higher_rate_is_not(relation, n):
    mechanism = MostFrequent(domain=DOMAIN, epsilon=Fraction(1), relation=relation)
    greedy = replace(mechanism, epsilon=Fraction(3, 2))
    worst = sloppy = ball(0)
    laws = {}
    # LABEL has no neighbours among bare values; it is charged like a substitution.
    pairs = Relation.REPLACE_ONE if relation is Relation.LABEL else relation
    for pair in neighbours(VALUES, n, pairs):
        for data in pair:
            if data not in laws:
                laws[data] = [selected(m, data, VALUES) for m in (mechanism, greedy)]
        worst = worst.max(exact_epsilon(laws[pair[0]][0], laws[pair[1]][0]))
        sloppy = sloppy.max(exact_epsilon(laws[pair[0]][1], laws[pair[1]][1]))
    with at(BITS):
        assert worst < ball(1 + LAST_DIGIT)
        assert n == 1 or sloppy > 1


def bin_law(count, *, scale, threshold):
    """One bin: suppressed, or its noisy count."""
    if count == 0:
        return {None: ball(1)}
    shown = {v: mass(scale, v - count) for v in range(threshold, threshold + int(FAR * scale))}
    return shown | {None: 1 - at_least(scale, threshold - count)}


def pair_law(counts, **parameters):
    """Two bins at once: bins are independent, and all the others are the same next door."""
    one, two = (bin_law(count, **parameters) for count in counts)
    return {(a, b): one[a] * two[b] for a, b in product(one, two)}


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, Relation.ADD_REMOVE])
def test_stability_histogram_at_its_threshold_and_one_below(epsilon, delta, relation):
    mechanism = StabilityHistogram(domain=DOMAIN, epsilon=epsilon, delta=delta, relation=relation)
    step = -1 if relation is Relation.REPLACE_ONE else 0

    def worst(threshold):
        found = ball(0)
        for a, b in ((0, 1), (1, 1), (0, 0), (0, 2), (1, 2)):
            before, after = (a, b), (a + 1, b + step)
            if b + step < 0:
                continue
            with at(BITS):
                laws = [
                    pair_law(c, scale=mechanism.scale, threshold=threshold) for c in (before, after)
                ]
            for p, q in (laws, laws[::-1]):
                found = found.max(divergence(p, q, epsilon))
        return found

    with at(BITS):
        assert worst(mechanism.threshold) + (-ball(FAR - 6)).exp() * ball(delta) <= ball(delta)
        assert worst(mechanism.threshold - 1) > ball(delta) or mechanism.threshold == 2


@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, Relation.ADD_REMOVE])
def test_top_of_the_histogram_over_all_neighbours(relation):
    for epsilon, delta in product(EPSILONS, DELTAS):
        histogram = StabilityHistogram(
            domain=DOMAIN, epsilon=epsilon, delta=delta, relation=relation
        )
        for n in (2, 4):
            found = exact_delta(
                lambda data, h=histogram: top_law(h, data),
                VALUES,
                n,
                epsilon=epsilon,
                relation=relation,
            )
            assert 0 < found <= ball(delta)


@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, Relation.ADD_REMOVE])
def test_gap_test_over_all_neighbours(relation):
    for epsilon, delta in product(EPSILONS, DELTAS):
        test = GapTest(score=Counts(DOMAIN), epsilon=epsilon, delta=delta, relation=relation)
        for n in range(1, 6):
            found = exact_delta(
                lambda data, t=test: gap_law(t, data), VALUES, n, epsilon=epsilon, relation=relation
            )
            assert found <= ball(delta)


def test_the_attack_is_on_real_neighbours():
    """15 against 13 votes of lead: one substituted record apart."""
    base = [0] * 30 + [1] * 16
    score = Counts(DOMAIN)
    before = leader(score(np.array([*base, 0])))
    after = leader(score(np.array([*base, 1])))
    assert before == (0, 15)
    assert after == (0, 13)
    printed = PrintedGapTest(Fraction(1), Fraction(1, 10**6))
    assert printed.true_delta(13, 15) > ball(Fraction(3, 10))


def test_a_gap_over_seen_values_only_would_not_do():
    """A lone value leads all unseen ones by its count, not by infinity."""
    assert leader(Counts(DOMAIN)(np.array([2]))) == (2, 1)
    assert leader(Counts(DOMAIN)(np.array([], dtype=np.uint64)))[1] == 0
    assert leader(Counts(Integers(size=1))(np.array([0, 0]))) == (0, 0)
