"""BBKN13 Theorem 5.8: the concept behind a rule that was blurred by independent noise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.checks.attacks.confidence import lower
from tacit.core import Sample, Sampler
from tacit.core.numbers import probability, whole
from tacit.exact.entropy import SYSTEM
from tacit.problems.thresholds.independent_noise import IndependentNoiseLearner, reconstruct


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconstructed:
    """How often the inner concept was recovered from the blurred rule alone.

    ``promised`` is the theorem's bound, ``1 - 4 noise``, and ``rate`` a certain lower bound
    on the chance. Improper output that hides nothing buys no freedom from the lower
    bounds for proper learners.
    """

    runs: int
    recovered: int
    rate: Fraction
    promised: Fraction


def attack(
    learner: IndependentNoiseLearner,
    data: Sample,
    *,
    runs: int = 200,
    level: object = "1/1000",
    rng: Sampler = SYSTEM,
) -> Reconstructed:
    """Draw inner concepts as the learner does, blur them, and look through the blur."""
    from tacit.exact.many_coins import bernoullis

    runs, sure = whole(runs, name="runs", least=1), probability(level, name="level")
    thresholds = learner.concept_class
    size = thresholds.domain.size
    recovered = 0
    for _ in range(runs):
        # The learner's own two steps, so that the inner concept can be compared.
        inner = rng.part(learner._inner(), data)
        truth = inner.predict(np.arange(size, dtype=np.uint64))
        blurred = truth ^ bernoullis(rng, learner.noise, size)
        found = reconstruct(blurred, thresholds)[0]
        recovered += np.array_equal(
            thresholds.hypothesis(found).predict(np.arange(size, dtype=np.uint64)), truth
        )
    return Reconstructed(
        runs=runs,
        recovered=int(recovered),
        rate=lower(int(recovered), runs, level=sure),
        promised=max(Fraction(0), 1 - 4 * learner.noise),
    )
