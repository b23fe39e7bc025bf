"""What printed versions of published mechanisms lose, exactly, beside the corrected ones.

Nothing is sampled: laws are computed on tiny domains, so one number settles each case.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from tacit.checks.attacks.faulty import PrintedGapTest, PrintedPointSampler
from tacit.domains.integers import Integers
from tacit.exact.balls import Ball, at, ball
from tacit.mechanisms.calibration import resampled_epsilon

_BITS = 128
_LEADS = 200
"""Beyond such leads both tests release all but certainly."""
Data = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What is claimed and what is true, in epsilon or in delta."""

    version: str
    claimed: float
    true: float

    @property
    def broken(self) -> bool:
        """Whether more is lost than claimed (beyond what showing a float rounds)."""
        return self.true > self.claimed * (1 + 1e-9)


def gap_test(epsilon: Fraction = Fraction(1), delta: Fraction = Fraction(1, 10**6)) -> list[Loss]:
    """The delta of BNS19's A_dist as printed and of the corrected test, at ``epsilon``.

    All leads that one record can bring about: the same candidate leads on both neighbours, by
    leads at most 2 apart, or different ones do, and then their leads add up to at most 2.
    """
    from tacit.exact.geometric_tails import at_least
    from tacit.mechanisms.gap_test import GapTest
    from tacit.problems.points.frequent_item import Counts

    printed = PrintedGapTest(epsilon, delta)
    sound = GapTest(score=Counts(Integers(size=4)), epsilon=epsilon, delta=delta)
    with at(_BITS):
        factor = ball(epsilon).exp()

        def lost(chance: Callable[[int], Ball]) -> float:
            worst = ball(0)
            for lead in range(_LEADS):
                for other in range(max(0, lead - 2), lead + 3):
                    p, q = chance(lead), chance(other)
                    withheld = ((1 - p) - factor * (1 - q)).max(ball(0))
                    worst = worst.max((p - factor * q).max(ball(0)) + withheld)
                    if lead + other <= 2:
                        worst = worst.max(p + withheld)
            return float(worst)

        return [
            Loss(version="as printed", claimed=float(delta), true=lost(printed.chance)),
            Loss(
                version="corrected",
                claimed=float(delta),
                true=lost(lambda lead: at_least(sound.scale, sound.threshold - lead)),
            ),
        ]


def point_sampler(size: int = 4, records: int = 3) -> list[Loss]:
    """The epsilon of BBKN13's Lemma 3.4 sampler as printed and corrected, nominally 1."""
    printed = PrintedPointSampler(size, Fraction(1))

    def as_printed(data: Data) -> Sequence[float]:
        return [float(p) for p in printed.law(*zip(*data, strict=True))]

    def corrected(data: Data) -> Sequence[float]:
        mistakes = [sum(y != (x == point) for x, y in data) for point in range(size)]
        weights = [math.exp(-m / 2) for m in mistakes]
        return [weight / sum(weights) for weight in weights]

    return [
        Loss(version="as printed", claimed=1.0, true=_epsilon(size, records, as_printed)),
        Loss(version="corrected", claimed=1.0, true=_epsilon(size, records, corrected)),
    ]


def _epsilon(size: int, n: int, law: Callable[[Data], Sequence[float]]) -> float:
    """The largest log-ratio over all pairs that differ in one record."""
    records = [(x, y) for x in range(size) for y in (0, 1)]
    laws = {data: law(data) for data in combinations_with_replacement(records, n)}
    worst = 0.0
    for data, chances in laws.items():
        for place in range(n):
            for other in records:
                near = laws[tuple(sorted((*data[:place], *data[place + 1 :], other)))]
                for p, q in zip(chances, near, strict=True):
                    if p > 1e-12:
                        worst = max(worst, math.log(p / q) if q > 1e-12 else math.inf)
    return worst


def resampling(draws: int = 100, records: int = 900) -> list[Loss]:
    """What drawing ``draws`` of ``records`` with replacement costs: Lemma 29 of BNS19.

    The printed factor is ``6 m / n`` for ``n`` draws from ``m >= 2 n`` records: upside down. It
    breaks no privacy, but promises nothing; the true cost is far below the nominal 1.
    """
    true = float(resampled_epsilon(epsilon=Fraction(1), draws=draws, records=records))
    return [
        Loss(version="as printed", claimed=6 * records / draws, true=true),
        Loss(version="corrected, 6 n/m", claimed=6 * draws / records, true=true),
    ]
