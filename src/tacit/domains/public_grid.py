"""A grid from data that are public: a public sample, or the features under label privacy."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.domains.fields import Boolean, Category, Field, Number, as_floats
from tacit.domains.schema import Schema, column_names, split_columns


def grid_from_public(x: Any, *, bins: int = 16) -> Schema:
    """A schema whose borders are quantiles of ``x``, which must be public.

    A column without a single number in it has its ``bins`` most frequent values as
    categories; all others share the missing cell.
    Never pass private records: the borders and categories show them. For a certificate about
    new records, pass another sample than the one to learn from.
    """
    names = column_names(x)
    columns = split_columns(x, names or ())
    listed = names or [f"x{place}" for place in range(len(columns))]
    return Schema(tuple(listed), tuple(_field(one, bins) for one in columns))


def _field(column: Any, bins: int) -> Field:
    if column.dtype == bool:
        return Boolean()
    values = as_floats(column)
    known = np.sort(values[np.isfinite(values)])
    missing = bool(len(known) < len(values))
    if len(known) == 0:
        return _categories(column, bins) or Boolean(missing=missing)
    distinct = np.unique(known)
    if len(distinct) <= bins:
        borders = (distinct[1:] + distinct[:-1]) / 2
    else:
        ranks = np.linspace(0, 1, bins + 1)[1:-1]
        borders = np.unique(np.quantile(known, ranks, method="higher"))
    low, high = Fraction(str(distinct[0])), Fraction(str(distinct[-1]))
    edges = tuple(sorted({Fraction(repr(float(border))) for border in borders}))
    return Number(low=low, high=high + (low == high), edges=edges, missing=missing)


def _categories(column: Any, bins: int) -> Category | None:
    """The words of a column, the most frequent ones if they are many."""
    held = column.tolist()
    words = Counter(value for value in held if isinstance(value, str))
    if not words:
        return None
    kept = sorted(word for word, _ in sorted(words.items(), key=lambda it: (-it[1], it[0]))[:bins])
    return Category(values=tuple(kept), missing=sum(words[one] for one in kept) < len(held))
