"""The disagreement metric of a class under a reference law, in whole numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.core import BadInput
from tacit.core.numbers import Number, exact
from tacit.exact.arrays import Values
from tacit.theory.dimensions.incidence import Bits, Incidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """``distances[i][j] / scale`` is the chance that the i-th and j-th different concepts
    disagree on a point drawn from ``reference``; ``concepts`` are their indices.
    """

    concepts: tuple[int, ...]
    reference: tuple[Fraction, ...]
    scale: int
    distances: Values

    def balls(self, bound: int) -> list[Bits]:
        """For each concept the set of those within ``bound / scale``."""
        packed = np.packbits(self.distances <= bound, axis=1, bitorder="little")
        return [int.from_bytes(row.tobytes(), "little") for row in packed]


def disagreement(table: Incidence, reference: str | Sequence[Number]) -> Metric:
    """Read the reference law: ``"uniform"`` or one weight for each point."""
    if isinstance(reference, str):
        if reference != "uniform":
            raise BadInput("reference must be 'uniform' or one weight for each point")
        reference = [1] * table.points
    weights = [exact(weight, name="reference") for weight in reference]
    total = sum(weights)
    if len(weights) != table.points or min(weights, default=Fraction(0)) < 0 or total == 0:
        raise BadInput("reference must have one weight for each point, not negative, not all 0")
    law = tuple(weight / total for weight in weights)
    scale = math.lcm(*(weight.denominator for weight in law))
    if scale >= 1 << 50:
        raise BadInput("the weights of the reference have too large a common denominator")
    whole = np.array([int(weight * scale) for weight in law])
    rows = table.matrix[list(table.distinct)].astype(np.int64)
    ones = rows * whole
    size = ones.sum(axis=1)
    distances = size[:, None] + size[None, :] - 2 * (ones @ rows.T)
    return Metric(concepts=table.distinct, reference=law, scale=scale, distances=distances)
