"""A budget that is spent in steps: noisy counts of marginals, and selections among them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, exp, pi, sqrt

import numpy as np
import numpy.typing as npt

from tacit.core import ZCDP, Event, Pure, Relation, Sampler
from tacit.core.numbers import positive
from tacit.exact.balls import ball, below
from tacit.exact.gaussian_tails import gaussian_reach
from tacit.exact.geometric_tails import reach
from tacit.exact.landscape import Flat
from tacit.mechanisms.calibration import (
    misfit_spread,
    noise_scale,
    noise_variance,
    one_variance,
    round_down,
)

Counts = npt.NDArray[np.int64]

MOST_SCALE = 1 << 50
"""That of noise of which arrays of whole numbers, and floats, hold sums."""
_MOST_GAIN = 1 << 51
"""Weighed, two such are less than 2^63 apart."""
_LEAST_SCALE = Fraction(1, 700)
"""That of noise whose variance is still a float above 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Epsilon of pure privacy, or rho of zCDP where ``concentrated``, under a relation.

    Steps whose amounts add up to at most this budget's cost no more than it, also if each
    amount was chosen after seeing the earlier outputs (Theorem 1 of ``budget.proof.md``).
    """

    amount: Fraction
    concentrated: bool
    relation: Relation

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", positive(self.amount, name="amount"))

    def event(self) -> Event:
        """What all of it costs."""
        if self.concentrated:
            return ZCDP(rho=self.amount, relation=self.relation)
        return Pure(epsilon=self.amount, relation=self.relation)

    def of(self, amount: Fraction) -> Budget:
        """A budget of the same kind."""
        return replace(self, amount=amount)

    def share(self, share: Fraction) -> Budget:
        """A part of this one."""
        return self.of(self.amount * share)

    @property
    def too_small(self) -> bool:
        """Whether the noise, if all of it is spent on one marginal, is more than can be held."""
        if self.concentrated:
            return noise_variance(rho=self.amount, relation=self.relation) > MOST_SCALE**2
        return noise_scale(epsilon=self.amount, relation=self.relation) > MOST_SCALE

    @property
    def variance(self) -> float:
        """The variance of the noise on a count, if all of it is spent on one marginal."""
        if self.concentrated:
            return float(noise_variance(rho=self.amount, relation=self.relation))
        return 2 * self._fading / (1 - self._fading) ** 2

    @property
    def misfit(self) -> float:
        """How large that noise is on average."""
        if self.concentrated:
            return sqrt(2 / pi * self.variance)
        return 2 * self._fading / (1 - self._fading**2)

    @property
    def _fading(self) -> float:
        """By how much the next whole number is less likely as geometric noise; above 0."""
        scale = noise_scale(epsilon=self.amount, relation=self.relation)
        # A larger budget has no noise that a float could tell: fits divide by the variance.
        return exp(-1 / float(max(scale, _LEAST_SCALE)))

    @property
    def bounded(self) -> Fraction:
        """The epsilon of one selection that costs all of it."""
        if not self.concentrated:
            return self.amount
        rho = self.amount
        return below(lambda: (8 * ball(rho)).sqrt(), bits=64)

    def measured(self, counts: Counts, rng: Sampler) -> Counts:
        """The counts of one marginal with noise."""
        if self.concentrated:
            variance = noise_variance(rho=self.amount, relation=self.relation)
            noise = rng.gaussians(variance, counts.size)  # [P1]
        else:
            scale = noise_scale(epsilon=self.amount, relation=self.relation)
            noise = rng.geometrics(scale, counts.size)  # [P1]
        return counts + np.asarray(noise).reshape(counts.shape)

    def counted(self, count: int, rng: Sampler) -> int:
        """One count with noise, if neighbours move it by at most 1."""
        if self.concentrated:
            return count + rng.gaussian(one_variance(self.amount))  # [P3]
        return count + rng.geometric(1 / self.amount)  # [P3]

    def counts(self, counts: Counts, rng: Sampler) -> tuple[int, ...]:
        """Several counts with noise, if neighbours move each of them by at most 1."""
        each = self.share(Fraction(1, len(counts)))
        return tuple(each.counted(count, rng) for count in counts.tolist())

    def margin(self, beta: Fraction) -> int:
        """A ``t`` such that the noise is below ``-t`` with probability at most ``beta``."""
        if self.concentrated:
            return gaussian_reach(one_variance(self.amount), beta) - 1
        return reach(1 / self.amount, beta) - 1

    def chosen(self, gains: Counts, rng: Sampler, *, weights: Counts | None = None) -> int:
        """One of several candidates: large gains, each times its weight, are likely.

        ``gains``    distances of true counts from public whole numbers, less public ones.
        ``weights``  public whole numbers above 0, at most 2^10; none: all are 1.
        """
        most = 1
        if weights is not None:
            gains, most = np.clip(gains, -_MOST_GAIN, _MOST_GAIN) * weights, int(weights.max())
        rate = round_down(self.bounded / (misfit_spread(self.relation) * most))
        if not rate:
            return rng.below(len(gains))
        landscape = Flat(errors=-gains)
        levels = landscape.levels()
        index = rng.level(levels, rate=rate)  # [P2]
        rank = rng.below(int(levels.counts[index]))
        return landscape.member(int(levels.errors[index]), rank)


def whole_above(value: float) -> int:
    """A public number as a whole one, not below it; only its size matters."""
    return ceil(min(value, 2.0**60))
