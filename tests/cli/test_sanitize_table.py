"""``tacit sanitize --schema``: a table with its columns, its certificate, picture and metadata."""

import hashlib
import io
import json

import numpy as np
import pandas as pd
import pytest

from tacit.cli import main

SCHEMA = """
[columns.age]
kind = "number"
low = 0
high = 120

[columns.smoker]
kind = "boolean"

[columns.ward]
kind = "category"
values = ["north", "south"]

[[impossible]]
smoker = true
ward = "south"
"""


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    smoker = rng.random(400) < 0.3
    ward = np.where(smoker, "north", rng.choice(["north", "south"], 400))
    people = pd.DataFrame({"age": rng.integers(0, 100, 400), "smoker": smoker, "ward": ward})
    people.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "s.toml").write_text(SCHEMA)
    return tmp_path


def run(files, capsys, *more, output="synthetic.parquet"):
    words = ["sanitize", files / "people.csv", "--schema", files / "s.toml", "--no-ledger"]
    return said(capsys, *words, "--epsilon", "4", "-o", files / output, *more)


def said(capsys, *words):
    code = main([str(word) for word in words])
    read = capsys.readouterr()
    return code, " ".join((read.out + read.err).split())


@pytest.mark.parametrize("epsilon", ["1e5", "1e6"])
def test_a_budget_without_noise_to_speak_of_does_not_break_what_was_paid(files, capsys, epsilon):
    words = ["sanitize", files / "people.csv", "--schema", files / "s.toml", "--no-ledger"]
    code, told = said(capsys, *words, "--epsilon", epsilon, "-o", files / "synthetic.csv")
    assert code == 0, told


def test_a_table_with_everything(files, capsys):
    names = ("release.json", "errors.svg", "about.json")
    release, plot, about = (files / name for name in names)
    more = ("--release", release, "--plot", plot, "--croissant", about, "--ways", 2)
    code, told = run(files, capsys, *more)
    assert code == 0, told
    table = pd.read_parquet(files / "synthetic.parquet")
    assert list(table) == ["age", "smoker", "ward"]
    assert len(table) == 400
    assert not ((table["smoker"] == True) & (table["ward"] == "south")).any()  # noqa: E712
    record = json.loads(release.read_text())
    answered = record["certificate"]["certified"]["answered"]
    assert answered["promise"] == "every two-way marginal (in total variation)"
    assert len(answered["each"]) == 3
    drawn = plot.read_text()
    assert drawn.startswith("<svg")
    assert "age x smoker: 0." in drawn
    metadata = json.loads(about.read_text())
    assert metadata["@type"] == "sc:Dataset"
    assert "epsilon = 4" in metadata["rai:personalSensitiveInformation"][0]
    assert [one["name"] for one in metadata["recordSet"][0]["field"]] == list(table)
    code, told = said(capsys, "verify", release)
    assert code == 0, told
    assert "computed anew: cost, theorems" in told


def test_errors_of_three_columns_together_are_drawn(files, capsys):
    plot = files / "errors.svg"
    code, told = run(files, capsys, "--plot", plot, "--ways", 3)
    assert code == 0, told
    assert "age x smoker x ward: 0." in plot.read_text()


def test_a_table_about_a_label_is_certified_for_its_pairs_and_verified(files, capsys):
    release, plot = files / "release.json", files / "errors.svg"
    more = ("--release", release, "--plot", plot, "--about", "smoker")
    code, told = run(files, capsys, *more)
    assert code == 0, told
    answered = json.loads(release.read_text())["certificate"]["certified"]["answered"]
    assert answered["promise"] == "every two-way marginal with smoker (in total variation)"
    assert [one["columns"] for one in answered["each"]] == [["age", "smoker"], ["smoker", "ward"]]
    assert "age x ward" not in plot.read_text()
    code, told = said(capsys, "verify", release)
    assert code == 0, told
    assert "computed anew: cost, theorems" in told
    plan = ("plan", "--schema", files / "s.toml", "--goal", "sanitize", "--epsilon", 1)
    code, told = said(capsys, *plan, "--about", "smoker")
    assert code == 0, told


