"""A grid from data that are public: a public sample, or the features under label privacy."""

from __future__ import annotations

from collections import Counter
from datetime import date
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np

from tacit.core.said import listed
from tacit.domains.columns import as_array
from tacit.domains.dates import Date
from tacit.domains.fields import Boolean, Category, Number
from tacit.domains.placing import as_floats
from tacit.domains.schema import Field, Schema, column_names, split_columns

_DIGITS = 320  # after the point; no float has a difference below


def grid_from_public(x: object, *, bins: int = 16) -> Schema:
    """A schema whose borders are quantiles of ``x``, which must be public.

    A column without a single number in it has its ``bins`` most frequent values as
    categories; all others share the cell of missing values.
    Never pass private records: the borders and categories show them. For a certificate about
    new records, pass another sample than the one to learn from.
    """
    names = column_names(x)
    columns = [as_array(column) for column in split_columns(x, names or ())]
    every = names or [f"x{place}" for place in range(len(columns))]
    fact = f"every value of {listed(every)}: borders and categories were read off a public sample"
    return Schema(tuple(every), tuple(_field(one, bins) for one in columns), (fact,))


def _field(column: Any, bins: int) -> Field:
    if column.dtype == bool:
        return Boolean()
    values = as_floats(column)
    known = np.sort(values[np.isfinite(values)])
    if len(known) == 0:
        return _categories(column, bins) or Boolean()
    distinct = np.unique(known)
    if len(distinct) <= bins:
        uppers = distinct[1:]
    else:
        ranks = np.linspace(0, 1, bins + 1)[1:-1]
        uppers = np.unique(np.quantile(known, ranks, method="higher"))
    places = np.searchsorted(distinct, uppers)
    pairs = [(float(distinct[place - 1]), float(distinct[place])) for place in places if place]
    low, high = float(distinct[0]), float(distinct[-1])
    if column.dtype.kind == "M":
        return _dates(low, high, pairs)
    edges = tuple(_between(*pair) for pair in pairs)
    exact_low, exact_high = Fraction(repr(low)), Fraction(repr(high))
    return Number(low=exact_low, high=exact_high + (low == high), edges=edges)


def _dates(low: float, high: float, pairs: list[tuple[float, float]]) -> Field:
    """Cells of dates between whole days; values of one day are not parted."""
    days = sorted({floor(upper) for lower, upper in pairs if floor(upper) > lower})
    first, last, *edges = (
        np.datetime64(day, "D").item() for day in (floor(low), floor(high), *days)
    )
    if not all(isinstance(one, date) for one in (first, last, *edges)):
        return Boolean()  # beyond the calendar: nothing to ask
    return Date(low=first, high=last, edges=tuple(edges))


def _between(low: float, high: float) -> Fraction:
    """The number of fewest digits after the point that is above ``low`` and at most ``high``.

    It parts the public values as ``high`` does, and can be read.
    """
    top, step = Fraction(repr(high)), Fraction(1)
    for _ in range(_DIGITS):
        found = top // step * step
        if found > Fraction(repr(low)):
            return found
        step /= 10
    return top


def _categories(column: Any, bins: int) -> Category | None:
    """The words of a column, the most frequent ones if they are many."""
    held = column.tolist()
    words = Counter(value.strip() for value in held if isinstance(value, str) and value.strip())
    kept = sorted(word for word, _ in sorted(words.items(), key=lambda it: (-it[1], it[0]))[:bins])
    return Category(values=tuple(kept)) if kept else None
