"""What learners of points share: a start, chances of records, two noisy sums a part, a last draw.

Points estimate the logarithm of the odds of label 1. Each step sums, over the records of every part
of a public partition, how far labels are from the chances so far, and how steep those chances are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import exp, log, sqrt
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from tacit.bounds.upper.stages import mistakes_of_one_draw
from tacit.bounds.upper.weights import concentrated
from tacit.core import Drawer, Relation, Sampler, Task
from tacit.exact.landscape import Flat
from tacit.mechanisms.calibration import (
    CAPPED_RATIO,
    SLOPES_RATIO,
    round_down,
    slopes_scale,
    slopes_variance,
    spread,
)
from tacit.problems.marginals.budget import Budget
from tacit.problems.tables.points_rule import MOST_START, POINTS, PointsRule

STEPS = 256
"""Chances are whole numbers of so many parts."""
LAST, SIZES = Fraction(1, 20), Fraction(1, 20)
"""Parts of the budget for the last draw, and for the numbers of records of both labels."""
_CHOICES = 3
_FAR = 400

Numbers = npt.NDArray[np.int64]
P = TypeVar("P", bound=PointsRule)


@dataclass(frozen=True, slots=True)
class NoisySums:
    """Noise for both sums of every part of a partition, for one budget: Theorem 1.

    ``capped`` says that gaps are capped at half of their reach: there is less noise then.
    """

    budget: Budget
    steps: int
    capped: bool = False

    @property
    def noise(self) -> tuple[Fraction, Fraction]:
        """The variances of both sums' noise, or their scales where the budget is pure."""
        amount, relation, capped = self.budget.amount, self.budget.relation, self.capped
        if not self.budget.concentrated:
            one = slopes_scale(epsilon=amount, relation=relation, capped=capped)
            return self.steps * one, self.steps * one
        ratio = (CAPPED_RATIO if capped else SLOPES_RATIO).get(relation, Fraction(1))
        square = slopes_variance(rho=amount, relation=relation, capped=capped)
        return self.steps**2 * square, self.steps**2 * square / ratio**2

    @property
    def usual(self) -> float:
        """The standard deviation of the noise on a sum of gaps."""
        first = float(self.noise[0])
        return sqrt(first) if self.budget.concentrated else sqrt(2) * first

    def of_part(self, gap: int, slope: int, rng: Sampler) -> tuple[int, int]:
        """Both sums of one part, with noise."""
        first, second = self.noise
        draw = rng.gaussian if self.budget.concentrated else rng.geometric
        gap += int(draw(first))  # [P1]
        if self.budget.relation is not Relation.LABEL:  # else it is public: labels do not enter
            slope += int(draw(second))  # [P2]
        return gap, slope

    def of_parts(self, gaps: Numbers, curves: Numbers, rng: Sampler) -> tuple[Numbers, Numbers]:
        """Both sums of every part, with noise."""
        first, second = self.noise
        draw = rng.gaussians if self.budget.concentrated else rng.geometrics
        gaps = gaps + np.asarray(draw(first, gaps.size))  # [P1]
        if self.budget.relation is not Relation.LABEL:
            curves = curves + np.asarray(draw(second, curves.size))  # [P2]
        return gaps, curves


@lru_cache(maxsize=8)
def _chance_of(steps: int) -> Numbers:
    """The chance for each score from ``-_FAR`` to ``_FAR``, in ``1/steps``."""
    odds = [exp(-score / POINTS) for score in range(-_FAR, _FAR + 1)]
    chance = np.array([round(steps / (1 + odd)) for odd in odds], dtype=np.int64)
    return np.clip(chance, 1, steps - 1)


def chances(score: Numbers, steps: int) -> Numbers:
    """The estimated chance of label 1 in ``1/steps``, from 1 to ``steps - 1``.

    Read off a table of public numbers: a loop over floats may round by where a record stands.
    """
    return _chance_of(steps)[np.clip(score, -_FAR, _FAR) + _FAR]


def slopes(chance: Numbers, steps: int) -> Numbers:
    """``p (1 - p)`` in ``1/steps``, rounded down."""
    return chance * (steps - chance) // steps


def gaps_of(labels: npt.NDArray[np.bool_], chance: Numbers, steps: int, *, capped: bool) -> Numbers:
    """How far each label is from its chance, in ``1/steps``; at most half of a unit if capped."""
    gaps = steps * labels.astype(np.int64) - chance
    return np.clip(gaps, -(steps // 2), steps // 2) if capped else gaps


def started(noisy: Numbers, usual: float, *, capped: bool = False) -> int:
    """The points of the share of label 1, by noisy numbers of records; 0 where noise rules.

    They are the constant score at which the gaps of all records cancel: Theorem 4.
    """
    zeros, ones = (max(int(size), 0) + usual for size in noisy)
    if capped:
        rare, usual_label = min(zeros, ones), max(zeros, ones)
        far = log(rare / (2 * usual_label - rare))
        points = round(POINTS * (far if ones < zeros else -far))
    else:
        points = round(POINTS * log(ones / zeros))
    return max(-MOST_START, min(MOST_START, points))


class BesideConstants(Drawer):
    """A learner whose last draw is between a sum of points and both constant labels."""

    __slots__ = ()

    if TYPE_CHECKING:  # fields of the learners

        @property
        def budget(self) -> Budget: ...
        @property
        def spent(self) -> Fraction: ...
        @property
        def sizes(self) -> Fraction: ...

    @property
    def epsilon(self) -> Fraction:
        return self.spent

    @property
    def capped(self) -> bool:
        """Whether a record's gap is capped at one half."""
        return False

    @property
    def relation(self) -> Relation:
        return self.budget.relation

    @property
    def last_rate(self) -> Fraction:
        """The exponent per mistake of the last draw."""
        return round_down(self.budget.share(LAST).bounded / spread(self.relation))

    @property
    def compared_with(self) -> str:
        return "the better constant label"

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return ()  # the rule does not come from one draw

    def lost(self, beta: Fraction) -> Fraction:
        return mistakes_of_one_draw(prior=Fraction(1, _CHOICES), rate=self.last_rate, beta=beta)

    def _start(self, noisy: Numbers) -> int:
        """The points that everybody starts with, by noisy numbers of records of both labels."""
        usual = sqrt(self.budget.share(self.sizes).variance)
        return started(noisy, usual, capped=self.capped)

    def _last(self, summed: P, score: Numbers, labels: npt.NDArray[np.bool_], *, rng: Sampler) -> P:
        """The sum, which gives these points, or one label for all: by mistakes on these labels."""
        ones = int(labels.sum())
        rules = (summed, summed.saying(label=False), summed.saying(label=True))
        wrong = int(((score > summed.threshold) != labels).sum())
        landscape = Flat(np.array([wrong, ones, len(labels) - ones], dtype=np.int64))
        levels = landscape.levels()
        index = rng.level(levels, rate=self.last_rate)  # [P3]
        rank = rng.below(int(levels.counts[index]))
        return rules[landscape.member(int(levels.errors[index]), rank)]


def budget_of(task: Task) -> Budget:
    """Pure where delta is 0, else zCDP."""
    privacy = task.privacy
    amount = privacy.epsilon
    if privacy.delta:
        amount = round_down(concentrated(epsilon=privacy.epsilon, delta=privacy.delta))
    return Budget(amount=amount, concentrated=bool(privacy.delta), relation=privacy.relation)
