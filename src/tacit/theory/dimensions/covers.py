"""Covers and packings of a finite class under the disagreement metric.

A packing that cannot be enlarged is a cover (CH11 Lemma 13); a ball that takes many half
balls to cover holds a large packing (CH11 Lemma 15, with ``>=`` in its hypothesis); a class
of doubling dimension ``d`` holds no packing above ``(4 r / s)**d`` in a ball (Lemma 14). For
halfspaces on the sphere see ``tacit.problems.reals.covers_lower.halfspace_packing``, which corrects
Lemma 25.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from tacit.core.numbers import Number, positive
from tacit.exact.arrays import Values
from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.metric import disagreement
from tacit.theory.dimensions.witnesses import Cover, Packing


def net(
    concept_class: object, *, radius: Number, reference: str | Sequence[Number] = "uniform"
) -> tuple[Packing, Cover]:
    """Concepts more than ``radius`` apart such that every concept is within ``radius`` of one.

    >>> from tacit.theory.dimensions.named import thresholds
    >>> packing, cover = net(thresholds(8), radius="1/8")
    >>> len(packing.members), packing.members == cover.centres
    (5, True)
    """
    table = read(concept_class)
    size = positive(radius, name="radius")
    metric = disagreement(table, reference)
    bound = math.floor(size * metric.scale)
    chosen = _greedy(metric.distances, list(range(len(metric.concepts))), bound)
    members = tuple(metric.concepts[i] for i in chosen)
    packing = Packing(
        digest=table.digest,
        radius=size,
        reference=metric.reference,
        members=members,
        centre=-1,
        within=Fraction(1),
    )
    cover = Cover(digest=table.digest, radius=size, reference=metric.reference, centres=members)
    return packing, cover


def dense_ball(
    concept_class: object, *, radius: Number, reference: str | Sequence[Number] = "uniform"
) -> Packing:
    """A large ``radius / 2``-packing inside a ball of ``radius`` (CH11 Lemma 15).

    Its size is at least the number of half balls that some ball of this radius needs,
    because a packing that cannot be enlarged covers.
    """
    table = read(concept_class)
    size = positive(radius, name="radius")
    metric = disagreement(table, reference)
    bound, half = math.floor(size * metric.scale), math.floor(size * metric.scale / 2)
    best: tuple[int, list[int]] = (0, [0])
    for z in range(len(metric.concepts)):
        inside = [int(i) for i in np.flatnonzero(metric.distances[z] <= bound)]
        best = max(best, (z, _greedy(metric.distances, inside, half)), key=lambda b: len(b[1]))
    return Packing(
        digest=table.digest,
        radius=size / 2,
        reference=metric.reference,
        members=tuple(metric.concepts[i] for i in best[1]),
        centre=metric.concepts[best[0]],
        within=size,
    )


def _greedy(distances: Values, candidates: list[int], bound: int) -> list[int]:
    chosen: list[int] = []
    for i in candidates:
        if all(distances[i, j] > bound for j in chosen):
            chosen.append(i)
    return chosen


def packing_limit(*, doubling: Number, within: Number, radius: Number) -> Fraction:
    """CH11 Lemma 14: no ``radius``-packing of a ball of radius ``within`` is larger than
    ``(4 within / radius) ** doubling``; a whole doubling dimension is expected.

    >>> packing_limit(doubling=1, within="1/2", radius="1/8")
    Fraction(16, 1)
    """
    ratio = 4 * positive(within, name="within") / positive(radius, name="radius")
    return max(ratio, Fraction(1)) ** math.ceil(positive(doubling, name="doubling"))
