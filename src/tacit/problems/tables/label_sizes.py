"""How many records have each label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import Sample
from tacit.core.source import Batch
from tacit.core.tally import Streamed
from tacit.domains.labels import labels_of


@dataclass(frozen=True, slots=True)
class LabelSizes:
    """How many records have each of ``values`` labels; a tally of streamed records. Private."""

    values: int = 2

    def of(self, data: Sample | Streamed) -> tuple[int, ...]:
        """The numbers of all records of a sample."""
        if isinstance(data, Streamed):
            return data.fold(self)
        return self._counted(labels_of(data, values=self.values))

    def _counted(self, labels: npt.NDArray[Any]) -> tuple[int, ...]:
        found: list[int] = np.bincount(labels.astype(np.int64), minlength=self.values).tolist()
        return tuple(found)

    def zero(self) -> tuple[int, ...]:
        return (0,) * self.values

    def add(self, counter: tuple[int, ...], batch: Batch) -> tuple[int, ...]:
        labels = np.asarray(batch.column(1), dtype=bool if self.values == 2 else np.int64)
        return self.merge(counter, self._counted(labels))

    def merge(self, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(one + other for one, other in zip(left, right, strict=True))
