"""Tests of ``tacit.problems.finite.noisy_answers``; the audit has its exact law."""

from fractions import Fraction as F

import numpy as np
import pytest

from tacit.checks.audit import exact
from tacit.checks.audit.instances import named
from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.core import ZCDP, BadInput, Sample
from tacit.problems.finite.noisy_answers import NoisyAnswers

BOTH = np.array([True, True])


@pytest.mark.exact
def test_two_answers_are_private_and_a_quarter_more_is_caught():
    line = named("NoisyAnswers")

    def audited(epsilon):
        return exact(
            line.make(epsilon),
            line.records,
            line.n,
            epsilon=1,
            delta=0,
            order="ignored",
            form=lambda records: Sample(np.array(records), None),
        )

    assert not audited(F(1)).violated
    assert audited(F(5, 4)).violated


def test_under_zcdp_the_noise_is_gaussian_of_the_right_variance():
    seen = []

    class Spied:
        def gaussian(self, variance):
            seen.append(variance)
            return 0

    rule = NoisyAnswers(concepts=Points(size=2), questions=6, rho=F(1, 4))
    assert isinstance(rule.event(), ZCDP)
    assert rule._release(Sample(np.array([0, 1]), None), rng=Spied()).ask(BOTH) == 1
    assert seen == [12]  # six answers of 1/(2 * 12) are 1/4


def test_answers_stay_between_nothing_and_everything_and_come_to_an_end():
    rule = NoisyAnswers(concepts=Points(size=2), questions=50, epsilon=F(1))
    talk = rule._release(Sample(np.array([0, 1]), None), rng=seeded("noisy"))
    told = {talk.ask(BOTH) for _ in range(50)}
    assert told <= {F(0), F(1, 2), F(1)}
    with pytest.raises(BadInput, match="all 50 questions"):
        talk.ask(BOTH)
    assert (talk.asked, talk.left) == (50, 0)
