"""BBKN13 section 6: a proper learner of pseudorandom points tells its generator from chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.checks.attacks.confidence import lower, upper
from tacit.core import Mechanism, Sample, Sampler
from tacit.core.numbers import probability, whole
from tacit.exact.entropy import SYSTEM
from tacit.problems.points.pseudorandom import PseudorandomPoints, stretch


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinguished:
    """How often the learner found a challenge, made by the generator or drawn uniformly.

    ``advantage`` is a certain lower bound on the difference of the two chances.
    """

    runs: int
    found_generated: int
    found_uniform: int
    advantage: Fraction


def distinguish(
    learner: Mechanism[Sample, Any] | Callable[[Sample], Any],
    points: PseudorandomPoints,
    *,
    n: int,
    runs: int = 200,
    level: object = "1/1000",
    rng: Sampler = SYSTEM,
) -> Distinguished:
    """Give the learner ``n`` positive records of one challenge; ask whether it names it.

    A proper learner can only name points of the generator. An efficient one would be a
    test that no pseudorandom generator may fail, so none exists; the proper learner of
    this package goes through all seeds. A learner that may answer any point gains nothing.
    """
    runs, n = whole(runs, name="runs", least=1), whole(n, name="n", least=1)
    sure = probability(level, name="level") / 2

    def finds(challenge: int) -> bool:
        kind: npt.DTypeLike = np.uint64 if points.bits <= 64 else object
        data = Sample(np.array([challenge] * n, dtype=kind), np.ones(n, dtype=int))
        rule = rng.part(learner, data) if isinstance(learner, Mechanism) else learner(data)
        return bool(np.all(rule.predict(np.array([challenge], dtype=kind))))

    generated = sum(
        finds(stretch(rng.bits(points.seed_bits), seed_bits=points.seed_bits, bits=points.bits))
        for _ in range(runs)
    )
    uniform = sum(finds(rng.bits(points.bits)) for _ in range(runs))
    gap = lower(generated, runs, level=sure) - upper(uniform, runs, level=sure)
    return Distinguished(
        runs=runs,
        found_generated=generated,
        found_uniform=uniform,
        advantage=max(Fraction(0), gap),
    )
