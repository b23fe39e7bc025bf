"""Tests of ``tacit.checks.attacks.distinguisher``."""

from fractions import Fraction as F

from tacit.checks.attacks import distinguisher
from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.points.pseudorandom import PseudorandomPoints


def test_a_proper_learner_tells_the_generator_from_chance():
    hidden = PseudorandomPoints(bits=24, seed_bits=8)
    rng = seeded("generator")

    def advantage(concepts):
        learner = FiniteClassLearner(concept_class=concepts, epsilon=F(1))
        return distinguisher.distinguish(learner, hidden, n=100, runs=80, rng=rng).advantage

    assert advantage(hidden) > F(4, 5)
    assert advantage(Points(bits=24)) == 0
