"""``audit.accuracy``: whether an algorithm is right with its ``n`` records, certified."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.attacks.chance import uniforms
from tacit.attacks.confidence import lower, upper
from tacit.core import ALGORITHMS, Algorithm, BadInput, Rng, Sample, Task
from tacit.core.numbers import probability, whole
from tacit.exact.entropy import SYSTEM


@dataclass(frozen=True, slots=True)
class Distribution:
    """Finitely many labelled values and how likely each is: something to learn from.

    ``least_error`` is the error of the best concept (0 where the labels are a concept's).
    """

    name: str
    x: Any
    labels: Any
    chances: Any
    least_error: float = 0.0

    def draw(self, n: int, *, rng: Rng) -> Sample:
        """``n`` independent records."""
        ends = np.cumsum(np.asarray(self.chances, dtype=float))
        rows = np.searchsorted(ends, uniforms(rng, n) * ends[-1], side="right")
        rows = np.minimum(rows, len(ends) - 1)
        return Sample(np.asarray(self.x)[rows], np.asarray(self.labels)[rows])

    def error(self, rule: Any) -> float:
        """The chance that ``rule`` errs; the worst task where there are several."""
        said = np.asarray(rule.predict(self.x), dtype=bool)
        wrong = said != np.asarray(self.labels, dtype=bool)
        masses = np.asarray(self.chances, dtype=float)
        errors = (wrong.T * masses).sum(axis=-1)
        return float(np.max(errors) / masses.sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Failures on one distribution, and what they certainly say."""

    distribution: str
    runs: int
    failures: int
    rate: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyAudit:
    """``verdict`` is ``"holds"`` (on all distributions that were tried), ``"broken"`` or
    ``"undecided"``: certain but for a probability ``level``.
    """

    name: str
    n: int
    alpha: Fraction
    beta: Fraction
    level: Fraction
    checks: tuple[Checked, ...]

    @property
    def verdict(self) -> str:
        if any(check.rate[0] > self.beta for check in self.checks):
            return "broken"
        held = all(check.rate[1] <= self.beta for check in self.checks)
        return "holds" if held else "undecided"

    def to_dict(self) -> dict[str, Any]:
        """A JSON-ready form."""
        return {
            "kind": "accuracy audit",
            "name": self.name,
            "n": self.n,
            "alpha": float(self.alpha),
            "beta": float(self.beta),
            "verdict": self.verdict,
            "checks": [
                {
                    "distribution": check.distribution,
                    "runs": check.runs,
                    "failures": check.failures,
                    "rate": [float(end) for end in check.rate],
                }
                for check in self.checks
            ],
        }


def adversarial(task: Task) -> list[Distribution]:
    """Distributions that are hard for the class, for one-column domains of whole numbers.

    A rare difference: two concepts that differ on a mass a little above alpha, the rest on
    a value where they agree; with mass shared by many values; and the uniform law.
    """
    concepts: Any = task.concept_class
    size = getattr(concepts.domain, "size", None)
    if concepts.name not in ("points", "thresholds") or not isinstance(size, int):
        raise BadInput("pass distributions=: hard ones are known for points and thresholds only")
    rare = min(1.0, float(task.accuracy.alpha) * 1.01)
    listed = np.unique(np.linspace(0, size - 1, min(size, 64)).astype(np.uint64))
    found = []
    for candidate in sorted({int(listed[len(listed) // 2]), int(listed[-1])}):
        rule: Any = concepts.hypothesis(candidate)
        labels = np.asarray(rule.predict(listed), dtype=bool)
        for marked in (True, False):
            inside, outside = np.flatnonzero(labels == marked), np.flatnonzero(labels != marked)
            if len(inside) == 0 or len(outside) == 0:
                continue
            chances = np.zeros(len(listed))
            chances[inside[0 if marked else -1]] = rare
            chances[outside[-1 if marked else 0]] = 1 - rare
            found.append(
                Distribution(f"rare {int(marked)}s of {candidate}", listed, labels, chances)
            )
        uniform = np.full(len(listed), 1 / len(listed))
        found.append(Distribution(f"uniform, {candidate}", listed, labels, uniform))
    return [_several(distribution, task.k) for distribution in found]


def _several(one: Distribution, k: int) -> Distribution:
    if k == 1:
        return one
    return Distribution(one.name, one.x, np.tile(one.labels[:, None], (1, k)), one.chances)


def accuracy(
    algorithm: Algorithm | str | Callable[[Sample], Any],
    task: Task,
    *,
    n: int | None = None,
    distributions: Sequence[Distribution] | None = None,
    runs: int | None = None,
    level: object = "1/1000",
    rng: Rng = SYSTEM,
    progress: Callable[[str], None] | None = None,
) -> AccuracyAudit:
    """Check that at ``n`` records the error exceeds ``alpha`` with probability at most ``beta``.

    ``algorithm``  a registered one (or its name), with ``n`` as planned by default; or any
                   callable from a ``Sample`` to a rule with ``predict``.
    ``runs``       for each distribution; by default ``200 / beta``, which decides failure
                   rates up to about three quarters of beta.

    One check is never a proof of accuracy: it speaks of the distributions that were tried.
    """
    learner: Callable[[Sample], Any]
    if isinstance(algorithm, str):
        algorithm = ALGORITHMS[algorithm]
    if isinstance(algorithm, Algorithm):
        records = algorithm.samples(task).n if n is None else n
        mechanism = algorithm.mechanism(task, whole(records, name="n", least=1))
        name = algorithm.name

        def learner(sample: Sample) -> Any:
            return mechanism._release(sample, rng=rng)
    else:
        if n is None:
            raise BadInput("say n: how many records the callable gets")
        learner, records, name = algorithm, n, str(getattr(algorithm, "__name__", "callable"))
    hard = list(adversarial(task) if distributions is None else distributions)
    sure = probability(level, name="level") / (2 * len(hard))
    alpha, beta = task.accuracy.alpha, task.accuracy.beta
    tries = math.ceil(200 / float(beta)) if runs is None else runs
    checks = []
    for one in hard:
        if progress is not None:
            progress(one.name)
        failures = sum(
            one.error(learner(one.draw(records, rng=rng))) - one.least_error > float(alpha)
            for _ in range(tries)
        )
        rate = lower(failures, tries, level=sure), upper(failures, tries, level=sure)
        checks.append(Checked(distribution=one.name, runs=tries, failures=int(failures), rate=rate))
    return AccuracyAudit(
        name=name,
        n=records,
        alpha=alpha,
        beta=beta,
        level=probability(level, name="level"),
        checks=tuple(checks),
    )
