"""Cases that several tests share: Agnostic selection without a union bound: the formula, and the truth below it."""

from fractions import Fraction as F

import numpy as np

from tacit.bounds.upper import deviations
from tacit.checks.testing import seeded
from tacit.classes import Thresholds
from tacit.core import Accuracy, Privacy, Sample, Task
from tacit.problems.thresholds.agnostic_thresholds import THRESHOLDS_AGNOSTIC

ALPHA, BETA, ONE = F(1, 10), F(1, 20), F(1)


def records(bits, alpha=ALPHA, beta=BETA, epsilon=ONE, **more):
    return deviations.thresholds(
        size=2**bits + 1, alpha=alpha, beta=beta, epsilon=epsilon, **more
    ).n


def _failures(n, runs, law):
    values, masses, ones = law
    task = Task(
        Thresholds(bits=64), privacy=Privacy(1), accuracy=Accuracy(ALPHA, BETA), setting="agnostic"
    )
    learner = THRESHOLDS_AGNOSTIC.built(task, n)
    rng, failed = np.random.default_rng(1), 0

    def error(cut):
        return sum(m * ((1 - o) if v >= cut else o) for v, m, o in zip(*law, strict=True))

    best = min(error(cut) for cut in [0, *[v + 1 for v in values]])
    for run in range(runs):
        place = rng.choice(len(values), size=n, p=masses)
        y = rng.random(n) < np.array(ones)[place]
        x = np.array(values, dtype=np.uint64)[place]
        failed += error(learner._release(Sample(x, y), rng=seeded(f"{run}")).cut) > best + 0.1
    return failed


LAWS = {
    "one atom": ((2**64 - 1,), (1.0,), (0.4498,)),
    "alternating": tuple(
        zip(
            *[(i << 57, 1 / 60, 0.5 + (0.3 if i % 2 else -0.18)) for i in range(60)],
            strict=True,
        )
    ),
    "a step and a plateau": tuple(
        zip(*[((i + 1) << 57, 0.02, 0.99 if i < 11 else 0.5) for i in range(50)], strict=True)
    ),
}
