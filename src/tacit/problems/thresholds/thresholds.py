"""Thresholds over a linear order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, Sample, hypothesis_kind
from tacit.core.records import Stored, below
from tacit.core.resources import resources
from tacit.core.tally import Streamed
from tacit.domains.integers import UNREADABLE, Integers
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Grouped
from tacit.tallies.counters import counter_of
from tacit.tallies.distinct import Counts
from tacit.tallies.mistakes import ByValue
from tacit.tallies.ordered import Counted, Ordered
from tacit.tallies.scores import CutMistakes

ORIENTATIONS = {">=": ">=", "<": "<", "<=": "<=", "INTERVAL": "<", "THRESH": "<="}
_PACKED_BITS = 63  # a value and its label fit one word
_FAST_ROWS = 1 << 20  # rows from which on a compiled loop counts; the longest histogram
_MANY_ROWS = 1 << 17  # fewer records are listed; more are counted in passes


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdRule:
    """``x >= cut``, ``x < cut`` or ``x <= cut``."""

    kind: ClassVar[str] = "threshold"
    domain: Integers
    cut: int
    orientation: str = ">="

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        cells = self.domain.coerce(x)
        if self.cut >= 1 << 64 and cells.dtype != object:
            # Above every 64-bit value; numpy would not compare the two.
            return np.full(len(cells), self.orientation != ">=")
        cut = self.cut if cells.dtype == object else np.uint64(self.cut)
        if self.orientation == ">=":
            return np.asarray(cells >= cut, dtype=bool)
        if self.orientation == "<":
            return np.asarray(cells < cut, dtype=bool)
        return np.asarray(cells <= cut, dtype=bool)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        if self.cut >= self.domain.size or (self.orientation == "<=" and self.cut == self.top):
            return f"{labels[self.orientation != '>=']} whatever {column} is"
        if self.cut == 0 and self.orientation != "<=":
            return f"{labels[self.orientation == '>=']} whatever {column} is"
        others = UNREADABLE if self.orientation != ">=" else ""
        return f"{labels[1]} if {column} {self.orientation} {self.cut}{others}, else {labels[0]}"

    @property
    def top(self) -> int:
        """The largest value of the domain."""
        return self.domain.size - 1

    def to_dict(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "size": str(self.domain.size),
            "cut": str(self.cut),
            "orientation": self.orientation,
        }

    @classmethod
    def from_dict(cls, record: Stored) -> ThresholdRule:
        domain = Integers(size=int(record["size"]))
        return cls(
            domain=domain,
            cut=below(domain.size + 1, record["cut"]),
            orientation=ORIENTATIONS[record["orientation"]],
        )


@dataclass(frozen=True, slots=True)
class Thresholds(Counted, ByValue):
    """All thresholds over ``0, ..., size - 1``.

    ``orientation``
        ``">="`` (default)          ``x >= t`` for ``t = 0, ..., size`` (all-1 to all-0);
        ``"<"``, or ``"INTERVAL"``  ``x < t`` for the same ``t`` (BBKN13's INTERVAL);
        ``"<="``, or ``"THRESH"``   ``x <= t`` for ``t = 0, ..., size - 1`` (BNS19's THRESH).
    """

    domain: Integers
    orientation: str
    name: ClassVar[str] = "thresholds"

    def __init__(
        self, *, bits: int | None = None, size: int | None = None, orientation: str = ">="
    ) -> None:
        if orientation not in ORIENTATIONS:
            raise BadInput(f"orientation must be one of {tuple(ORIENTATIONS)}")
        object.__setattr__(self, "domain", Integers(bits=bits, size=size))
        object.__setattr__(self, "orientation", ORIENTATIONS[orientation])

    @property
    def first(self) -> int:
        """The least number of records below the cut's cell, as a boundary position."""
        return 1 if self.orientation == "<=" else 0

    @property
    def size(self) -> int:
        """How many concepts there are; ``None`` if infinitely many."""
        return self.domain.size + 1 - self.first

    @property
    def vc(self) -> int:
        """The VC dimension, or a bound above it."""
        return min(1, self.size - 1)

    @property
    def littlestone(self) -> int:
        """``floor(log2(size))``: binary search, and no tree is deeper."""
        return self.size.bit_length() - 1

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(size=4)

    def describe(self) -> str:
        """The class in a few words."""
        return f"thresholds x {self.orientation} t over {self.domain.describe()}"

    def hypothesis(self, boundary: int) -> ThresholdRule:
        """The rule whose cut stands at this boundary (records below it: ``x < boundary``)."""
        cut = boundary - 1 if self.orientation == "<=" else boundary
        return ThresholdRule(domain=self.domain, cut=cut, orientation=self.orientation)

    def counted(self, data: Sample | Streamed) -> Ordered | None:
        """Mistakes of every boundary, counted in a few passes; ``None`` for few records."""
        if isinstance(data, Streamed) and not self.domain.fits_a_word:
            return None
        if len(data) < _MANY_ROWS:
            return None
        low = 0 if self.orientation == ">=" else 1
        counter = counter_of(data, self.domain)
        return Ordered(counter, CutMistakes(low), shift=1, edge=self.first == 0)

    def streams(self, n: int | None) -> bool:
        """Whether so many records are counted; fewer than a hundred thousand are listed."""
        del n  # so few take no room
        return self.domain.fits_a_word and not resources().fixed_passes

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Grouped:
        """Mistakes of every boundary ``t``: labels 1 below it and 0 from it on (for ``>=``)."""
        high = y if self.orientation == ">=" else ~y
        if self.domain.size <= len(x) and self.domain.size <= _FAST_ROWS:
            return self._from_histogram(x, high)
        values, ups = _sorted_by_value(x, high, self.domain)
        return self._from_sorted(values, ups)

    def by_value(self, values: Placed, zeros: Counts, ones: Counts) -> Grouped:
        """The same, from the labels of every value that occurs, ascending."""
        up, down = (ones, zeros) if self.orientation == ">=" else (zeros, ones)
        return self._in_gaps(values, up - down, int(down.sum()))

    def _from_sorted(self, values: Placed, ups: npt.NDArray[np.bool_]) -> Grouped:
        steps = np.where(ups, np.int64(1), np.int64(-1))
        return self._in_gaps(values, steps, len(ups) - int(np.count_nonzero(ups)))

    def _in_gaps(self, values: Placed, steps: Counts, lowest: int) -> Grouped:
        """Mistakes in each gap of the ascending ``values``: ``lowest`` below all of them, and
        as many more as the steps of the values below say.
        """
        errors = np.empty(len(values) + 1, dtype=np.int64)
        errors[0] = lowest
        np.cumsum(steps, out=errors[1:])
        errors[1:] += errors[0]
        kind = object if self.domain.size >= 1 << 63 else np.uint64
        edges = np.empty(len(values) + 2, dtype=kind)
        edges[0] = self.first
        edges[1:-1] = values
        edges[1:-1] += 1 if kind is object else np.uint64(1)
        edges[-1] = self.domain.size + 1
        return Grouped(errors=errors, sizes=edges[1:] - edges[:-1], starts=edges[:-1])

    def _from_histogram(self, x: Placed, high: npt.NDArray[np.bool_]) -> Grouped:
        downs, ups = label_histogram(x, high, self.domain.size)
        errors = np.empty(self.domain.size + 1, dtype=np.int64)
        errors[0] = downs.sum()
        errors[1:] = errors[0] + np.cumsum(ups - downs)
        starts = np.arange(self.first, self.domain.size + 1, dtype=np.uint64)
        sizes = np.ones(len(starts), dtype=np.uint64)
        return Grouped(errors=errors[self.first :], sizes=sizes, starts=starts)


def label_histogram(
    x: Placed, y: npt.NDArray[np.bool_], size: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """How many records of each label every domain value has: (label 0, label 1)."""
    if len(x) >= _FAST_ROWS:
        from tacit.problems.thresholds.threshold_kernels import count_labels

        both = count_labels(x, y, size)
    else:
        keys = (x.astype(np.int64) << 1) | y
        both = np.bincount(keys, minlength=2 * size).reshape(size, 2)
    return both[:, 0], both[:, 1]


def _sorted_by_value(
    x: Placed, y: npt.NDArray[np.bool_], domain: Integers
) -> tuple[Placed, npt.NDArray[np.bool_]]:
    if domain.bits <= _PACKED_BITS:
        # One sort of (value, label) packed into a word beats sorting positions.
        keys = (x << np.uint64(1)) | y
        keys.sort()
        return keys >> np.uint64(1), (keys & np.uint64(1)).astype(bool)
    order = np.argsort(x, kind="stable")
    return x[order], y[order]
