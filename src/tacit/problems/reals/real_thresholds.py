"""Thresholds on a real column: infinitely many, covered by few."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.numbers import Number, whole
from tacit.core.records import Stored
from tacit.domains.reals import Floats, RealBox
from tacit.exact.landscape import Flat
from tacit.problems.reals.real_cuts import (
    MOST_RULES,
    cells_for,
    centres,
    cuts_on,
    farthest,
    most_steps,
    read_cut,
)


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
        if self.cut > 1:
            return f"{labels[0]} for every record"
        return f"{labels[1]} if {column} >= {self.domain.value(0, self.cut):.6g}, else {labels[0]}"

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, "bounds": self.domain.to_list(), "cut": self.cut.hex()}

    @classmethod
    def from_dict(cls, record: Stored) -> RealThresholdRule:
        return cls(domain=RealBox.from_list(record["bounds"]), cut=read_cut(record["cut"]))


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdCover:
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
class RealThresholds:
    """All thresholds ``x >= t`` on a real column with public bounds; default [0, 1]."""

    domain: RealBox
    name: ClassVar[str] = "real-thresholds"
    shape: ClassVar[str] = "cube"
    listed: ClassVar[int] = MOST_RULES
    """The most rules that are listed on records."""
    support: ClassVar[int] = 1
    """How many records decide a rule of ``cover_on``."""
    doubling: ClassVar[int] = 1
    """The doubling dimension under the uniform law: an interval is two of half its length."""

    def __init__(self, low: Number = 0, high: Number = 1) -> None:
        object.__setattr__(self, "domain", RealBox([(low, high)]))

    @property
    def size(self) -> None:
        return None

    @property
    def dimension(self) -> int:
        """How many columns there are."""
        return 1

    @property
    def vc(self) -> int:
        return 1

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls()

    def describe(self) -> str:
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

    def cover(self, cells: int) -> ThresholdCover:
        """The centres of equal cells: a cover under the uniform law, and a packing too."""
        return ThresholdCover(self.domain, centres(whole(cells, name="cells", least=1)))

    def packing(self, radius: Fraction) -> list[RealThresholdRule]:
        """Thresholds that disagree pairwise more often than ``radius`` under the uniform law.

        >>> [rule.cut for rule in RealThresholds().packing(Fraction(3, 10))]
        [0.25, 0.75]
        """
        if not 0 < radius < Fraction(1, 2):
            raise BadInput("the radius of a packing of thresholds must be between 0 and 1/2")
        cover = self.cover(cells_for(radius))
        return [cover.hypothesis(i) for i in range(cover.size)]

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
