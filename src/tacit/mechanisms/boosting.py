"""Run mechanisms on disjoint parts of the records, then select among what they found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from tacit.core import (
    Approximate,
    BadInput,
    Claim,
    Event,
    Hypothesis,
    Mechanism,
    Pure,
    Relation,
    Sample,
    Sampler,
    Selection,
    privacy_event,
)
from tacit.core.numbers import positive, whole
from tacit.mechanisms.score import Mistakes
from tacit.mechanisms.selection import Exponential


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A mechanism and how many records, in order of arrival, it sees."""

    mechanism: Mechanism[Sample, object]
    records: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "records", whole(self.records, name="records", least=0))


def part(sample: Sample, start: int, stop: int | None) -> Sample:
    """The records at positions ``start`` to ``stop``."""
    return Sample(sample.x[start:stop], sample.y[start:stop], sample.positive)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoostConfidence(Mechanism[Sample, Hypothesis]):
    """Several tries on disjoint records; the rest of the records chooses a rule.

    ``gather`` turns what the stages released into a class of candidates (finite, with
    ``landscape`` and ``hypothesis``); the exponential mechanism selects one by its
    mistakes on the records that no stage saw.

    Privacy
    -------
    Requires  every stage's event is pure, a selection or approximate, and replace-one;
              the split is by position, so the number of records is public.
    Ensures   the largest of the stages' and the selection's epsilon, and the largest delta.
    Proof     ``boosting.proof.md``.
    Numerics  exact.

    Edge cases
    ----------
    Too few records: later stages and the selection see fewer, or none.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BBKN13",
        locator="Claim 4.5",
        statement="tries on disjoint records followed by a selection on fresh ones cost no more "
        "than the dearest of them, and fail only if all tries or the selection fail",
        proof="mechanisms/boosting.proof.md",
    )

    stages: tuple[Stage, ...]
    gather: Callable[[tuple[Any, ...]], Any] = field(repr=False)
    epsilon: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        self.event()

    def event(self) -> Event:
        epsilon, delta = self.epsilon, Fraction(0)
        for stage in self.stages:
            cost = stage.mechanism.event()
            if cost.relation is not Relation.REPLACE_ONE:
                raise BadInput(
                    "disjoint parts are formed by position: use the relation replace-one"
                )
            if not isinstance(cost, Pure | Selection | Approximate):
                raise BadInput("a stage must be pure or approximate")
            epsilon = max(epsilon, cost.epsilon)
            delta = max(delta, cost.delta if isinstance(cost, Approximate) else Fraction(0))
        return privacy_event(epsilon=epsilon, delta=delta, relation=Relation.REPLACE_ONE)

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        found, start = [], 0
        for stage in self.stages:
            stop = start + stage.records
            found.append(rng.part(stage.mechanism, part(data, start, stop)))  # [P1]
            start = stop
        candidates = self.gather(tuple(found))  # [P2]
        select = Exponential(score=Mistakes(candidates), epsilon=self.epsilon)
        chosen = rng.part(select, part(data, start, None))  # [P3]
        rule: Hypothesis = candidates.hypothesis(chosen)
        return rule
