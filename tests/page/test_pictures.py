"""Tests of ``tacit.page.pictures``."""

from __future__ import annotations

import math

from tacit.page import pictures, teaching


def test_a_region_lies_above_its_claim():
    found = teaching.region("Geometric", "1", 20.0)
    for alarms, misses in found.found:
        least = max(0.0, 1 - math.e * alarms, (1 - alarms) / math.e)
        assert misses >= least - 1e-9
    assert 'class="lower"' in pictures.region_picture(found)
