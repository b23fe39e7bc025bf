"""Halfspaces through the origin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.bounds.search import greatest
from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.hypothesis import numbered
from tacit.core.numbers import whole
from tacit.core.records import Stored
from tacit.core.respelled import respelled
from tacit.domains.reals import Floats
from tacit.domains.sphere import SCALE, Sphere
from tacit.exact.landscape import Flat
from tacit.problems.reals.circle import normals_on
from tacit.problems.reals.grid_landscape import GridLandscape
from tacit.problems.reals.real_cuts import MOST_RULES, most_steps
from tacit.problems.reals.sphere_grid import (
    grid_angle,
    grid_cells,
    grid_normals,
    grid_size,
    share_between,
    spread_normals,
)

_RECORDS, _NORMALS = 255, 256
_EXACT = 1 << 53  # whole numbers below it are exact in float64
_FEW = 1 << 16  # rules that are listed one by one; more are counted line by line
_FINEST = 1 << 12  # cells along an edge of the finest grid that is run
_MOST_LINES = 1 << 23
"""Of a grid that is counted: each is one step a record."""


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HalfspaceRule:
    """``normal . x >= 0``, decided in whole numbers."""

    kind: ClassVar[str] = "halfspace"
    normal: tuple[int, ...]

    def __post_init__(self) -> None:
        if not any(self.normal) or 2 * SCALE * sum(map(abs, self.normal)) >= _EXACT:
            raise BadInput("a normal has entries, not all zero, small enough for exact products")

    @property
    def domain(self) -> Sphere:
        """Directions in as many columns as the normal has."""
        return Sphere(columns=len(self.normal))

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        normal = np.array(self.normal, dtype=np.float64)
        return np.asarray(self.domain.coerce(x) @ normal >= 0)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        return self.worded(numbered(column, len(self.normal)), labels)

    def worded(self, columns: Sequence[str], labels: Labels) -> str:
        """The rule in words, with a name for each column."""
        parts = [f"{w:+d} {name}" for w, name in zip(self.normal, columns, strict=True)]
        return (
            f"{labels[1]} if {' '.join(parts)} >= 0, else {labels[0]}\n"
            f"{self.domain.placing(columns[0])}"
        )

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, "normal": [str(w) for w in self.normal]}

    @classmethod
    def from_dict(cls, record: Stored) -> HalfspaceRule:
        return cls(normal=tuple(int(w) for w in record["normal"]))


@dataclass(frozen=True, slots=True, eq=False)
class HalfspaceCover:
    """Listed halfspaces; ``normals(start, stop)`` lists some of them as whole numbers.

    ``radius`` is not below the share of directions on which an arbitrary halfspace
    disagrees with the nearest listed one under the uniform law, records as held;
    ``None`` where no such share is known.
    """

    domain: Sphere
    size: int
    normals: Callable[[int, int], Floats] = field(repr=False)
    radius: Fraction | None = None
    cells: int = 0
    """The fineness of the grid of ``sphere_grid`` that they are; 0 if they are not."""
    name: ClassVar[str] = "halfspace-cover"

    def describe(self) -> str:
        return f"{self.size} halfspaces over {self.domain.describe()}"

    def hypothesis(self, candidate: int) -> HalfspaceRule:
        """The rule of one normal."""
        (normal,) = self.normals(candidate, candidate + 1)
        return HalfspaceRule(normal=tuple(int(w) for w in normal))

    @property
    def by_lines(self) -> bool:
        """Whether there are so many that they are counted along the lines of their grid."""
        return self.cells > 0 and self.size > _FEW

    def prepare(self) -> None:
        """Compile what counts them, before anything is charged."""
        if self.by_lines:
            from tacit.problems.reals.grid_kernel import warm

            warm()

    def landscape(self, x: Floats, y: npt.NDArray[np.bool_]) -> Flat | GridLandscape:
        """Mistakes of every normal: many along the lines of their grid, few as follows.

        A record is wrong when ``sign * (2 normal . x + 1) < 0`` with ``sign`` 1 for label
        1 and -1 for label 0. All of these are odd whole numbers below 2^53: float64 adds
        them exactly in any order, so a block's shape cannot change a count.
        """
        if self.by_lines:
            return GridLandscape(x, y, self.cells)
        sign = np.where(y, 1.0, -1.0)[:, None]
        records = sign * np.column_stack([2.0 * x, np.ones(len(x))])
        errors = np.zeros(self.size, dtype=np.int64)
        buffer = np.empty((_RECORDS, _NORMALS))
        for first in range(0, self.size, _NORMALS):
            last = min(first + _NORMALS, self.size)
            normals = self.normals(first, last)
            columns = np.ascontiguousarray(np.column_stack([normals, np.ones(len(normals))]).T)
            count = errors[first:last]
            for start in range(0, len(records), _RECORDS):
                block = records[start : start + _RECORDS]
                values = np.matmul(block, columns, out=buffer[: len(block), : last - first])
                # At most 255 records at a time, so bytes cannot overflow.
                count += np.add.reduce((values < 0).view(np.uint8), axis=0, dtype=np.uint8)
        return Flat(errors=errors)


@respelled("columns", dimension="columns")
@dataclass(frozen=True, slots=True)
class Halfspaces:
    """All halfspaces ``w . x >= 0`` through the origin of ``columns`` real columns.

    Only the directions of records count; see ``tacit.domains.sphere``.
    """

    domain: Sphere
    name: ClassVar[str] = "halfspaces"
    shape: ClassVar[str] = "sphere"
    listed: ClassVar[int] = 1 << 13
    """The most rules that are listed on records: each is tried on each record."""
    support: ClassVar[int] = 2
    """How many records decide a rule of ``cover_on``."""

    def __init__(self, *, columns: int) -> None:
        object.__setattr__(self, "domain", Sphere(columns=whole(columns, name="columns", least=2)))

    @property
    def size(self) -> None:
        """How many concepts there are; ``None`` if infinitely many."""
        return None

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return self.domain.columns

    @property
    def runnable(self) -> int:
        """The most rules of a cover that can be run: listed in the plane, else counted by lines."""
        if self.columns == 2:
            return MOST_RULES
        faces = 2 * self.columns
        cells = greatest(lambda fine: faces * fine ** (self.columns - 2) <= _MOST_LINES)
        return grid_size(self.columns, min(cells, _FINEST))

    @property
    def vc(self) -> int:
        """The VC dimension, or a bound above it."""
        return self.columns

    @property
    def doubling(self) -> Fraction:
        """Not below the doubling dimension under the uniform law.

        ``(n-1) log2(5)``, from the caps' ratio 5^(n-1): theory of covers, CH11 section 5.2.
        """
        return Fraction(2322, 1000) * (self.columns - 1)

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(columns=2)

    def describe(self) -> str:
        """The class in a few words."""
        return f"halfspaces w . x >= 0 over {self.domain.describe()}"

    def cells(self, radius: Fraction) -> int:
        """The least fineness at which ``cover`` reaches ``radius``; 0 if none does."""
        room = radius - self._slack
        return grid_cells(self.columns, room) if room > 0 else 0

    @property
    def _slack(self) -> Fraction:
        # Rounded records, and in the plane rounded normals too.
        return (2 if self.columns == 2 else 1) * self.domain.rounding

    def cover_size(self, cells: int) -> int:
        """The size of ``cover(cells)``."""
        return grid_size(self.columns, cells)

    def cover_radius(self, cells: int) -> Fraction:
        """Not below the radius of ``cover(cells)``: halfspaces disagree on angle / pi."""
        return grid_angle(self.columns, cells) + self._slack

    def cover(self, cells: int) -> HalfspaceCover:
        """Equal angles in the plane, the grid of ``sphere_grid`` in more dimensions."""
        fine = whole(cells, name="cells", least=1)
        if 4 * SCALE * self.columns * max(fine, SCALE if self.columns == 2 else 1) > _EXACT:
            raise BadInput("cells is too large for exact products; a coarser cover will do")
        return HalfspaceCover(
            self.domain,
            self.cover_size(fine),
            lambda start, stop: grid_normals(self.columns, fine, start, stop),
            self.cover_radius(fine),
            fine if self.columns > 2 else 0,
        )

    def packing(self, radius: Fraction) -> list[HalfspaceRule]:
        """Halfspaces that disagree pairwise more often than ``radius`` under the uniform law."""
        if not 0 < radius < Fraction(1, 2):
            raise BadInput("the radius of a packing of halfspaces must be between 0 and 1/2")
        normals = spread_normals(self.columns, radius)
        return [HalfspaceRule(normal=tuple(int(w) for w in normal)) for normal in normals]

    def disagreement(self, one: HalfspaceRule, other: HalfspaceRule) -> Fraction:
        """How often two rules disagree under the uniform law: their angle over pi, rounded
        down by less than 2^-60.
        """
        return share_between(one.normal, other.normal)

    def cover_on(self, x: Floats, reach: int) -> HalfspaceCover:
        """Halfspaces of which one disagrees with any given one on ``reach`` records at most.

        The records decide them: only for records whose ``x`` is public. In the plane.
        """
        if self.columns != 2:
            raise BadInput("covers built on the records are for halfspaces in the plane")
        normals = normals_on(x, reach)
        return HalfspaceCover(self.domain, len(normals), lambda start, stop: normals[start:stop])

    def most_on(self, records: int, reach: int) -> int:
        """How large ``cover_on`` can get on this many records."""
        return most_steps(2 * records, reach)

    def rules_on(self, records: int) -> int:
        """How many rules can be made from this many records: each has two turns; a normal is
        a turn, the sum of two, or at a right angle to one.
        """
        return max(1, 4 * records + comb(2 * records, 2))
