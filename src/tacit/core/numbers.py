"""Exact numbers at the border: every public parameter is held as a rational.

A float is read as the shortest decimal that prints it, so ``0.1`` is 1/10.
"""

from __future__ import annotations

import operator
import re
from decimal import Decimal
from fractions import Fraction
from typing import SupportsFloat

from tacit.core.errors import BadInput

Number = int | float | str | Fraction | Decimal
"""What a user may pass wherever a number is asked for."""


_LONGEST = 20_000  # characters of a number that is given as text
_LARGEST_EXPONENT = 10_000
"""``1e99999999`` is ten characters and an integer of 41 megabytes: both ends are bounded."""


def exact(value: object, *, name: str) -> Fraction:
    """Read ``value`` as a rational; ``name`` is the parameter named in errors.

    A text may have 20000 characters, and an exponent between -10000 and 10000; it may end in
    a percent sign.

    >>> exact(0.1, name="epsilon"), exact("1/3", name="epsilon"), exact("5%", name="alpha")
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 20))
    """
    if isinstance(value, bool):
        raise BadInput(f"{name} must be a number, not a truth value")
    if isinstance(value, Fraction):
        return value
    try:
        return Fraction(operator.index(value))  # type: ignore[arg-type]
    except TypeError:
        pass  # not an integer of any kind; an array of several numbers ends up here, too
    if not isinstance(value, (str, Decimal, SupportsFloat)):
        raise BadInput(f"{name} must be a number, not {type(value).__name__}")
    # str() of a float (numpy's too) is its shortest decimal.
    text = str(value).strip()
    percent = text.endswith("%")
    text = text.removesuffix("%")
    exponent = re.search(r"[eE]([+-]?[\d_]+)$", text)
    if len(text) > _LONGEST or (
        exponent is not None
        and (len(exponent[1]) > 8 or abs(int(exponent[1].strip("_"))) > _LARGEST_EXPONENT)
    ):
        raise BadInput(f"{name} is too long a number: write it with fewer digits")
    try:
        return Fraction(text) / (100 if percent else 1)
    except (ValueError, ZeroDivisionError, OverflowError):
        comma = ", with a point and not a comma" if "," in text else ""
        raise BadInput(
            f"{name} must be a finite number such as 0.1, '1/10', '10%' or 2{comma}"
        ) from None


def positive(value: object, *, name: str) -> Fraction:
    """An exact number above zero."""
    number = exact(value, name=name)
    if number <= 0:
        raise BadInput(f"{name} must be greater than 0")
    return number


def probability(value: object, *, name: str, zero: str = "refused") -> Fraction:
    """An exact number in (0, 1), or in [0, 1) when ``zero="allowed"``."""
    number = exact(value, name=name)
    low_ok = number >= 0 if zero == "allowed" else number > 0
    if not (low_ok and number < 1):
        span = "at least 0 and below 1" if zero == "allowed" else "strictly between 0 and 1"
        raise BadInput(f"{name} must be {span}")
    return number


def counted(number: int, thing: str) -> str:
    """A number of things in words.

    >>> counted(1, "question"), counted(2, "question")
    ('1 question', '2 questions')
    """
    return f"{number} {thing}" + ("" if number == 1 else "s")


def whole(value: object, *, name: str, least: int) -> int:
    """An exact integer of at least ``least``; 3.0 and '3' are integers too."""
    number = exact(value, name=name)
    if number.denominator != 1 or number < least:
        raise BadInput(f"{name} must be a whole number of at least {least}")
    return int(number)


def grouped(number: int) -> str:
    """A number of records or of other things, as every page and sentence writes it.

    >>> grouped(1050)
    '1,050'
    """
    return f"{number:,}"


def show(value: Fraction) -> str:
    """Print a rational for a person: a short decimal if it is one, else p/q.

    >>> show(Fraction(1, 10)), show(Fraction(1, 3)), show(Fraction(4))
    ('0.1', '1/3', '4')
    """
    if value.denominator == 1:
        return str(value.numerator)
    text = repr(float(value)) if abs(value) < 2**1000 else str(value)
    return text if "inf" not in text and Fraction(text) == value else str(value)


def show_rounded_up(value: Fraction, *, digits: int = 6) -> str:
    """Print ``value`` with at most ``digits`` significant digits, never below it.

    >>> show_rounded_up(Fraction(2, 3)), show_rounded_up(Fraction(1, 2))
    ('0.666667', '0.5')
    """
    return _rounded(value, digits=digits, direction=1)


def show_rounded_down(value: Fraction, *, digits: int = 6) -> str:
    """Print ``value`` with at most ``digits`` significant digits, never above it.

    >>> show_rounded_down(Fraction(2, 3)), show_rounded_down(Fraction(1, 2))
    ('0.666666', '0.5')
    """
    return _rounded(value, digits=digits, direction=-1)


def _rounded(value: Fraction, *, digits: int, direction: int) -> str:
    text = show(value)
    if value <= 0 or (len(text) <= digits + 1 and "/" not in text):
        return text
    shift = len(str(value.numerator)) - len(str(value.denominator)) - digits
    if value >= Fraction(10) ** (shift + digits):
        shift += 1
    # Signs, so that one floor rounds either way.
    mantissa = direction * -(-direction * value / Fraction(10) ** shift // 1)
    outside_floats = not -300 < shift < 290
    number = Decimal(int(mantissa)).scaleb(shift)
    return f"{number:.{digits}g}" if outside_floats else f"{float(number):.{digits}g}"
