"""Records whose label was not declared, ignored from every source and by every way in."""

import json

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.sources.ignored_cases import OTHER, TABLE, TOLD, VALUES, N, X, task

from tacit.accounting import About, Ledger
from tacit.api import learn
from tacit.checks.testing import seeded
from tacit.classes import Stumps, Thresholds, Trees
from tacit.cli import main
from tacit.core import Accuracy, BadInput, BudgetRefused, Privacy, Sample, Task
from tacit.domains.schema import Schema
from tacit.estimators import RatedClassifier, StumpClassifier, ThresholdClassifier
from tacit.report.release_file import release_record, release_text
from tacit.report.verify import verify
from tacit.sources import ignored, read

SCHEMA = Schema.of({"x": (0, 100)}, bins=4)


def sources(folder):
    pq.write_table(TABLE, folder / "a.parquet", row_group_size=100)
    TABLE.to_pandas().to_csv(folder / "a.csv", index=False)
    return [
        TABLE,
        TABLE.to_pandas(),
        pl.from_arrow(TABLE),
        folder / "a.csv",
        read(folder / "a.parquet"),
    ]


@pytest.mark.parametrize("concepts", [Stumps(SCHEMA), Thresholds(size=100)])
def test_the_same_release_from_every_source(tmp_path, concepts):
    found = []
    for data in sources(tmp_path):
        release = learn(
            task(concepts), data, other="ignore", rng=seeded(1), ledger=Ledger.memory(2), **VALUES
        )
        assert release.certificate.n == N
        assert release.certificate.asked.other == "ignore"
        found.append((release.value.to_dict(), release.certificate.to_dict()["certified"]))
    assert all(one == found[0] for one in found)
    asked = {"x": np.array([10, 90])} if isinstance(concepts, Stumps) else np.array([10, 90])
    rows = pa.table(asked) if isinstance(asked, dict) else asked
    assert learn(
        task(concepts), TABLE, other="ignore", rng=seeded(1), ledger=Ledger.memory(2), **VALUES
    ).value.predict(rows).tolist() == [False, True]
    as_negative = learn(
        task(concepts), TABLE, rng=seeded(1), ledger=Ledger.memory(2), **VALUES
    ).value
    assert as_negative.predict(rows).tolist() == [False, False]


def test_the_certificate_says_so_and_verifies(tmp_path):
    for other in ("negative", "ignore"):
        release = learn(task(Stumps(SCHEMA)), TABLE, other=other, ledger=Ledger.memory(2), **VALUES)
        text = release.certificate.to_markdown()
        assert ("is ignored" in text) == (other == "ignore")
        assert ("counts as the negative one" in text) == (other == "negative")
        assert "Labels with a declared value" in text
        assert "WARNING: many labels" in text
        record = release_record(release, about=About(), counted=True)
        assert record["certificate"]["asked"]["other"] == other
        path = tmp_path / f"{other}.json"
        path.write_text(release_text(record))
        assert verify(path, seconds=None), str(verify(path))
        told = release.certificate.measured.counted("labels")
        far = abs(told.count - int((~OTHER).sum()))
        assert far * told.epsilon < 15  # more has a chance below exp(-14)


def test_labels_are_not_looked_at_before_the_charge(monkeypatch):
    seen = []
    told = ignored.fitting
    monkeypatch.setattr(ignored, "fitting", lambda sample: seen.append(1) or told(sample))
    sample = Sample(X, TOLD, "yes", "no")
    with pytest.raises(BudgetRefused):
        learn(task(Thresholds(size=100)), sample, other="ignore", ledger=Ledger.memory("0.1"))
    assert not seen
    left = ignored.DeclaredSample(sample)
    assert len(left) == N
    assert repr(left) == "Sample(private)"
    assert not seen
    assert len(left.x) == len(left.y) == N - OTHER.sum()
    assert len(seen) == 1


def test_both_values_are_needed():
    for data in (TABLE, Sample(X, TOLD, "yes")):
        with pytest.raises(BadInput, match="declare both"):
            learn(task(Thresholds(size=100)), data, other="ignore", label="sick", positive="yes")


def test_classifiers_take_it():
    frame = TABLE.to_pandas()
    for kind, given in (
        (StumpClassifier, {"domain": {"x": (0, 100)}, "bins": 4}),
        (ThresholdClassifier, {"domain": 100}),
    ):
        made = kind(
            **given, classes=("no", "yes"), other="ignore", epsilon=1, ledger=Ledger.memory(4)
        )
        made.fit(frame[["x"]], frame["sick"])
        assert made.predict(frame[["x"]].iloc[np.flatnonzero(X == 90)[:1]]).tolist() == ["yes"]
        score = made.private_score(frame[["x"]], frame["sick"], epsilon=1)
        assert score > 0.9
    with pytest.raises(BadInput, match="rates are counted"):
        RatedClassifier(made := StumpClassifier(other="ignore", domain={"x": (0, 9)})).fit(
            frame[["x"]], frame["sick"]
        )
    assert made.get_params()["other"] == "ignore"


def test_the_command_line_takes_it(tmp_path, capsys):
    def run(*words):
        code = main([str(word) for word in words])
        told = capsys.readouterr()
        return code, told.out + told.err

    sources(tmp_path)
    (tmp_path / "s.toml").write_text('[columns.x]\nkind = "number"\nlow = 0\nhigh = 100\n')
    usual = [
        "learn", tmp_path / "a.csv", "--label", "sick", "--positive", "yes", "--epsilon", "2",
        "--no-ledger",
    ]  # fmt: skip
    ways = (
        ["--schema", tmp_path / "s.toml", "--model", "stump"],
        ["--class", "thresholds", "--size", "100", "--column", "x"],
    )
    for way in ways:
        done = run(*usual, *way, "--negative", "no", "--other", "ignore", "--json")
        assert done[0] == 0, done[1]
        record = json.loads(done[1])
        assert record["certificate"]["asked"]["other"] == "ignore"
        assert record["certificate"]["n"] == N
        for options, said in (
            (["--other", "ignore"], "--negative"),
            (["--other", "class"], "--negative"),
            (["--negative", "no", "--other", "drop"], "negative, ignore"),
        ):
            refused = run(*usual, *way, *options)
            assert refused[0] == 2
            assert said in " ".join(refused[1].split())


def test_several_labels_of_persons_that_leave_out_records_are_refused_before_the_charge():
    schema = Schema.of([(0, 1), bool], bins=2)
    asked = Task(
        Trees(schema, depth=1),
        privacy=Privacy(1, "1e-3", unit="person"),
        accuracy=Accuracy(0.2, 0.1),
        setting="agnostic",
        k=2,
        other="ignore",
    )
    x, y = np.random.default_rng(0).random((40, 2)), np.arange(80).reshape(40, 2) % 3
    ledger = Ledger.memory(epsilon=10, delta="1e-2")
    with pytest.raises(BadInput, match="one label at a time"):
        learn(asked, (x, y), groups=np.arange(40) // 2, negative=0, ledger=ledger)
    assert not ledger.entries
