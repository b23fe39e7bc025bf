"""Dates are a kind of column: calendar cells, own cuts, any way that a table holds them."""

from datetime import date, datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tacit.core import BadInput
from tacit.domains import Schema, grid_from_public
from tacit.domains.dates import Date

LOW, HIGH = date(2023, 1, 15), date(2024, 3, 2)


def test_cells_are_days_months_years_or_own_dates():
    years = Date(low=LOW, high=HIGH, unit="years")
    assert years.starts == (date(2024, 1, 1),)
    months = Date(low=LOW, high=HIGH, unit="months")
    assert months.starts[0] == date(2023, 2, 1)
    assert months.starts[-1] == date(2024, 3, 1)
    assert months.declared == 15
    assert Date(low=LOW, high=date(2023, 1, 20), unit="days").declared == 6
    own = Date(low=LOW, high=HIGH, edges=("2023-06-01", date(2024, 1, 1)))
    assert own.each == ("before 2023-06-01", "from 2023-06-01", "from 2024-01-01")


@pytest.mark.parametrize(
    ("low", "high", "bins", "starts"),
    [
        ("2024-01-01", "2024-01-05", 16, 4),  # days
        ("2023-01-15", "2024-03-02", 16, 14),  # months
        ("2020-01-01", "2023-12-31", 16, 15),  # quarters
        ("2000-01-01", "2015-12-31", 16, 15),  # years
        ("0001-01-01", "9999-12-31", 16, 9),  # steps of centuries
    ],
)
def test_bins_take_the_finest_step_that_fits(low, high, bins, starts):
    assert len(Date(low=low, high=high).with_bins(bins).starts) == starts


def test_a_day_is_the_same_day_in_every_engine_and_as_text():
    days = [date(2023, 1, 31), date(2023, 2, 1), None, date(1990, 1, 1), date(2030, 1, 1)]
    field = Date(low=LOW, high=HIGH, unit="months")
    expected = [1, 2, 0, 1, 15]
    noon = [None if day is None else datetime(day.year, day.month, day.day, 12) for day in days]
    columns = [
        np.array(days, dtype=object),
        np.array(days, dtype="datetime64[D]"),
        np.array(noon, dtype="datetime64[ns]"),
        np.array([None if day is None else day.isoformat() for day in days], dtype=object),
    ]
    for column in columns:
        assert field.place(column).tolist() == expected
    schema = Schema(("a",), (field,))
    for frame in (
        pd.DataFrame({"a": pd.to_datetime(pd.Series(noon))}),
        pl.DataFrame({"a": days}),
        pl.DataFrame({"a": noon}),
        pa.table({"a": pa.array(days, pa.date32())}),
        pd.DataFrame({"a": [None if day is None else f"{day} 12:00:00" for day in days]}),
    ):
        assert schema.coerce(frame)[:, 0].tolist() == expected


def test_text_is_read_as_its_declared_format():
    field = Date(low=LOW, high=HIGH, unit="years", format="%d.%m.%Y", missing="own")
    text = np.array(["31.12.2023", "01.01.2024", "2024-01-01", "", None, "40.1.2023"], dtype=object)
    assert field.place(text).tolist() == [2, 3, 1, 0, 0, 1]


def test_a_number_is_no_date():
    field = Date(low=LOW, high=HIGH, unit="years", missing="own")
    assert field.place(np.array([20230101, 19_700])).tolist() == [0, 0]
    assert field.place(np.array([20230101, 1.5, True], dtype=object)).tolist() == [1, 1, 1]


def test_written_and_read_back(tmp_path):
    text = (
        '[columns.day]\nkind = "date"\nlow = 2023-01-15\nhigh = "2024-03-02"\ncells = "months"\n'
        '[columns.other]\nkind = "date"\nlow = 2023-01-15\nhigh = 2024-03-02\n'
        'cuts = [2023-06-01]\nnames = ["before", "after"]\nformat = "%d.%m.%Y"\n'
    )
    (tmp_path / "s.toml").write_text(text, encoding="utf-8")
    schema = Schema.of(tmp_path / "s.toml")
    assert schema.fields[0] == Date(low=LOW, high=HIGH, unit="months")
    assert Schema.of(schema.to_dict()) == schema
    (tmp_path / "again.toml").write_text(schema.to_toml(), encoding="utf-8")
    assert Schema.of(tmp_path / "again.toml") == schema
    assert schema.fields[1].is_in(1, 1, name="day") == ["day is before"]


def test_a_pair_of_dates_is_a_range_and_a_pair_of_texts_is_asked_about():
    assert Schema.of({"day": (LOW, HIGH)}).fields[0].kind == "date"
    with pytest.raises(BadInput, match='"kind": "date"'):
        Schema.of({"day": ("2023-01-01", "2025-12-31")})


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"low": "soon", "high": HIGH}, "2024-05-31"),
        ({"low": HIGH, "high": LOW}, "above"),
        ({"low": LOW, "high": HIGH, "unit": "weeks"}, "days, months, years"),
        ({"low": LOW, "high": HIGH, "unit": "days", "bins": 3}, "one of"),
        ({"low": LOW, "high": HIGH, "edges": (HIGH, LOW)}, "ascending"),
        ({"low": date(1, 1, 1), "high": HIGH, "unit": "days"}, "at most"),
        ({"low": LOW, "high": HIGH, "format": "dd.mm"}, "%d"),
    ],
)
def test_a_wrong_declaration_is_told(given, word):
    with pytest.raises(BadInput, match=word):
        Date(**given)


def test_a_public_sample_with_dates_is_cut_at_dates():
    days = pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(200), "D"))
    field = grid_from_public(pd.DataFrame({"day": days}), bins=4).fields[0]
    assert field.kind == "date"
    assert np.bincount(field.place(days.to_numpy())).tolist() == [0, 50, 50, 50, 50]
