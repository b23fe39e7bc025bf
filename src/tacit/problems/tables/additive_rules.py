"""Rules that add up points for the cell of every column, and the class of all such rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.certificate_reader import MOST_BITS
from tacit.core.records import Stored
from tacit.domains.schema import Schema
from tacit.problems.tables.points_rule import (
    MOST_POINTS,
    MOST_START,
    PointsRule,
    read_points,
)
from tacit.problems.tables.records import OverTable
from tacit.problems.tables.table_rule import Cells

_EACH = Fraction(1, 2 * MOST_POINTS + 1)
"""The prior of each number of points."""


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class AdditiveRule(PointsRule):
    """1 where the points of a record's cells, one a column, add up to more than the threshold.

    ``columns`` are the points of every cell, column by column of the schema.
    """

    kind: ClassVar[str] = "additive"
    schema: Schema
    start: int
    columns: tuple[tuple[int, ...], ...]
    threshold: int = 0

    def points(self, cells: Cells) -> npt.NDArray[np.int64]:
        total = np.full(len(cells), self.start, dtype=np.int64)
        for place, points in enumerate(self.columns):
            total += np.array(points, dtype=np.int64)[cells[:, place]]
        return total

    @property
    def range(self) -> tuple[int, int]:
        least, most = (sum(map(end, self.columns)) for end in (min, max))
        return self.start + least, self.start + most

    @property
    def reads(self) -> tuple[int, ...]:
        """The columns whose cells differ in points: all that the rule needs."""
        return tuple(place for place, points in enumerate(self.columns) if len(set(points)) > 1)

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        """The score card: a block a column, neighbouring cells of equal points together."""
        del column
        blocks = [line for place in range(len(self.columns)) for line in self._block(place)]
        return "\n".join([*self.headed(labels, ranks=bool(blocks)), *blocks])

    def _block(self, place: int) -> Iterator[str]:
        """The lines of one column; none where all of its cells have no points."""
        points = self.columns[place]
        if not any(points):
            return
        yield f"{self.schema.told[place]}:"
        if len(set(points)) == 1:
            yield f"  always: {points[0]:+d}"
            return
        for words, each in self._cells(place):
            yield f"  {' and '.join(words)}: {each:+d}"

    def _cells(self, place: int) -> Iterator[tuple[list[str], int]]:
        """Cells of equal points in words: neighbours, or all where the cells have no order."""
        field, name = self.schema.fields[place], self.schema.told[place]
        points = self.columns[place]
        if not field.ordered:
            for each in dict.fromkeys(points):
                alike = [cell for cell, one in enumerate(points) if one == each]
                yield field.is_among(alike, name=name), each
            return
        first = 0
        for each, run in groupby(points):
            end = first + len(list(run))
            yield field.is_in(first, end - 1, name=name), each
            first = end

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "schema": self.schema.to_dict(),
            "start": self.start,
            "columns": [list(points) for points in self.columns],
            "threshold": self.threshold,
        }

    @classmethod
    def from_dict(cls, record: Stored) -> AdditiveRule:
        schema = Schema.of(record["schema"])
        columns = tuple(tuple(map(read_points, points)) for points in record["columns"])
        if tuple(map(len, columns)) != schema.cells:
            raise ValueError("points for every cell of every column")
        return cls(
            schema=schema,
            start=read_points(record["start"]),
            columns=columns,
            threshold=read_points(record["threshold"]),
        )


@dataclass(frozen=True)
class AdditivePoints(OverTable):
    """Points for the cell of every column, added up, or a constant label.

    Errors are compared with the better constant label. The public prior of a sum: its start and the
    points of a column's first cell are equally likely numbers; each further cell has the points of
    the one before it with probability 1/2, else any, all equally likely. Priors are rounded down to
    powers of two, and a schema of so many cells that a certificate could not hold one is refused.
    """

    schema: Schema
    name: ClassVar[str] = "additive points"

    def __post_init__(self) -> None:
        if self.least_prior().denominator.bit_length() > MOST_BITS:
            raise BadInput(
                f"points for {sum(self.schema.cells):,} cells are too many: fewer columns or bins"
            )

    @property
    def size(self) -> int:
        """How many rules errors are compared with: both constant labels."""
        return 2

    @property
    def comparator(self) -> str:
        """What errors are compared with, in words."""
        return "the better constant label"

    def prior(self, rule: AdditiveRule) -> Fraction:
        """The prior of a rule: each constant label has a quarter, the sums one half.

        A rule with other points than are given, or another threshold than a sum has, has none.
        """
        if rule.always is not None:
            return Fraction(1, 4)
        given = all(abs(points) <= MOST_POINTS for column in rule.columns for points in column)
        if not given or abs(rule.start) > MOST_START or rule.threshold:
            return Fraction(0)
        found = _HALF_START
        for points in rule.columns:
            found *= _prior_of(points)
        return _rounded(found)

    def least_prior(self) -> Fraction:
        """Not above the prior of any rule of the class."""
        many = sum(self.schema.cells)
        further = many - self.schema.width
        return _rounded(_HALF_START * _EACH**many * Fraction(1, 1 << further))

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny())

    def describe(self) -> str:
        return f"points of every column's cells added up, over {self.schema.describe()}"


_HALF_START = Fraction(1, 2 * (2 * MOST_START + 1))


def _rounded(prior: Fraction) -> Fraction:
    """The power of two below a prior: exact ones have as many digits as there are cells."""
    return Fraction(1, 1 << (prior.denominator // prior.numerator).bit_length())


def _prior_of(points: tuple[int, ...]) -> Fraction:
    """The prior of one column's points."""
    other = _EACH / 2
    same = Fraction(1, 2) + other
    alike = sum(one == after for one, after in pairwise(points))
    return _EACH * same**alike * other ** (len(points) - 1 - alike)
