"""Rows of whole numbers of a few bits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.core.numbers import whole
from tacit.domains.reals import float_columns

_MOST_BITS = 20


@dataclass(frozen=True, slots=True)
class Lattice:
    """Rows of ``width`` whole numbers ``0, ..., 2^bits - 1``.

    Every value has a place: below 0 counts as 0, above the top as the top, a fraction is
    rounded down, and what is no number counts as 0.

    >>> Lattice(bits=3, width=2).coerce([[1.9, -4], [float("nan"), 99]]).tolist()
    [[1, 0], [0, 7]]
    """

    bits: int
    width: int

    def __init__(self, *, bits: int, width: int) -> None:
        object.__setattr__(self, "bits", whole(bits, name="bits", least=1))
        object.__setattr__(self, "width", whole(width, name="columns", least=1))
        if self.bits > _MOST_BITS:
            raise BadInput(f"bits must be at most {_MOST_BITS}")

    @property
    def top(self) -> int:
        """The largest number in a column."""
        return (1 << self.bits) - 1

    @property
    def size(self) -> int:
        """How many rows there are."""
        return 1 << (self.bits * self.width)

    def describe(self) -> str:
        """The domain in words."""
        return f"rows of {self.width} whole numbers 0..{self.top}"

    def placing(self, first: str) -> str:
        """How ``coerce`` places a row, in words; ``first`` is what its first column is called."""
        each = first if self.width == 1 else "each column"
        return (
            f"{each} is a whole number from 0 to {self.top}: a fraction is rounded down, a number "
            "outside counts as the nearer end, and what is no number as 0"
        )

    def coerce(self, values: object) -> npt.NDArray[np.int64]:
        """Map any table with this many columns into the lattice, row by row."""
        real = np.nan_to_num(float_columns(values, self.width), nan=0.0)
        placed: npt.NDArray[np.int64] = np.floor(np.clip(real, 0, self.top)).astype(np.int64)
        return placed

    def rows(self) -> npt.NDArray[np.int64]:
        """All rows, in ascending order."""
        number = np.arange(self.size)
        shifts = [self.bits * place for place in reversed(range(self.width))]
        return np.stack([(number >> shift) & self.top for shift in shifts], axis=1)
