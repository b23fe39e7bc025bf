"""Parities: whether the number of 1s among the chosen bits is odd."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.records import Stored, below
from tacit.domains.bits import Bits
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.tallies.mistakes import AddsUp

MOST_LISTED = 22
"""Up to this many bits the mistakes of all parities fit in memory."""


def odd(cells: Placed) -> npt.NDArray[np.bool_]:
    """Whether each number has an odd number of 1 bits."""
    if cells.dtype == object:
        return np.array([int(cell).bit_count() & 1 for cell in cells.tolist()], dtype=bool)
    return np.asarray(np.bitwise_count(cells) & 1, dtype=bool)


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ParityRule:
    """The sum, modulo 2, of the bits of ``x`` that ``mask`` chooses."""

    kind: ClassVar[str] = "parity"
    domain: Bits
    mask: int

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        cells = self.domain.coerce(x)
        return odd(cells & (self.mask if cells.dtype == object else np.uint64(self.mask)))

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        shown = ", ".join(map(str, self._chosen()))
        odd = f"an odd number of the bits {{{shown}}} of {column} are 1"
        return f"{labels[1]} if {odd}, else {labels[0]}"

    def worded(self, columns: Sequence[str], labels: Labels) -> str:
        """The rule in words, with a name for each column."""
        shown = ", ".join(columns[place] for place in self._chosen())
        return f"{labels[1]} if an odd number of {{{shown}}} are 1, else {labels[0]}"

    def _chosen(self) -> list[int]:
        length = self.domain.columns
        return [place for place in range(length) if self.mask >> (length - 1 - place) & 1]

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, "length": self.domain.columns, "mask": str(self.mask)}

    @classmethod
    def from_dict(cls, record: Stored) -> ParityRule:
        domain = Bits(columns=int(record["length"]))
        return cls(domain=domain, mask=below(domain.size, record["mask"]))


@dataclass(frozen=True, slots=True)
class Parities(AddsUp):
    """All parities of ``bits`` bits: ``c_m(x) = <m, x> mod 2``; bit 0 is the first column."""

    domain: Bits
    name: ClassVar[str] = "parities"

    def __init__(self, *, bits: int) -> None:
        object.__setattr__(self, "domain", Bits(columns=bits))

    @property
    def size(self) -> int:
        """How many concepts there are; ``None`` if infinitely many."""
        return self.domain.size

    @property
    def vc(self) -> int:
        """The VC dimension, or a bound above it."""
        return self.domain.columns

    @property
    def littlestone(self) -> int:
        """As many as the bits: unit vectors are shattered, and there are ``2**bits`` concepts."""
        return self.domain.columns

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(bits=3)

    def describe(self) -> str:
        """The class in a few words."""
        return f"parities of {self.domain.describe()}"

    def hypothesis(self, mask: int) -> ParityRule:
        """The parity of the bits in ``mask``."""
        return ParityRule(domain=self.domain, mask=mask)

    @property
    def too_many(self) -> str | None:
        """Why the mistakes of all parities cannot be counted at once, if they cannot."""
        listed = self.domain.columns <= MOST_LISTED
        return None if listed else f"lists all parities, too many of more than {MOST_LISTED} bits"

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every parity, at once; refused where there are too many to list."""
        if self.too_many is not None:
            raise BadInput(f"this class {self.too_many}")
        # A Walsh-Hadamard transform: sum (-1)^(<m, x> + y) is right minus wrong for mask m.
        signs = np.where(y, np.int64(-1), np.int64(1))
        table = np.zeros(self.size, dtype=np.int64)
        np.add.at(table, x.astype(np.int64), signs)
        half = 1
        while half < self.size:
            pairs = table.reshape(-1, 2, half)
            total = pairs[:, 0] + pairs[:, 1]
            pairs[:, 1] = pairs[:, 0] - pairs[:, 1]
            pairs[:, 0] = total
            half *= 2
        return Flat(errors=(len(x) - table) // 2)
