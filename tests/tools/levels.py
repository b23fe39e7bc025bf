"""Every statistical test's level and sample size, in one place.

A test fails by chance with probability at most ``SIGNIFICANCE``; with a hundred tests the
suite does so once in ten thousand runs (and never with the seeds that are written down).
Each test must also reject both a too small and a too large parameter at the same level:
otherwise it would show nothing.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

SIGNIFICANCE = 1e-6

DRAWS = 1_000_000
"""For samplers that draw a million times in seconds."""

SLOW_DRAWS = 122_000
"""For choices in ball arithmetic.

So many that a rate that is wrong by 3% passes with probability below ``SIGNIFICANCE``, too: the
chi-square of four degrees is then moved by 109 or more (``test_the_slow_draws_are_enough``).
"""

FLIP_DRAWS = 106_000
"""For permute-and-flip, whose every draw solves an equation: enough for the same, by its own law."""

LEAST_EXPECTED = 10
"""Cells with fewer expected draws are merged with their neighbours."""


def p_value(observed, expected):
    """Chi-square of counts against expected counts, small cells merged from the right."""
    seen, wanted = [], []
    left_seen = left_wanted = 0.0
    for have, want in zip(observed, expected, strict=True):
        left_seen += have
        left_wanted += want
        if left_wanted >= LEAST_EXPECTED:
            seen.append(left_seen)
            wanted.append(left_wanted)
            left_seen = left_wanted = 0.0
    if seen and left_wanted:
        seen[-1] += left_seen
        wanted[-1] += left_wanted
    assert len(seen) > 1, "one cell shows nothing"
    wanted = np.array(wanted) * (sum(seen) / sum(wanted))
    return stats.chisquare(seen, wanted).pvalue


def accepts(observed, probabilities):
    """Whether the counts may come from these probabilities."""
    total = sum(observed)
    return bool(p_value(observed, [total * p for p in probabilities]) > SIGNIFICANCE)
