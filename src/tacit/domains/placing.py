"""Where the values of a column are placed: by their number among borders, or by their key."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tacit.domains.cells import Cells
from tacit.domains.values import Key, as_float, key
from tacit.exact.arrays import Placed, Values

MANY_ROWS = 1 << 16  # from here on it pays to load the compiled loop
_SOME_ROWS = 1 << 10  # the same once it is loaded


class Placing(Protocol):
    """Read records into public cells, each record by itself; total."""

    def coerce(self, values: Any, /) -> Placed: ...


class Sized(Placing, Protocol):
    """Read records into public cells, of which there are ``size``."""

    @property
    def size(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class PlacedTable:
    """Rows that were placed before: one column for each of what placed them. Private."""

    cells: npt.NDArray[np.int32]
    by: object

    def __repr__(self) -> str:
        return "PlacedTable(private)"

    def __len__(self) -> int:
        return len(self.cells)

    def placed_by(self, other: object) -> npt.NDArray[np.int32]:
        """The cells, for whoever equals what placed them."""
        if other is not self.by and other != self.by:
            raise ValueError("these rows were placed by other declarations")
        return self.cells


def as_floats(values: Values) -> npt.NDArray[np.float64]:
    """Each entry as a float; what is not a number becomes NaN, one by one."""
    if values.dtype.kind in "iufb":
        # A signalling NaN or a wider float must not show itself by a warning.
        with np.errstate(all="ignore"):
            return values.astype(np.float64, copy=False)
    if values.dtype.kind in "mM":
        return _days(values)
    return np.array([as_float(value) for value in values.tolist()], dtype=np.float64)


def _days(values: Values) -> npt.NDArray[np.float64]:
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


def place_listed(
    values: Values, places: dict[Key, int], *, otherwise: int
) -> npt.NDArray[np.int64]:
    """The place of each value by its key; ``otherwise`` for those that have none."""
    if values.dtype.kind in "iufb":
        return _place_numbers(as_floats(values), places, otherwise)
    # Almost all cells are spelled as declared: those are found without parsing them.
    spelled = {text: place for text, place in places.items() if isinstance(text, str)}
    held = values.astype("datetime64[us]") if values.dtype.kind == "M" else values
    listed = held.tolist()
    if set(map(type, listed)) <= {str}:
        quick = list(map(spelled.get, listed))
        if None not in quick:
            return np.array(quick, dtype=np.int64)
    found = [
        spelled[value]
        if type(value) is str and value in spelled
        else places.get(key(value), otherwise)
        for value in listed
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


def _compiled() -> bool:
    """Whether the loop that places long columns is there already: then short ones gain too."""
    # Another thread may be loading them at this moment: they are not compiled, then.
    warm: Any = getattr(sys.modules.get("tacit.domains.kernels"), "warm", None)
    return warm is not None and warm.cache_info().currsize > 0


def place_ordered(
    values: npt.NDArray[np.float64], cuts: npt.NDArray[np.float64], *, extra: int
) -> Cells:
    """How many borders are not above each value, after ``extra`` cells; NaN has the first."""
    if len(values) >= (_SOME_ROWS if _compiled() else MANY_ROWS):
        from tacit.domains.kernels import count_borders

        placed: Cells = count_borders(np.ascontiguousarray(values), cuts, extra)
        return placed
    cells = np.searchsorted(cuts, values, side="right").astype(np.int32) + np.int32(extra)
    cells[np.isnan(values)] = 0
    return cells
