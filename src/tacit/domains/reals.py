"""Real numbers within public bounds, held on the unit scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.core.numbers import Number, exact, show, whole
from tacit.domains.columns import as_array
from tacit.domains.values import as_float

Floats = npt.NDArray[np.float64]

# Eight times the rounding of a float64, for the steps of ``coerce``.
_ROUNDING = Fraction(1, 1 << 50)
_LONG = Fraction(10) ** 150  # bounds beyond it would overflow when they are scaled


def float_columns(values: object, width: int) -> Floats:
    """Every table of ``width`` columns as float64; what is no number becomes NaN."""
    array = as_array(values)
    if array.ndim == 1 and width == 1:
        array = array[:, None]
    if array.ndim != 2 or array.shape[1] != width:
        raise BadInput(f"this domain has {width} columns: pass an (n, {width}) array")
    if array.dtype.kind in "iubf":
        # A signalling NaN or a wider float must not show itself by a warning.
        with np.errstate(all="ignore"):
            return array.astype(np.float64)
    cells = [as_float(value) for value in array.ravel().tolist()]
    return np.array(cells, dtype=np.float64).reshape(array.shape)


@dataclass(frozen=True, slots=True)
class RealBox:
    """Rows of real numbers, one public range ``(low, high)`` per column.

    A record is held as where it lies in its ranges, on the scale from 0 to 1. Every
    value has a place: below the range counts as 0, above as 1, and what is no number
    (missing, NaN, text) as 0. Records are never reported for lying outside.

    >>> RealBox([(0, 120)]).coerce([30, -5, float("nan"), 1e9]).ravel().tolist()
    [0.25, 0.0, 0.0, 1.0]
    """

    bounds: tuple[tuple[Fraction, Fraction], ...]

    def __init__(self, bounds: Iterable[tuple[Number, Number]]) -> None:
        ranges = tuple((exact(a, name="low"), exact(b, name="high")) for a, b in bounds)
        if not ranges or any(low >= high for low, high in ranges):
            raise BadInput("bounds must list (low, high) for each column, with low < high")
        if any(
            abs(end) > _LONG or high - low < 1 / _LONG
            for low, high in ranges
            for end in (low, high)
        ):
            raise BadInput("bounds must lie between -1e150 and 1e150, at least 1e-150 apart")
        object.__setattr__(self, "bounds", ranges)

    @classmethod
    def unit(cls, *, columns: int = 1) -> RealBox:
        """The cube ``[0, 1]^columns``."""
        return cls([(0, 1)] * whole(columns, name="columns", least=1))

    @property
    def size(self) -> None:
        """There are infinitely many values."""
        return None

    @property
    def width(self) -> int:
        """How many columns a record has."""
        return len(self.bounds)

    def describe(self) -> str:
        """The domain in words."""
        spans = [f"[{show(low)}, {show(high)}]" for low, high in self.bounds]
        if len(set(spans)) == 1 and len(spans) > 1:
            return f"{spans[0]}^{len(spans)}"
        return " x ".join(spans)

    def rounding(self, axis: int) -> Fraction:
        """How far a value can be from where it is held, on the unit scale.

        A float64 is off by one part in 2^53, and so is each step of ``coerce``; all of
        them keep the order of values.
        """
        low, high = self.bounds[axis]
        return _ROUNDING * (1 + max(abs(low), abs(high)) / (high - low))

    def coerce(self, values: object) -> Floats:
        """Map any table with this many columns into the unit cube, entry by entry."""
        array = float_columns(values, self.width)
        low = np.array([float(a) for a, _ in self.bounds])
        width = np.array([float(b - a) for a, b in self.bounds])
        with np.errstate(over="ignore", invalid="ignore"):
            scaled = (np.nan_to_num(array, nan=-np.inf) - low) / width
        places: Floats = np.clip(scaled, 0.0, 1.0)
        return places

    def value(self, axis: int, place: float) -> float:
        """The value that is held as ``place``, for people to read."""
        low, high = self.bounds[axis]
        return float(low + Fraction(place) * (high - low))

    def border(self, axis: int, place: float) -> str:
        """The least float64 that is held as ``place`` or above, for ``0 < place <= 1``.

        What a rule's words compare with: they hold of exactly the values that are held there.
        """
        low, high = (float(end) for end in self.bounds[axis])
        width = float(self.bounds[axis][1] - self.bounds[axis][0])
        below, there = low, high + (high - low)
        while below < (middle := below + (there - below) / 2) < there:
            if (middle - low) / width < place:
                below = middle
            else:
                there = middle
        return repr(there).removesuffix(".0")

    def to_list(self) -> list[list[str]]:
        """The bounds as strings, for files."""
        return [[str(low), str(high)] for low, high in self.bounds]

    @classmethod
    def from_list(cls, bounds: Iterable[Iterable[str]]) -> RealBox:
        """Read back ``to_list``."""
        return cls([(low, high) for low, high in bounds])
