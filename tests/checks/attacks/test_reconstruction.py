"""Tests of ``tacit.checks.attacks.reconstruction``."""

from fractions import Fraction as F

import numpy as np

from tacit.checks.attacks import reconstruction
from tacit.checks.testing import seeded
from tacit.classes import Thresholds
from tacit.core import Sample
from tacit.problems.thresholds.independent_noise import IndependentNoiseLearner


def test_independent_noise_is_seen_through_unless_it_is_a_fair_coin():
    x = np.tile(np.arange(128), 6)
    data = Sample(x, (x >= 50).astype(int))

    def recovered(noise):
        learner = IndependentNoiseLearner(
            concept_class=Thresholds(size=128), epsilon=F(1), noise=noise
        )
        return reconstruction.attack(learner, data, runs=100, rng=seeded("blur"))

    clear = recovered(F(1, 200))
    assert clear.recovered >= 90
    assert clear.promised == F(49, 50)
    assert recovered(F(1, 2)).recovered <= 10
