"""Algorithms as printed that are not private as claimed, for exact attacks.

Nothing here is a ``Mechanism``: it cannot be run on data through the front door. Each
specimen is a law, written out, beside the mechanism that corrects it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.exact.balls import Ball, ball


@dataclass(frozen=True, slots=True)
class PrintedGapTest:
    """A_dist as printed (BNS19 Algorithm 1): the lead plus ``Lap(1/epsilon)`` noise against
    the threshold ``ln(1/delta)/epsilon``.

    The lead of a score of sensitivity 1 has sensitivity 2: substituting one record may
    take a vote from the best candidate and give it to the second. The corrected test is
    ``tacit.mechanisms.gap_test.GapTest``.
    """

    epsilon: Fraction
    delta: Fraction

    def chance(self, lead: int) -> Ball:
        """The probability that the best candidate is released when it leads by ``lead``."""
        # P(lead + Z >= t) for Laplace Z of scale 1/epsilon.
        over = ball(self.epsilon) * lead + ball(self.delta).log()
        low = over.exp() / 2
        high = 1 - (-over).exp() / 2
        return low if over < 0 else high

    def true_delta(self, lead: int, other: int) -> Ball:
        """The least delta at ``epsilon`` for two neighbours in which the same candidate leads
        by ``lead`` and by ``other``.
        """
        p, q = self.chance(lead), self.chance(other)
        factor = ball(self.epsilon).exp()
        released = (p - factor * q).max(ball(0))
        withheld = ((1 - p) - factor * (1 - q)).max(ball(0))
        return released + withheld
