"""Tests of ``tacit.checks.audit.sampler_laws``."""

import pytest

from tacit.checks.audit import Law, NoLaw, exact, law
from tacit.core import ALGORITHMS
from tacit.exact.balls import ball

pytestmark = pytest.mark.exact


def test_a_law_may_be_registered_and_what_has_none_is_said():
    class Theirs:
        def __call__(self, data):
            return sum(data)

    with pytest.raises(NoLaw, match="no exact law"):
        law(Theirs(), [0])

    @law.register(Theirs)
    def _certain(mechanism, data, **_):
        return Law({mechanism(data): ball(1)}, ball(0))

    found = exact(lambda data: law(Theirs(), data), [0, 1], 1, epsilon=1)
    assert found.violated  # it tells everything
    task = ALGORITHMS["constant-points"]
    assert task.claim
