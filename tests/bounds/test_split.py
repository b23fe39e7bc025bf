"""Tests of ``tacit.bounds.split``."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.bounds.split import best_shares

pytestmark = pytest.mark.property


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 4), st.lists(st.floats(0.1, 100), min_size=4, max_size=4))
def test_shares_sum_up_and_beat_equal_ones(parts, costs):
    def cost(shares):
        return sum(c / s for c, s in zip(costs, shares, strict=False))

    shares = best_shares(cost, parts=parts, units=60)
    assert sum(shares) == 60
    assert min(shares) >= 1
    assert cost(shares) <= cost([60 // parts] * parts) + 1e-9
