"""From cells back to values of the declared types, by a public rule and without a coin.

Inside a cell all values are equally likely as far as anybody knows: they are spread evenly over
it, with as many digits as were declared, or as it takes to tell a hundred of them apart in the
narrowest cell.
"""

from __future__ import annotations

from datetime import date, timedelta
from math import ceil, log10
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.domains.dates import Date
from tacit.domains.fields import MOST_DECIMALS, Boolean, Category, Integer, Number
from tacit.domains.schema import Field, Schema
from tacit.problems.marginals.row_kernels import spread_inside

Cells = npt.NDArray[np.int32]

_EPOCH = date(1970, 1, 1)
_STEPS = 100
_MOST_STEPS = 1 << 53
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
    if field.decimals is not None:
        return field.decimals
    starts, ends = _ends(field.borders, float(field.low), float(field.high))
    wide = (ends - starts)[ends > starts]
    narrowest = float(wide.min()) if len(wide) else 1.0
    return min(MOST_DECIMALS, max(0, ceil(log10(_STEPS / narrowest))))


def check_decimals(schema: Schema) -> None:
    """Refuse declared digits with which some cell of a column has no value."""
    for name, field in zip(schema.names, schema.fields, strict=True):
        if isinstance(field, Number) and field.decimals is not None:
            if max(abs(field.low), abs(field.high)) * 10**field.decimals > _MOST_STEPS:
                raise BadInput(
                    f"decimals = {field.decimals} gives the column {name!r} more digits than its "
                    "numbers hold: declare fewer"
                )
            first, last, _ = _steps_of(field)
            inside = (field.borders > float(field.low)) & (field.borders < float(field.high))
            reached = np.concatenate([[True], inside]) & np.concatenate([inside, [True]])
            if bool((last < first)[reached].any()):
                raise BadInput(
                    f"decimals = {field.decimals} leaves a cell of the column {name!r} without a "
                    "value: declare more digits, or fewer cells (bins, cuts)"
                )


def _steps_of(
    field: Number,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], float]:
    """The least and the greatest value of each cell in steps of the last digit, and how many of
    these are 1. A value on a border belongs to the upper cell.
    """
    low, high = float(field.low), float(field.high)
    starts, ends = _ends(field.borders, low, high)
    grid = 10.0 ** digits(field)
    first, last = _at_or_above(starts, grid), _at_or_above(ends, grid) - 1
    last[-1] = _at_or_above(ends[-1:], grid)[0]
    last[-1] -= last[-1] / grid > ends[-1]
    within = _at_or_above(np.array([low, high]), grid)
    within[1] -= within[1] / grid > high
    return np.maximum(first, within[0]), np.minimum(last, within[1]), grid


def _at_or_above(numbers: npt.NDArray[np.float64], grid: float) -> npt.NDArray[np.float64]:
    """The least whole steps that are not below these numbers, compared as cells compare them."""
    steps = np.ceil(numbers * grid)
    steps = np.where((steps - 1) / grid >= numbers, steps - 1, steps)
    return np.asarray(np.where(steps / grid < numbers, steps + 1, steps), dtype=np.float64)


def _numbers(field: Number, places: Cells) -> npt.NDArray[np.float64]:
    first, last, grid = _steps_of(field)
    # A cell that lies beyond a declared end has no values of its own: it takes the nearest.
    most = max(float(last[-1]), float(first[0]))
    first = np.minimum(first, most)
    steps = spread_inside(places, np.maximum(last, first) - first + 1)
    steps += first[places]
    steps /= grid
    return np.asarray(steps, dtype=np.float64)


def _days(day: date) -> int:
    return (day - _EPOCH) // timedelta(days=1)
