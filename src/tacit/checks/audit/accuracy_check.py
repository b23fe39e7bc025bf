"""``audit.accuracy``: whether an algorithm is right with its ``n`` records, certified."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.checks.attacks.confidence import lower, upper
from tacit.checks.audit.hard_distributions import Distribution, adversarial
from tacit.core import ALGORITHMS, Algorithm, BadInput, Sample, Sampler, Task
from tacit.core.numbers import probability, show, whole
from tacit.exact.entropy import SYSTEM


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Failures on one distribution, and what they certainly say."""

    distribution: str
    runs: int
    failures: int
    rate: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyAudit:
    """The outcome of an accuracy check: certain but for a probability ``level``.

    ``verdict``  is ``"holds"`` (on all distributions that were tried), ``"broken"`` or
                 ``"undecided"``.
    """

    name: str
    n: int
    alpha: Fraction
    beta: Fraction
    level: Fraction
    checks: tuple[Checked, ...]

    @property
    def verdict(self) -> str:
        """``"holds"``, ``"broken"`` or ``"undecided"``: what the runs say of the accuracy."""
        if any(check.rate[0] > self.beta for check in self.checks):
            return "broken"
        held = all(check.rate[1] <= self.beta for check in self.checks)
        return "holds" if held else "undecided"

    def __str__(self) -> str:
        lines = [
            f"{check.distribution}: {check.failures} of {check.runs} runs fail, a rate of "
            f"{float(check.rate[0]):.3f} to {float(check.rate[1]):.3f}"
            for check in self.checks
        ]
        claim = f"error {show(self.alpha)} but for {show(self.beta)} of all runs"
        return "\n".join((f"{self.name} with {self.n} records, {claim}: {self.verdict}", *lines))

    def to_dict(self) -> dict[str, object]:
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


def accuracy(
    algorithm: Algorithm | str | Callable[[Sample], Any],
    task: Task,
    *,
    n: int | None = None,
    distributions: Sequence[Distribution] | None = None,
    runs: int | None = None,
    level: object = "1/1000",
    rng: Sampler = SYSTEM,
    progress: Callable[[str], None] | None = None,
) -> AccuracyAudit:
    """Check that at ``n`` records the error exceeds ``alpha`` with probability at most ``beta``.

    ``algorithm``  a registered one (or its name), with ``n`` as planned by default; or any
                   callable from a ``Sample`` to a rule with ``predict``.
    ``runs``       for each distribution; by default ``200 / beta``, which decides failure
                   rates up to about three quarters of beta.

    One check is never a proof of accuracy: it is about the distributions that were tried.
    """
    learner: Callable[[Sample], Any]
    if isinstance(algorithm, str):
        algorithm = ALGORITHMS[algorithm]
    if isinstance(algorithm, Algorithm):
        reason = algorithm.why_not(task)
        if reason is not None:
            raise BadInput(f"the algorithm {algorithm.name!r} does not fit this task: it {reason}")
        records = algorithm.bound(task).n if n is None else n
        mechanism = algorithm.built(task, whole(records, name="n", least=1))
        name = algorithm.name

        def learner(sample: Sample) -> Any:
            return rng.part(mechanism, sample)
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
