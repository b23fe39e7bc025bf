"""Deterministic and probabilistic representations, and proofs that there are none."""

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
class Representation(Witness):
    """Hypotheses (0/1 rows over the points) that ``alpha``-represent the class: under
    ``mixtures[f]`` every point is mislabelled with probability at most ``alpha``.
    """

    alpha: Fraction
    hypotheses: Table
    mixtures: tuple[Weights, ...]
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        return f"DRDim({show(self.alpha)}) <= log2 {len(self.hypotheses)}"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class NoRepresentation(Witness):
    """Why no ``size`` hypotheses ``alpha``-represent the class.

    A way of writing ``size`` hypotheses is a column (a number below ``2**size``, bit ``i``
    is hypothesis ``i``) for each point. ``columns[r]`` under the point weights
    ``weights[r]`` is a rule: if a concept's correct-hypothesis columns contain all of
    ``columns[r]``, up to renaming hypotheses, then every hypothesis errs with probability
    above ``alpha``. Filling in columns point by point in ``order``, every way runs into a
    rule.
    """

    alpha: Fraction
    size: int
    order: Ints
    columns: Table
    weights: tuple[Weights, ...]

    def says(self) -> str:
        return f"DRDim({show(self.alpha)}) > log2 {self.size}"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MinimalRepresentation(Witness):
    """Hypotheses of which none can be left out (BBKN13 Definition 3.5).

    They represent the class by ``mixtures``; under ``laws[i]`` every hypothesis but the
    ``i``-th errs on concept ``needed_for[i]`` with probability above ``alpha``.
    """

    alpha: Fraction
    hypotheses: Table
    mixtures: tuple[Weights, ...]
    needed_for: Ints
    laws: tuple[Weights, ...]
    side: ClassVar[str] = "minimal"

    def says(self) -> str:
        return f"these {len(self.hypotheses)} hypotheses are {show(self.alpha)}-minimal"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class RandomRepresentation(Witness):
    """Sets of hypotheses, drawn with ``chances``, that represent the class: for every
    concept and law of points, with probability at least ``1 - beta`` some drawn hypothesis
    errs with probability at most ``alpha``.

    For each concept ``f``, ``families[f]`` are families of sets that no law of points defeats
    together, because ``mixtures[f][a]`` over the hypotheses of ``families[f][a]``
    (concatenated in order) mislabels every point with probability at most ``alpha``. The sets
    that a law does defeat contain none of these families; and every collection of sets that
    contains none has a joint chance of at most ``beta``.
    """

    alpha: Fraction
    beta: Fraction
    sets: tuple[Table, ...]
    chances: Weights
    families: tuple[Table, ...]
    mixtures: tuple[tuple[Weights, ...], ...]
    side: ClassVar[str] = "upper"

    def says(self) -> str:
        size = max((len(part) for part in self.sets), default=0)
        return f"PRDim({show(self.alpha)}, {show(self.beta)}) <= log2 {size}"


@witness_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HardPairs(Witness):
    """A law (``chances``) on pairs of a concept and a law of points, such that every set of
    ``size`` hypotheses has an ``alpha``-good one with probability below ``1 - beta``.
    """

    alpha: Fraction
    beta: Fraction
    size: int
    concepts: Ints
    laws: tuple[Weights, ...]
    chances: Weights

    def says(self) -> str:
        return f"PRDim({show(self.alpha)}, {show(self.beta)}) > log2 {self.size}"
