"""Keep a public number of records, chosen by a public key.

Which are kept depends on the key and on the values alone, never on the order in which an
engine delivers them. The choice reads the values, so it is no random sample: for what must
hold of every subset, or where everything fits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core.source import Batch
from tacit.exact.arrays import Placed
from tacit.tallies.reading import Cells, Column, Label

_FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
_STEP = 0x9E3779B97F4A7C15


def mixed(values: Cells, key: int) -> Cells:
    """A public one-to-one map of 64-bit words, different for every key."""
    with np.errstate(over="ignore"):
        words = values + np.uint64((key + 1) * _STEP % (1 << 64))
        words = (words ^ (words >> np.uint64(30))) * np.uint64(_FACTORS[0])
        words = (words ^ (words >> np.uint64(27))) * np.uint64(_FACTORS[1])
    return np.asarray(words ^ (words >> np.uint64(31)))


@dataclass(frozen=True, slots=True)
class CollectedRecords:
    """Keep the cells and label of the ``most`` records whose rank under ``key`` is least.

    Equal records are kept as often as they occur. Replacing one record replaces at most one
    of those that are kept. The counter has a row a record: cells, then the label.
    """

    columns: tuple[Column, ...]
    most: int
    label: Label | None = None
    key: int = 0

    def zero(self) -> npt.NDArray[np.uint64]:
        return np.empty((0, len(self.columns) + 1), dtype=np.uint64)

    def add(self, counter: npt.NDArray[np.uint64], batch: Batch) -> npt.NDArray[np.uint64]:
        parts: list[Placed] = [column.read(batch) for column in self.columns]
        label = (
            np.zeros(batch.num_rows, dtype=bool) if self.label is None else self.label.read(batch)
        )
        rows = np.stack([*parts, label.astype(np.uint64)], axis=1)
        return self.merge(counter, rows)

    def merge(
        self, left: npt.NDArray[np.uint64], right: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.uint64]:
        rows = np.concatenate([left, right])
        rank = np.zeros(len(rows), dtype=np.uint64)
        for column in rows.T:
            rank = mixed(rank ^ column, self.key)
        order = np.lexsort((*rows.T, rank))
        return rows[order[: self.most]]
