"""One-way protocols, and laws of inputs that defeat them."""

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
class PublicProtocol(Witness):
    """A one-way protocol with public coins: coin ``r`` falls with ``chances[r]``; then the
    holder of concept ``f`` sends ``alice[r][f]`` and the holder of ``x`` answers
    ``bob[r][message][x]``.
    """

    error: Fraction
    bits: int
    chances: Weights
    alice: Table
    bob: tuple[Table, ...]
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        return f"R_public({show(self.error)}) <= {self.bits}"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HardDistribution(Witness):
    """Yao's argument: a law on (concept, point) pairs under which every deterministic
    protocol with ``messages`` messages errs with probability above ``error``.

    ``law[i][x]`` is the chance of ``(concepts[i], x)``.
    """

    error: Fraction
    messages: int
    concepts: Ints
    law: tuple[Weights, ...]

    def says(self) -> str:
        return (
            f"error {show(self.error)} with public coins needs more than {self.messages} messages"
        )


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateProtocol(Witness):
    """A one-way protocol with private coins: the holder of ``f`` sends message ``m`` with
    chance ``alice[f][m]``; the holder of ``x`` answers 1 with chance ``bob[m][x]``.
    """

    error: Fraction
    bits: int
    alice: tuple[Weights, ...]
    bob: tuple[Weights, ...]
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        return f"R_private({show(self.error)}) <= {self.bits}"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MoreThanOneBit(Witness):
    """A few concepts that one bit with private coins cannot serve.

    With two messages a concept is a chance ``p`` of the second, and every point cuts the
    concepts at some ``p``: so they must lie in an order in which all points are monotone.
    If ``a < b`` are neighbours then ``b >= a (1 - e) / e`` for ``a >= e`` and
    ``1 - b <= (1 - a) e / (1 - e)`` otherwise (a chance of answering 1 that is linear in
    ``p`` must rise from ``e`` to ``1 - e`` between them and stay in [0, 1]). No order of
    these concepts allows both.
    """

    error: Fraction
    concepts: Ints

    def says(self) -> str:
        return f"R_private({show(self.error)}) >= 2"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class RadonSet(Witness):
    """Concepts that points split in every way: ``points[b - 1]`` separates those whose bit
    is set in ``b`` from the others, for ``b`` from 1 to ``2**(k-1) - 1`` (the last concept's
    bit is never set). By Radon's theorem ``k - 1`` messages with private coins then have
    error at least 1/2.
    """

    concepts: Ints
    points: Ints

    def says(self) -> str:
        return (
            f"any error below 1/2 with private coins needs at least {len(self.concepts)} messages"
        )
