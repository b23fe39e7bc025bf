"""Counts and sums with two-sided geometric noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Protocol, TypeVar

from tacit.core import MECHANISMS, BadInput, Claim, Event, Mechanism, Pure, Relation, Sampler, Tiny
from tacit.core.numbers import positive, whole

D = TypeVar("D")
Dc = TypeVar("Dc", contravariant=True)

_CLAIM = Claim(
    paper="own",
    locator="Theorem 1 of noise.proof.md",
    statement="answers on a grid plus two-sided geometric noise of scale sensitivity/epsilon "
    "are epsilon-DP (the geometric mechanism of Ghosh, Roughgarden and Sundararajan)",
    proof="mechanisms/noise.proof.md",
)


class Query(Protocol[Dc]):
    """Numbers computed from data, and how far a neighbour can move them.

    ``unit`` is a step that every answer is a multiple of, or ``None`` if there is none.
    """

    @property
    def unit(self) -> Fraction | None: ...

    def __call__(self, data: Dc) -> tuple[Fraction, ...]: ...

    def sensitivity(self, relation: Relation) -> Fraction:
        """The most that the sum of absolute changes can be between neighbours."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometric(Mechanism[D, tuple[Fraction, ...]]):
    """Add independent two-sided geometric noise to answers, each on a public grid.

    With ``grid = 1`` and integer answers this is the geometric mechanism; with a fine
    grid it is Laplace noise without the holes that floating point tears into it.

    Privacy
    -------
    Requires  ``query.sensitivity(relation)`` bounds the L1 change between neighbours;
              the number of answers is public.
    Ensures   ``epsilon``-DP.
    Proof     Theorem 1 of ``noise.proof.md``.
    Numerics  exact; rationals in, rationals out.

    Edge cases
    ----------
    A query of sensitivity 0 is released as it is: it tells nothing about the data.
    With ``between`` an answer beyond its ends is released as the nearer end: the bounded
    geometric mechanism (B20 Remark 9), for answers that are known to lie there.
    """

    CLAIM: ClassVar[Claim] = _CLAIM

    query: Query[D] = field(repr=False)
    answers: int = 1
    epsilon: Fraction
    grid: Fraction = Fraction(1)
    relation: Relation = Relation.REPLACE_ONE
    between: tuple[Fraction, Fraction] | None = None

    def __post_init__(self) -> None:
        if self.between is not None and self.between[0] > self.between[1]:
            raise BadInput("between needs its lower end first")
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "grid", positive(self.grid, name="grid"))
        object.__setattr__(self, "answers", whole(self.answers, name="answers", least=1))
        object.__setattr__(self, "relation", Relation.read(self.relation))

    def event(self) -> Event:
        return Pure(epsilon=self.epsilon, relation=self.relation)

    @property
    def scale(self) -> Fraction:
        """The noise scale in grid steps."""
        moved = self.query.sensitivity(self.relation) / self.grid
        unit = self.query.unit
        if unit is None or (unit / self.grid).denominator != 1:
            # Rounding moves each answer by less than one more step, and by whole steps.
            moved = Fraction(math.ceil(moved + self.answers) - 1) if moved else Fraction(0)
        return moved / self.epsilon

    def _release(self, data: D, *, rng: Sampler) -> tuple[Fraction, ...]:
        values = [Fraction(value) for value in self.query(data)]  # [P1]
        if len(values) != self.answers:
            # More answers than declared would get too little noise.
            raise BadInput(f"the query must give {self.answers} numbers on every data set")
        half = Fraction(1, 2)
        steps = [math.floor(value / self.grid + half) for value in values]  # [P2]
        noise = [rng.geometric(self.scale) if self.scale else 0 for _ in steps]  # [P3]
        noisy = tuple((step + z) * self.grid for step, z in zip(steps, noise, strict=True))
        if self.between is None:
            return noisy
        low, high = self.between
        return tuple(min(max(value, low), high) for value in noisy)  # [P4]


@dataclass(frozen=True, slots=True)
class Ones:
    """How many records are 1."""

    unit: Fraction = Fraction(1)

    def __call__(self, data: Sequence[int]) -> tuple[Fraction, ...]:
        return (Fraction(sum(int(value == 1) for value in data)),)

    def sensitivity(self, relation: Relation) -> Fraction:  # noqa: ARG002 - the same for all
        return Fraction(1)


ALL_ZEROS = ((0,) * 7, (0,) * 6 + (1,))
"""Seven records of one kind, and one of them changed."""

MECHANISMS.add(
    Tiny(
        name="Geometric",
        make=lambda e: Geometric(query=Ones(), epsilon=e),
        records=(0, 1),
        n=3,
        pairs=(ALL_ZEROS,),
        tight=13_000,
    )
)
