"""One value by itself: which number it is or spells, and which values count as equal to it.

Loaders choose types by looking at a whole column: one missing cell turns the integers of
``pandas.read_csv`` into floats, one word turns its numbers and truth values into text. What a
record is must not hang on that, so 10, 10.0, "10" and "10.0" are one value here, and so are
``True``, "true", "TRUE" and 1. Everything is total and silent: no value raises or warns.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np

Key = float | str | None
"""What a value is equal to: its number, else its text; ``None`` if it is missing."""

_TRUTHS = {"true": 1, "false": 0}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)
_LONGEST = 1300  # decimal digits; a longer number is beyond every domain


def number(value: object) -> int | float | None:
    """The number that a value is or spells, exact where it is whole; ``None`` if it is none.

    Dates count as days since 1970. The types are listed, and asked by their own methods: a
    complex or masked entry would warn, and a record's type may have methods that fail.
    """
    kind = type(value)
    try:
        if issubclass(kind, int):
            return int.__int__(value)  # type: ignore[arg-type]
        found = _real(value, kind)
    except Exception:  # noqa: BLE001 - any record whatever must have a place
        return None
    return found if found is not None and found == found else None


def as_float(value: object) -> float:
    """``number`` as a float; NaN if there is none, and infinite beyond every float."""
    found = number(value)
    if found is None:
        return float("nan")
    try:
        return float(found)
    except OverflowError:
        return float("inf") if found > 0 else float("-inf")


def key(value: object) -> Key:
    """What a value is compared by: equal values, and only they, have equal keys.

    Numbers and texts that spell numbers by their number; dates by how they are written,
    without a time if it is midnight; all else by its text without blanks around it.
    """
    kind = type(value)
    try:
        if issubclass(kind, (date, np.datetime64)):
            return None if is_missing(value) else _date_text(value)
        found = as_float(value)
        if found == found:
            return found
        if is_missing(value):
            return None
        text = str.strip(str.__str__(value) if issubclass(kind, str) else str(value))
    except Exception:  # noqa: BLE001 - any record whatever must have a place
        return None
    return text or None


def is_missing(value: object) -> bool:
    """Whether a value stands for "not known": None, NaN, a mask or an engine's own mark."""
    if value is None or value is np.ma.masked:
        return True
    kind = type(value)
    if kind is str or kind is int or kind is bool:
        return False
    try:
        return not bool(value == value)
    except Exception:  # noqa: BLE001 - some engines' marks refuse to be compared
        return True


def _real(value: object, kind: type) -> int | float | None:
    if issubclass(kind, float):
        return float.__float__(value)  # type: ignore[arg-type]
    if issubclass(kind, str):
        return _spelled(str.__str__(value))
    if issubclass(kind, bytes):
        return _spelled(bytes.decode(value, "ascii"))  # type: ignore[arg-type]
    if issubclass(kind, (np.bool_, np.integer)):
        return int(value)  # type: ignore[call-overload,no-any-return]
    if issubclass(kind, np.floating):
        with np.errstate(all="ignore"):
            return float(value)  # type: ignore[arg-type]
    if kind is Fraction or kind is Decimal:
        return _ratio(value)  # type: ignore[arg-type]
    return _days(value, kind)


def _spelled(text: str) -> int | float | None:
    word = text.strip().lower()
    if word in _TRUTHS:
        return _TRUTHS[word]
    if "_" in word:  # Python's own spelling of numbers, which no table means
        return None
    try:
        return int(word)
    except ValueError:
        return float(word)


def _ratio(value: Fraction | Decimal) -> int | float:
    if isinstance(value, Decimal):
        if not value.is_finite() or abs(value.adjusted()) > _LONGEST:
            return float(value)  # infinite, not a number, or as good as infinite or zero
        if value != value.to_integral_value():
            return float(value)
        return int(value)
    return value.numerator if value.denominator == 1 else value.numerator / value.denominator


def _days(value: object, kind: type) -> float | None:
    if issubclass(kind, np.datetime64):
        return _days(_plain_date(value), datetime)
    if issubclass(kind, np.timedelta64):
        return float(value / np.timedelta64(1, "D"))  # type: ignore[operator]
    if is_missing(value):
        return None
    if isinstance(value, timedelta):
        return value / _DAY
    if isinstance(value, datetime):
        aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
        return (aware - _EPOCH) / _DAY
    return float(value.toordinal() - _EPOCH.toordinal()) if isinstance(value, date) else None


def _plain_date(value: object) -> object:
    """A numpy date as a Python one; what no calendar of Python holds is not a date."""
    found = np.asarray(value).astype("datetime64[us]").item()
    return found if isinstance(found, date) else None


def _date_text(value: object) -> str | None:
    found = _plain_date(value) if isinstance(value, np.datetime64) else value
    if not isinstance(found, date):
        return None
    if isinstance(found, datetime):
        midnight = found.tzinfo is None and found == datetime(found.year, found.month, found.day)
        return found.date().isoformat() if midnight else str(found)
    return found.isoformat()
