"""The columns of a public schema: where each value of a record is placed.

Every column has finitely many public *cells*. A value's cell depends on that value and on
the declaration alone. Values outside the declaration are placed by a stated rule, never
reported: numbers are clamped into the range; anything missing or undeclared goes to the
cells that stand apart (``tacit.domains.cells``).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.core.numbers import exact, show, whole
from tacit.domains.cells import MOST_CELLS, Cells, Column, listed, value_words
from tacit.domains.placing import as_floats, place_listed, place_ordered
from tacit.domains.values import Key, key
from tacit.exact.arrays import Values

_TRUE = {"t", "yes", "y"}
_FALSE = {"f", "no", "n"}
_MANY = 8  # more values than this are not listed in words


class Ordered(Column):
    """A column of numbers between borders; a value on a border belongs to the upper cell."""

    low: object
    names: tuple[str, ...] | None

    @property
    def ordered(self) -> bool:
        return True

    @property
    def what(self) -> str:
        return "a number"

    @property
    @abstractmethod
    def borders(self) -> npt.NDArray[np.float64]:
        """The inner cell borders, ascending."""

    @property
    def declared(self) -> int:
        return len(self.borders) + 1

    def floats(self, values: Values) -> npt.NDArray[np.float64]:
        """The values on the scale of the borders; NaN where there is none."""
        return as_floats(values)

    def place(self, values: Values) -> Cells:
        """The cell of each value."""
        floats = self.floats(values)
        cells = place_ordered(floats, self.borders, extra=self.extra)
        if self.missing == "own" and values.dtype.kind not in "iufbmM":
            for row in np.flatnonzero(np.isnan(floats)).tolist():
                cells[row] = int(key(values[row]) is not None)
        return cells

    def border(self, place: int) -> str:
        """A border in words: exactly the number that values are compared with."""
        return border_words(float(self.borders[place]))

    @property
    def each(self) -> tuple[str, ...]:
        if self.names is not None:
            return tuple(map(value_words, self.names))
        if self.declared == 1:
            return (f"any {self.what.removeprefix('a ')}",)
        words = [self.border(place) for place in range(self.declared - 1)]
        return (f"below {words[0]}", *(f"from {word}" for word in words))

    def _lower(self, cell: int, name: str) -> str:
        if self.names is not None:
            return super()._lower(cell, name)
        return f"{name} >= {self.border(cell - 1)}"

    def _upper(self, cell: int, name: str) -> str:
        if self.names is not None:
            return super()._upper(cell, name)
        return f"{name} < {self.border(cell)}"

    def _alone(self, cell: int, name: str) -> str | None:
        return super()._alone(cell, name) if self.names is not None else None

    def _check_names(self) -> None:
        """Refuse names of cells that are not one different word for each cell."""
        if self.names is None:
            return
        names = tuple(str(one) for one in self.names)
        if len(set(names)) != len(names) or len(names) != self.declared:
            raise BadInput(
                f"names must name the {self.declared} cells of the column, each differently"
            )
        object.__setattr__(self, "names", names)


@dataclass(frozen=True, kw_only=True)
class Binned(Ordered):
    """A column of numbers, cut into ``bins`` cells or at ``edges``; cells may have ``names``."""

    bins: int | None = None
    edges: tuple[Fraction, ...] | None = None
    names: tuple[str, ...] | None = None

    def with_bins(self, bins: int) -> Self:
        """The same column, with this grid unless one was declared."""
        declared = self.bins is not None or self.edges is not None
        return self if declared else replace(self, bins=bins)

    def _read_cells(self) -> None:
        if self.bins is not None:
            object.__setattr__(self, "bins", _bins(self.bins))
        if self.edges is not None:
            object.__setattr__(self, "edges", _ascending(self.edges))

    def _check_names(self) -> None:
        if self.names is not None and self.edges is None and self.bins is None:
            raise BadInput("names need cuts or bins: they name the cells")
        super()._check_names()

    def _cells_told(self, spelled: Callable[[Fraction], object]) -> dict[str, object]:
        """What was declared of the cells, JSON-ready; ``spelled`` writes a cut."""
        told: dict[str, object] = {} if self.bins is None else {"bins": self.bins}
        if self.edges is not None:
            told["cuts"] = [spelled(edge) for edge in self.edges]
        if self.names is not None:
            told["names"] = list(self.names)
        return told


_FARTHEST = 10**300
"""Borders are compared as floats."""
MOST_DECIMALS = 12


@dataclass(frozen=True, kw_only=True)
class Number(Binned):
    """A number in ``[low, high]``, cut into ``bins`` equal cells, or at public ``edges``.

    ``names``     what the cells are called, from the lowest; for columns cut at ``edges``.
    ``decimals``  how many digits after the point the values of a synthetic table have; by default
                  as many as its cells need.
    """

    kind: ClassVar[str] = "number"
    low: Fraction
    high: Fraction
    decimals: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        low, high = _borders(("low", self.low), ("high", self.high))
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        if not low < high:
            raise BadInput("a column's low must be below its high")
        self._read_cells()
        if any(abs(end) > _FARTHEST for end in (self.low, self.high, *(self.edges or ()))):
            raise BadInput("a column's numbers must lie between -1e300 and 1e300")
        if self.decimals is not None:
            digits = whole(self.decimals, name="decimals", least=0)
            object.__setattr__(self, "decimals", digits)
            if digits > MOST_DECIMALS:
                raise BadInput(f"decimals must be at most {MOST_DECIMALS}")
        self._check_names()

    @cached_property
    def borders(self) -> npt.NDArray[np.float64]:
        """The inner cell borders; a value on a border belongs to the upper cell."""
        if self.edges is not None:
            return np.array([float(edge) for edge in self.edges], dtype=np.float64)
        bins = 16 if self.bins is None else self.bins
        step = (self.high - self.low) / bins
        return np.array([float(self.low + step * i) for i in range(1, bins)], dtype=np.float64)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        record: dict[str, object] = {"low": show(self.low), "high": show(self.high)}
        if self.decimals is not None:
            record["decimals"] = self.decimals
        return self._told(record | self._cells_told(show))


@dataclass(frozen=True, kw_only=True)
class Integer(Binned):
    """A whole number in ``low, ..., high``: a cell each, or ``bins`` cells if there are more.

    ``edges``  own borders instead: whole numbers at which a new cell begins.
    """

    kind: ClassVar[str] = "integer"
    low: int
    high: int

    def __post_init__(self) -> None:
        super().__post_init__()
        ends = _borders(("low", self.low), ("high", self.high))
        for name, number in zip(("low", "high"), ends, strict=True):
            if number.denominator != 1:
                raise BadInput(f"an integer column's {name} must be a whole number")
            object.__setattr__(self, name, int(number))
        if not self.low <= self.high:
            raise BadInput("a column's low must not be above its high")
        self._read_cells()
        if any(edge.denominator != 1 for edge in self.edges or ()):
            raise BadInput("an integer column's cuts must be whole numbers")
        self._check_names()

    @cached_property
    def borders(self) -> npt.NDArray[np.float64]:
        """The inner cell borders: the least integer of every cell but the first."""
        if self.edges is not None:
            return np.array([float(edge) for edge in self.edges], dtype=np.float64)
        values = self.high - self.low + 1
        bins = min(values, 16 if self.bins is None else self.bins)
        inner = [self.low + -(-values * i // bins) for i in range(1, bins)]
        return np.array([float(border) for border in inner], dtype=np.float64)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        record: dict[str, object] = {"low": self.low, "high": self.high}
        return self._told(record | self._cells_told(int))


@dataclass(frozen=True, kw_only=True)
class Category(Column):
    """One of the listed values; a cell each. ``in_order`` says that they go up."""

    kind: ClassVar[str] = "category"
    values: tuple[Hashable, ...]
    in_order: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        values = tuple(self.values)
        if not values or len({key(value) for value in values}) != len(values):
            raise BadInput(
                "a category column must list at least one value, each once (numbers and their "
                "text are one value: 10, 10.0 and '10')"
            )
        if len(values) > MOST_CELLS:
            raise BadInput(f"a category column may list at most {MOST_CELLS} values")
        if not isinstance(self.in_order, bool):
            raise BadInput("ordered must be true or false")
        object.__setattr__(self, "values", values)

    @property
    def ordered(self) -> bool:
        return self.in_order

    def with_bins(self, bins: int) -> Category:
        """Categories are their own grid."""
        del bins
        return self

    @property
    def declared(self) -> int:
        return len(self.values)

    @property
    def what(self) -> str:
        return listed(self.each) if self.declared <= _MANY else "one of the declared values"

    @cached_property
    def each(self) -> tuple[str, ...]:
        return tuple(map(value_words, self.values))

    def place(self, values: Values) -> Cells:
        """The cell of each value; numbers and their text count as equal."""
        places = {key(one): place + self.extra for place, one in enumerate(self.values)}
        if self.missing == "own":
            places.setdefault(None, 0)
        otherwise = max(self.extra - 1, 0)
        return place_listed(values, places, otherwise=otherwise).astype(np.int32)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form: dates and the like as their text, which ``place`` reads as equal."""
        plain = (str, int, float, type(None))
        values = [value if isinstance(value, plain) else str(value) for value in self.values]
        return self._told({"values": values} | ({"ordered": True} if self.in_order else {}))


