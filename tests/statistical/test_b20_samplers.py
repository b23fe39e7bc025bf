"""The mechanisms draw from the laws that the exact tests judge, and from no others."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.exact.b20_laws import gap_law, one_way_law, prefix_law, top_law
from tests.exact.test_bns19_parities import arrays, attempt_law
from tests.statistical.levels import accepts

from tacit.checks.testing import seeded
from tacit.core import Sample
from tacit.domains import Bits, Integers
from tacit.mechanisms.calibration import giving_up, subsample_rate
from tacit.mechanisms.gap_test import GapTest
from tacit.mechanisms.stability import StabilityHistogram, StableMostFrequent
from tacit.mechanisms.stable_prefix import StablePrefix
from tacit.problems.finite.constant import NEVER
from tacit.problems.one_way.sequence_learner import OneWayLearner
from tacit.problems.one_way.sequences import Tree
from tacit.problems.parities.parity_learner import ParityElimination
from tacit.problems.points.frequent_item import Counts

DRAWS = 8_000


def check(draw, law, *wrong):
    """The draws fit the law and none of the wrong ones."""
    rng = seeded(3)
    counts = Counter(draw(rng) for _ in range(DRAWS))
    assert set(counts) <= set(law)
    outputs = sorted(law, key=lambda output: -float(law[output]))
    for other in (law, *wrong):
        fits = accepts([counts[o] for o in outputs], [float(other.get(o, 0)) for o in outputs])
        assert fits == (other is law)


def test_top_of_a_stability_histogram():
    data = [0] * 3 + [1] * 2 + [3]
    histogram = StabilityHistogram(
        domain=Integers(size=4), epsilon=Fraction(1), delta=Fraction(1, 4)
    )
    wrong = [replace(histogram, epsilon=e) for e in (Fraction(4, 5), Fraction(5, 4))]
    mechanism = StableMostFrequent(histogram=histogram)
    check(
        lambda rng: mechanism._release(np.array(data), rng=rng),
        top_law(histogram, data),
        *(top_law(other, data) for other in wrong),
    )


def test_released_counts_are_noisy_counts():
    histogram = StabilityHistogram(
        domain=Integers(bits=64), epsilon=Fraction(1), delta=Fraction(1, 10**6)
    )
    data = np.repeat(np.array([5, 2**64 - 1, 9], dtype=np.uint64), [1000, 2000, 3])
    pairs = histogram._release(data, rng=seeded(1))
    assert [value for value, _ in pairs] == [5, 2**64 - 1]
    assert abs(pairs[0][1] - 1000) < 60
    assert abs(pairs[1][1] - 2000) < 60


def test_gap_test():
    data = [2] * 9 + [1] * 2
    test = GapTest(score=Counts(Integers(size=4)), epsilon=Fraction(1), delta=Fraction(1, 20))
    wrong = [replace(test, epsilon=e) for e in (Fraction(4, 5), Fraction(5, 4))]
    check(
        lambda rng: test._release(np.array(data), rng=rng),
        gap_law(test, data),
        *(gap_law(other, data) for other in wrong),
    )


@pytest.mark.parametrize("data", [[0, 1, 3, 3, 3], [1, 1, 2, 2, 2, 2]])
def test_stable_prefix(data):
    mechanism = StablePrefix(
        domain=Integers(size=4),
        epsilon_length=Fraction(1),
        epsilon_prefix=Fraction(2),
        epsilon_side=Fraction(1),
        delta=Fraction(1, 5),
        low=1,
        high=5,
    )
    wrong = [replace(mechanism, epsilon_prefix=e) for e in (Fraction(3, 2), Fraction(3))]
    check(
        lambda rng: mechanism._release(np.array(data), rng=rng),
        prefix_law(mechanism, data),
        *(prefix_law(other, data) for other in wrong),
    )


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 4)])
def test_one_way_learner(delta):
    tree = Tree(1, 1, 3)
    learner = OneWayLearner(
        tree=tree,
        epsilon_count=Fraction(1),
        epsilon_index=Fraction(1),
        epsilon_string=Fraction(2),
        enough=2,
        low=1,
        high=3,
        delta=delta,
    )
    positives = [4, 4, 4, 8, 12, 12]
    sample = Sample(np.array([*positives, 3, 5]), np.array([1] * 6 + [0, 0]))
    wrong = [replace(learner, epsilon_string=e) for e in (Fraction(3, 2), Fraction(3))]

    def draw(rng):
        rule = learner._release(sample, rng=rng)
        if rule == NEVER:
            return None
        return rule.start, rule.string >> tree.padding << 1 | rule.label

    check(
        draw, one_way_law(learner, positives), *(one_way_law(other, positives) for other in wrong)
    )


def test_secret_subsamples():
    epsilon = Fraction(1)
    data = [(1, 1), (2, 0), (3, 1), (3, 0), (2, 0)]
    learner = ParityElimination(
        domain=Bits(2), tries=1, block=5, epsilon=epsilon, epsilon_choice=epsilon
    )
    x, y = arrays(data)
    laws = [
        attempt_law(data, bits=2, rate=subsample_rate(e), lost=giving_up(e))
        for e in (epsilon, Fraction(4, 5), Fraction(5, 4))
    ]
    check(lambda rng: learner.attempt(x, y, rng=rng), *laws)
