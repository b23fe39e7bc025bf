"""Sanitize, then learn: noisy counts of all combinations, then the best rule for each label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.bounds.formula import ln, numbers
from tacit.bounds.upper.weights import concentrated
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    Condition,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tasks,
    Tiny,
    theorem,
)
from tacit.core.numbers import probability, whole
from tacit.domains.schema import Schema
from tacit.exact.balls import Ball, ball, ceiling
from tacit.mechanisms.calibration import noise_scale, noise_variance, round_down
from tacit.problems.marginals.budget import Budget
from tacit.problems.several.rules import Rules
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.equally_likely import ListedRules
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.tiny_rules import tiny_rules
from tacit.tallies.combinations import CombinationCounts, combinations

Counts = npt.NDArray[np.int64]

THROUGH_COUNTS = Claim(
    paper="BNS19",
    locator="Lemma 35",
    statement="k rules over a table from noisy counts of all combinations of cells and labels: the "
    "best rule on them is within alpha of the best of the class; the labels are sanitized with "
    "the records, so no selection follows, and constants are ours",
    proof="problems/marginals/counts_then_rules.proof.md",
)
MOST_COMBINATIONS = 1 << 18
"""So many noisy counts are drawn and held."""
_MOST_NOISE = 1 << 25
"""Rules are weighed on as many rows as noisy counts lead by: noise adds so many at most."""
_RATES = tuple(Fraction(1, 1 << power) for power in range(1, 12))
_COARSE = Fraction(1, 1 << 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsThenRules(Mechanism[Sample, Hypothesis]):
    """Count every combination of cells and labels with noise; choose the best rules on that.

    Privacy
    -------
    Requires  class and schema are public; a record is its cells and all its ``k`` labels.
    Ensures   ``budget.event()``: ``epsilon``-DP or ``rho``-zCDP under its relation.
    Proof     Theorem 1 of ``counts_then_rules.proof.md``.
    Numerics  counts, noise and mistakes on noisy counts are whole numbers.

    Utility
    -------
    ``through_counts`` of this file: Theorem 2.

    Edge cases
    ----------
    No records: noise decides. Equally good rules: the first of them.
    """

    CLAIM: ClassVar[Claim] = THROUGH_COUNTS

    concept_class: ListedRules
    schema: Schema
    budget: Budget
    k: int = 1

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)

    def event(self) -> Event:
        return self.budget.event()

    def streams(self, n: int | None) -> bool:  # noqa: ARG002 - counts of any number
        return True

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        counts = CombinationCounts(self.schema, self.k).of(data)
        noisy = self.budget.measured(counts, rng)  # [P1]
        rules = tuple(self._best(noisy, task) for task in range(self.k))  # [P2]
        return rules[0] if self.k == 1 else Rules(rules=rules)

    def _best(self, noisy: Counts, task: int) -> Hypothesis:
        """The first of the rules with the fewest mistakes about one label."""
        one = (np.arange(1 << self.k) >> task & 1).astype(bool)
        lead = noisy[:, one].sum(axis=1) - noisy[:, ~one].sum(axis=1)
        # A combination's lesser count is a mistake of every rule: only the difference matters.
        combination = np.repeat(np.arange(len(lead)), np.abs(lead))
        cells = np.stack(np.unravel_index(combination, self.schema.cells), axis=1)
        landscape = self.concept_class.landscape(cells.astype(np.int32), lead[combination] > 0)
        least = int(min(landscape.levels().errors))
        rule: Hypothesis = self.concept_class.hypothesis(landscape.member(least, 0))
        return rule


@theorem(
    THROUGH_COUNTS,
    kind="upper",
    setting="k rules of a listed class over a table; proper; agnostic; pure or approximate",
    formula=r"n\ge\frac{t}{\alpha-2\tau},\quad P(\sum_{i\le c}\pm Z_i>t)\le\frac{\beta}{2k|C|},"
    r"\quad\tau=\sqrt{\ln(4k|C|/\beta)/2n}",
)
def through_counts(
    *,
    size: int,
    cells: int,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records with which ``k`` rules from noisy counts are within ``alpha`` of the best.

    ``size`` counts the rules of the class, ``cells`` the combinations of cells without labels.

    >>> through_counts(size=20, cells=6, k=1, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...                epsilon=Fraction(1)).n
    2220
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    lost = probability(delta, name="delta", zero="allowed")
    size, cells = whole(size, name="size", least=1), whole(cells, name="cells", least=1)
    k = whole(k, name="k", least=1)
    # Rules with the same answers everywhere are one, and there are 2**cells answers.
    rules = min(size, 1 << cells) if cells < size.bit_length() else size
    terms, failing = cells << k, beta / (2 * k * rules)
    noise = geometric_sum(noise_scale(epsilon=epsilon, relation=relation), terms, failing)
    gaussian = False
    if lost:
        rho = round_down(concentrated(epsilon=epsilon, delta=lost))
        other = gaussian_sum(noise_variance(rho=rho, relation=relation), terms, failing)
        noise, gaussian = min(noise, other), other < noise

    def records() -> Ball:
        # alpha n - 2 sqrt(n L / 2) - noise >= 0, solved for the root of n
        deviation = 2 * ln(4 * k * rules / beta)
        root = deviation.sqrt() + (deviation + 4 * ball(alpha) * noise).sqrt()
        return (root / (2 * ball(alpha))) ** 2

    return SampleBound(
        n=ceiling(records),
        claim=THROUGH_COUNTS,
        terms={
            "noise": float(noise / alpha),
            "generalisation": float(
                ceiling(lambda: 2 * ln(4 * k * rules / beta) / ball(alpha) ** 2)
            ),
        },
        choices={"concentrated": gaussian},
    )


def gaussian_sum(variance: Fraction, terms: int, failing: Fraction) -> int:
    """More than this is a signed sum of so many draws with probability ``failing`` at most."""
    return ceiling(lambda: (2 * terms * ball(variance) * -ball(failing).log()).sqrt())


def geometric_sum(scale: Fraction, terms: int, failing: Fraction) -> int:
    """The same for two-sided geometric noise, by the best of a few exponents."""

    def limit(part: Fraction) -> Callable[[], Ball]:
        def found() -> Ball:
            rate, q = ball(part / scale), (-1 / ball(scale)).exp()
            mean = (1 - q) ** 2 / ((1 - q * rate.exp()) * (1 - q * (-rate).exp()))
            return (terms * mean.log() - ball(failing).log()) / rate

        return found

    return min(ceiling(limit(part)) for part in _RATES)


def _family(task: Task) -> tuple[ListedRules, Schema]:
    family, schema = task.concept_class, task.concept_class.domain
    assert isinstance(family, ListedRules)
    assert isinstance(schema, Schema)
    return family, schema


def _bound(task: Task) -> SampleBound:
    family, schema = _family(task)
    asked = task.asked("k", "alpha", "beta", "epsilon", "delta", "relation")
    return through_counts(size=family.size, cells=combinations(schema), **asked)


def _build(task: Task, bound: SampleBound, size: Size) -> CountsThenRules:
    del size
    family, schema = _family(task)
    privacy, gaussian = task.privacy, bool(bound.choices["concentrated"])
    amount = privacy.epsilon
    if gaussian:
        amount = round_down(concentrated(epsilon=privacy.epsilon, delta=privacy.delta))
    budget = Budget(amount=amount, concentrated=gaussian, relation=privacy.relation)
    return CountsThenRules(concept_class=family, schema=schema, budget=budget, k=task.k)


def _too_noisy(task: Task) -> str | None:
    """Why rules cannot be weighed on noisy counts, in words; ``None`` if they can."""
    _, schema = _family(task)
    scale = noise_scale(epsilon=task.privacy.epsilon, relation=task.privacy.relation)
    # Two-sided geometric noise is below its scale on average; Gaussian noise is taken only where
    # sums of it have the smaller tail.
    if (combinations(schema) << task.k) * scale <= _MOST_NOISE:
        return None
    return "would hold more noise than records: use a larger epsilon, or fewer cells"


def _few(task: Task) -> bool:
    schema = task.concept_class.domain
    return isinstance(schema, Schema) and combinations(schema) << task.k <= MOST_COMBINATIONS


def _tiny(entry: Algorithm) -> Tiny:
    return replace(tiny_rules(entry, Intervals, cells=1), order="ignored", faint=_COARSE)


COUNTS_THEN_RULES = ALGORITHMS.add(
    Algorithm(
        name="counts-then-rules",
        summary="noisy counts of all combinations of cells and labels, then the best rule for "
        "each label on them",
        applies=Applies(
            proper=True,
            classes=(Intervals, Boxes, Conjunctions, Formulas, FewCuts, Totals),
            relations=(Relation.REPLACE_ONE, Relation.ADD_REMOVE),
            because="protects whole records: labels are counted with the cells",
            tasks=Tasks.ANY,
            further=(
                Condition(
                    f"at most {MOST_COMBINATIONS:,} combinations of cells and labels",
                    _few,
                    "counts all combinations",
                ),
            ),
        ),
        claim=THROUGH_COUNTS,
        bound=_bound,
        build=_build,
        tiny=_tiny,
        runs=_too_noisy,
        counts=True,  # every count is there already, with noise
    )
)
