"""Whole numbers ``0, ..., size - 1``, up to 2^4096 of them."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tacit.core import BadInput
from tacit.core.numbers import whole
from tacit.domains.columns import as_array
from tacit.domains.values import number
from tacit.exact.arrays import Placed, Values

MOST_BITS = 4096
UNREADABLE = " (or missing or not a number)"
"""Added to a condition that holds for 0, which is what such a value counts as."""
_WORD = 1 << 64


@dataclass(frozen=True, slots=True)
class Integers:
    """The public domain ``{0, ..., size - 1}``; give ``bits`` or ``size``.

    Every value has a place: one below 0 counts as 0, one above the top as the top, a
    fraction is rounded down, and what is no number (missing, NaN, text) counts as 0.
    Records are never reported for lying outside; the rule is public instead. A record's
    place depends on nothing but that record and the type of its column.

    >>> Integers(bits=8).coerce([-3, 7.9, float("nan"), 1000]).tolist()
    [0, 7, 0, 255]
    """

    width: ClassVar[int] = 1
    """How many columns a record has."""
    size: int
    bits: int = field(repr=False, compare=False)
    """How many bits a member needs."""
    fits_a_word: bool = field(repr=False, compare=False)
    """Whether members are held as unsigned 64-bit numbers."""

    def __init__(self, *, bits: int | None = None, size: int | None = None) -> None:
        if (bits is None) == (size is None):
            raise BadInput("give either bits= or size= for a domain of integers")
        if bits is not None:
            exponent = whole(bits, name="bits", least=1)
            if exponent > MOST_BITS:
                raise BadInput(f"bits must be at most {MOST_BITS}")
            count = 1 << exponent
        else:
            count = whole(size, name="size", least=1)
            if count > 1 << MOST_BITS:
                raise BadInput(f"size must be at most 2**{MOST_BITS}")
        object.__setattr__(self, "size", count)
        object.__setattr__(self, "bits", max(1, (count - 1).bit_length()))
        object.__setattr__(self, "fits_a_word", count <= _WORD)

    def describe(self) -> str:
        """The domain in words."""
        power = self.size & (self.size - 1) == 0 and self.size > 1024
        return f"0..2^{self.size.bit_length() - 1}-1" if power else f"0..{self.size - 1}"

    def coerce(self, values: object) -> Placed:
        """Map any one-column data into the domain; uint64, or Python integers beyond."""
        array = as_array(values)
        if array.ndim == 2 and array.shape[1] == 1:
            array = array[:, 0]
        if array.ndim != 1:
            raise BadInput("this domain has one column: pass a 1-D or an (n, 1) array")
        if array.dtype.kind in "iub":
            return self._from_whole(array)
        if array.dtype.kind == "f":
            return self._from_float(array)
        return self._from_objects(array)

    def _from_whole(self, array: Values) -> Values:
        if not self.fits_a_word:
            return np.array([max(0, int(v)) for v in array.tolist()], dtype=object)
        if array.dtype.kind == "i" and array.size:
            words: Values = array.astype(np.int64, copy=False).view(np.uint64)
            # Read as unsigned, a negative number is at least 2**63: one pass finds both ends.
            if int(words.max()) >= min(self.size, 1 << 63):
                top = min(self.size - 1, (1 << 63) - 1)
                words = np.clip(words.view(np.int64), 0, top).view(np.uint64)
            return words
        words = array.astype(np.uint64)
        return np.minimum(words, np.uint64(self.size - 1)) if self.size < _WORD else words

    def _from_float(self, array: Values) -> Values:
        # A signalling NaN or a wider float must not show itself by a warning.
        with np.errstate(all="ignore"):
            real = np.nan_to_num(np.floor(array.astype(np.float64)), nan=0.0)
        if self.size <= 1 << 53:
            placed: Values = np.clip(real, 0, self.size - 1).astype(np.uint64)
            return placed
        return self._from_objects(real.astype(object))

    def _from_objects(self, array: Values) -> Values:
        values = array.tolist()
        if self.fits_a_word and set(map(type, values)) == {int}:
            with suppress(OverflowError):  # beyond a word of the machine: each by itself below
                return self._from_whole(array.astype(np.int64))
        cells = [self._place(value) for value in values]
        return np.array(cells, dtype=np.uint64 if self.fits_a_word else object)

    def _place(self, value: object) -> int:
        """Where one value of unknown type belongs; total."""
        found = number(value)
        if found is None:
            return 0
        whole = found if isinstance(found, int) else _floor(found, self.size)
        return min(max(whole, 0), self.size - 1)


def _floor(value: float, size: int) -> int:
    if math.isinf(value):
        return size if value > 0 else 0
    return math.floor(value)
