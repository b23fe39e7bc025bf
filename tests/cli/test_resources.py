"""What a command may use of the machine, and what it says while it works."""

import io
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.classes import Points, Thresholds
from tacit.cli import main
from tacit.cli.resources import Limits, Progress, read_bytes
from tacit.core import BadInput
from tacit.core.resources import Resources, resources, using
from tacit.tallies.arrays import ArrayRecords


@pytest.mark.parametrize(
    ("text", "number"), [("500MB", 5 * 10**8), ("2 GiB", 2 << 30), ("1000", 1000), ("64mib", 64 << 20)]
)  # fmt: skip
def test_numbers_of_bytes(text, number):
    assert read_bytes(text) == number


@pytest.mark.parametrize("text", ["", "many", "-5MB", "5 TBs", "1.5GB"])
def test_other_words_are_no_numbers_of_bytes(text):
    with pytest.raises(BadInput, match="500MB"):
        read_bytes(text)


@pytest.mark.parametrize(
    "wrong", [{"threads": 0}, {"memory_limit": "1KB"}, {"passes": "few"}, {"threads": -1}]
)
def test_settings_that_cannot_be_kept_are_refused(wrong):
    with pytest.raises(BadInput), Limits(**wrong).held():
        raise AssertionError("nothing runs")


def test_the_least_memory_limit_is_the_one_that_is_told():
    with pytest.raises(BadInput, match="below 64 MB"), Limits(memory_limit="63MB").held():
        raise AssertionError("nothing runs")
    for enough in ("64MB", "64000000", "62 MiB"):
        with Limits(memory_limit=enough).held():
            assert (resources().memory or 0) >= 64 * 10**6


def test_progress_is_silent_for_a_second_and_then_tells_no_number_of_records(monkeypatch):
    monkeypatch.setattr("tacit.cli.resources._EVERY", 0.01)
    for counted in (True, False):
        out = io.StringIO()
        with Progress("learning", counted=counted, out=out):
            time.sleep(0.05)
        assert out.getvalue() == ""
        monkeypatch.setattr("tacit.cli.resources._QUIET_SECONDS", 0.01)
        with Progress("learning", counted=counted, out=out) as progress:
            progress.begin(40_000)
            progress.read(10_000)
            time.sleep(0.2)
        monkeypatch.setattr("tacit.cli.resources._QUIET_SECONDS", 1.0)
        assert ("25 % of the records" in out.getvalue()) is counted
        assert "000" not in out.getvalue()
        assert "learning" in out.getvalue()
        assert out.getvalue().endswith("\r\x1b[K"), "the line is taken away"


def test_a_terminal_that_has_gone_away_ends_nothing(monkeypatch):
    class Gone(io.StringIO):
        tried = 0

        def write(self, text):
            self.tried += 1
            raise OSError(5, "Input/output error")

    monkeypatch.setattr("tacit.cli.resources._QUIET_SECONDS", 0.01)
    monkeypatch.setattr("tacit.cli.resources._EVERY", 0.01)
    out = Gone()
    with Progress("learning", counted=True, out=out):
        until = time.monotonic() + 5
        while out.tried < 2 and time.monotonic() < until:
            time.sleep(0.01)
    assert out.tried >= 3  # the line that is cleared at the end, too


def test_folds_tell_who_watches():
    class Watch:
        told, whole = 0, 0

        def begin(self, rows):
            self.whole = rows

        def read(self, rows):
            self.told += rows

    class Count:
        def zero(self):
            return 0

        def add(self, counter, batch):
            return counter + batch.num_rows

    watch = Watch()
    with using(Resources(threads=1, watch=watch)):
        assert ArrayRecords((np.zeros(200_000),)).fold(Count()) == 200_000
    assert (watch.whole, watch.told) == (200_000, 200_000)


@pytest.fixture
def table(tmp_path):
    generator = np.random.default_rng(0)
    x = generator.integers(0, 1 << 20, 150_000)
    path = tmp_path / "people.parquet"
    pq.write_table(pa.table({"x": x, "label": (x > 5 << 17).astype(np.int64)}), path)
    return path


def _task(concepts, relation="replace-one"):
    return Task(concepts, privacy=Privacy("1", relation=relation), accuracy=Accuracy("0.1", "0.1"))


def test_who_holds_all_records_is_refused_before_the_charge(table, monkeypatch):
    ledger = Ledger.memory()
    monkeypatch.setattr("tacit.sources.memory._BYTES_A_CELL", 1000)
    monkeypatch.setattr("tacit.tallies.distinct._BYTES_A_ROW", 1000)
    with using(Resources(memory=64 << 20)):
        for counted in (Thresholds(bits=20), Points(size=64)):
            learn(_task(counted), table, ledger=ledger, label="label", column="x")
        spent = ledger.spent
        for relation, words in (("replace-one", "about 300 MB"), ("add-remove", "private")):
            task = _task(Points(bits=40), relation)
            with pytest.raises(BadInput, match=words):
                learn(task, table, ledger=ledger, label="label", column="x")
    assert ledger.spent == spent
    with using(Resources(memory=1 << 30)):
        learn(_task(Points(bits=40)), table, ledger=ledger, label="label", column="x")


def test_the_options_of_the_shell(table, capsys):
    words = ["learn", str(table), "--class", "thresholds", "--bits", "20", "--label", "label"]
    words += ["--column", "x", "--epsilon", "1", "--no-ledger"]
    options = ["--threads", "1", "--memory-limit", "200MB", "--passes", "fixed"]
    assert main([*words, *options[:4]]) == 0
    assert main([*words, *options]) == 0
    assert capsys.readouterr().err.count("%") == 0, "quiet where nobody looks on"
    assert main([*words, "--threads", "0"]) == 2
    assert main([*words, "--query", "SELECT x FROM a"]) == 2
    said = capsys.readouterr().err
    assert "threads" in said
    assert "Postgres" in said
    assert sys.stderr is not None
