"""Tests of ``tacit.sources.public``."""

from io import StringIO

import numpy as np
import pandas as pd
import pytest
from tests.problems.reals.public_cover_cases import task

from tacit import Ledger, learn, public_records, read
from tacit.classes import RealThresholds
from tacit.core import BadInput


def test_the_same_records_are_the_same_task():
    domain = RealThresholds().domain
    one, other = (public_records(list(x), domain=domain) for x in ([0.1, 0.5], [0.1, 0.6]))
    again = public_records(np.array([0.1, 0.5]), domain=domain)
    assert task(public=one) == task(public=again) != task(public=other)
    assert "0.5" not in repr(one)


TABLE = "a,y\n" + "".join(f"{i / 300},{int(i > 150)}\n" for i in range(300))


def refused(data, public, **more):
    book = Ledger.memory()
    with pytest.raises(BadInput, match="must be other records than the private ones"):
        learn(task(), data, public=public, ledger=book, **more)
    assert not book.entries


def test_the_private_file_is_no_public_one(tmp_path):
    one = tmp_path / "r1.csv"
    one.write_text(TABLE)
    (tmp_path / "link.csv").symlink_to(one)
    named = {"column": "a", "label": "y"}
    for public in (str(one), one, tmp_path / "link.csv", read(one)):
        refused(str(one), public, **named)
        refused(read(tmp_path / "r*.csv", glob=True), public, **named)
    held = public_records(one, domain=RealThresholds().domain, column="a")
    refused(one, held, **named)
    with pytest.raises(BadInput, match="must be other records than the private ones"):
        learn(task(public=held), one, ledger=Ledger.memory(), **named)


def test_the_private_arrays_and_frames_are_no_public_ones():
    frame = pd.read_csv(StringIO(TABLE))
    refused(frame, frame[["a"]], column="a", label="y")
    refused(frame, frame, column="a", label="y")
    x = np.random.default_rng(0).random((300, 2))
    for public in (x[:, 0], x[::-1, 0], x[:10, 0]):
        refused((x[:, 0], x[:, 1] > 0.5), public)
    assert learn(
        task(), (x[:, 0], x[:, 1] > 0.5), public=np.linspace(0, 1, 3000), ledger=Ledger.memory()
    ).certificate.recipe["public"]
