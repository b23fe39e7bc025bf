"""A listed set of values, held as their positions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np

from tacit.core import BadInput
from tacit.domains.columns import as_array
from tacit.domains.placing import place_listed
from tacit.domains.values import key
from tacit.exact.arrays import Placed


@dataclass(frozen=True, slots=True)
class Categories:
    """The public values, in order; anything undeclared counts as the first one.

    >>> Categories(["no", "yes"]).coerce(["yes", "maybe", None]).tolist()
    [1, 0, 0]
    """

    values: tuple[Hashable, ...]

    def __init__(self, values: Iterable[Hashable]) -> None:
        listed = tuple(values)
        if not listed:
            raise BadInput("categories must list at least one value")
        if len({key(value) for value in listed}) != len(listed):
            raise BadInput(
                "categories must be different from each other (numbers and their text are one "
                "value: 10, 10.0 and '10')"
            )
        object.__setattr__(self, "values", listed)

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.values)

    @property
    def bits(self) -> int:
        """How many bits a position needs."""
        return max(1, (self.size - 1).bit_length())

    fits_a_word = True

    def describe(self) -> str:
        """The domain in words."""
        shown = ", ".join(map(str, self.values[:6])) + (", ..." if self.size > 6 else "")
        return f"one of {shown}"

    @property
    def width(self) -> int:
        """How many columns a record has."""
        return 1

    def coerce(self, column: object) -> Placed:
        """Positions of the values in a one-column array."""
        array = as_array(column)
        if array.ndim == 2 and array.shape[1] == 1:
            array = array[:, 0]
        if array.ndim != 1:
            raise BadInput("this domain has one column: pass a 1-D or an (n, 1) array")
        places = {key(value): place for place, value in enumerate(self.values)}
        return place_listed(array, places, otherwise=0).astype(np.uint64)
