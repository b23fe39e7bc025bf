"""Tests of ``tacit.sources.same``: one place, whatever object stands for it."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tacit import public_records, read
from tacit.classes import RealThresholds
from tacit.core import Sample
from tacit.sources.ignored import DeclaredSample
from tacit.sources.same import share_records

pytestmark = pytest.mark.exact
VALUES = np.linspace(0, 1, 10)


def files(folder):
    for name in ("one.csv", "other.csv"):
        (folder / name).write_text("a,y\n0.1,0\n0.9,1\n")
    (folder / "soft.csv").symlink_to(folder / "one.csv")
    (folder / "hard.csv").hardlink_to(folder / "one.csv")
    return folder / "one.csv", folder / "other.csv"


def test_a_file_is_the_same_by_every_path_link_and_opening(tmp_path, monkeypatch):
    one, other = files(tmp_path)
    monkeypatch.chdir(tmp_path)
    alike = [str(one), one, "one.csv", "./one.csv", "soft.csv", "hard.csv", read(one)]
    for left in alike:
        for right in [*alike, read(str(tmp_path / "o*.csv"), glob=True)]:
            assert share_records(left, right)
        assert not share_records(left, other)
        assert not share_records(read(other), left)
    assert not share_records("absent.csv", one)


FRAMES = [
    pd.DataFrame({"a": VALUES, "b": list("abcdefghij")}),
    pl.DataFrame({"a": VALUES, "b": list("abcdefghij")}),
    pa.table({"a": VALUES, "b": list("abcdefghij")}),
]


@pytest.mark.parametrize("frame", FRAMES, ids=["pandas", "polars", "arrow"])
def test_a_frame_is_the_same_through_its_columns(frame):
    part = frame[["a"]] if not isinstance(frame, pa.Table) else frame.select(["a"])
    for one in (frame, part, frame["a"]):
        assert share_records(one, frame)
        assert share_records(one, (frame, VALUES > 0.5))
    copied = type(frame)({"a": VALUES.copy()}) if not isinstance(frame, pa.Table) else None
    assert not share_records(pa.table({"a": VALUES.copy()}) if copied is None else copied, frame)


def test_halves_of_one_table_are_different_records():
    table = pa.table({"a": VALUES, "b": list("abcdefghij")})
    assert not share_records(table.slice(0, 5), table.slice(5))
    assert share_records(table.slice(0, 6), table.slice(5))
    assert not share_records(VALUES[::2], (VALUES[1::2], None))
    assert not share_records(FRAMES[0].iloc[:5], FRAMES[0].iloc[5:])


def test_an_array_is_the_same_through_views_and_samples():
    table = np.stack([VALUES, VALUES], axis=1)
    sample = Sample(table, VALUES > 0.5, True, False)
    for data in (table, (table, VALUES), sample, DeclaredSample(sample)):
        assert share_records(table[:, 0], data)
        assert not share_records(table[:, 0].copy(), data)


def test_records_that_were_read_before_tell_where_from(tmp_path):
    one, other = files(tmp_path)
    domain = RealThresholds().domain
    found = public_records(read(one), domain=domain, column="a")
    assert share_records(found, one)
    assert not share_records(found, other)
    assert str(tmp_path) not in repr(found)