@dataclass(frozen=True, kw_only=True)
class Boolean(Column):
    """False or true; 0 and 1, and the usual words (yes, no, y, n, t, f), are read too."""

    kind: ClassVar[str] = "boolean"

    @property
    def ordered(self) -> bool:
        return True

    def with_bins(self, bins: int) -> Boolean:
        """Two cells, whatever the grid."""
        del bins
        return self

    @property
    def declared(self) -> int:
        return 2

    @property
    def what(self) -> str:
        return "true or false"

    @property
    def each(self) -> tuple[str, ...]:
        return ("false", "true")

    def place(self, values: Values) -> Cells:
        """The cell of each value."""
        places: dict[Key, int] = {0.0: self.extra, 1.0: self.extra + 1}
        if self.missing == "own":
            places[None] = 0
        otherwise = max(self.extra - 1, 0)
        if values.dtype.kind in "iufb":
            return place_listed(values, places, otherwise=otherwise).astype(np.int32)
        words = dict.fromkeys(_FALSE, self.extra) | dict.fromkeys(_TRUE, self.extra + 1)
        found = [_truth_place(value, places, words, otherwise) for value in values.tolist()]
        return np.array(found, dtype=np.int32)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        return self._told({})


def _truth_place(
    value: object, places: dict[Key, int], words: dict[str, int], otherwise: int
) -> int:
    found = key(value)
    if isinstance(found, str):
        return words.get(found.lower(), otherwise)
    return places.get(found, otherwise)


def _bins(value: object) -> int:
    bins = whole(value, name="bins", least=1)
    if bins > MOST_CELLS:
        raise BadInput(f"bins must be at most {MOST_CELLS}")
    return bins


def _ascending(given: tuple[object, ...]) -> tuple[Fraction, ...]:
    edges = _borders(*(("cuts", edge) for edge in given))
    if list(edges) != sorted(set(edges)) or len(edges) >= MOST_CELLS:
        raise BadInput("cuts must be different numbers in ascending order")
    return edges


def border_words(border: float) -> str:
    """A border as text, every digit of it: whole numbers without a point."""
    return str(int(border)) if border.is_integer() and abs(border) < 1e15 else repr(border)


def _borders(*given: tuple[str, object]) -> tuple[Fraction, ...]:
    """Numbers that floats can be compared with, each given with its name."""
    numbers = tuple(
        value if isinstance(value, Fraction) else exact(value, name=name) for name, value in given
    )
    for (name, _), number in zip(given, numbers, strict=True):
        if abs(number) > _FARTHEST:
            raise BadInput(f"{name} must lie between -1e300 and 1e300")
    return numbers
