"""Count records by their value and all their labels together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeGuard

import numpy as np

from tacit.core import Sample
from tacit.core.tally import Streamed
from tacit.domains.bits import Bits
from tacit.domains.integers import Integers
from tacit.domains.labels import truths
from tacit.domains.placing import Placing
from tacit.domains.plane import Plane
from tacit.exact.arrays import Placed
from tacit.tallies.distinct import OfLabels, Repeated, distinct

_WORD = 64


class Words(Placing, Protocol):
    """A domain whose values are whole numbers of so many bits; placed again, they stay."""

    @property
    def size(self) -> int: ...

    @property
    def bits(self) -> int: ...

    @property
    def fits_a_word(self) -> bool: ...


def has_words(domain: object) -> TypeGuard[Words]:
    """Whether the values of a domain are whole numbers; rows of several cells are not."""
    return isinstance(domain, (Integers, Bits, Plane))


@dataclass(frozen=True, slots=True)
class LabelledValues(OfLabels):
    """Pairs of a domain value and its ``k`` labels, as the whole numbers that they spell."""

    domain: Words
    k: int

    def coerce(self, data: Sample) -> Placed:
        """Each record as one number: the labels above, the value below."""
        cells, told, width = self.domain.coerce(data.x), truths(data, self.k), self.domain.bits
        if width + self.k <= _WORD:
            powers = np.uint64(1) << np.arange(width, width + self.k, dtype=np.uint64)
            words: Placed = cells | told @ powers
            return words
        packed = np.packbits(told, axis=1, bitorder="little")
        labels = [int.from_bytes(row.tobytes(), "little") for row in packed]
        both = zip(cells.tolist(), labels, strict=True)
        return np.array([(label << width) | int(cell) for cell, label in both], dtype=object)

    def table(self, data: Sample | Streamed) -> Repeated:
        """The records as values and one column of labels a task; of batches, equal ones once."""
        if not isinstance(data, Streamed):
            cells, told = self.domain.coerce(data.x), truths(data, self.k)
            return Repeated(cells, told, np.ones(len(cells), dtype=np.int64))
        return self.counted(data)

    def counted(self, data: Sample | Streamed) -> Repeated:
        """The same with equal records once, ascending, whatever order they come in."""
        (pairs, counts), width = distinct(data, self), self.domain.bits
        if pairs.dtype != object:
            each = [(pairs >> np.uint64(width + task) & np.uint64(1)) > 0 for task in range(self.k)]
            values = pairs & np.uint64((1 << width) - 1)
            return Repeated(values, np.stack(each, axis=1), counts)
        opened = [self.open(int(pair)) for pair in pairs.tolist()]
        kind = np.uint64 if self.domain.fits_a_word else object
        words = b"".join(labels.to_bytes(-(-self.k // 8), "little") for _, labels in opened)
        packed = np.frombuffer(words, dtype=np.uint8).reshape(len(opened), -(-self.k // 8))
        labels = np.unpackbits(packed, axis=1, count=self.k, bitorder="little").astype(bool)
        return Repeated(np.array([value for value, _ in opened], dtype=kind), labels, counts)

    def open(self, pair: int) -> tuple[int, int]:
        """The value and the labels of a pair."""
        return pair & ((1 << self.domain.bits) - 1), pair >> self.domain.bits
