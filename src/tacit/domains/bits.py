"""Rows of bits, held as the integers that they spell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.core import BadInput
from tacit.core.numbers import whole
from tacit.core.respelled import respelled
from tacit.domains.columns import as_array, holds_rows, is_row
from tacit.domains.integers import MOST_BITS, Integers
from tacit.domains.labels import equals
from tacit.exact.arrays import Placed, Values


@respelled("columns", length="columns")
@dataclass(frozen=True, slots=True, kw_only=True)
class Bits:
    """Strings of ``columns`` bits; the first column is the highest bit.

    Takes (n, columns) arrays in which 1, True or "1" means 1 and all else 0, or a single
    column of integers, which is placed as ``Integers(bits=columns)`` places it.

    >>> Bits(columns=3).coerce([[1, 0, 1], [0, 1, float("nan")]]).tolist()
    [5, 2]
    """

    columns: int

    def __post_init__(self) -> None:
        columns = whole(self.columns, name="columns", least=1)
        if columns > MOST_BITS:
            raise BadInput(f"columns must be at most {MOST_BITS}")
        object.__setattr__(self, "columns", columns)

    @property
    def size(self) -> int:
        """How many strings there are."""
        return 1 << self.columns

    @property
    def bits(self) -> int:
        """How many bits a member has."""
        return self.columns

    @property
    def fits_a_word(self) -> bool:
        """Whether members are held as unsigned 64-bit numbers."""
        return self.columns <= 64

    @property
    def width(self) -> int:
        """How many columns a record has."""
        return self.columns

    def describe(self) -> str:
        """The domain in words."""
        return f"{self.columns}-bit strings"

    def coerce(self, values: object) -> Placed:
        """Map rows of bits, or a column of integers, into the domain."""
        array = as_array(values)
        if array.ndim == 1 and array.dtype == object and holds_rows(array.tolist()):
            return np.concatenate([self._by_itself(value) for value in array.tolist()])
        if array.ndim == 1 or (array.ndim == 2 and array.shape[1] == 1 != self.columns):
            return Integers(bits=self.columns).coerce(array)
        if array.ndim != 2 or array.shape[1] != self.columns:
            raise BadInput(f"this domain has {self.columns} columns of bits")
        packed = np.packbits(equals(array.ravel(), 1).reshape(array.shape), axis=1)
        shift = 8 * packed.shape[1] - self.columns
        words = [int.from_bytes(row.tobytes(), "big") >> shift for row in packed]
        return np.array(words, dtype=np.uint64 if self.fits_a_word else object)

    def _by_itself(self, value: Any) -> Values:
        """The place of one record, a row of bits or a single entry, among rows of any length."""
        if is_row(value) and len(value) == self.columns:
            row = np.fromiter(value, dtype=object, count=len(value))
            return self.coerce(row[None, :])
        return Integers(bits=self.columns).coerce([None if is_row(value) else value])
