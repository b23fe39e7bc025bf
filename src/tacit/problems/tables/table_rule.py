"""What rules over a table share: a row is placed by the public schema, and its cells decide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import Labels
from tacit.domains.schema import Schema

Cells = npt.NDArray[np.int32]
"""One row per record, one column per field of the schema."""


def label_words(labels: Labels, count: int) -> Labels:
    """The words for all labels: their numbers, where none were given."""
    return labels if len(labels) == count else tuple(map(str, range(count)))


class TableRule(ABC):
    """A rule over the columns of a schema: each row's label follows from its public cells."""

    __slots__ = ()
    schema: Schema

    @property
    @abstractmethod
    def reads(self) -> tuple[int, ...]:
        """The columns of the schema that the rule asks about: all that it needs."""

    @abstractmethod
    def of_cells(self, cells: Cells) -> npt.NDArray[Any]:
        """The label of every placed row: a truth value, or a number of several labels."""

    def place(self, x: object) -> Cells:
        """The cells of every row, as far as the rule reads them."""
        return self.schema.coerce(x, only=self.reads)

    def predict(self, x: object) -> npt.NDArray[Any]:
        """The label of every row of a table."""
        return self.of_cells(self.place(x))
