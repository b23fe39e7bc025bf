"""One draw over two classes at once: all trees, and all small-integer scoring rules."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from tacit.bounds.upper.stages import mistakes_of_one_draw
from tacit.core import Claim, Event, Hypothesis, Mechanism, Relation, Sample, Sampler, Selection
from tacit.core.numbers import positive
from tacit.exact.balls import Ball, ball
from tacit.exact.cells import BEYOND, ULP
from tacit.exact.levels import Levels
from tacit.mechanisms.calibration import spread
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.tree_priors import tree_comparators, tree_prior
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import TreeRule, Trees
from tacit.tallies.placed import placed


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeOrScoreLearner(Mechanism[Sample, Hypothesis]):
    """Draw a tree or a scoring rule, each class with half of the prior.

    Privacy
    -------
    Requires  both classes and their priors are public, over one schema.
    Ensures   ``epsilon``-bounded range, hence ``epsilon``-DP, under ``relation``.
    Proof     Theorem 1 of ``tree_or_score.proof.md``.
    Numerics  exact: floats decide only where a proved bound leaves no doubt.

    Edge cases
    ----------
    As ``TreeLearner``.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Tree or score, Theorem 1",
        statement="drawing from the union of two classes with weight prior * exp(-rate * mistakes) "
        "is epsilon-bounded-range for rate = epsilon / w",
        proof="problems/tables/tree_or_score.proof.md",
    )

    trees: Trees
    scores: Scores
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "relation", Relation.read(self.relation))

    @property
    def rate(self) -> Fraction:
        """The exponent per mistake."""
        return self.epsilon / spread(self.relation)

    @property
    def least_prior(self) -> Fraction:
        return min(self.trees.least_prior(), self.scores.least_prior()) / 2

    @property
    def drawn_from(self) -> str:
        return f"{self.trees.describe()}, and {self.scores.describe()}"

    @property
    def compared_with(self) -> str:
        return self.drawn_from

    def prior(self, rule: Hypothesis) -> Fraction:
        if isinstance(rule, TreeRule):
            return tree_prior(((self.trees, Fraction(1)),), rule) / 2
        return self.scores.prior(rule) / 2

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        halved = [(what, p / 2) for what, p in tree_comparators(((self.trees, Fraction(1)),))]
        return (*halved, ("scoring rules", self.scores.least_prior() / 2))

    def lost(self, beta: Fraction) -> Fraction:
        return mistakes_of_one_draw(prior=self.least_prior, rate=self.rate, beta=beta)

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=self.relation)

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        cells, labels = placed(data, self.trees.schema)  # [P1]
        weigher = Weigher(self.trees, self.rate)
        root = weigher.root(cells, labels)
        tallies = self.scores.landscape(cells, labels)
        levels = tallies.levels()
        depth = self.trees.depth
        weights, relative = self._weights(weigher, root, levels)
        family = rng.cell(  # [P2]
            weights,
            relative=relative,
            absolute=BEYOND * (len(levels.errors) + len(self.trees.cuts) + 2),
            balls=lambda: (weigher.total(root, depth), self._score_total(levels)),
        )
        if family == 0:
            return self.trees.hypothesis(weigher.draw(root, levels=depth, rng=rng))  # [P3]
        index = rng.level(levels, rate=self.rate)  # [P4]
        rank = rng.below(int(levels.counts[index]))
        return self.scores.hypothesis(tallies.member(int(levels.errors[index]), rank))

    def _weights(self, weigher: Weigher, root: Any, levels: Levels) -> tuple[Any, float]:
        """Both classes' whole weights as floats, and a bound on their relative error."""
        m, z = weigher.choices(root, self.trees.depth)
        decay = weigher.decay(root)
        least = min(int(m.min()), int(levels.errors[0]))
        shares = [float(Fraction(int(count), self.scores.size)) for count in levels.counts]
        sums = []
        for gaps, parts in ((m - least, z), (levels.errors - least, np.array(shares))):
            reach = gaps < len(decay)
            sums.append(float((parts[reach] * decay[gaps[reach]]).sum()))
        terms = max(len(m), len(levels.errors)) + 8
        return np.array(sums), weigher.relative_error(self.trees.depth) + 2 * terms * ULP

    def _score_total(self, levels: Levels) -> Ball:
        total = ball(0)
        for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
            total += ball(int(count)) * (-ball(self.rate) * error).exp()
        return total / self.scores.size
