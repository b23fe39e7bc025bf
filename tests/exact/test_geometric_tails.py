"""Tests of ``tacit.exact.geometric_tails``."""

from fractions import Fraction

import pytest
from tests.problems.points.b20_histograms_cases import DOMAIN
from tests.tools.b20_laws import BITS

from tacit.checks.attacks.faulty import PrintedGapTest
from tacit.checks.testing import divergence
from tacit.exact.balls import at, ball
from tacit.exact.geometric_tails import at_least
from tacit.mechanisms.gap_test import GapTest
from tacit.problems.points.frequent_item import Counts

pytestmark = pytest.mark.exact


def same_winner(chance, epsilon, leads):
    """The worst delta over two leads of one winner."""
    found = ball(0)
    for a, b in leads:
        p, q = chance(a), chance(b)
        found = found.max(divergence({1: p, 0: 1 - p}, {1: q, 0: 1 - q}, epsilon))
    return found


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1, 2), Fraction(1)])
def test_the_printed_gap_test_fails_and_the_corrected_one_passes(epsilon):
    delta = Fraction(1, 10**6)
    leads = [(a, a + move) for a in range(3, 400) for move in (-2, -1, 0, 1, 2)]
    with at(BITS):
        printed = PrintedGapTest(epsilon, delta)
        broken = same_winner(printed.chance, epsilon, leads)
        test = GapTest(score=Counts(DOMAIN), epsilon=epsilon, delta=delta)
        sound = same_winner(
            lambda lead: at_least(test.scale, test.threshold - lead), epsilon, leads
        )
        # A tenth, a half and one: 0.048, 0.22 and 0.36 where a millionth is claimed.
        assert broken > ball(Fraction(4, 100))
        assert sound <= ball(delta)
        # Another winner: its lead was at most 2 before it was lost.
        assert at_least(test.scale, test.threshold - 2) <= ball(delta)
        assert at_least(test.scale, test.threshold - 1 - 2) > ball(delta)
    if epsilon == 1:
        assert abs(float(broken) - 0.36) < 0.01
