"""``tacit predict``: what it says of a label, and which files it does not read."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tacit
from tacit.cli import COMMANDS, main
from tacit.core import Label

RULE = {
    "kind": "tree",
    "schema": {"columns": {"age": {"kind": "integer", "low": 0, "high": 3, "bins": 4}}},
    "root": {"column": 0, "cell": 2, "low": {"label": 0}, "high": {"label": 1}},
}

LABEL = {"name": "sick", "negative": "no", "positive": "yes"}


@pytest.fixture
def people(tmp_path):
    (tmp_path / "t.csv").write_text("age\n0\n3\n\n")
    (tmp_path / "t.csv").write_text("age,ward\n0,a\n3,b\n,c\n")
    return tmp_path / "t.csv"


def test_a_rule_file_with_other_cells_is_refused(tmp_path, people, capsys):
    """Before columns had a cell for missing values, every cell stood one lower."""
    path = tmp_path / "rule.json"
    path.write_text(json.dumps({"rule": RULE, "certificate": {}, "classes": ["no", "yes"]}))
    assert main(["predict", str(path), str(people)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "early version of Tacit" in said.err
    path.write_text(json.dumps({"rule": RULE, "certificate": {}, "label": LABEL}))
    assert main(["predict", str(path), str(people)]) == 0
    assert capsys.readouterr().out.split() == ["prediction", "no", "yes", "no"]


@pytest.mark.parametrize(
    ("label", "values"),
    [
        (Label(positive="yes", negative="no"), ("no", "yes")),
        (Label(positive="yes", negative=None), ("not yes", "yes")),
        (Label(positive="true", negative=None), ("false", "true")),
        (Label(positive="False", negative=None), ("True", "False")),
        (Label(positive=1, negative=None), (0, 1)),
        (Label(positive=0, negative=None), (1, 0)),
    ],
)
def test_the_other_value_is_said_where_it_is_known(label, values):
    assert label.values == values


@pytest.fixture
def table(tmp_path):
    x = np.random.default_rng(0).integers(0, 1000, 800)
    lines = [f"{value},{int(value >= 300)},{value % 7}" for value in x]
    path = tmp_path / "people.csv"
    path.write_text("income,sick,other\n" + "\n".join(lines) + "\n")
    return path


def learn(table, *more):
    return main(
        [
            "learn",
            str(table),
            "--label",
            "sick",
            "--column",
            "income",
            "--class",
            "thresholds",
            "--size",
            "1000",
            "--epsilon",
            "1",
            *(() if "--ledger" in more else ("--no-ledger",)),
            *more,
        ]
    )


def new_ledger(path, epsilon):
    words = ["budget", "create", str(path), "--epsilon", str(epsilon), "--data-set", "people"]
    assert main(words) == 0
    return path


def test_help_is_there(capsys):
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in COMMANDS)


def test_unknown_command(capsys):
    assert main(["fly"]) == 2
    assert "no command" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name, capsys):
    assert main([name, "--help"]) == 0
    assert "Usage" in capsys.readouterr().out


def test_learn_then_predict_then_budget(table, tmp_path, capsys):
    model, book, out = (tmp_path / name for name in ("m.json", "book.db", "out.csv"))
    new_ledger(book, 2)
    assert learn(table, "--ledger", str(book), "-o", str(model)) == 0
    record = json.loads(model.read_text())
    assert record["certificate"]["n"] == 800
    assert record["rule"]["kind"] == "threshold"
    assert main(["predict", str(model), str(table), "--column", "income", "-o", str(out)]) == 0
    assert len(out.read_text().split()) == 801
    capsys.readouterr()
    assert main(["budget", "show", str(book), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [entry["event"] is None for entry in shown["entries"]] == [False, True]
    assert shown["entries"][0]["about"]["label"] == "sick"
    assert shown["data_set"] == "people"


def test_budget_refuses_with_exit_code_three(table, tmp_path, capsys):
    book = new_ledger(tmp_path / "book.db", 1)
    more = ("--ledger", str(book), "--setting", "realizable")
    assert learn(table, *more) == 0
    model = tmp_path / "m.json"
    assert learn(table, *more, "-o", str(model)) == 3
    assert not model.exists()
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["--epsilon", "-1"],
        ["--epsilon", "much"],
        ["--delta", "1"],
        ["--size", "0"],
        ["--column", "incoem"],
        ["--label", "nothing"],
        ["--class", "magic"],
        ["--relation", "cousin"],
        ["--alpha", "2"],
        ["--algorithm", "magic"],
        ["-o", "no/such/folder/m.json"],
        ["--ledger", "mistyped.db"],
    ],
)
def test_bad_words_give_exit_code_two(table, words, capsys):
    assert learn(table, *words) == 2
    error = capsys.readouterr().err
    assert "error:" in error
    assert "Traceback" not in error


def test_bad_files_give_exit_code_two_and_no_private_line(tmp_path, capsys):
    broken = tmp_path / "broken.csv"
    broken.write_bytes(b'income,sick\n1,0\n"4242424242,1\n7,1\n')
    empty = tmp_path / "empty.parquet"
    empty.write_bytes(b"")
    for path in (broken, empty, tmp_path / "missing.csv", tmp_path):
        code = learn(path)
        captured = capsys.readouterr()
        assert code == 2
        assert "4242424242" not in captured.err + captured.out
        assert "Traceback" not in captured.err


def test_damaged_model_files(table, tmp_path, capsys):
    for name, text in {
        "a.json": "{",
        "b.json": "[]",
        "c.json": '{"rule": {"kind": "spell"}}',
        "d.json": '{"rule": {"kind": "threshold", "size": "x"}}',
    }.items():
        path = tmp_path / name
        path.write_text(text)
        assert main(["predict", str(path), str(table), "--column", "income"]) == 2
        assert "Traceback" not in capsys.readouterr().err


def test_plan(capsys):
    words = [
        "plan",
        "--class",
        "points",
        "--bits",
        "64",
        "--epsilon",
        "1",
        "--alpha",
        "0.1",
        "--beta",
        "0.05",
    ]
    assert main(words) == 0
    assert "hashed-points" in capsys.readouterr().out


def test_long_integers_keep_every_digit_in_a_file(tmp_path, capsys):
    low, high = 2**999, 2**999 + 1
    path = tmp_path / "long.csv"
    path.write_text("x,label\n" + f"{low},0\n{high},1\n" * 2000)
    model, out = tmp_path / "m.json", tmp_path / "out.csv"
    assert (
        main(
            [
                "learn",
                str(path),
                "--label",
                "label",
                "--class",
                "points",
                "--bits",
                "1000",
                "--epsilon",
                "2",
                "--setting",
                "realizable",
                "--output-kind",
                "proper",
                "--no-ledger",
                "-o",
                str(model),
            ]
        )
        == 0
    )
    assert json.loads(model.read_text())["rule"]["point"] == str(high)
    assert main(["predict", str(model), str(path), "--column", "x", "-o", str(out)]) == 0
    assert out.read_text().split()[1:5] == ["0", "1", "0", "1"]
    assert "4000 rows are written to out.csv" in capsys.readouterr().err


def test_a_release_needs_a_ledger_or_the_word_that_it_has_none(table, tmp_path, capsys):
    words = ["learn", str(table), "--label", "sick", "--column", "income", "--class", "thresholds"]
    words += ["--size", "1000", "--epsilon", "1"]
    assert main(words) == 2
    assert "tacit budget create" in capsys.readouterr().err
    book = new_ledger(tmp_path / "b.db", 1)
    assert main([*words, "--ledger", str(book), "--no-ledger"]) == 2
    assert main([*words, "--ledger", str(tmp_path / "bb.db")]) == 2
    said = capsys.readouterr().err
    assert "there is no ledger file" in said
    assert "tacit budget create" in said
    assert not (tmp_path / "bb.db").exists()


def test_a_dry_run_says_the_cost_and_charges_nothing(table, tmp_path, capsys):
    book = new_ledger(tmp_path / "b.db", "1.5")
    capsys.readouterr()
    for _ in range(2):
        assert learn(table, "--ledger", str(book), "--dry-run") == 0
        told = capsys.readouterr().out
        assert "cost   epsilon = 1 (replace-one" in told
        assert "left   epsilon = 1.5" in told
    assert learn(table, "--ledger", str(book), "--dry-run", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told.pop("charged") is False
    assert {name: one["epsilon"] for name, one in told.items()} == {
        "cost": "1",
        "spent": "0",
        "left": "1.5",
        "after": "1",
    }
    assert learn(table, "--ledger", str(book), "-o", str(tmp_path / "r.json")) == 0
    capsys.readouterr()
    assert learn(table, "--ledger", str(book), "--dry-run") == 3
    told = capsys.readouterr().err
    assert "The ledger would refuse it: the budget (epsilon 1.5" in told
    assert "the total would be epsilon = 2" in told
    assert main(["budget", "show", str(book), "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)["entries"]
    assert [entry["event"] is None for entry in entries] == [False, True]
    assert learn(table, "--dry-run") == 0


def test_the_installed_command_returns_exit_codes(tmp_path):
    command = Path(sys.executable).with_name("tacit")
    done = subprocess.run([command, "learn", "x.csv"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_one_odd_cell_moves_no_other_record(tmp_path):
    from tacit.sources import FileSample
    from tacit.sources import read as open_file

    def read_column(path, name, *, exact=False):
        return FileSample(open_file(path), columns=(name,), exact=exact).x

    def read_labels(path, name, positive):
        return FileSample(
            open_file(path), columns=("x",), labels=(name,), positive=positive, exact=True
        ).y

    plain = ["1.0,5", "0,7", "1,9", "true,11"]
    for odd in ("maybe,x", ",", '"a,b",1e999', "1,-3"):
        paths = []
        for name, last in (("a.csv", "0,3"), ("b.csv", odd)):
            path = tmp_path / name
            path.write_text("sick,x\n" + "\n".join([*plain, last]) + "\n")
            paths.append(path)
        for positive in (1, "true", "1.0"):
            one, other = (read_labels(path, "sick", positive)[:4] for path in paths)
            assert one.tolist() == other.tolist()
        assert read_labels(paths[0], "sick", 1).tolist()[:4] == [True, False, True, True]
        one, other = (read_column(path, "x")[:4] for path in paths)
        assert one.tolist() == other.tolist() == [5, 7, 9, 11]
        one, other = (read_column(path, "x", exact=True)[:4] for path in paths)
        assert one.tolist() == other.tolist()


def test_the_package_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "tacit", "--version"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stdout.startswith("tacit ")


def test_any_column_is_carried_along_as_json(tmp_path, capsys):
    """Dates and decimals failed, and what is no number was printed as no JSON."""
    import datetime
    import decimal

    import pyarrow as pa
    import pyarrow.parquet as pq

    rule = tmp_path / "rule.json"
    rule.write_text(json.dumps({"rule": RULE, "certificate": {}, "label": LABEL}))
    carried = {
        "day": (datetime.date(2024, 5, 31), "2024-05-31"),
        "moment": (datetime.datetime(2024, 5, 31, 7), "2024-05-31T07:00:00"),
        "number": (float("nan"), None),
        "exact": (decimal.Decimal("1.50"), "1.50"),
        "bytes": (b"\xff", "ff"),
        "word": ('a"b', 'a"b'),
        "whole": (2**62, 2**62),
    }
    columns = {name: pa.array([value]) for name, (value, _) in carried.items()}
    pq.write_table(pa.table({"age": [3]} | columns), tmp_path / "t.parquet")
    words = ["predict", str(rule), str(tmp_path / "t.parquet"), "--json"]
    for name, (_, told) in carried.items():
        out = tmp_path / f"{name}.parquet"
        assert main([*words, "--id", name, "-o", str(out)]) == 0
        text = capsys.readouterr().out
        assert json.loads(text, parse_constant=pytest.fail) == [{name: told, "prediction": "yes"}]
        assert pq.read_table(out).column_names == [name, "prediction"]


@pytest.mark.parametrize(
    ("kind", "far", "told"),
    [
        (pa.date32(), 2932897, "10000-01-01"),
        (pa.date32(), 2**31 - 1, "<value out of range: 2147483647>"),
        (pa.timestamp("us"), 253402300800000000, "10000-01-01 00:00:00.000000"),
        (pa.timestamp("us", tz="Asia/Tokyo"), 253402300800000000, "10000-01-01 00:00:00.000000Z"),
        (pa.timestamp("us", tz="UTC"), 2**63 - 1, f"<value out of range: {2**63 - 1}>"),
    ],
)
def test_dates_beyond_the_calendar_are_carried_along(tmp_path, capsys, kind, far, told):
    """An infinite date of a database is the last one that Arrow has, which Python has not."""
    import pyarrow.parquet as pq

    rule, data = tmp_path / "rule.json", str(tmp_path / "t.parquet")
    rule.write_text(json.dumps({"rule": RULE, "certificate": {}, "label": LABEL}))
    whole = pa.array([0, far], pa.int32() if kind == pa.date32() else pa.int64())
    pq.write_table(pa.table({"age": [3, 3], "when": whole.view(kind)}), data)
    first = whole.view(kind)[0].as_py()
    assert main(["predict", str(rule), data, "--id", "when"]) == 0
    assert capsys.readouterr().out == f"when,prediction\n{first},yes\n{told},yes\n"
    assert main(["predict", str(rule), data, "--id", "when", "--json"]) == 0
    found = [row["when"] for row in json.loads(capsys.readouterr().out)]
    assert found == [first.isoformat(), told]


@pytest.mark.parametrize("kind", ["list", "struct", "map"])
def test_dates_beyond_the_calendar_are_carried_along_inside_others(tmp_path, capsys, kind):
    import pyarrow.parquet as pq

    far = pa.array([0, 2932897], pa.int32()).view(pa.date32())
    starts, names = pa.array([0, 1, 2], pa.int32()), pa.array(["a", "a"])
    nested = {
        "list": pa.ListArray.from_arrays(starts, far),
        "struct": pa.StructArray.from_arrays([far], ["a"]),
        "map": pa.MapArray.from_arrays(starts, names, far),
    }
    rule, data = tmp_path / "rule.json", str(tmp_path / "t.parquet")
    rule.write_text(json.dumps({"rule": RULE, "certificate": {}, "label": LABEL}))
    pq.write_table(pa.table({"age": [3, 3], "when": nested[kind]}), data)
    for form in ([], ["--json"]):
        assert main(["predict", str(rule), data, "--id", "when", *form]) == 0
        said = capsys.readouterr().out
        assert "datetime.date(1970, 1, 1)" in said
        assert "10000-01-01" in said


def test_a_rule_over_several_columns_finds_them_by_name(tmp_path, capsys):
    rng = np.random.default_rng(0)
    rows = [(age, weight) for age, weight in rng.integers(0, 8, (600, 2)).tolist()]
    lines = [f"{age},{weight},{'yes' if age >= 4 > weight else 'no'}" for age, weight in rows]
    people, release = tmp_path / "people.csv", tmp_path / "release.json"
    people.write_text("\n".join(["age,weight,sick", *lines]) + "\n")
    learned = f"learn {people} --class grid-boxes --bits 3 --columns 2 --column age,weight"
    asked = "--label sick --positive yes --negative no --epsilon 9 --alpha 0.1 --no-ledger"
    assert main([*learned.split(), *asked.split(), "-o", str(release)]) == 0
    assert "age" in capsys.readouterr().out
    record = json.loads(release.read_text())
    assert record["columns"] == ["age", "weight"]
    assert "column" not in record
    # Columns in another order, and one more: what counts is what they are called.
    others = tmp_path / "others.csv"
    swapped = [f"{number},{weight},{age}" for number, (age, weight) in enumerate(rows)]
    others.write_text("\n".join(["id,weight,age", *swapped]) + "\n")
    assert main(["predict", str(release), str(others)]) == 0
    answers = capsys.readouterr().out.split()[1:]
    frame = pd.read_csv(others)
    read = tacit.load(release)
    assert list(read.predict(frame)) == answers
    assert list(read.predict(pa.Table.from_pandas(frame))) == answers
    in_order = read.value.predict(frame[["age", "weight"]].to_numpy())
    assert ["yes" if one else "no" for one in in_order] == answers
    assert 0 < answers.count("yes") < 600
    assert main(["predict", str(release), str(others), "--column", "weight"]) == 2
    assert "names its columns itself" in capsys.readouterr().err
