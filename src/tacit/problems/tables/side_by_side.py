"""One rule a label of a table, all under one budget, with a noisy count of each one's mistakes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.bounds.upper.adaptive import adaptive_share
from tacit.bounds.upper.weights import concentrated
from tacit.core import (
    Approximate,
    BadInput,
    Claim,
    Composed,
    Drawer,
    Event,
    Hypothesis,
    Mechanism,
    Sample,
    Sampler,
    Selection,
)
from tacit.core.numbers import positive, probability, whole
from tacit.domains.labels import truths
from tacit.mechanisms.calibration import several_counts_variance
from tacit.problems.several.rules import Rules
from tacit.problems.tables.costs import COSTED, CostLearner, balanced_costs
from tacit.problems.tables.sized import SizedDraw


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRules:
    """Released rules, and the mistakes of each on the records, plus noise."""

    rules: Rules
    noisy_mistakes: tuple[int, ...]

    def describe(self, **more: Any) -> str:
        """The rules in words."""
        return self.rules.describe(**more)

    def predict(self, x: object) -> object:
        """One column of answers a label."""
        return self.rules.predict(x)

    def to_dict(self) -> dict[str, object]:
        """The rules' own form."""
        return self.rules.to_dict()


def one_draw(learner: Mechanism[Any, Any], *, epsilon: Fraction) -> Any | None:
    """The single selection by which this learner draws its rule; ``None`` where it is not one."""
    if isinstance(learner, SizedDraw):
        # One draw for all labels follows no number of records: each would have its own.
        learner = learner.family.carried(epsilon=epsilon, relation=learner.relation, n=None)
    if isinstance(learner, CostLearner):
        costs = learner.costs or (1, 1)
        learner = replace(learner.learner, costs=costs, epsilon=epsilon)
    drawn = isinstance(learner, Drawer) and isinstance(learner.event(), Selection)
    return learner if drawn else None


def counts_variance(count: tuple[Fraction, Fraction], *, k: int) -> Fraction:
    """The variance of the noise on each of ``k`` counts that this epsilon and delta pay for.

    Rounded up to a whole number, so that it stays readable.
    """
    rho = concentrated(epsilon=count[0], delta=count[1])
    return Fraction(-(-several_counts_variance(counts=k, rho=rho) // 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBySide(Mechanism[Sample, CheckedRules]):
    """Draw one rule for each of ``k`` label columns, then count all their mistakes with noise.

    ``count`` is the epsilon and delta of the counts; ``None`` counts nothing. ``sizes`` is that of
    the numbers of records with each positive label, where they balance the costs of mistakes;
    ``n`` is then the public number of records.

    Privacy
    -------
    Requires  ``learner`` is one selection of bounded range; a record is its features and all
              its ``k`` labels together.
    Ensures   ``(epsilon, delta)``-DP for the rules by adaptive composition of equal ranges, and
              the epsilon and delta of ``count`` for the counts, and those of ``sizes``.
    Proof     Theorem 1 of ``side_by_side.proof.md``.
    Numerics  exact draws and discrete Gaussian noise; the share is rounded down.

    Edge cases
    ----------
    As ``learner``, label by label. Noisy counts are not clamped.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Side by side, Theorem 1",
        statement="k selections of a range that adaptive composition allows cost (epsilon, delta); "
        "k counts of mistakes after them, with discrete Gaussian noise of variance k/(2 rho), cost "
        "what rho-zCDP converts to",
        proof="problems/tables/side_by_side.proof.md",
    )

    learner: Mechanism[Sample, Hypothesis]
    k: int
    epsilon: Fraction
    delta: Fraction
    count: tuple[Fraction, Fraction] | None = None
    sizes: tuple[Fraction, Fraction] | None = None
    n: int | None = None

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "delta", probability(self.delta, name="delta"))
        one = self.learner.event()
        if not isinstance(one, Selection):
            raise BadInput("side by side only rules that come from one selection each")
        if self.sizes is not None and (self.n is None or not isinstance(self.learner, COSTED)):
            raise BadInput("balanced costs need trees or scores, and a public number of records")
        if one.epsilon > adaptive_share(epsilon=self.epsilon, delta=self.delta, k=self.k):
            raise BadInput("each selection spends more than its share of epsilon and delta")

    def event(self) -> Event:
        relation = self.learner.event().relation
        drawn = Approximate(epsilon=self.epsilon, delta=self.delta, relation=relation)
        paid = tuple(
            Approximate(epsilon=part[0], delta=part[1], relation=relation)
            for part in (self.count, self.sizes)
            if part is not None
        )
        return Composed(events=(drawn, *paid), relation=relation) if paid else drawn

    @property
    def variance(self) -> Fraction | None:
        """That of the noise on each count."""
        return None if self.count is None else counts_variance(self.count, k=self.k)

    def _release(self, data: Sample, *, rng: Sampler) -> CheckedRules:
        labels = truths(data, self.k)
        learners = self._learners(labels, rng)
        rules = tuple(
            rng.part(learners[task], Sample(data.x, labels[:, task], positive=True))  # [P1]
            for task in range(self.k)
        )
        noisy: tuple[int, ...] = ()
        variance = self.variance
        if variance is not None:
            wrong = [
                int(np.count_nonzero(rule.predict(data.x) != labels[:, task]))
                for task, rule in enumerate(rules)
            ]
            noise = rng.gaussians(variance, self.k)  # [P2]
            noisy = tuple(count + int(z) for count, z in zip(wrong, noise, strict=True))
        return CheckedRules(rules=Rules(rules=rules), noisy_mistakes=noisy)

    def _learners(
        self, labels: npt.NDArray[np.bool_], rng: Sampler
    ) -> list[Mechanism[Sample, Hypothesis]]:
        """The learner of each label: with costs from its noisy number, where these are balanced."""
        if self.sizes is None or self.n is None or not isinstance(self.learner, COSTED):
            return [self.learner] * self.k
        noise = rng.gaussians(counts_variance(self.sizes, k=self.k), self.k)  # [P3]
        found: list[Mechanism[Sample, Hypothesis]] = []
        for task in range(self.k):
            ones = int(np.count_nonzero(labels[:, task])) + int(noise[task])
            costs = balanced_costs((self.n - ones, ones))
            found.append(replace(self.learner, costs=(costs[0], costs[1])))
        return found
