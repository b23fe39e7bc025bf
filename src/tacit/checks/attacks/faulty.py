"""Algorithms that are not private, or not accurate, as claimed: something to attack.

Nothing here is a ``Mechanism``: it cannot be run on data through ``tacit.run``. Each
faulty mechanism names the mechanism that corrects it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.checks.attacks.chance import uniforms
from tacit.core import Rng
from tacit.exact.balls import Ball, ball
from tacit.problems.points.points import PointRule, Points


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


@dataclass(frozen=True, slots=True)
class PrintedPointSampler:
    """The sampler of BBKN13 Lemma 3.4 as printed: the exponential mechanism over points that
    counts ``size - n`` values as unseen, with ``n`` the number of records.

    Unseen are ``size`` less the number of *distinct* values. The printed normaliser moves when
    two records come to share a value, although no score does: at a nominal epsilon of 1 the true
    one is 1.62 on 4 values and 3 records, and infinite when there are as many records as values.
    The corrected sampler is ``tacit.problems.finite.finite_class.FiniteClassLearner`` on points.
    """

    size: int
    epsilon: Fraction

    def law(self, x: Sequence[int], y: Sequence[int]) -> list[Ball]:
        """The probability of every point; negative ones where the formula gives such."""
        positives = sum(y)
        mistakes = {
            value: sum(label != (at == value) for at, label in zip(x, y, strict=True))
            for value in set(x)
        }
        weights = {v: (-ball(self.epsilon) * m / 2).exp() for v, m in mistakes.items()}
        elsewhere = (-ball(self.epsilon) * positives / 2).exp()
        # Printed: 2^d - m unseen values, m the number of records.
        total = sum(weights.values(), ball(0)) + (self.size - len(x)) * elsewhere
        unseen = self.size - len(weights)
        share = (self.size - len(x)) * elsewhere / total / unseen if unseen else ball(0)
        return [weights[v] / total if v in weights else share for v in range(self.size)]


@dataclass(frozen=True, slots=True)
class FloatLaplace:
    """A number plus Laplace noise, both in double precision, by inverting the distribution.

    Which doubles can come out depends on the number that noise is added to (Mironov
    2012). The corrected mechanism is ``tacit.mechanisms.noise.Geometric`` on a grid.
    """

    scale: float

    def __call__(self, value: float, *, rng: Rng) -> float:
        return value + float(laplace_noise(1.0 - uniforms(rng, 1)[0], rng.bits(1), self.scale))


def laplace_noise(uniform: Any, sign: Any, scale: float) -> Any:
    """The noise that ``FloatLaplace`` makes of one uniform number in (0, 1] and a sign."""
    return np.where(np.asarray(sign) == 1, scale, -scale) * np.log(uniform)


def majority_learner(x: object, labels: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """A k-learner without privacy: for every task the answer of most records, at every record.

    For private ones see ``tacit.problems.several``.
    """
    del x
    agreed = 2 * np.count_nonzero(labels, axis=0) >= len(labels)
    return np.broadcast_to(agreed, labels.shape)


def first_positive(x: Any, labels: Any, points: Points) -> PointRule:
    """A proper point learner without privacy, right from one positive record on."""
    found = np.flatnonzero(np.asarray(labels) == 1)
    return points.hypothesis(int(x[found[0]]) if len(found) else 0)
