"""Covers, packings and doubling under the disagreement metric of a reference law."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tacit.core.numbers import show
from tacit.theory.dimensions.witnesses.base import (
    Ints,
    Table,
    Weights,
    Witness,
    witness_kind,
)


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class Packing(Witness):
    """Concepts (``members``) at pairwise distance above ``radius`` under ``reference``, all
    within ``within`` of ``centre``; ``centre = -1`` means anywhere.
    """

    radius: Fraction
    reference: Weights
    members: Ints
    centre: int
    within: Fraction

    def says(self) -> str:
        where = "the class" if self.centre < 0 else f"the ball of radius {show(self.within)}"
        return f"{where} holds {len(self.members)} concepts more than {show(self.radius)} apart"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class Cover(Witness):
    """Concepts (``centres``) such that every concept is within ``radius`` of one."""

    radius: Fraction
    reference: Weights
    centres: Ints
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        return f"{len(self.centres)} balls of radius {show(self.radius)} cover the class"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HalfCovers(Witness):
    """For each radius at which a ball changes and each centre, at most ``size`` balls of
    half the radius that cover the ball: ``covers[r][z]``.
    """

    reference: Weights
    size: int
    radii: Weights
    covers: tuple[Table, ...]
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        return f"doubling dimension <= log2 {self.size}"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HardBall(Witness):
    """Weights on the ball of ``radius`` around ``centre`` such that no ball of half the
    radius holds more than 1 of them: covering it takes at least their sum.
    """

    reference: Weights
    size: int
    radius: Fraction
    centre: int
    weights: Weights

    def says(self) -> str:
        return f"doubling dimension >= log2 {self.size}"
