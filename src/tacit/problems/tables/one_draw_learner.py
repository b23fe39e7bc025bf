"""What learners share that draw one rule by its mistakes: the rate, the cost, what is lost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.bounds.upper.stages import mistakes_of_one_draw
from tacit.core import Drawer, Event, Hypothesis, Mechanism, Relation, Sample, Selection
from tacit.core.numbers import positive
from tacit.mechanisms.calibration import spread
from tacit.tallies.few_cells import ByCells


@dataclass(frozen=True, slots=True, kw_only=True)
class OneDrawLearner(Mechanism[Sample, Hypothesis], Drawer, ByCells):
    """Draw a rule of a table with weight ``prior * exp(-rate * mistakes)``.

    A learner adds its class, the rules' prior and ``_release``; its proof covers this file.
    """

    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "relation", Relation.read(self.relation))

    @property
    def rate(self) -> Fraction:
        """The exponent per mistake."""
        return self.epsilon / spread(self.relation)

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=self.relation)

    @property
    def compared_with(self) -> str:
        return self.drawn_from

    def lost(self, beta: Fraction) -> Fraction:
        return mistakes_of_one_draw(prior=self.least_prior, rate=self.rate, beta=beta)
