"""Tests of ``tacit.problems.points.hashed``."""

import pytest
from tests.checks.audit.audit_laws_cases import ONE, OVER, POINTS, TWO

from tacit.checks.audit import exact
from tacit.problems.points.hashed import HashedPointLearner

pytestmark = pytest.mark.exact


def test_hashes_beyond_the_claim_are_caught():
    def audited(epsilon):
        learner = HashedPointLearner(domain=TWO, bits=1, hashes=1, epsilon=epsilon)
        return exact(learner, POINTS, 7, order="ignored", epsilon=1)

    assert not audited(ONE).violated
    assert audited(OVER).violated
