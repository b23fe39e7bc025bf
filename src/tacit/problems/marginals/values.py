"""From cells back to values of the declared types, by a public rule and without a coin.

Inside a cell all values are equally likely as far as anybody knows: they are spread evenly over
it, with as many digits as it takes to tell a hundred of them apart in the narrowest cell.
"""

from __future__ import annotations

from datetime import date, timedelta
from math import ceil, floor, log10
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.domains.dates import Date
from tacit.domains.fields import Boolean, Category, Integer, Number
from tacit.domains.schema import Field
from tacit.problems.marginals.row_kernels import spread_inside

Cells = npt.NDArray[np.int32]

_EPOCH = date(1970, 1, 1)
_STEPS = 100
_MOST_DIGITS = 12
WORDS = (
    "Values inside a cell of numbers or dates are spread evenly over it; missing values are "
    "empty, and so is what was not declared, unless text has a cell of its own for it."
)


def column_of(field: Field, cells: Cells) -> object:
    """An Arrow column of the field's own type."""
    import pyarrow as pa

    absent = cells < field.extra
    places = np.maximum(cells - field.extra, 0)
    match field:
        case Boolean():
            return pa.array(places == 1, mask=absent)
        case Category():
            return _listed(field, cells, places)
        case Date():
            days = _whole(field.borders, _days(field.low), _days(field.high), places)
            found = pa.array(days.astype(np.int32), mask=absent)
            return found.cast(pa.date32())
        case Integer():
            return pa.array(_whole(field.borders, field.low, field.high, places), mask=absent)
        case Number():
            return pa.array(_numbers(field, places), mask=absent)


def _listed(field: Category, cells: Cells, places: Cells) -> Any:
    """Declared values; of text, anything else is named where it has a cell of its own."""
    import pyarrow as pa

    absent = cells < field.extra
    kinds = {type(value) for value in field.values}
    plain = kinds <= {int, float} and bool not in kinds
    values = list(field.values) if plain else [str(value) for value in field.values]
    found = np.array(values, dtype=None if plain else object)[places]
    if field.missing == "own" and not plain:
        other = cells == 1
        found[other], absent = _unlisted(values), absent & ~other
    return pa.array(found, mask=absent)


def _unlisted(values: list[Any]) -> str:
    """A text that none of the values is."""
    text = "(anything else)"
    while text in values:
        text = f"({text})"
    return text


def _ends(
    borders: npt.NDArray[np.float64], low: float, high: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Where each declared cell begins and ends; the outer ones at the declared ends."""
    first = min(low, float(borders[0])) if len(borders) else low
    last = max(high, float(borders[-1])) if len(borders) else high
    return np.concatenate([[first], borders]), np.concatenate([borders, [last]])


def _whole(
    borders: npt.NDArray[np.float64], low: int, high: int, places: Cells
) -> npt.NDArray[np.int64]:
    """A whole number of each row's cell."""
    starts, ends = _ends(borders, low, high)
    # A cell that reaches over a declared end has no values beyond it.
    first = np.clip(np.ceil(starts).astype(np.int64), low, high)
    last = np.clip(np.ceil(ends).astype(np.int64) - 1, first, high)
    last[-1] = high
    widths = (last - first + 1).astype(np.float64)
    return np.asarray(first[places] + spread_inside(places, widths).astype(np.int64))


def digits(field: Number) -> int:
    """How many digits after the point a column of numbers gets."""
    starts, ends = _ends(field.borders, float(field.low), float(field.high))
    wide = (ends - starts)[ends > starts]
    narrowest = float(wide.min()) if len(wide) else 1.0
    return min(_MOST_DIGITS, max(0, ceil(log10(_STEPS / narrowest))))


def _numbers(field: Number, places: Cells) -> npt.NDArray[np.float64]:
    starts, ends = _ends(field.borders, float(field.low), float(field.high))
    grid = 10.0 ** digits(field)
    least, most = ceil(float(field.low) * grid), floor(float(field.high) * grid)
    first = np.clip(np.ceil(starts * grid), least, max(least, most))
    last = np.clip(np.ceil(ends * grid) - 1, first, max(least, most))
    last[-1] = max(float(first[-1]), floor(min(ends[-1], float(field.high)) * grid))
    steps = spread_inside(places, last - first + 1)
    steps += first[places]
    steps /= grid
    return np.asarray(steps, dtype=np.float64)


def _days(day: date) -> int:
    return (day - _EPOCH) // timedelta(days=1)
