"""Intervals and axis-parallel boxes over real columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.hypothesis import numbered
from tacit.core.numbers import Number, whole
from tacit.core.records import Stored
from tacit.core.respelled import respelled
from tacit.domains.integers import UNREADABLE
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
from tacit.tallies.mistakes import AddsUp

Sides = tuple[tuple[float, float], ...]


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class RealBoxRule:
    """``low <= x < high`` in every column, on the unit scale; no sides means never."""

    kind: ClassVar[str] = "real-box"
    domain: RealBox
    sides: Sides

    def __post_init__(self) -> None:
        if len(self.sides) not in (0, self.domain.width):
            raise BadInput("a box has one side per column, or none at all")

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        places = self.domain.coerce(x)
        inside = np.full(len(places), bool(self.sides))
        for column, (low, high) in zip(places.T, self.sides, strict=False):
            inside &= (column >= low) & (column < high)
        return inside

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        width = self.domain.width
        return self.worded([column] if width == 1 else numbered(column, width), labels)

    def worded(self, columns: Sequence[str], labels: Labels) -> str:
        """The rule in words, with a name for each column."""
        if not self.sides:
            return f"{labels[0]} for every record"
        parts = []
        for axis, (name, (low, high)) in enumerate(zip(columns, self.sides, strict=True)):
            bottom = f"{self.domain.border(axis, low)} <= " if low > 0 else ""
            top = f" < {self.domain.border(axis, high)}" if high <= 1 else ""
            if bottom or top:
                parts.append(f"{bottom}{name}{top}{'' if bottom else UNREADABLE}")
        if not parts:
            return f"{labels[1]} for every record"
        return f"{labels[1]} if {' and '.join(parts)}, else {labels[0]}"

    def to_dict(self) -> dict[str, object]:
        sides = [[low.hex(), high.hex()] for low, high in self.sides]
        return {"kind": self.kind, "bounds": self.domain.to_list(), "sides": sides}

    @classmethod
    def from_dict(cls, record: Stored) -> RealBoxRule:
        ends = ((read_cut(low), read_cut(high)) for low, high in record["sides"])
        return cls(domain=RealBox.from_list(record["bounds"]), sides=tuple(ends))


@dataclass(frozen=True, slots=True, eq=False)
class BoxCover(AddsUp):
    """All boxes whose sides run between two listed cuts of their column, and the empty set.

    Candidate 0 is empty; the others count through the pairs of cuts, last column fastest.
    """

    domain: RealBox
    cuts: tuple[Floats, ...] = field(repr=False)
    name: ClassVar[str] = "real-box-cover"

    @property
    def size(self) -> int:
        return 1 + prod(comb(len(cuts), 2) for cuts in self.cuts)

    @property
    def radius(self) -> Fraction:
        """Under the uniform law, every box disagrees with a listed one at most this often,
        with records as they are held: each of its faces moves to the nearest cut.
        """
        return sum(
            (
                2 * (farthest(cuts) + self.domain.rounding(axis))
                for axis, cuts in enumerate(self.cuts)
            ),
            Fraction(0),
        )

    def describe(self) -> str:
        return f"{self.size} boxes over {self.domain.describe()}"

    def hypothesis(self, candidate: int) -> RealBoxRule:
        """The rule of one box."""
        if candidate == 0:
            return RealBoxRule(domain=self.domain, sides=())
        pairs = [np.triu_indices(len(cuts), 1) for cuts in self.cuts]
        place = np.unravel_index(candidate - 1, [len(low) for low, _ in pairs])
        sides = tuple(
            (float(cuts[low[i]]), float(cuts[high[i]]))
            for cuts, (low, high), i in zip(self.cuts, pairs, place, strict=True)
        )
        return RealBoxRule(domain=self.domain, sides=sides)

    def landscape(self, x: Floats, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every box: the 1s outside it plus the 0s inside.

        One pass over the records, then sums over cells that do not depend on them.
        """
        shape = tuple(len(cuts) + 1 for cuts in self.cuts)
        cell = np.zeros(len(x), dtype=np.int64)
        for column, cuts in zip(x.T, self.cuts, strict=True):
            cell = cell * (len(cuts) + 1) + np.searchsorted(cuts, column, side="right")
        both = np.bincount(2 * cell + y, minlength=2 * prod(shape)).reshape(-1, 2)
        gain = (both[:, 0] - both[:, 1]).reshape(shape)
        positives = np.count_nonzero(y)
        errors = np.full(self.size, positives, dtype=np.int64)
        for axis, cuts in enumerate(self.cuts):
            sums = np.cumsum(gain, axis=axis)
            wide = (*gain.shape[:axis], comb(len(cuts), 2), *gain.shape[axis + 1 :])
            last = axis == len(self.cuts) - 1
            # The longest list is written where it stays: a copy would take longer than its sums.
            gain = errors[1:].reshape(wide) if last else np.empty(wide, dtype=np.int64)
            self._between(np.moveaxis(sums, axis, -1), np.moveaxis(gain, axis, -1))
        errors[1:] += positives
        return Flat(errors=errors)

    @staticmethod
    def _between(sums: npt.NDArray[np.int64], found: npt.NDArray[np.int64]) -> None:
        """Write into ``found``, for every two cuts of the last axis, what lies between them.

        Cell j holds ``cut[j-1] <= x < cut[j]``; from cut a to cut b are cells ``a+1..b``.
        """
        cuts, start = sums.shape[-1] - 1, 0
        for low in range(cuts - 1):
            end = start + cuts - 1 - low
            above = sums[..., low + 1 : cuts]
            np.subtract(above, sums[..., low : low + 1], out=found[..., start:end])
            start = end


