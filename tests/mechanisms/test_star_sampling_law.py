"""BBKN13's mechanisms: the exact law on every tiny data set, compared with every neighbour's."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.mechanisms.bbkn13_privacy_cases import BITS, largest_ratio, laws_of, records, sample

from tacit.core import Mechanism, Pure, Relation, Sample
from tacit.domains.integers import Integers
from tacit.exact.balls import at, ball
from tacit.mechanisms.star_sampling import Starred, StarSampling
from tacit.problems.points.constant_sample import (
    Flips,
    HashedSet,
    PointTry,
    paper_try,
)
from tacit.problems.thresholds.independent_noise import IndependentNoiseLearner
from tacit.problems.thresholds.interval_switch import SwitchLearner
from tacit.problems.thresholds.thresholds import Thresholds

pytestmark = pytest.mark.exact

STAR = ("star", None)

LAST_DIGIT = Fraction(1, 1 << 90)


def starred(entries):
    kept = [(0, 0) if entry is STAR else entry for entry in entries]
    present = np.array([entry is not STAR for entry in entries], dtype=bool)
    x = np.array([x for x, _ in kept], dtype=np.int64)
    return Starred(Sample(x, np.array([y for _, y in kept], dtype=np.int64)), present)


@pytest.mark.parametrize("alpha", [Fraction(1, 10), Fraction(1, 4), Fraction(49, 100)])
@pytest.mark.parametrize(("size", "m"), [(2, 1), (3, 1), (2, 2), (3, 2), (2, 3), (3, 3)])
def test_claim_4_3_ratio_is_below_the_paper_s(alpha, size, m):
    mechanism = paper_try(domain=Integers(size=size), alpha=alpha)
    entries = [*records(size), STAR]
    with at(BITS):
        worst = largest_ratio(laws_of(mechanism, entries, m, starred), entries)
        assert worst < ball(1 + 8 / (4 - alpha))
        assert worst > ball(Fraction(5, 2)), "a bound that nothing comes near tests nothing"
        assert worst < ball(mechanism.event().epsilon).exp()


def test_claim_4_3_fails_at_three_times_the_pick_rate():
    alpha = Fraction(1, 4)
    domain = Integers(size=2)
    rash = PointTry(domain=domain, blur=Flips(alpha / 8), pick=3 * alpha / 4, silence=alpha / 8)
    entries = [*records(2), STAR]
    with at(BITS):
        assert largest_ratio(laws_of(rash, entries, 1, starred), entries) > 4


@pytest.mark.parametrize("bits", [1, 3, 6])
def test_short_rules_are_private_on_every_pattern_of_values(bits):
    """A_5: the law of the hash given its values at the points, whatever values are possible."""
    size, m = 2, 2

    class Named:
        """The blur's argument instead of the hash, with the real blur's odds."""

        odds = HashedSet(bits).odds

        def __call__(self, domain, point, *, rng):
            return point

    q = Fraction(1, 1 << bits)
    one = PointTry(domain=Integers(size=size), blur=Named(), pick=q / 2, silence=q)
    entries = [*records(size), STAR]
    with at(BITS):
        points = laws_of(one, entries, m, starred)
        patterns = list(product((0, 1), repeat=size))

        def spread(point_law):
            silent = point_law.get("None", ball(0))
            masses = {"None": silent}
            for pattern in patterns:
                # Relative to the uniform law of all hashes with this pattern of memberships.
                masses[pattern] = point_law.get("-1", ball(0)) + sum(
                    (point_law.get(str(j), ball(0)) / ball(q) for j in range(size) if pattern[j]),
                    ball(0),
                )
            return masses

        laws = {data: spread(point_law) for data, point_law in points.items()}
        worst = largest_ratio(laws, entries)
        assert worst <= ball(one.growth) * ball(1 + LAST_DIGIT)
        assert worst > ball(1 + (one.growth - 1) / 2)


class Response(Mechanism[Starred, int]):
    """Randomised response of the first label; a star answers like a 0. Exactly e^3."""

    CLAIM = StarSampling.CLAIM

    def event(self):
        return Pure(epsilon=Fraction(3), relation=Relation.REPLACE_ONE)

    def _release(self, data, *, rng):
        truth = int(data.sample.y[0]) if data.present[0] else 0
        honest = ball(3).exp() / (1 + ball(3).exp())
        return truth if rng.choose([honest, 1 - honest]) == 0 else 1 - truth


def test_star_rate_is_the_largest_that_is_private():
    epsilon = Fraction(1, 2)
    entries = [(0, 0), (0, 1)]
    with at(BITS):
        just = StarSampling(inner=Response(), epsilon=epsilon)
        worst = largest_ratio(laws_of(just, entries, 1, sample), entries)
        assert ball(epsilon - Fraction(1, 10**9)).exp() < worst < ball(epsilon).exp()
        rash = StarSampling(inner=Response(), epsilon=epsilon + Fraction(1, 100))
        worst = largest_ratio(laws_of(rash, entries, 1, sample), entries)
        assert worst > ball(epsilon).exp()


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1, 10)])
def test_star_sampling_of_a_try(epsilon):
    inner = paper_try(domain=Integers(size=2), alpha=Fraction(1, 4))
    mechanism = StarSampling(inner=inner, epsilon=epsilon)
    assert mechanism.event() == Pure(epsilon=epsilon, relation=Relation.REPLACE_ONE)
    with at(BITS):
        worst = largest_ratio(laws_of(mechanism, records(2), 2, sample), records(2))
        assert ball(epsilon / 2).exp() < worst < ball(epsilon).exp()


def test_switch_learner():
    thresholds = Thresholds(size=2, orientation="INTERVAL")
    improper = IndependentNoiseLearner(
        concept_class=thresholds, epsilon=Fraction(1), noise=Fraction(1, 8)
    )
    mechanism = SwitchLearner(
        concept_class=thresholds,
        improper=improper,
        tries=1,
        records=1,
        switches=3,
        epsilon=Fraction(1),
    )
    with at(BITS):
        worst = largest_ratio(laws_of(mechanism, records(2), 2, sample), records(2))
        assert ball(Fraction(1, 4)).exp() < worst < ball(1).exp()
