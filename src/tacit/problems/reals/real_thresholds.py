"""Thresholds on a real column: infinitely many, covered by few."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.numbers import Number, whole
from tacit.core.records import Stored
from tacit.core.respelled import respelled
from tacit.domains.reals import Floats, RealBox
from tacit.exact.landscape import Flat, Grouped
from tacit.problems.reals.real_cuts import (
    MOST_RULES,
    cells_for,
    centres,
    cuts_on,
    farthest,
    most_steps,
    read_cut,
)
from tacit.tallies.mistakes import AddsUp


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class RealThresholdRule:
    """``x >= cut``, the cut on the unit scale of the domain."""

    kind: ClassVar[str] = "real-threshold"
    domain: RealBox
    cut: float

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        return np.asarray(self.domain.coerce(x)[:, 0] >= self.cut)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        if not 0 < self.cut <= 1:
            return f"{labels[self.cut <= 0]} for every record"
        return f"{labels[1]} if {column} >= {self.domain.border(0, self.cut)}, else {labels[0]}"

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, "bounds": self.domain.to_list(), "cut": self.cut.hex()}

    @classmethod
    def from_dict(cls, record: Stored) -> RealThresholdRule:
        return cls(domain=RealBox.from_list(record["bounds"]), cut=read_cut(record["cut"]))


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdCover(AddsUp):
    """Listed thresholds, ascending; candidate ``i`` is ``x >= cuts[i]``."""

    domain: RealBox
    cuts: Floats = field(repr=False)
    name: ClassVar[str] = "real-threshold-cover"

    @property
    def size(self) -> int:
        return len(self.cuts)

    @property
    def radius(self) -> Fraction:
        """Under the uniform law, every threshold disagrees with a listed one at most this
        often, with records as they are held.
        """
        return farthest(self.cuts) + self.domain.rounding(0)

    def describe(self) -> str:
        return f"{self.size} thresholds over {self.domain.describe()}"

    def hypothesis(self, candidate: int) -> RealThresholdRule:
        """The rule of one cut."""
        return RealThresholdRule(domain=self.domain, cut=float(self.cuts[candidate]))

    def landscape(self, x: Floats, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every cut: the 1s below it plus the 0s from it on."""
        # How many cuts are at most x: that many candidates answer 1.
        place = np.searchsorted(self.cuts, x[:, 0], side="right")
        both = np.bincount(2 * place + y, minlength=2 * self.size + 2).reshape(-1, 2)
        ones_below = np.cumsum(both[:-1, 1])
        zeros_above = int(both[:, 0].sum()) - np.cumsum(both[:-1, 0])
        return Flat(errors=ones_below + zeros_above)


@dataclass(frozen=True, slots=True)
class ThresholdGrid:
    """The thresholds at the centres of equal cells, too many to be listed.

    Between the records all cuts make the same mistakes, so these are counted in runs.
    """

    domain: RealBox
    size: int
    name: ClassVar[str] = "real-threshold-grid"

    @property
    def radius(self) -> Fraction:
        """As ``ThresholdCover.radius``, not below it."""
        return Fraction(1, 2 * self.size) + 2 * self.domain.rounding(0)

    def describe(self) -> str:
        return f"{self.size} thresholds over {self.domain.describe()}"

    def hypothesis(self, candidate: int) -> RealThresholdRule:
        """The rule of one cut."""
        cut = float(self._cuts(np.array([candidate], dtype=np.float64))[0])
        return RealThresholdRule(domain=self.domain, cut=cut)

    def _cuts(self, place: Floats) -> Floats:
        # As ``centres`` has them: whole numbers below 2^53, and one division.
        cuts: Floats = (2.0 * place + 1.0) / (2.0 * self.size)
        return cuts

    def _places(self, x: Floats) -> Floats:
        """How many cuts are at most each ``x``: an estimate, put right by looking at the cuts."""
        place = np.clip(np.floor(x * self.size + 0.5), 0.0, float(self.size))
        for _ in range(3):
            place += (place < self.size) & (self._cuts(place) <= x)
            place -= (place > 0) & (self._cuts(place - 1.0) > x)
        return place

    def landscape(self, x: Floats, y: npt.NDArray[np.bool_]) -> Grouped:
        """Mistakes of every cut: the 1s below it plus the 0s from it on."""
        places, where = np.unique(self._places(x[:, 0]), return_inverse=True)
        both = np.bincount(2 * where.ravel() + y, minlength=2 * len(places)).reshape(-1, 2)
        # From cut places[g] on the records of the first g + 1 places are below the cut.
        ones_below = np.concatenate(([0], np.cumsum(both[:, 1])))
        zeros_above = int(both[:, 0].sum()) - np.concatenate(([0], np.cumsum(both[:, 0])))
        edges = np.concatenate(([0], places.astype(np.uint64), [self.size])).astype(np.uint64)
        return Grouped(
            errors=ones_below + zeros_above, sizes=edges[1:] - edges[:-1], starts=edges[:-1]
        )


