"""Add up integers that each record gives: the answers of statistical queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tacit.core.source import Batch

_WORD = 1 << 62


class Query(Protocol):
    """A public function of one record, with whole values from ``0`` to ``top``."""

    @property
    def top(self) -> int: ...

    def values(self, batch: Batch) -> npt.NDArray[np.int64]:
        """The value of each record of the batch, by that record alone."""
        ...


@dataclass(frozen=True, slots=True)
class Sums:
    """How many records there are, and the sum of each query over them: Python integers."""

    queries: tuple[Query, ...]

    def zero(self) -> tuple[int, ...]:
        return (0,) * (1 + len(self.queries))

    def add(self, counter: tuple[int, ...], batch: Batch) -> tuple[int, ...]:
        answers = [
            _sum(np.clip(query.values(batch), 0, query.top), query.top) for query in self.queries
        ]
        return self.merge(counter, (batch.num_rows, *answers))

    def merge(self, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(a + b for a, b in zip(left, right, strict=True))


def _sum(values: npt.NDArray[np.int64], top: int) -> int:
    """Without overflow: in words where they hold it, else in Python integers."""
    if top * len(values) < _WORD:
        return int(values.sum(dtype=np.int64))
    return sum(values.tolist())
