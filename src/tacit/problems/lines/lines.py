"""Lines ``y = a x + b`` over pairs modulo a prime (FX14 section 4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, Labels, hypothesis_kind
from tacit.core.records import Stored, below
from tacit.core.respelled import respelled
from tacit.domains.plane import Plane
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.problems.finite import growth_functions
from tacit.problems.lines.line_landscape import LineLandscape
from tacit.tallies.distinct import Counts, counted
from tacit.tallies.mistakes import ByValue

_MOST_LISTED = 1 << 22
"""Classes up to this size can list the mistakes of every line."""


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class LineRule:
    """``y = slope x + offset`` modulo ``p``."""

    kind: ClassVar[str] = "line"
    domain: Plane
    slope: int
    offset: int

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        first, second = self.domain.split(self.domain.coerce(x))
        p = self.domain.p
        if p < 1 << 31:
            # (p - 1)^2 + p < 2^62: nothing overflows.
            first, second = first.astype(np.int64), second.astype(np.int64)
        else:
            first, second = first.astype(object), second.astype(object)
        return np.asarray((self.slope * first + self.offset - second) % p == 0, dtype=bool)

    def describe(self, *, column: str = "(x, y)", labels: Labels = PLAIN) -> str:
        p = self.domain.p
        line = f"y = {self.slope} x + {self.offset} modulo {p}"
        return f"{labels[1]} if {column} lies on {line}, else {labels[0]}"

    def to_dict(self) -> dict[str, object]:
        numbers = {"p": self.domain.p, "slope": self.slope, "offset": self.offset}
        return {"kind": self.kind, **{name: str(value) for name, value in numbers.items()}}

    @classmethod
    def from_dict(cls, record: Stored) -> LineRule:
        domain = Plane(size=int(record["p"]))
        slope, offset = (below(domain.p, record[name]) for name in ("slope", "offset"))
        return cls(domain=domain, slope=slope, offset=offset)


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class PairRule:
    """``(x, y)`` is one given pair."""

    kind: ClassVar[str] = "pair"
    domain: Plane
    x: int
    y: int

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        cells = self.domain.coerce(x)
        cell = self.x * self.domain.p + self.y
        return np.asarray(cells == (cell if cells.dtype == object else np.uint64(cell)), dtype=bool)

    def describe(self, *, column: str = "(x, y)", labels: Labels = PLAIN) -> str:
        return f"{labels[1]} if {column} = ({self.x}, {self.y}), else {labels[0]}"

    def to_dict(self) -> dict[str, object]:
        numbers = {"p": self.domain.p, "x": self.x, "y": self.y}
        return {"kind": self.kind, **{name: str(value) for name, value in numbers.items()}}

    @classmethod
    def from_dict(cls, record: Stored) -> PairRule:
        domain = Plane(size=int(record["p"]))
        return cls(domain=domain, x=below(domain.p, record["x"]), y=below(domain.p, record["y"]))


@respelled("size", p="size")
@dataclass(frozen=True, slots=True)
class Lines(ByValue):
    """All lines ``y = a x + b`` over pairs modulo a prime ``p``, the ``size``; none is vertical."""

    domain: Plane
    name: ClassVar[str] = "lines"
    vc: ClassVar[int] = 2
    littlestone: ClassVar[int] = 2

    def __init__(self, *, size: int) -> None:
        object.__setattr__(self, "domain", Plane(size=size))

    @property
    def p(self) -> int:
        """The prime."""
        return self.domain.p

    @property
    def size(self) -> int:
        """How many concepts there are; ``None`` if infinitely many."""
        return self.p * self.p

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(size=3)

    def describe(self) -> str:
        """The class in a few words."""
        return f"lines y = a x + b over {self.domain.describe()}"

    def log_growth(self, n: int) -> float:
        """Two points fix a line: the VC dimension is 2."""
        return growth_functions.sauer(2)(n)

    def hypothesis(self, line: int) -> LineRule:
        """The rule of line ``slope * p + offset``."""
        slope, offset = divmod(line, self.p)
        return LineRule(domain=self.domain, slope=slope, offset=offset)

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat | LineLandscape:
        """Mistakes of every line: listed if they are few, else grouped by their data points."""
        values, (zeros, ones) = counted(x, y)
        return self.by_value(values, zeros, ones)

    def by_value(self, values: Placed, zeros: Counts, ones: Counts) -> Flat | LineLandscape:
        """The same, from the labels of every value."""
        gains, positives = zeros - ones, int(ones.sum())
        if self.size > _MOST_LISTED:
            pairs = zip(*(axis.tolist() for axis in self.domain.split(values)), strict=True)
            return LineLandscape.of(
                self.p,
                [(int(a), int(b)) for a, b in pairs],
                [-int(gain) for gain in gains],
                positives,
            )
        first, second = (axis.astype(np.int64) for axis in self.domain.split(values))
        errors = np.empty((self.p, self.p), dtype=np.int64)
        for slope in range(self.p):
            offsets = (second - slope * first) % self.p
            errors[slope] = np.bincount(offsets, weights=gains, minlength=self.p)
        return Flat(errors=errors.ravel() + positives)
