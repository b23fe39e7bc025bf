"""Directions in n-dimensional space, held as small integers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.core.numbers import whole
from tacit.core.respelled import respelled
from tacit.domains.reals import Floats, float_columns

SCALE = 1 << 22  # the largest entry of a direction
_LARGEST = 1e300  # stands for an infinity


@respelled("columns", dimension="columns")
@dataclass(frozen=True, slots=True, kw_only=True)
class Sphere:
    """The unit sphere of rows of ``columns`` numbers; only a record's direction counts.

    A record is held as its direction, scaled so that the largest entry is 2^22 and
    rounded to whole numbers. Products with whole-number normals are then exact in
    float64, whatever order a matrix product adds them in. Every row has a place: what
    is no number counts as 0, infinities as very large, and the zero vector as the
    first axis.

    >>> (Sphere(columns=2).coerce([[3, -4], [0, 0], [float("nan"), 2]]) / SCALE).tolist()
    [[0.75, -1.0], [1.0, 0.0], [0.0, 1.0]]
    """

    columns: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", whole(self.columns, name="columns", least=2))

    @property
    def size(self) -> None:
        """There are infinitely many directions."""
        return None

    @property
    def width(self) -> int:
        """How many columns a record has."""
        return self.columns

    def describe(self) -> str:
        """The domain in words."""
        return f"directions in R^{self.columns}"

    @property
    def rounding(self) -> Fraction:
        """For any halfspace, the uniform measure of directions that rounding moves across.

        Rounding turns a direction by less than ``1.01 sqrt(n) 2^-23``, and the directions
        within an angle ``s`` of a hyperplane have measure below ``s sqrt(2(n-1)/pi)``.
        """
        return Fraction(self.columns, 2 * SCALE)

    def placing(self, first: str) -> str:
        """How ``coerce`` places a row, in words; ``first`` is what its first column is called."""
        return (
            f"first each row is multiplied so that its largest entry is {SCALE} or -{SCALE} and "
            f"rounded; what is no number counts as 0, and a row of zeros as 1 in {first}"
        )

    def coerce(self, values: object) -> Floats:
        """Map any table with this many columns to directions, row by row."""
        array = np.nan_to_num(float_columns(values, self.columns), nan=0.0)
        array = np.clip(array, -_LARGEST, _LARGEST)
        largest = np.abs(array).max(axis=1, keepdims=True, initial=0.0)
        array[:, :1] += largest == 0
        return np.rint(array / np.where(largest == 0, 1.0, largest) * SCALE) + 0.0
