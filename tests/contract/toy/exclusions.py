"""A toy class with its learner and its bounds: everything about it stands in this file."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from tacit.bounds.lower.packing import Budget, everything
from tacit.bounds.upper import selection
from tacit.core import (
    ALGORITHMS,
    LOWER_BOUNDS,
    PLAIN,
    Algorithm,
    Applies,
    Claim,
    Event,
    Hypothesis,
    Labels,
    LowerBound,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Speaks,
    Task,
    Tiny,
    hypothesis_kind,
    public_class,
    theorem,
    tiny_task,
)
from tacit.core.tiny import labelled
from tacit.domains.integers import Integers
from tacit.problems.finite.finite_class import FiniteClassLearner, epsilon_to_spend
from tacit.problems.points.points import PointLandscape, Points

LEARNS = Claim(
    paper="own",
    locator="exclusions, learned",
    statement="selecting an exclusion by mistakes is private and learns exclusions",
    proof="exclusions.proof.md",
)
NEEDS = Claim(
    paper="own",
    locator="exclusions, needed",
    statement="learning exclusions properly needs (1/eps) ln((size-1)(1-beta)/beta) records",
    proof="exclusions.proof.md",
)


@hypothesis_kind
@dataclass(frozen=True)
class Exclusion:
    """``x != point``."""

    kind: ClassVar[str] = "exclusion"
    domain: Integers
    point: int

    def predict(self, x: Any) -> Any:
        return np.asarray(self.domain.coerce(x) != np.uint64(self.point))

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        return f"{labels[0]} if {column} is {self.point}, else {labels[1]}"

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "size": self.domain.size, "point": self.point}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Exclusion:
        return cls(domain=Integers(size=int(record["size"])), point=int(record["point"]))


@public_class
@dataclass(frozen=True)
class Exclusions:
    """All functions ``x != point`` over ``0, ..., size - 1``."""

    size: int
    name: ClassVar[str] = "exclusions"

    @property
    def domain(self) -> Integers:
        return Integers(size=self.size)

    @classmethod
    def tiny(cls) -> Exclusions:
        return cls(size=4)

    def describe(self) -> str:
        return f"exclusions x != p over {self.domain.describe()}"

    def hypothesis(self, point: int) -> Exclusion:
        return Exclusion(domain=self.domain, point=point)

    def landscape(self, x: Any, y: Any) -> PointLandscape:
        return Points(size=self.size).landscape(x, ~y)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExclusionLearner(Mechanism[Sample, Hypothesis]):
    """Select an exclusion by its mistakes.

    Privacy
    -------
    Requires  nothing of the data.
    Ensures   ``epsilon``-DP.
    Proof     ``exclusions.proof.md``.
    Numerics  exact.

    Edge cases
    ----------
    No records: every exclusion is as likely.
    """

    CLAIM: ClassVar[Claim] = LEARNS

    concepts: Exclusions
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def _learner(self) -> FiniteClassLearner:
        return FiniteClassLearner(
            concept_class=self.concepts, epsilon=self.epsilon, relation=self.relation
        )

    def event(self) -> Event:
        return self._learner().event()

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        return rng.part(self._learner(), data)


@theorem(
    LEARNS,
    kind="upper",
    setting="exclusions; proper; realizable; pure",
    formula=r"n_R(|X|)",
)
def suffices(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to learn an exclusion: as many as any finite class of this size needs."""
    general = selection.realizable(
        size=size, alpha=alpha, beta=beta, epsilon=epsilon, relation=relation
    )
    return SampleBound(
        n=general.n, claim=LEARNS, terms={"selection": general.n}, choices=general.choices
    )


@theorem(
    NEEDS,
    kind="lower",
    setting="exclusions; proper; pure; records",
    formula=r"n\ge\frac1\epsilon\ln\frac{(|X|-1)(1-\beta)}{\beta}",
)
def needed(*, size: int, beta: Fraction, epsilon: Fraction) -> SampleBound:
    """All records lie on the excluded value, so every value needs another answer."""
    budget = Budget.of(epsilon=epsilon, delta=Fraction(0), relation=Relation.REPLACE_ONE)
    n = everything(alternatives=size - 1, beta=beta, budget=budget)
    return SampleBound(n=n, claim=NEEDS, terms={"telling values apart": n})


def _build(task: Task, bound: SampleBound, size: Size) -> ExclusionLearner:
    family = task.concept_class
    assert isinstance(family, Exclusions)
    epsilon = epsilon_to_spend(task, bound, size.n)
    return ExclusionLearner(concepts=family, epsilon=epsilon, relation=task.privacy.relation)


def _tiny(entry: Algorithm) -> Tiny:
    return tiny_task(
        entry,
        Exclusions(size=2),
        Exclusions(size=64),
        records=labelled(range(2)),
        usual=(5, 0),
        odd=(6, 0),
    )


ALGORITHMS.add(
    Algorithm(
        name="exclusions",
        summary="select an exclusion by its mistakes",
        applies=Applies(proper=True, classes=(Exclusions,), settings=("realizable",)),
        claim=LEARNS,
        bound=lambda task: suffices(
            size=task.concept_class.size or 0,
            **task.asked("alpha", "beta", "epsilon", "relation"),
        ),
        build=_build,
        tiny=_tiny,
    )
)
LOWER_BOUNDS.add(
    LowerBound(
        name="one exclusion each",
        applies=Speaks(
            classes=(Exclusions,), proper=True, relations=(Relation.REPLACE_ONE,), pure=True
        ),
        claim=NEEDS,
        records=lambda task: needed(
            size=task.concept_class.size or 0, **task.asked("beta", "epsilon")
        ),
    )
)
