"""Dates as a column of a schema: cells of days, months or years, or between own dates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.core.numbers import whole
from tacit.domains.cells import MOST_CELLS
from tacit.domains.fields import Ordered
from tacit.domains.placing import as_floats
from tacit.domains.values import number
from tacit.exact.arrays import Values

_EPOCH = date(1970, 1, 1)
_MONTHS = {"months": 1, "years": 12}
UNITS = ("days", *_MONTHS)
_COARSER = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12_000, 120_000)


@dataclass(frozen=True, kw_only=True)
class Date(Ordered):
    """A date from ``low`` to ``high``; times count as their day, zones as UTC.

    ``unit``    a cell for each of the ``"days"``, ``"months"`` or ``"years"``.
    ``bins``    otherwise: the finest calendar step that needs no more cells than this.
    ``edges``   otherwise: own dates at which a new cell begins.
    ``format``  how text is written, such as ``"%d.%m.%Y"``; default: 2024-05-31.
    """

    kind: ClassVar[str] = "date"
    low: date
    high: date
    unit: str | None = None
    bins: int | None = None
    edges: tuple[date, ...] | None = None
    names: tuple[str, ...] | None = None
    format: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("low", "high"):
            object.__setattr__(self, name, _read(getattr(self, name), name=name))
        if not self.low <= self.high:
            raise BadInput("a column's low must not be above its high")
        if self.unit is not None and self.unit not in UNITS:
            raise BadInput(f"cells of a date column must be one of {', '.join(UNITS)}")
        if self.bins is not None:
            object.__setattr__(self, "bins", whole(self.bins, name="bins", least=1))
        if self.edges is not None:
            edges = tuple(_read(edge, name="cuts") for edge in self.edges)
            if list(edges) != sorted(set(edges)):
                raise BadInput("cuts must be different dates in ascending order")
            object.__setattr__(self, "edges", edges)
        if sum(one is not None for one in (self.unit, self.bins, self.edges)) > 1:
            raise BadInput("a date column takes one of cells, bins and cuts")
        if self.format is not None and "%" not in str(self.format):
            raise BadInput('format must say how dates are written, such as "%d.%m.%Y"')
        if self.declared > MOST_CELLS:
            raise BadInput(f"a date column may have at most {MOST_CELLS} cells")
        self._check_names()

    def with_bins(self, bins: int) -> Date:
        """The same column, with this grid unless one was declared."""
        declared = (self.unit, self.bins, self.edges) != (None, None, None)
        return self if declared else replace(self, bins=bins)

    @property
    def what(self) -> str:
        return "a date"

    @cached_property
    def starts(self) -> tuple[date, ...]:
        """The first day of every cell but the first."""
        if self.edges is not None:
            return self.edges
        if self.unit == "days":
            return tuple(_days(self.low, self.high))
        if self.unit is not None:
            return tuple(_months(self.low, self.high, _MONTHS[self.unit]))
        bins = 16 if self.bins is None else self.bins
        if (self.high - self.low).days < bins:
            return tuple(_days(self.low, self.high))
        steps = (tuple(_months(self.low, self.high, step)) for step in _COARSER)
        return next(starts for starts in steps if len(starts) < bins)

    @cached_property
    def borders(self) -> npt.NDArray[np.float64]:
        """The starts as days since 1970."""
        return np.array([(start - _EPOCH).days for start in self.starts], dtype=np.float64)

    def border(self, place: int) -> str:
        """A border in words."""
        return self.starts[place].isoformat()

    @property
    def each(self) -> tuple[str, ...]:
        return tuple(word.replace("below ", "before ") for word in super().each)

    def floats(self, values: Values) -> npt.NDArray[np.float64]:
        """Days since 1970; NaN for what is no date, numbers among them."""
        if values.dtype.kind == "M":
            return as_floats(values)
        if values.dtype.kind in "iufbm":
            return np.full(len(values), np.nan)
        return np.array([self._day(value) for value in values.tolist()], dtype=np.float64)

    def _day(self, value: object) -> float:
        try:
            if issubclass(type(value), str):
                text = str.__str__(value).strip()
                value = _from_text(text) if self.format is None else _by(text, self.format)
            if not issubclass(type(value), (date, np.datetime64)):
                return float("nan")
            found = number(value)
        except Exception:  # noqa: BLE001 - any record whatever must have a place
            return float("nan")
        return float("nan") if found is None else float(found)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        record: dict[str, object] = {"low": self.low.isoformat(), "high": self.high.isoformat()}
        given = {"cells": self.unit, "bins": self.bins, "format": self.format}
        record |= {key: value for key, value in given.items() if value is not None}
        if self.edges is not None:
            record["cuts"] = [edge.isoformat() for edge in self.edges]
        if self.names is not None:
            record["names"] = list(self.names)
        return self._told(record)


def _from_text(text: str) -> date:
    return datetime.fromisoformat(text)


def _by(text: str, form: str) -> date:
    return datetime.strptime(text, form).replace(tzinfo=UTC)


def _read(value: object, *, name: str) -> date:
    """A declared date: a date, or text such as 2024-05-31."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise BadInput(f"{name} must be a date such as 2024-05-31") from None


def _days(low: date, high: date) -> Iterator[date]:
    for day in range(1, (high - low).days + 1):
        yield low + timedelta(days=day)


def _months(low: date, high: date, step: int) -> Iterator[date]:
    """The first days of every ``step`` months after ``low``, counted from year 0."""
    month = (low.year * 12 + low.month - 1) // step * step + step
    while month < 9999 * 12 + 12 and (start := date(month // 12, month % 12 + 1, 1)) <= high:
        yield start
        month += step