@respelled("columns", dimension="columns")
@dataclass(frozen=True, slots=True)
class RealBoxes:
    """All boxes ``low <= x < high`` over real columns, and the empty set.

    Give ``columns`` for the unit cube, or the columns' public ``bounds``. The doubling
    dimension is infinite: near the empty set lie arbitrarily many small disjoint boxes.
    So CH11's own bounds say nothing here, while a direct cover does.
    """

    domain: RealBox
    name: ClassVar[str] = "real-boxes"
    shape: ClassVar[str] = "cube"
    doubling: ClassVar[None] = None
    listed: ClassVar[int] = MOST_RULES
    """The most rules that are listed on records."""
    runnable: ClassVar[int] = MOST_RULES
    """The most rules of a cover that can be run: all are listed."""

    def __init__(
        self,
        *,
        columns: int | None = None,
        bounds: Iterable[tuple[Number, Number]] | None = None,
    ) -> None:
        if (columns is None) == (bounds is None):
            raise BadInput("give either columns= or bounds= for boxes over real columns")
        domain = RealBox(bounds or ()) if columns is None else RealBox.unit(columns=columns)
        object.__setattr__(self, "domain", domain)

    @property
    def size(self) -> None:
        """How many concepts there are; ``None`` if infinitely many."""
        return None

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return self.domain.width

    @property
    def support(self) -> int:
        """How many records decide a rule of ``cover_on``: one for each face."""
        return 2 * self.columns

    @property
    def vc(self) -> int:
        """The VC dimension, or a bound above it."""
        return 2 * self.columns

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(columns=2)

    def describe(self) -> str:
        """The class in a few words."""
        return f"boxes over {self.domain.describe()}"

    @property
    def _rounding(self) -> Fraction:
        return max(self.domain.rounding(axis) for axis in range(self.columns))

    def cells(self, radius: Fraction) -> int:
        """The least fineness at which ``cover`` reaches ``radius``; 0 if none does."""
        room = radius / (2 * self.columns) - 2 * self._rounding
        return cells_for(room) if room > 0 else 0

    def cover_size(self, cells: int) -> int:
        """The size of ``cover(cells)``."""
        return int(comb(cells, 2) ** self.columns) + 1

    def cover_radius(self, cells: int) -> Fraction:
        """Not below the radius of ``cover(cells)``: 2 faces per column, each moved to a cut."""
        return 2 * self.columns * (Fraction(1, 2 * cells) + 2 * self._rounding)

    def cover(self, cells: int) -> BoxCover:
        """Sides between the centres of equal cells of each column."""
        cuts = centres(whole(cells, name="cells", least=1))
        return BoxCover(self.domain, (cuts,) * self.columns)

    def packing(self, radius: Fraction) -> list[RealBoxRule]:
        """Boxes that disagree pairwise more often than ``radius`` under the uniform law.

        Every side begins below 1/4 and ends above 3/4, so moving one end by a step cuts
        off a slab of volume at least ``step / 2^(dimension - 1)``.

        >>> [len(RealBoxes(columns=k).packing(Fraction(1, r))) for k, r in ((1, 10), (2, 17))]
        [9, 81]
        """
        if not 0 < radius < Fraction(1, 4 * 2**self.columns):
            raise BadInput("the radius of a packing of boxes must be below 1 / 2^(dimension + 2)")
        count = -(-1 // (4 * radius * 2 ** (self.columns - 1))) - 1  # steps in a quarter
        step = Fraction(1, 4 * count)
        lows = [float(i * step) for i in range(count + 1)]
        sides = [(low, 1 - other) for low, other in product(lows, lows)]
        return [
            RealBoxRule(domain=self.domain, sides=chosen)
            for chosen in product(sides, repeat=self.columns)
        ]

    def disagreement(self, one: RealBoxRule, other: RealBoxRule) -> Fraction:
        """How often two rules disagree under the uniform law, exactly."""
        both = tuple(
            (max(a, c), min(b, d)) for (a, b), (c, d) in zip(one.sides, other.sides, strict=False)
        )
        return _volume(one.sides) + _volume(other.sides) - 2 * _volume(both)

    def cover_on(self, x: Floats, reach: int) -> BoxCover:
        """Boxes of which one disagrees with any given one on ``reach`` records at most.

        The records decide them: only for records whose ``x`` is public.
        """
        each = reach // (2 * self.columns)
        return BoxCover(self.domain, tuple(cuts_on(column, each) for column in x.T))

    def most_on(self, records: int, reach: int) -> int:
        """How large ``cover_on`` can get on this many records."""
        return self.cover_size(most_steps(records, reach // (2 * self.columns)))

    def rules_on(self, records: int) -> int:
        """How many rules can be made from this many records."""
        return self.cover_size(records + 1)


def _volume(sides: Sides) -> Fraction:
    lengths = (min(Fraction(b), Fraction(1)) - Fraction(a) for a, b in sides)
    return prod((max(length, Fraction(0)) for length in lengths), start=Fraction(bool(sides)))


@respelled("low", "high")
@dataclass(frozen=True, slots=True, init=False)
class RealIntervals(RealBoxes):
    """All intervals ``low <= x < high`` of a real column with public bounds; default [0, 1]."""

    name: ClassVar[str] = "real-intervals"

    def __init__(self, *, low: Number = 0, high: Number = 1) -> None:
        RealBoxes.__init__(self, bounds=[(low, high)])

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls()

    def describe(self) -> str:
        """The class in a few words."""
        return f"intervals over {self.domain.describe()}"
