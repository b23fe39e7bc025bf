"""CH11: no private learner of real thresholds for every law, and what a reference law buys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from tacit.checks.attacks.chance import uniforms
from tacit.checks.testing import seeded
from tacit.core import ALGORITHMS, Accuracy, Hypothesis, Privacy, Sample, Sampler, Task
from tacit.domains import band, caps, spike, uniform_cube
from tacit.domains.reals import Floats
from tacit.planner import plan
from tacit.problems.reals.covers_lower import packed_thresholds
from tacit.problems.reals.halfspaces import Halfspaces
from tacit.problems.reals.real_thresholds import RealThresholds
from tacit.reproduce.experiment import Effort, Experiment, Part, Row, reproduction
from tacit.reproduce.least import least

ALPHA, BETA, EPSILON = Fraction(1, 10), Fraction(1, 10), Fraction(1)
_SEEN = ("M", "records", "needed at this M", "runs", "error at least 1/5 in")
_RUNS = {"quick": 100, "full": 1000}
_MEASURED = {"quick": (2, 3, 5, 10, 20, 30), "full": (2, 3, 4, 5, 10, 20, 30)}
"""Exponents of spikes and numbers of columns that are simulated."""


def _concentrated(scale: int, effort: Effort) -> Sequence[Row]:
    """Half of the mass around a cut in an interval of length e^-scale, half far from it."""
    task = Task(
        RealThresholds(),
        privacy=Privacy(EPSILON),
        accuracy=Accuracy(ALPHA, BETA),
        marginal=uniform_cube(kappa=4),
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


_PLACES = 1 << 13
"""Records by which the error of a rule is measured: known but for about 0.003."""


@dataclass(frozen=True, slots=True)
class SmoothLaw:
    """The law of an example, about the hardest place: its spike or band lies on the border.

    ``records`` draws from it, ``labels`` is the concept; ``seen`` are records for the error.
    """

    name: str
    records: Callable[[int, Sampler], Floats]
    labels: Callable[[Floats], npt.NDArray[np.bool_]]
    seen: Floats
    least_error: float = 0.0

    def draw(self, n: int, *, rng: Sampler) -> Sample:
        """``n`` independent records."""
        x = self.records(n, rng)
        return Sample(x, self.labels(x))

    def error(self, rule: Hypothesis) -> float:
        """The share of the records seen on which ``rule`` errs."""
        return float(np.mean(np.asarray(rule.predict(self.seen)) != self.labels(self.seen)))


def _spiked(size: int) -> SmoothLaw:
    """Half even on [0, 1], half in a spike about the cut at 1/3."""
    cut, width = 1 / 3, 2 / 3 / 2**size

    def records(n: int, rng: Sampler) -> Floats:
        near, place = uniforms(rng, n) < 0.5, uniforms(rng, n)
        return np.where(near, cut + width * (place - 0.5), place)[:, None]

    seen = records(_PLACES, seeded(f"spike {size}"))
    return SmoothLaw("a spike on the cut", records, lambda x: x[:, 0] >= cut, seen)


def _cut_sphere(dimension: int, gamma: float, *, inside: bool) -> SmoothLaw:
    """Directions whose product with the first axis is at most ``gamma``, or above it."""

    def records(n: int, rng: Sampler) -> Floats:
        kept = np.empty((0, dimension))
        while len(kept) < n:
            drawn = ndtri(uniforms(rng, 4 * n, dimension) + 2.0**-54)
            drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
            kept = np.concatenate([kept, drawn[(np.abs(drawn[:, 0]) <= gamma) == inside]])
        return kept[:n]

    seen = records(_PLACES, seeded(f"sphere {dimension} {inside}"))
    name = "a band about the border" if inside else "caps on both sides of the border"
    return SmoothLaw(name, records, lambda x: x[:, 0] >= 0, seen)


def _example(number: int, size: int, effort: Effort) -> Sequence[Row]:
    row: dict[str, str | int | float | None] = {"example": number}
    concepts: RealThresholds | Halfspaces
    if number == 1:
        law, concepts, data = spike(Fraction(1, 2**size)), RealThresholds(), _spiked(size)
        row["law"] = f"a spike of width about 2^-{size}"
    else:
        made, gamma = (band, Fraction(7, 20)) if number == 2 else (caps, Fraction(1, 2))
        law, concepts = made(columns=size, gamma=gamma), Halfspaces(columns=size)
        data = _cut_sphere(size, float(gamma), inside=number == 2)
        row["law"] = f"{'a band' if number == 2 else 'caps'} in R^{size}, gamma {float(gamma)}"
    row["kappa"] = float(law.kappa) if law.kappa is not None else None
    task = Task(concepts, privacy=Privacy(EPSILON), accuracy=Accuracy(ALPHA, BETA), marginal=law)
    best = plan(task).runnable
    row["enough"] = None if best is None else best.n
    if best is not None and effort.runs and size in _MEASURED[effort.name]:
        seed = f"example {number} {size}"
        found = least(best.algorithm, task, effort=effort, seed=seed, laws=(data,))
        row["measured"] = found.words()
    return [row]


EXAMPLES = reproduction(
    Experiment(
        name="ch11-examples",
        title="CH11 Examples 1 to 3: what a public reference law buys",
        says="If the marginal has density at most kappa against a public reference, records grow "
        "with log kappa: a spike somewhere on [0, 1], a band around an unknown plane, two caps.",
        changed="Exact kappa in place of the printed ones (the printed one of Example 2 is "
        "negative for gamma = 1/sqrt(n)). Measured: the least records on that law with the spike, "
        "the band or the middle between the caps on the border of the concept; errors are measured "
        "on 8192 records of the law. In R^4 one release takes seconds: measured by `--full` only.",
        columns=("example", "law", "kappa", "measured", "enough"),
        parts=lambda effort: [
            Part(key=f"example {number}, {size}", rows=partial(_example, number, size, effort))
            for number, sizes in ((1, (2, 5, 10, 20, 30)), (2, (2, 3, 4)), (3, (2, 3, 4)))
            for size in sizes
        ],
        measured=("measured",),
    )
)
