"""Shattered sets, mistake trees, bounds on mistakes, embedded thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tacit.theory.dimensions.witnesses.base import Ints, Witness, witness_kind


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ShatteredSet(Witness):
    """Points on which every labelling occurs: ``witnesses[b]`` labels ``points[i]`` with
    bit ``i`` of ``b``.
    """

    points: Ints
    witnesses: Ints

    def says(self) -> str:
        return f"VC >= {len(self.points)}"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeTree(Witness):
    """A complete mistake tree, stored as a heap.

    Node ``v`` asks ``points[v]`` and has the children ``2v + 1`` (label 0) and ``2v + 2``
    (label 1); ``leaves`` holds, from left to right, a concept that agrees with its path.
    """

    points: Ints
    leaves: Ints

    @property
    def depth(self) -> int:
        return len(self.leaves).bit_length() - 1

    def says(self) -> str:
        return f"Littlestone >= {self.depth}"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeBound(Witness):
    """Why no learner can be forced into more than ``bound`` mistakes.

    A list of facts "these concepts (as a set, in hexadecimal) have Littlestone dimension
    at most ``limits[i]``", each of which follows from counting or from earlier ones; the
    last is about the whole class.
    """

    sets: tuple[str, ...]
    limits: Ints
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        return f"Littlestone <= {self.limits[-1] if self.limits else 'nothing'}"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedThresholds(Witness):
    """``concepts[i]`` labels ``points[j]`` with 1 exactly if ``i <= j``."""

    points: Ints
    concepts: Ints

    def says(self) -> str:
        size = len(self.points)
        return f"{size} thresholds are embedded, so Littlestone >= {size.bit_length() - 1}"
