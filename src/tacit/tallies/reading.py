"""Read the columns of a batch, each record by itself, into public cells and labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core.source import Batch
from tacit.domains.columns import as_array
from tacit.domains.labels import equals
from tacit.domains.placing import Placing
from tacit.exact.arrays import Placed

Cells = npt.NDArray[np.uint64]
Labels = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a batch, placed into a public domain."""

    position: int
    domain: Placing

    def read(self, batch: Batch) -> Placed:
        """The cells of the batch's records, in its order."""
        return self.domain.coerce(batch.column(self.position))


@dataclass(frozen=True, slots=True)
class Label:
    """The label column of a batch: which entries equal the public value ``positive``."""

    position: int
    positive: object = 1

    def read(self, batch: Batch) -> Labels:
        """The labels of the batch's records, in its order."""
        return equals(as_array(batch.column(self.position)), self.positive)
