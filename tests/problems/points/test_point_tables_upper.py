"""Tests of ``tacit.problems.points.point_tables_upper``."""

from fractions import Fraction

import tacit
from tacit.mechanisms.calibration import release_threshold


def test_the_bounds_of_point_tables_hold_for_more_records_too():
    """What is certified at n must not fail at n + 1, where noise bins grow but limits wait."""
    from tacit.exact.balls import ball, certainly_less
    from tacit.problems.points import point_tables_upper as bounds

    alpha, beta, epsilon, delta = Fraction(1, 10), Fraction(1, 20), Fraction(1), Fraction(1, 10**6)
    found = bounds.stable(alpha=alpha, beta=beta, epsilon=epsilon, delta=delta)
    threshold = release_threshold(epsilon=epsilon, delta=delta, relation=tacit.core.REPLACE_ONE)
    for n in range(found.n, found.n + 300):
        margin = int(alpha * n) + 2 - threshold
        assert certainly_less(
            lambda n=n, margin=margin: bounds._fails(
                n=n, alpha=alpha, scale=2 / epsilon, missed_from=margin
            ),
            lambda: ball(beta),
        )
