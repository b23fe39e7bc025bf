"""Tests of ``tacit.domains.values``."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
from tests.domains.domains_values_cases import Odd

from tacit.domains.fields import Boolean
from tacit.domains.values import key, number

ALIKE = [
    (10, 10.0, "10", "10.0", " 10 ", "010", "1e1", np.int8(10), np.float32(10), Decimal(10)),
    (True, 1, 1.0, "1", "true", "True", "TRUE", np.True_, "1.0", Fraction(1)),
    (0.5, "0.5", "0.50", Decimal("0.50"), Fraction(1, 2), np.float64(0.5), b"0.5"),
    (date(2020, 1, 2), datetime(2020, 1, 2), "2020-01-02", np.datetime64("2020-01-02", "ns")),
    (None, float("nan"), pd.NA, pd.NaT, np.ma.masked, "", "  ", np.float32("nan")),
    ("a", " a", np.str_("a")),
]


def test_values_that_loaders_spell_differently_have_one_key():
    keys = [{key(one) for one in group} for group in ALIKE]
    assert [len(one) for one in keys] == [1] * len(ALIKE)
    assert len(set.union(*keys)) == len(ALIKE)


def test_an_integer_of_a_type_with_failing_methods_is_its_number():
    assert number(Odd(3)) == 3
    placed = Boolean(missing="own").place(np.array([Odd(3), Odd(1), Odd(0)], dtype=object))
    assert placed.tolist() == [1, 3, 2]