@respelled("low", "high")
@dataclass(frozen=True, slots=True)
class RealThresholds:
    """All thresholds ``x >= t`` on a real column with public bounds; default [0, 1]."""

    domain: RealBox
    name: ClassVar[str] = "real-thresholds"
    shape: ClassVar[str] = "cube"
    listed: ClassVar[int] = MOST_RULES
    """The most rules that are listed on records."""
    runnable: ClassVar[int] = 1 << 48
    """The most rules of a cover that can be run: their mistakes are counted in runs."""
    support: ClassVar[int] = 1
    """How many records decide a rule of ``cover_on``."""
    doubling: ClassVar[int] = 1
    """The doubling dimension under the uniform law: an interval is two of half its length."""

    def __init__(self, *, low: Number = 0, high: Number = 1) -> None:
        object.__setattr__(self, "domain", RealBox([(low, high)]))

    @property
    def size(self) -> None:
        """How many concepts there are; ``None`` if infinitely many."""
        return None

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return 1

    @property
    def vc(self) -> int:
        """The VC dimension, or a bound above it."""
        return 1

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls()

    def describe(self) -> str:
        """The class in a few words."""
        return f"thresholds x >= t over {self.domain.describe()}"

    def cells(self, radius: Fraction) -> int:
        """The least fineness at which ``cover`` reaches ``radius``; 0 if none does."""
        room = radius - 2 * self.domain.rounding(0)
        return cells_for(room) if room > 0 else 0

    def cover_size(self, cells: int) -> int:
        """The size of ``cover(cells)``."""
        return cells

    def cover_radius(self, cells: int) -> Fraction:
        """Not below the radius of ``cover(cells)``."""
        return Fraction(1, 2 * cells) + 2 * self.domain.rounding(0)

    def cover(self, cells: int) -> ThresholdCover | ThresholdGrid:
        """The centres of equal cells: a cover under the uniform law, and a packing too."""
        fine = whole(cells, name="cells", least=1)
        if fine > self.runnable:
            raise BadInput("cells is too large for float64 to tell the cuts apart")
        if fine > MOST_RULES:
            return ThresholdGrid(self.domain, fine)
        return ThresholdCover(self.domain, centres(fine))

    def packing(self, radius: Fraction) -> list[RealThresholdRule]:
        """Thresholds that disagree pairwise more often than ``radius`` under the uniform law.

        As many as there are: from the first threshold to the last, at equal distances.

        >>> [round(rule.cut, 2) for rule in RealThresholds().packing(Fraction(3, 10))]
        [0.0, 0.33, 0.67, 1.0]
        """
        if not 0 < radius < Fraction(1, 2):
            raise BadInput("the radius of a packing of thresholds must be between 0 and 1/2")
        steps = -(-1 // radius) - 1
        cuts = [i / steps for i in range(steps + 1)]
        if min(Fraction(b) - Fraction(a) for a, b in pairwise(cuts)) <= radius:
            # Only where floats cannot hold so little room.
            cuts = [i / (steps - 1) for i in range(steps)]
        return [RealThresholdRule(domain=self.domain, cut=cut) for cut in cuts]

    def disagreement(self, one: RealThresholdRule, other: RealThresholdRule) -> Fraction:
        """How often two rules disagree under the uniform law, exactly."""
        left, right = (min(Fraction(rule.cut), Fraction(1)) for rule in (one, other))
        return abs(left - right)

    def cover_on(self, x: Floats, reach: int) -> ThresholdCover:
        """Thresholds of which one disagrees with any given one on ``reach`` records at most.

        The records decide them: only for records whose ``x`` is public.
        """
        return ThresholdCover(self.domain, cuts_on(x[:, 0], reach))

    def most_on(self, records: int, reach: int) -> int:
        """How large ``cover_on`` can get on this many records."""
        return most_steps(records, reach)

    def rules_on(self, records: int) -> int:
        """How many rules can be made from this many records: a cut at one, or none."""
        return records + 1
