"""A draw whose kinds of rules follow a noisy number of records, where that number is private."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol

from tacit.core import (
    BadInput,
    Claim,
    Composed,
    Drawer,
    Event,
    Hypothesis,
    Mechanism,
    Pure,
    Relation,
    Sample,
    Sampler,
    Selection,
)
from tacit.core.numbers import positive
from tacit.mechanisms.calibration import count_scale
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.label_sizes import LabelSizes

SIZE = Fraction(1, 20)
"""The part of epsilon that counts the records."""


class Carried(Protocol):
    """A class over a table whose draw may follow a number of records."""

    def carried(self, *, epsilon: Fraction, relation: Relation, n: int | None) -> KindsLearner:
        """The draw for about ``n`` records; for an unknown number where it is ``None``."""
        ...

    def ever(self, *, epsilon: Fraction, relation: Relation) -> KindsLearner:
        """The draw from all kinds that some number may be given: its prior is no number's own."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SizedDraw(Mechanism[Sample, Hypothesis], Drawer):
    """Count the records with noise, then draw from the kinds of rules that so many can carry.

    Privacy
    -------
    Requires  ``family`` and ``count`` are public; whatever number it is given, its draw is one
              selection of at most the rest of ``epsilon`` (checked when it is drawn).
    Ensures   ``count``-DP composed with a selection of ``epsilon - count``, under add-remove.
    Proof     Theorem 1 of ``sized.proof.md``.
    Numerics  exact: geometric noise on a whole number, and an exact draw.

    Edge cases
    ----------
    No records, or a noisy number below 0: as 0.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Sized, Theorem 1",
        statement="a noisy number of records, followed by one selection whose candidates and prior "
        "may depend on it, costs the count's epsilon composed with the selection",
        proof="problems/tables/sized.proof.md",
    )

    family: Carried
    epsilon: Fraction
    count: Fraction
    relation: Relation = Relation.ADD_REMOVE

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "count", positive(self.count, name="count"))
        if self.count >= self.epsilon:
            raise BadInput("counting the records must leave a part of epsilon")

    @property
    def unsized(self) -> KindsLearner:
        """The draw for an unknown number of records."""
        return self._drawn(None)

    def _drawn(self, n: int | None) -> KindsLearner:
        rest = self.epsilon - self.count
        return self.family.carried(epsilon=rest, relation=self.relation, n=n)

    def event(self) -> Event:
        parts = (
            Pure(epsilon=self.count, relation=self.relation),
            Selection(epsilon=self.epsilon - self.count, relation=self.relation),
        )
        return Composed(events=parts, relation=self.relation)

    # -- what is public about the draw: ``Drawer`` -----------------------------------------

    @property
    def least_prior(self) -> Fraction:
        return self.unsized.least_prior

    @property
    def drawn_from(self) -> str:
        return f"{self.unsized.drawn_from}; deeper trees where a noisy number of records is large"

    @property
    def compared_with(self) -> str:
        return self.unsized.compared_with

    def prior(self, rule: Hypothesis) -> Fraction:
        rest = self.epsilon - self.count
        return self.family.ever(epsilon=rest, relation=self.relation).prior(rule)

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return ()  # which kinds there are is not known before the records are counted

    def lost(self, beta: Fraction) -> Fraction:
        return self.unsized.lost(beta)

    # -- the draw --------------------------------------------------------------------------

    def prepare(self) -> None:
        from tacit.problems.tables.warm import warm, warm_scores

        for levels in range(5):
            warm(levels)
        warm_scores()

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        sizes = LabelSizes().of(data)
        scale = count_scale(epsilon=self.count, relation=self.relation)
        noisy = sum(sizes) + rng.geometric(scale)  # [P1]
        drawn = self._drawn(max(0, noisy))
        kept = drawn.event()
        assert isinstance(kept, Selection)
        assert kept.epsilon + self.count <= self.epsilon
        return rng.part(drawn, data)  # [P2]
