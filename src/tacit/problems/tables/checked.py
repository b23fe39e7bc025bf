"""A rule together with a noisy count of its mistakes, both paid for at once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from tacit.core import (
    PLAIN,
    Claim,
    Composed,
    Drawer,
    Event,
    Found,
    Hypothesis,
    Labels,
    Mechanism,
    Pure,
    Sample,
    Sampler,
)
from tacit.core.numbers import positive
from tacit.core.tally import Streamed
from tacit.domains.labels import truth
from tacit.tallies.sums import MistakeCount


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A released rule, and its mistakes on the records it was learned from, plus noise."""

    rule: Hypothesis
    noisy_mistakes: int

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        """The rule in words."""
        del column
        return self.rule.describe(labels=labels)

    def predict(self, x: Any) -> Any:
        """The rule, applied."""
        return self.rule.predict(x)

    def to_dict(self) -> dict[str, Any]:
        """The rule's own form."""
        return self.rule.to_dict()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedLearner(Mechanism[Sample, Checked]):
    """Run a learner, then count its rule's mistakes on the same records, with noise.

    Privacy
    -------
    Requires  ``learner`` is a mechanism on the same records.
    Ensures   its event composed with ``epsilon``-DP for the count.
    Proof     ``checked.proof.md``.
    Numerics  exact: integers and geometric noise.

    Edge cases
    ----------
    The noisy count may be negative or exceed the number of records: it is not clamped.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Checked, Theorem 1",
        statement="a learner followed by its rule's mistakes with geometric noise of scale "
        "1/epsilon costs the learner's event and epsilon",
        proof="problems/tables/checked.proof.md",
    )

    learner: Mechanism[Sample, Hypothesis]
    epsilon: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))

    # -- what is public about the count: ``Measuring`` --------------------------------------

    @property
    def draws(self) -> int:
        return 1

    @property
    def drawer(self) -> Drawer | None:
        return self.learner if isinstance(self.learner, Drawer) else None

    def count(self, found: Found) -> Fraction:
        del found
        return self.epsilon

    def prior_of(self, found: Found) -> Fraction:
        assert isinstance(self.learner, Drawer)
        return self.learner.prior(found.rule)

    def drawn_from(self, found: Found) -> str:
        del found
        assert isinstance(self.learner, Drawer)
        return self.learner.drawn_from

    def event(self) -> Event:
        first = self.learner.event()
        count = Pure(epsilon=self.epsilon, relation=first.relation)
        return Composed(events=(first, count), relation=first.relation)

    def label(self) -> str:
        return f"{self.learner.label()} with its mistakes"

    def _release(self, data: Sample, *, rng: Sampler) -> Checked:
        rule = rng.part(self.learner, data)  # [P1]
        if isinstance(data, Streamed):
            wrong = data.fold(MistakeCount(rule))
        else:
            wrong = int(np.count_nonzero(rule.predict(data.x) != truth(data)))
        noise = rng.geometric(1 / self.epsilon)  # [P2]
        return Checked(rule=rule, noisy_mistakes=wrong + noise)
