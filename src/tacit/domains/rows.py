"""Rows of whole numbers of any number of bits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.core import BadInput
from tacit.core.numbers import whole
from tacit.domains.columns import as_array
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of ``width`` whole numbers ``0, ..., 2^bits - 1``, placed as ``Integers`` places each.

    >>> Rows(bits=3, width=2).coerce([[1.9, -4], [None, 99]]).tolist()
    [[1, 0], [0, 7]]
    """

    axis: Integers
    width: int

    def __init__(self, *, bits: int, width: int) -> None:
        object.__setattr__(self, "axis", Integers(bits=bits))
        object.__setattr__(self, "width", whole(width, name="columns", least=1))

    @property
    def bits(self) -> int:
        """Of a number in a row."""
        return self.axis.bits

    @property
    def size(self) -> int:
        """How many rows there are."""
        return 1 << (self.bits * self.width)

    def describe(self) -> str:
        """The domain in words."""
        return f"rows of {self.width} whole numbers {self.axis.describe()}"

    def coerce(self, values: object) -> Placed:
        """Map any table with this many columns into the domain, entry by entry."""
        array = as_array(values)
        if array.ndim == 1 and self.width == 1:
            array = array[:, None]
        if array.ndim != 2 or array.shape[1] != self.width:
            raise BadInput(f"this domain has {self.width} columns: pass an (n, {self.width}) array")
        return np.stack([self.axis.coerce(array[:, i]) for i in range(self.width)], axis=1)
