"""CH11: no private learner of real thresholds for every law, and what a reference law buys."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from tacit.checks.attacks.chance import uniforms
from tacit.checks.testing import seeded
from tacit.core import ALGORITHMS, Accuracy, BadInput, Privacy, Sample, Task
from tacit.domains import band, caps, spike, uniform_cube
from tacit.domains.references import Reference
from tacit.planner import plan
from tacit.problems.reals.covers_lower import packed_thresholds
from tacit.problems.reals.halfspaces import Halfspaces
from tacit.problems.reals.real_thresholds import RealThresholds
from tacit.reproduce.experiment import Effort, Experiment, Part, Row, reproduction

ALPHA, BETA, EPSILON = Fraction(1, 10), Fraction(1, 10), Fraction(1)
_SEEN = ("M", "records", "needed at this M", "runs", "error at least 1/5 in")
_RUNS = {"quick": 100, "full": 1000}


def _concentrated(scale: int, effort: Effort) -> Sequence[Row]:
    """Half of the mass around a cut in an interval of length e^-scale, half far from it."""
    task = Task(
        RealThresholds(),
        privacy=Privacy(EPSILON),
        accuracy=Accuracy(ALPHA, BETA),
        marginal=uniform_cube(1, kappa=4),
    )
    algorithm = ALGORITHMS["public-reference-realizable"]
    n = algorithm.bound(task).n
    mechanism, rng = algorithm.built(task, n), seeded(f"theorem 5 {scale}")
    width = float(np.exp(-scale))
    runs, wrong = _RUNS[effort.name], 0
    places = np.linspace(-0.5, 0.5, 201)
    for _ in range(runs):
        cut = 0.1 + 0.8 * float(uniforms(rng, 1)[0])
        near = uniforms(rng, n) < 0.5
        inside = cut + width * (uniforms(rng, n) - 0.5)
        outside = np.where(uniforms(rng, n) < 0.5, 0.0, 1.0)
        x = np.where(near, inside, outside)
        rule = rng.part(mechanism, Sample(x[:, None], x >= cut))
        inner = cut + width * places
        wrong += float(np.mean(rule.predict(inner[:, None]) != (inner >= cut))) / 2 >= 0.2
    needed = packed_thresholds(
        packing=int(np.exp(min(scale, 40))), beta=Fraction(1, 2), epsilon=EPSILON
    ).n
    return [
        {
            "M": scale,
            "records": n,
            "needed at this M": needed,
            "runs": runs,
            "error at least 1/5 in": wrong,
        }
    ]


CONCENTRATION = reproduction(
    Experiment(
        name="ch11-theorem5",
        title="CH11 Theorem 5: a law on which a private learner of real thresholds fails",
        says="For every M and every private learner of thresholds on [0, 1] whose rules are "
        "thresholds and that gets fewer than about M records, there is a law, concentrated at "
        "scale e^-M, on which its error is at least 1/5 with probability at least 1/2.",
        changed="Run with our learner for laws of density at most 4 at its planned number of "
        "records: within its assumption (M = 1) it holds, and as the law concentrates it fails, "
        "whatever the number of records is; 'needed' is the packing bound at failure 1/2.",
        columns=_SEEN,
        parts=lambda effort: [
            Part(key=f"M = {scale}", rows=partial(_concentrated, scale, effort))
            for scale in (1, 2, 4, 6, 8, 12)
            if effort.runs
        ],
        measured=_SEEN,
    )
)


def _planned(concepts: RealThresholds | Halfspaces, law: Reference) -> int | None:
    task = Task(concepts, privacy=Privacy(EPSILON), accuracy=Accuracy(ALPHA, BETA), marginal=law)
    best = plan(task).best
    return None if best is None else best.n


def _example(number: int, size: int) -> Sequence[Row]:
    row: dict[str, str | int | float | None] = {"example": number}
    try:
        if number == 1:
            law, concepts = spike(Fraction(1, 2**size)), RealThresholds()
            row["law"] = f"a spike of width about 2^-{size}"
        else:
            made, gamma = (band, Fraction(7, 20)) if number == 2 else (caps, Fraction(1, 2))
            law, concepts = made(size, gamma=gamma), Halfspaces(size)  # type: ignore[assignment]
            row["law"] = f"{'a band' if number == 2 else 'caps'} in R^{size}, gamma {float(gamma)}"
        row["kappa"] = float(law.kappa) if law.kappa is not None else None
        row["enough"] = _planned(concepts, law)
    except BadInput as reason:
        row["enough"] = f"refused: {reason}"
    return [row]


EXAMPLES = reproduction(
    Experiment(
        name="ch11-examples",
        title="CH11 Examples 1 to 3: what a public reference law buys",
        says="If the marginal has density at most kappa against a public reference, records grow "
        "with log kappa: a spike somewhere on [0, 1], a band around an unknown plane, two caps.",
        changed="Exact kappa in place of the printed ones (the printed one of Example 2 is "
        "negative for gamma = 1/sqrt(n)). Where no learner of the registry applies the cell is "
        "empty.",
        columns=("example", "law", "kappa", "enough"),
        parts=lambda _: [
            Part(key=f"example {number}, {size}", rows=partial(_example, number, size))
            for number, sizes in ((1, (2, 5, 10, 20, 30)), (2, (2, 3, 4)), (3, (2, 3, 4)))
            for size in sizes
        ],
    )
)
