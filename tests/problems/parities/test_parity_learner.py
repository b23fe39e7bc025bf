"""Tests of ``tacit.problems.parities.parity_learner``."""

from fractions import Fraction

import pytest
from tests.mechanisms.b20_samplers_cases import check
from tests.problems.parities.bns19_parities_cases import arrays, attempt_law

from tacit.domains import Bits
from tacit.mechanisms.calibration import giving_up, subsample_rate
from tacit.problems.parities.parity_learner import ParityElimination

pytestmark = pytest.mark.statistical


def test_secret_subsamples():
    epsilon = Fraction(1)
    data = [(1, 1), (2, 0), (3, 1), (3, 0), (2, 0)]
    learner = ParityElimination(
        domain=Bits(columns=2), tries=1, block=5, epsilon=epsilon, epsilon_choice=epsilon
    )
    x, y = arrays(data)
    laws = [
        attempt_law(data, bits=2, rate=subsample_rate(e), lost=giving_up(e))
        for e in (epsilon, Fraction(4, 5), Fraction(5, 4))
    ]
    check(lambda rng: learner.attempt(x, y, rng=rng), *laws)
