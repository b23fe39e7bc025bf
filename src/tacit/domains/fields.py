"""The columns of a public schema: where each value of a record is placed.

Every column has finitely many public *cells*. A value's cell depends on that value and on
the declaration alone. Values outside the declaration are placed by a stated rule, never
reported: numbers are clamped into the range; anything missing or unreadable goes to the
column's missing cell if one was declared, else to its first cell.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.core.numbers import exact, show, whole
from tacit.domains.values import Key, as_float, key

MOST_CELLS = 1 << 15
_MAYBE = " (or missing)"  # in parentheses: bare, it would be read across an "and"
_TRUE = {"t", "yes", "y"}

Cells = npt.NDArray[np.int32]


def as_floats(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Each entry as a float; what is not a number becomes NaN, one by one."""
    if values.dtype.kind in "iufb":
        # A signalling NaN or a wider float must not show itself by a warning.
        with np.errstate(all="ignore"):
            return values.astype(np.float64, copy=False)
    if values.dtype.kind in "mM":
        return _days(values)
    return np.array([as_float(value) for value in values.tolist()], dtype=np.float64)


def _days(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Dates as days since 1970 and durations as days, whatever unit an engine keeps them in."""
    unit, count = np.datetime_data(values.dtype)
    ticks = np.where(np.isnat(values), np.nan, values.astype(np.int64).astype(np.float64))
    if unit in ("Y", "M") and values.dtype.kind == "M":
        whole_days = values.astype("datetime64[D]").astype(np.int64)
        return np.where(np.isnat(values), np.nan, whole_days.astype(np.float64))
    day = 24 * 3600
    per_day = {"h": 24.0, "m": 1440.0, "s": 1.0 * day, "ms": 1e3 * day, "us": 1e6 * day}
    per_day |= {"ns": 1e9 * day, "ps": 1e12 * day, "fs": 1e15 * day, "as": 1e18 * day}
    per_day |= {"W": 1 / 7}
    return np.asarray(ticks * count / per_day.get(unit, 1.0))


@dataclass(frozen=True, kw_only=True)
class Number:
    """A number in ``[low, high]``, cut into ``bins`` equal cells, or at public ``edges``."""

    kind: ClassVar[str] = "number"
    ordered: ClassVar[bool] = True
    low: Fraction
    high: Fraction
    bins: int | None = None
    edges: tuple[Fraction, ...] | None = None
    missing: bool = False

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            object.__setattr__(self, name, exact(getattr(self, name), name=name))
        if not self.low < self.high:
            raise BadInput("a column's low must be below its high")
        if self.bins is not None:
            object.__setattr__(self, "bins", _bins(self.bins))
        if self.edges is not None:
            edges = tuple(exact(edge, name="edges") for edge in self.edges)
            if list(edges) != sorted(set(edges)) or len(edges) >= MOST_CELLS:
                raise BadInput("edges must be different numbers in ascending order")
            object.__setattr__(self, "edges", edges)

    def with_bins(self, bins: int) -> Number:
        """The same column, with this grid unless one was declared."""
        if self.bins is not None or self.edges is not None:
            return self
        return Number(low=self.low, high=self.high, bins=bins, missing=self.missing)

    @cached_property
    def cuts(self) -> npt.NDArray[np.float64]:
        """The inner cell borders; a value on a border belongs to the upper cell."""
        if self.edges is not None:
            return np.array([float(edge) for edge in self.edges], dtype=np.float64)
        bins = 16 if self.bins is None else self.bins
        step = (self.high - self.low) / bins
        return np.array([float(self.low + step * i) for i in range(1, bins)], dtype=np.float64)

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.cuts) + 1 + self.missing

    def place(self, values: npt.NDArray[Any]) -> Cells:
        """The cell of each value."""
        return place_ordered(as_floats(values), self.cuts, missing=self.missing)

    def below(self, cut: int, *, name: str) -> tuple[str, str]:
        """In words: being in the first ``cut + 1`` cells, and not being there."""
        return below_words(self.cuts, cut, name=name, missing=self.missing)

    def to_dict(self) -> dict[str, Any]:
        """A JSON-ready form."""
        record: dict[str, Any] = {"kind": self.kind, "low": show(self.low), "high": show(self.high)}
        if self.bins is not None:
            record["bins"] = self.bins
        if self.edges is not None:
            record["edges"] = [show(edge) for edge in self.edges]
        return record | ({"missing": True} if self.missing else {})


@dataclass(frozen=True, kw_only=True)
class Integer:
    """A whole number in ``low, ..., high``: a cell each, or ``bins`` cells if there are more."""

    kind: ClassVar[str] = "integer"
    ordered: ClassVar[bool] = True
    low: int
    high: int
    bins: int | None = None
    missing: bool = False

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            number = exact(getattr(self, name), name=name)
            if number.denominator != 1:
                raise BadInput(f"an integer column's {name} must be a whole number")
            object.__setattr__(self, name, int(number))
        if not self.low <= self.high:
            raise BadInput("a column's low must not be above its high")
        if self.bins is not None:
            object.__setattr__(self, "bins", _bins(self.bins))

    def with_bins(self, bins: int) -> Integer:
        """The same column, with this grid unless one was declared."""
        if self.bins is not None:
            return self
        return Integer(low=self.low, high=self.high, bins=bins, missing=self.missing)

    @cached_property
    def cuts(self) -> npt.NDArray[np.float64]:
        """The inner cell borders, halfway between two integers where there is room."""
        values = self.high - self.low + 1
        bins = min(values, 16 if self.bins is None else self.bins)
        inner = [self.low + -(-values * i // bins) for i in range(1, bins)]
        return np.array([float(border) for border in inner], dtype=np.float64)

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.cuts) + 1 + self.missing

    def place(self, values: npt.NDArray[Any]) -> Cells:
        """The cell of each value."""
        return place_ordered(as_floats(values), self.cuts, missing=self.missing)

    def below(self, cut: int, *, name: str) -> tuple[str, str]:
        """In words: being in the first ``cut + 1`` cells, and not being there."""
        return below_words(self.cuts, cut, name=name, missing=self.missing)

    def to_dict(self) -> dict[str, Any]:
        """A JSON-ready form."""
        record: dict[str, Any] = {"kind": self.kind, "low": self.low, "high": self.high}
        if self.bins is not None:
            record["bins"] = self.bins
        return record | ({"missing": True} if self.missing else {})


@dataclass(frozen=True, kw_only=True)
class Category:
    """One of the listed values; a cell each."""

    kind: ClassVar[str] = "category"
    ordered: ClassVar[bool] = False
    values: tuple[Hashable, ...]
    missing: bool = False

    def __post_init__(self) -> None:
        values = tuple(self.values)
        if not values or len({key(value) for value in values}) != len(values):
            raise BadInput(
                "a category column must list at least one value, each once (numbers and their "
                "text are one value: 10, 10.0 and '10')"
            )
        if len(values) > MOST_CELLS:
            raise BadInput(f"a category column may list at most {MOST_CELLS} values")
        object.__setattr__(self, "values", values)

    def with_bins(self, bins: int) -> Category:
        """Categories are their own grid."""
        del bins
        return self

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.values) + self.missing

    def place(self, values: npt.NDArray[Any]) -> Cells:
        """The cell of each value; numbers and their text count as equal."""
        places = {key(one): place + self.missing for place, one in enumerate(self.values)}
        return place_listed(values, places, otherwise=0).astype(np.int32)

    def below(self, cut: int, *, name: str) -> tuple[str, str]:
        """In words: being in cell ``cut``, and not being there."""
        if self.missing and cut == 0:
            return f"{name} is missing", f"{name} is known"
        value = self.values[cut - self.missing]
        return f"{name} is {value}", f"{name} is not {value}"

    def to_dict(self) -> dict[str, Any]:
        """A JSON-ready form: dates and the like as their text, which ``place`` reads as equal."""
        plain = (str, int, float, type(None))
        values = [value if isinstance(value, plain) else str(value) for value in self.values]
        record = {"kind": self.kind, "values": values}
        return record | ({"missing": True} if self.missing else {})


@dataclass(frozen=True, kw_only=True)
class Boolean:
    """False or true; 0 and 1, and the usual words, are read too."""

    kind: ClassVar[str] = "boolean"
    ordered: ClassVar[bool] = True
    missing: bool = False

    def with_bins(self, bins: int) -> Boolean:
        """Two cells, whatever the grid."""
        del bins
        return self

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return 2 + self.missing

    def place(self, values: npt.NDArray[Any]) -> Cells:
        """The cell of each value."""
        if values.dtype == bool:
            return values.astype(np.int32) + np.int32(self.missing)
        if values.dtype.kind in "iuf":
            known = ~np.isnan(values) if values.dtype.kind == "f" else np.True_
            cells = np.where(known, (values != 0) + np.int32(self.missing), 0)
            return cells.astype(np.int32)
        return np.array([self._cell(value) for value in values.tolist()], dtype=np.int32)

    def _cell(self, value: Any) -> int:
        word = key(value)
        if word is None:
            return 0
        # As in an array of numbers: what one record is must not hang on another's type.
        true = word.lower() in _TRUE if isinstance(word, str) else word != 0
        return self.missing + int(true)

    def below(self, cut: int, *, name: str) -> tuple[str, str]:
        """In words: being in the first ``cut + 1`` cells, and not being there."""
        if self.missing:
            words = ((f"{name} is missing", f"{name} is known"),)
            return (*words, (f"{name} is not true", f"{name} is true"))[cut]
        return f"{name} is false", f"{name} is true"

    def to_dict(self) -> dict[str, Any]:
        """A JSON-ready form."""
        return {"kind": self.kind} | ({"missing": True} if self.missing else {})


Field = Number | Integer | Category | Boolean
KINDS: dict[str, Any] = {kind.kind: kind for kind in (Number, Integer, Category, Boolean)}


def _bins(value: object) -> int:
    bins = whole(value, name="bins", least=1)
    if bins > MOST_CELLS:
        raise BadInput(f"bins must be at most {MOST_CELLS}")
    return bins


def place_listed(
    values: npt.NDArray[Any], places: dict[Key, int], *, otherwise: int
) -> npt.NDArray[np.int64]:
    """The place of each value by its key; ``otherwise`` for those that have none."""
    if values.dtype.kind in "iufb":
        return _place_numbers(as_floats(values), places, otherwise)
    # Almost all cells are spelled as declared: those are found without parsing them.
    spelled = {text: place for text, place in places.items() if isinstance(text, str)}
    held = values.astype("datetime64[us]") if values.dtype.kind == "M" else values
    found = [
        spelled[value]
        if type(value) is str and value in spelled
        else places.get(key(value), otherwise)
        for value in held.tolist()
    ]
    return np.array(found, dtype=np.int64)


def _place_numbers(
    values: npt.NDArray[np.float64], places: dict[Key, int], otherwise: int
) -> npt.NDArray[np.int64]:
    out = np.full(len(values), otherwise, dtype=np.int64)
    listed = sorted((number, place) for number, place in places.items() if type(number) is float)
    if listed:
        numbers = np.array([one for one, _ in listed])
        ranks = np.minimum(np.searchsorted(numbers, values), len(numbers) - 1)
        same = numbers[ranks] == values
        out[same] = np.array([place for _, place in listed])[ranks[same]]
    if None in places:
        out[np.isnan(values)] = places[None]
    return out


MANY_ROWS = 1 << 16


def place_ordered(
    values: npt.NDArray[np.float64], cuts: npt.NDArray[np.float64], *, missing: bool
) -> Cells:
    """How many borders are not above each value, after the missing cell if there is one."""
    if len(values) >= MANY_ROWS:
        from tacit.domains.kernels import count_borders

        placed: Cells = count_borders(np.ascontiguousarray(values), cuts, int(missing))
        return placed
    cells = np.searchsorted(cuts, values, side="right").astype(np.int32) + np.int32(missing)
    cells[np.isnan(values)] = 0
    return cells


def below_words(
    cuts: npt.NDArray[np.float64], cut: int, *, name: str, missing: bool
) -> tuple[str, str]:
    """The two sides of a cut after cell ``cut`` of an ordered column, in words."""
    if missing and cut == 0:
        return f"{name} is missing", f"{name} is known"
    border = border_words(float(cuts[cut - missing]))
    return f"{name} < {border}{_MAYBE if missing else ''}", f"{name} >= {border}"


def if_known(words: str) -> str:
    """The lower side of a cut in words, where another answer says that the value is known."""
    return words.removesuffix(_MAYBE)


def border_words(border: float) -> str:
    """A border as text: whole numbers as they are, others in six digits."""
    return str(int(border)) if border.is_integer() and abs(border) < 1e15 else f"{border:.6g}"
