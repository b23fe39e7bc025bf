"""Hold the public cells of all records, and never their columns as they came.

For learners that look at the records again and again. Batches are placed as they are read: a
column of text, a date or a wide number takes no more room than its cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from tacit.core import Sample
from tacit.core.source import Batch
from tacit.core.tally import Streamed
from tacit.domains.labels import truth
from tacit.domains.placing import Placing
from tacit.tallies.reading import Labels

Part = tuple[npt.NDArray[Any], Labels]


@dataclass(frozen=True, slots=True)
class PlacedRecords:
    """The cells and labels of all records: a multiset, in an order that means nothing."""

    domain: Placing

    def zero(self) -> list[Part]:
        return []

    def add(self, counter: list[Part], batch: Batch) -> list[Part]:
        labels = np.asarray(batch.column(1), dtype=bool)
        counter.append((self.domain.coerce(batch.column(0)), labels))
        return counter

    def merge(self, left: list[Part], right: list[Part]) -> list[Part]:
        return left + right


def placed(data: Sample | Streamed, domain: Placing) -> Part:
    """The cells of the records in ``domain`` and their labels, by place in one order."""
    if not isinstance(data, Streamed):
        return domain.coerce(data.x), truth(data)
    parts = data.fold(PlacedRecords(domain))
    if not parts:
        # No batch shows what the columns look like: an empty table of them does.
        whole = cast(Sample, data)
        return domain.coerce(whole.x), truth(whole)
    cells, labels = zip(*parts, strict=True)
    return np.concatenate(cells), np.concatenate(labels)
