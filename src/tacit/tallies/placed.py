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
from tacit.domains.labels import labels_of
from tacit.domains.marked import marks, marks_of
from tacit.domains.placing import Placing

Part = tuple[npt.NDArray[Any], npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class PlacedRecords:
    """The cells and labels of all records: a multiset, in an order that means nothing.

    Labels are truth values, numbers where there are more than two ``values``, or marks where there
    are several ``tasks``.
    """

    domain: Placing
    values: int = 2
    tasks: int = 1

    def zero(self) -> list[Part]:
        return []

    def add(self, counter: list[Part], batch: Batch) -> list[Part]:
        if self.tasks > 1:
            labels: npt.NDArray[Any] = marks_of(np.asarray(batch.column(1)))
        else:
            labels = np.asarray(batch.column(1), dtype=bool if self.values == 2 else np.int64)
        counter.append((self.domain.coerce(batch.column(0)), labels))
        return counter

    def merge(self, left: list[Part], right: list[Part]) -> list[Part]:
        return left + right


def placed(data: Sample | Streamed, domain: Placing, *, values: int = 2, tasks: int = 1) -> Part:
    """The cells of the records in ``domain`` and their labels, by place in one order.

    Labels are truth values, or numbers where there are more than two label ``values``; with
    several ``tasks`` they are marks, a column each.
    """
    if not isinstance(data, Streamed):
        return domain.coerce(data.x), _labels(data, values, tasks)
    parts = data.fold(PlacedRecords(domain, values, tasks))
    if not parts:
        # No batch shows what the columns look like: an empty table of them does.
        whole = cast(Sample, data)
        return domain.coerce(whole.x), _labels(whole, values, tasks)
    cells, labels = zip(*parts, strict=True)
    return np.concatenate(cells), np.concatenate(labels)


def _labels(sample: Sample, values: int, tasks: int) -> npt.NDArray[Any]:
    if tasks > 1:
        return marks(sample, tasks)
    return labels_of(sample, values=values)
