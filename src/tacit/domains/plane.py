"""Pairs over the whole numbers modulo a prime."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import flint
import numpy as np

from tacit.core import BadInput
from tacit.core.numbers import whole
from tacit.core.respelled import respelled
from tacit.domains.columns import as_array, holds_rows, is_row
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed


@respelled("size", p="size")
@dataclass(frozen=True, slots=True)
class Plane:
    """Pairs ``(x, y)`` with ``0 <= x, y < p``, ``p`` prime, held as ``x p + y``.

    Made with ``size=p``, the values of one column; ``size`` of the domain is ``p * p``, its pairs.
    Takes (n, 2) arrays, whose columns are placed as ``Integers(size=p)`` places them, or
    one column of cell numbers.

    >>> Plane(size=5).coerce([[1, 2], [7, -1]]).tolist()
    [7, 20]
    """

    p: int

    def __init__(self, *, size: int) -> None:
        p = whole(size, name="size", least=2)
        if not flint.fmpz(p).is_prime():
            raise BadInput("size must be a prime number")
        object.__setattr__(self, "p", p)

    def __repr__(self) -> str:
        return f"Plane(size={self.p})"

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return self.p * self.p

    @property
    def bits(self) -> int:
        """How many bits a cell number needs."""
        return (self.size - 1).bit_length()

    @property
    def fits_a_word(self) -> bool:
        """Whether cells are held as unsigned 64-bit numbers."""
        return self.bits <= 64

    @property
    def width(self) -> int:
        """How many columns a record has."""
        return 2

    def describe(self) -> str:
        """The domain in words."""
        return f"pairs modulo {self.p}"

    def coerce(self, values: object) -> Placed:
        """Cell numbers of pairs, or of a column of cell numbers."""
        array = as_array(values)
        if array.ndim == 1 and array.dtype == object and holds_rows(array.tolist()):
            return np.concatenate([self._by_itself(value) for value in array.tolist()])
        if array.ndim == 1 or (array.ndim == 2 and array.shape[1] == 1):
            return Integers(size=self.size).coerce(array)
        if array.ndim != 2 or array.shape[1] != 2:
            raise BadInput("this domain has two columns, x and y")
        axis = Integers(size=self.p)
        kind = np.uint64 if self.fits_a_word else object
        x, y = (axis.coerce(array[:, i]).astype(kind) for i in (0, 1))
        p = np.uint64(self.p) if self.fits_a_word else self.p
        return np.asarray(x * p + y)

    def _by_itself(self, value: Any) -> Placed:
        """The cell of one record, a pair or a cell number, among rows of any length."""
        if is_row(value) and len(value) == 2:
            row = np.fromiter(value, dtype=object, count=len(value))
            return self.coerce(row[None, :])
        return Integers(size=self.size).coerce([None if is_row(value) else value])

    def split(self, cells: Placed) -> tuple[Placed, Placed]:
        """The coordinates of cell numbers."""
        p = np.uint64(self.p) if cells.dtype != object else self.p
        return cells // p, cells % p
