"""Exact privacy of interior points and robust minima over all neighbours."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
from tests.mechanisms.b20_ranks_cases import DOMAIN, LAST_DIGIT, VALUES, worst_ratio
from tests.tools.b20_laws import BITS, listed, prefix_law, selected

from tacit.checks.testing import exact_delta, neighbours, seeded
from tacit.core import Relation
from tacit.domains import Integers
from tacit.exact.balls import at, ball
from tacit.mechanisms.interior_point import Depth
from tacit.mechanisms.robust_minimum import RankWindow, RobustMinimum
from tacit.mechanisms.stable_prefix import StablePrefix, StableRobustMinimum, popularity

pytestmark = pytest.mark.exact

APART = 4

"""Stands for a record that is not selected; between neighbours it may turn into one that is."""


@pytest.mark.parametrize("size", [1, 3, 4])
def test_scores_are_what_they_say(size):
    domain = Integers(size=size)
    for n in range(5):
        for data in combinations_with_replacement(range(size), n):
            cells = np.array(data, dtype=np.uint64)
            depth = [
                -min(sum(x <= r for x in data), sum(x >= r for x in data)) for r in range(size)
            ]
            assert listed(Depth(domain)(cells), range(size)) == depth
            window = [
                -min(sum(x <= r for x in data) - 2, 3 - sum(x < r for x in data))
                for r in range(size)
            ]
            assert listed(RankWindow(domain, 2, 3)(cells), range(size)) == window


@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, Relation.ADD_REMOVE])
def test_robust_minimum_is_pure_also_when_records_come_and_go(relation):
    def worst(epsilon, n, ranks):
        mechanism = RobustMinimum(
            domain=DOMAIN, low=ranks[0], high=ranks[1], epsilon=epsilon, relation=relation
        )

        def law(data):
            return selected(mechanism, [x for x in data if x != APART], VALUES)

        return worst_ratio(law, range(5), n, relation)

    with at(BITS):
        for ranks in ((1, 2), (2, 3), (1, 4)):
            assert worst(Fraction(1), 4, ranks) < ball(1 + LAST_DIGIT)
        assert worst(Fraction(3, 2), 4, (2, 3)) > 1


def stable_prefix(size=4, **more):
    parts = {"epsilon_length": Fraction(1, 2), "epsilon_prefix": Fraction(3, 2), "low": 1}
    given = parts | {"epsilon_side": Fraction(1), "delta": Fraction(1, 20), "high": 3} | more
    return StablePrefix(domain=Integers(size=size), **given)


@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, Relation.ADD_REMOVE])
def test_stable_prefix_over_all_neighbours(relation):
    for delta in (Fraction(1, 20), Fraction(1, 10**6)):
        mechanism = stable_prefix(relation=relation, delta=delta)
        law = cache(lambda data, m=mechanism: prefix_law(m, data))
        for n in range(1, 6):
            found = exact_delta(law, VALUES, n, epsilon=Fraction(3), relation=relation)
            assert found <= ball(delta)


def test_the_same_check_rejects_a_threshold_that_is_too_low():
    mechanism = stable_prefix(epsilon_prefix=Fraction(1, 2), delta=Fraction(1, 3))
    law = cache(lambda data: prefix_law(mechanism, data))
    epsilon = Fraction(1, 100)
    found = exact_delta(law, VALUES, 1, epsilon=epsilon, relation=Relation.REPLACE_ONE)
    assert found > ball(Fraction(1, 20))


@pytest.mark.parametrize("size", [3, 4])
def test_stable_prefix_laws_add_up_inside_the_domain(size):
    law = prefix_law(stable_prefix(size=size), (0, 1, 2))
    assert set(law) <= set(range(size))
    with at(BITS):
        assert abs(sum(law.values(), ball(0)) - 1) < ball(Fraction(1, 10**12))


def test_popularity_against_brute_force():
    for bits in (1, 2, 3):
        for n in range(1, 5):
            for data in combinations_with_replacement(range(1 << bits), n):
                counts = [
                    max(Counter(x >> (bits - z) for x in data).values()) for z in range(bits + 1)
                ]
                for kind in (np.uint64, object):
                    assert popularity(np.array(data, dtype=kind), bits).tolist() == counts


@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, Relation.ADD_REMOVE])
def test_windows_of_neighbours_differ_in_one_record(relation):
    class Seen:
        """Takes the place of the interior point and shows what it is given."""

        relation = Relation.REPLACE_ONE
        domain = DOMAIN

        def _release(self, data, *, rng):
            return tuple(sorted(int(x) for x in data))

    for low, high in ((1, 2), (2, 4), (3, 3)):
        mechanism = StableRobustMinimum(inner=Seen(), low=low, high=high, relation=relation)
        for n in range(1, 6):
            for pair in neighbours(range(5), n, relation):
                one, two = (
                    mechanism._release([x for x in data if x != APART], rng=seeded(0))
                    for data in pair
                )
                assert len(one) == len(two) == high - low + 1
                assert sum((Counter(one) - Counter(two)).values()) <= 1
