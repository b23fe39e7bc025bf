"""Cases that take long and are left to `make test-long`; other cases of the same test always run."""

import pytest


def long_ones(cases, *long):
    """The cases in their order, with those of ``long`` marked."""
    cases = list(cases)
    assert set(long) < set(cases), "all of these must be cases, and some case must be left"
    return [pytest.param(one, marks=pytest.mark.long) if one in long else one for one in cases]