def test_a_changed_error_is_found(files, capsys):
    from tacit.report.release_file import digest_of

    release = files / "release.json"
    assert run(files, capsys, "--release", release)[0] == 0
    record = json.loads(release.read_text())
    record["certificate"]["certified"]["answered"]["error"] = "0.001"
    record["digests"]["release"] = digest_of(record)
    release.write_text(json.dumps(record))
    code, told = said(capsys, "verify", release)
    assert code != 0
    assert "the bound on the error of every answer" in told


def test_ctrl_c_before_the_last_file_is_written_leaves_none(files, capsys, monkeypatch):
    def stop(*given, **named):
        raise KeyboardInterrupt

    more = ["--certificate", files / "r.json", "--plot", files / "e.svg"]
    more += ["--croissant", files / "c.json"]
    with monkeypatch.context() as patched:
        patched.setattr("tacit.cli.sanitize_table.croissant", stop)
        code, _ = run(files, capsys, *more)
    assert code == 130
    assert sorted(path.name for path in files.iterdir()) == ["people.csv", "s.toml"]
    assert run(files, capsys, *more)[0] == 0
    stated = json.loads((files / "c.json").read_text())["distribution"][0]
    assert stated["name"] == "synthetic.parquet"
    content = (files / "synthetic.parquet").read_bytes()
    assert stated["sha256"] == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("more", "output", "hint"),
    [
        (("--columns", "age:0..120"), "t.csv", "leave --columns"),
        ((), "t.txt", "must end in one of"),
        (("--plot", "p.png"), "t.csv", "drawn as .svg"),
        (("--queries", "points"), "t.csv", "marginals, conditions"),
        (("--ways", "9"), "t.csv", "at most 3"),
        (("--about", "smokers"), "t.csv", "the columns are age, smoker, ward"),
        (("--about", "ward", "--ways", "1"), "t.csv", "two columns or more"),
        (("--rows", "0"), "t.csv", "rows"),
        (("--algorithm", "trees"), "t.csv", "does not fit"),
    ],
)
def test_what_cannot_be_is_refused_before_the_charge(files, capsys, more, output, hint):
    code, told = run(files, capsys, *more, output=output)
    assert code == 2
    assert hint in told
    assert not (files / output).exists()


def test_other_queries_and_rows(files, capsys):
    for kind in ("conditions", "ranges", "prefix-sums"):
        code, told = run(files, capsys, "--queries", kind, "--rows", 50, output=f"{kind}.csv")
        assert code == 0, told
        assert len(pd.read_csv(files / f"{kind}.csv")) == 50


def test_a_dry_run_tells_the_cost(files, capsys):
    code, told = run(files, capsys, "--dry-run")
    assert code == 0
    assert "epsilon = 4" in told
    code, told = run(files, capsys, "--dry-run", "--json")
    assert json.loads(told)["cost"]["epsilon"] == "4"
    assert not (files / "synthetic.parquet").exists()


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("more", "counted"),
    [((), True), (("--relation", "add-remove"), False), (("--unit", "person"), False)],
)
def test_a_terminal_hears_what_is_done_and_no_number_of_records(
    files, capsys, monkeypatch, more, counted
):
    people = pd.read_csv(files / "people.csv")
    people.assign(person=np.arange(len(people))).to_csv(files / "people.csv", index=False)
    monkeypatch.setattr("tacit.cli.resources._QUIET_SECONDS", 0)
    monkeypatch.setattr("tacit.cli.resources._EVERY", 0.001)
    terminal = Terminal()
    monkeypatch.setattr("tacit.cli.resources.sys.stderr", terminal)
    code, told = run(files, capsys, *more)
    assert code == 0, told
    heard = terminal.getvalue()
    assert "making the table" in heard
    assert "writing the table" in heard
    assert ("% of the records" in heard) is counted
    assert "400" not in heard


def test_a_pipe_hears_nothing_of_that(files, capsys, monkeypatch):
    monkeypatch.setattr("tacit.cli.resources._QUIET_SECONDS", 0)
    code, told = run(files, capsys)
    assert code == 0
    assert "making the table" not in told
    assert "writing the table" not in told
