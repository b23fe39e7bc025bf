"""Tests of ``tacit.sources.public``."""

import numpy as np
from tests.problems.reals.public_cover_cases import task

from tacit import public_records
from tacit.classes import RealThresholds


def test_the_same_records_are_the_same_task():
    domain = RealThresholds().domain
    one, other = (public_records(list(x), domain=domain) for x in ([0.1, 0.5], [0.1, 0.6]))
    again = public_records(np.array([0.1, 0.5]), domain=domain)
    assert task(public=one) == task(public=again) != task(public=other)
    assert "0.5" not in repr(one)
