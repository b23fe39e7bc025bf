"""Representation dimensions under one known law of the points (FX14 section 1.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log

from tacit.core import BadInput
from tacit.core.numbers import Number, exact
from tacit.theory.dimensions.distributional import table_labels


@dataclass(frozen=True, slots=True)
class KnownLaw:
    """What one packing says about representations of a class under a law.

    ``packing``  concepts that differ pairwise by more than ``radius``, and no further one does so
                 from all of them. So they represent the class within ``radius``.
    ``failure``  how often a random representation may be useless for a concept.
    """

    packing: tuple[int, ...]
    radius: Fraction
    failure: Fraction

    @property
    def enough(self) -> int:
        """So many hypotheses represent the class within ``radius`` under the law."""
        return len(self.packing)

    @property
    def needed(self) -> int:
        """No fewer hypotheses do so within ``radius / 2``, even drawn at random."""
        return ceil((1 - self.failure) * len(self.packing))

    @property
    def gap(self) -> float:
        """The logarithm of their ratio: at most ``ln(1 / (1 - failure))``."""
        return log(self.enough) - log(self.needed)


def known_law(
    concept_class: object, law: Sequence[Number], *, radius: Number, failure: Number = 0
) -> KnownLaw:
    """Deterministic and probabilistic representations under ``law`` are the same, up to a factor
    of 2 in the error: ``PRDim_(radius/2, failure) >= DRDim_radius - ln(1/(1-failure))``.

    The packing is greedy. It is maximal, so every concept is within ``radius`` of a member: the
    class has a representation of that size. A hypothesis within ``radius/2`` of two members would
    bring these within ``radius`` of each other, so it serves one at most; a random set of ``m``
    hypotheses serves ``m`` members at most, and on average must serve a share ``1 - failure``.

    >>> import numpy as np
    >>> found = known_law(np.eye(4), ["1/4"] * 4, radius="1/4", failure="1/4")
    >>> found.enough, found.needed
    (4, 3)
    """
    labels = table_labels(concept_class)
    masses = [exact(p, name="law") for p in law]
    far, miss = exact(radius, name="radius"), exact(failure, name="failure")
    if len(masses) != len(labels[0]) or any(p < 0 for p in masses) or sum(masses) != 1:
        raise BadInput("law must give each point a probability, together 1")
    if far < 0 or not 0 <= miss < 1:
        raise BadInput("radius must be at least 0, and failure at least 0 and below 1")
    chosen: list[int] = []
    for f, row in enumerate(labels):
        if all(differ(row, labels[g], masses) > far for g in chosen):
            chosen.append(f)
    return KnownLaw(packing=tuple(chosen), radius=far, failure=miss)


def differ(one: Sequence[bool], other: Sequence[bool], law: Sequence[Fraction]) -> Fraction:
    """How often two functions differ under a law."""
    return sum((p for a, b, p in zip(one, other, law, strict=True) if a != b), Fraction(0))
