"""A grid from data that are public: a public sample, or the features under label privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from tacit.domains.fields import Boolean, Field, Number, as_floats
from tacit.domains.schema import Schema, column_names, split_columns


def grid_from_public(x: Any, *, bins: int = 16) -> Schema:
    """A schema whose borders are quantiles of ``x``, which must be public.

    Every column is read as numbers. Never pass private records: the borders show them.
    """
    names = column_names(x)
    columns = split_columns(x, names or ())
    listed = names or [f"x{place}" for place in range(len(columns))]
    return Schema(tuple(listed), tuple(_field(as_floats(one), bins) for one in columns))


def _field(values: Any, bins: int) -> Field:
    known = np.sort(values[np.isfinite(values)])
    missing = bool(len(known) < len(values))
    if len(known) == 0:
        return Boolean(missing=missing)
    distinct = np.unique(known)
    if len(distinct) <= bins:
        borders = (distinct[1:] + distinct[:-1]) / 2
    else:
        ranks = np.linspace(0, 1, bins + 1)[1:-1]
        borders = np.unique(np.quantile(known, ranks, method="higher"))
    low, high = Fraction(str(distinct[0])), Fraction(str(distinct[-1]))
    edges = tuple(sorted({Fraction(repr(float(border))) for border in borders}))
    return Number(low=low, high=high + (low == high), edges=edges, missing=missing)
