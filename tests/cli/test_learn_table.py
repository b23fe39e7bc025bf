"""``tacit schema``, ``tacit learn --schema`` and ``tacit predict`` on tables, from the shell."""

import json
import re
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit.cli import main
from tacit.cli.learn_table import divided_values, models, several_names
from tacit.core import BadInput, hypothesis_from_dict
from tacit.report.release_file import load


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(0, 100, 300),
            "dose": rng.random(300),
            "ward": rng.choice(["a", "b"], 300),
            "smoker": rng.integers(0, 2, 300).astype(bool),
        }
    )
    frame["sick"] = (frame["age"] > 49).astype(int)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_csv(tmp_path / "t.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def declare(folder):
    (folder / "s.toml").write_text(
        '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 99\nbins = 10\n'
        '[columns.ward]\nkind = "category"\nvalues = ["a", "b"]\n',
        encoding="utf-8",
    )


def test_init_writes_types_only_and_marks_the_rest(folder, capsys):
    assert main(["schema", "init", "t.parquet", "--label", "sick", "-o", "new.toml"]) == 0
    text = (folder / "new.toml").read_text(encoding="utf-8")
    assert text.count("declare this") == 5
    assert '"sick"' not in text
    for value in ("99", '"a"', '"b"'):
        assert value not in text
    assert main(["schema", "check", "new.toml"]) == 2
    assert "declare low and high" in capsys.readouterr().err


def test_a_csv_file_has_no_types(folder, capsys):
    assert main(["schema", "init", "t.csv"]) == 0
    assert capsys.readouterr().out.count('kind = "?"') == 5
    assert main(["schema", "init", "t.csv", "--label", "odd"]) == 2


def test_check_tells_what_is_declared(folder, capsys):
    declare(folder)
    assert main(["schema", "check", "s.toml"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "age: integer, 11 cells",
        "  apart: missing or anything else",
        "  below 10; " + "; ".join(f"from {age}" for age in range(10, 100, 10)),
        "ward: category, 3 cells",
        "  apart: missing or anything else",
        "  a; b",
    ]


@pytest.mark.parametrize("model", ["tree", "rule-list", "box"])
def test_learn_and_predict(folder, capsys, model):
    declare(folder)
    learn = ["learn", "t.csv", "--schema", "s.toml", "--label", "sick", "--model", model]
    assert main([*learn, "--epsilon", "50", "--no-ledger", "-o", "m.json"]) == 0
    record = json.loads((folder / "m.json").read_text(encoding="utf-8"))
    assert record["certificate"]["spent"]["epsilon"] == "50"
    capsys.readouterr()
    assert main(["predict", "m.json", "t.parquet"]) == 0
    answers = [int(line) for line in capsys.readouterr().out.split()[1:]]
    truth = pd.read_parquet(folder / "t.parquet")["sick"].to_numpy()
    assert (np.array(answers) == truth).mean() > 0.95


def test_predict_carries_names_values_and_an_id(folder, capsys):
    declare(folder)
    frame = pd.read_parquet("t.parquet").assign(number=lambda table: range(len(table)))
    frame["sick"] = frame["sick"].map({1: "yes", 0: "no"})
    frame.to_csv("named.csv", index=False)
    words = ["learn", "named.csv", "--schema", "s.toml", "--label", "sick", "--model", "stump"]
    words += ["--positive", "yes", "--negative", "no", "--epsilon", "50", "--no-ledger"]
    assert main([*words, "-o", "m.json"]) == 0
    assert "sick is yes" in capsys.readouterr().out
    rule = json.loads((folder / "m.json").read_text(encoding="utf-8"))
    assert rule["label"] == {"name": "sick", "negative": "no", "positive": "yes"}
    (asked,) = {line.split()[1] for line in load("m.json").describe().splitlines()}
    fewer = frame[[asked, "number"]]
    fewer.to_csv("fewer.csv", index=False)
    fewer.to_parquet("fewer.parquet")
    expected = frame["sick"].tolist()
    for data in ("fewer.csv", "fewer.parquet"):
        for output in ("a.csv", "a.parquet"):
            command = ["predict", "m.json", data, "--id", "number", "--force", "-o", output]
            assert main(command) == 0
            read = pd.read_csv(output) if output == "a.csv" else pd.read_parquet(output)
            assert read.columns.tolist() == ["number", "prediction"]
            assert read["number"].astype(int).tolist() == list(range(len(frame)))
            assert (read["prediction"] == expected).mean() > 0.7
    capsys.readouterr()
    assert main(["predict", "m.json", "fewer.parquet", "--id", "number", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed[3] == {"number": 3, "prediction": read["prediction"][3]}
    assert main(["predict", "m.json", "fewer.csv", "--id", "absent"]) == 2
    assert "no column 'absent'" in capsys.readouterr().err
    frame[["number"]].to_csv("none.csv", index=False)
    assert main(["predict", "m.json", "none.csv"]) == 2
    assert f"no column '{asked}'" in capsys.readouterr().err


def learn(folder, *more, label="sick", data="t.csv"):
    declare(folder)
    words = ["learn", data, "--schema", "s.toml", "--label", label, "--epsilon", "50", "--force"]
    words.append("--no-ledger")
    return main([*words, *more])


def test_labels_that_were_not_named_are_zero_and_one(folder, capsys):
    assert learn(folder, "-o", "m.json") == 0
    label = json.loads((folder / "m.json").read_text(encoding="utf-8"))["label"]
    assert (label["negative"], label["positive"]) == (0, 1)
    assert "Labels with a declared" in capsys.readouterr().out
    assert learn(folder, "--negative", "no") == 2
    assert "--negative needs --positive" in capsys.readouterr().err


@pytest.mark.parametrize("of", [["--schema", "s.toml"], ["--class", "points", "--column", "age"]])
def test_a_label_of_floats_needs_its_values_named(folder, capsys, of):
    """By the file's type: a text file has none, and there the same table is learned from."""
    declare(folder)
    more = ["--size", "99"] if "--class" in of else []
    words = [*of, *more, "--label", "dose", "--epsilon", "50", "--no-ledger", "--force"]
    assert main(["learn", "t.parquet", *words]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "the label column 'dose' is of type double" in said
    assert "regression is out of scope" in said
    assert "--negative and --positive; nothing was charged" in said
    assert main(["learn", "t.parquet", *words, "--positive", "1"]) == 0
    assert main(["learn", "t.csv", *words]) == 0


def test_a_label_that_the_schema_declares_as_numbers_needs_its_values_named(folder, capsys):
    (folder / "wide.toml").write_text("[columns]\nage = [0, 99]\ndose = [0, 9]\n")
    words = ["--schema", "wide.toml", "--features", "age", "--epsilon", "50"]
    asked = ["learn", "t.csv", *words, "--label", "dose", "--no-ledger", "--force"]
    assert main(asked) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "the label 'dose' is declared as numbers from 0 to 9" in said
    assert "regression is out of scope" in said
    assert main([*asked, "--positive", "1"]) == 0
    assert main(["plan", *words, "--labels", "sick,dose"]) == 2
    assert "regression is out of scope" in " ".join(capsys.readouterr().err.split())
    assert main(["plan", *words, "--labels", "sick,dose=1/0"]) == 0


def rule_of(folder):
    return json.loads((folder / "m.json").read_text(encoding="utf-8"))["rule"]


@pytest.mark.parametrize("model", models())
def test_every_model_learns_from_the_shell(folder, model):
    more = ("--public", "t.parquet") if model == "informed" else ()
    assert learn(folder, "--model", model, *more, "-o", "m.json") == 0
    assert list(rule_of(folder)["schema"]["columns"]) == ["age", "ward"]


def test_a_sum_of_trees_takes_its_rounds(folder, capsys):
    assert learn(folder, "--model", "boosted", "--rounds", "2", "-o", "m.json") == 0
    assert len(rule_of(folder)["trees"]) <= 2
    assert learn(folder, "--model", "boosted", "--rounds", "auto", "-o", "m.json") == 0
    capsys.readouterr()
    for more, said in (
        (
            ("--model", "tree", "--rounds", "2"),
            "--rounds is not for --model tree; it is for boosted",
        ),
        (("--model", "boosted", "--rounds", "few"), "--rounds takes auto or a number of trees"),
        (("--model", "boosted", "--rounds", "0"), "--rounds"),
        (("--model", "boosted", "--other", "ignore"), "--other is not for --model boosted"),
        (("--model", "boost"), "--model must be one of tree, additive, alarms, rule, boosted"),
    ):
        assert learn(folder, *more) == 2
        assert said in capsys.readouterr().err
    plan = ["plan", "--schema", "s.toml", "--model", "boosted", "--epsilon", "1"]
    assert main([*plan, "--rounds", "4", "--n", "2000"]) == 0
    assert "(boosted trees)" in capsys.readouterr().out


def test_the_options_reach_the_classifier(folder, capsys):
    assert learn(folder, "--features", "ward", "-o", "m.json") == 0
    assert list(rule_of(folder)["schema"]["columns"]) == ["ward"]
    assert learn(folder, "--depth", "0", "-o", "m.json") == 0
    assert "always" in capsys.readouterr().out
    more = ("--model", "conjunction", "--form", "dnf", "--clauses", "5", "--columns", "age,ward")
    assert learn(folder, *more, "-o", "m.json") == 0
    assert rule_of(folder)["form"] == "dnf"
    assert "2 more clauses" in " ".join(capsys.readouterr().out.split())
    assert learn(folder, "--model", "box", "--columns", "ward;age", "-o", "m.json") == 0
    assert len(rule_of(folder)["conditions"]) == 1
    assert learn(folder, "--error-share", "0", "--relation", "label", "--bins", "4") == 0
    assert "(error_share = 0)" in " ".join(capsys.readouterr().out.split())
    assert learn(folder, "--model", "selection", "--among", "stump,box", "--tries", "2") == 0
    assert "best of several" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("data", ["t.csv", "t.parquet"])
@pytest.mark.parametrize(
    ("values", "positive"),
    [((1.0, 0.0), "1"), ((True, False), "true"), (("yes", "no"), "yes"), ((3, 1), "3")],
)
def test_labels_of_any_type_are_found(folder, data, values, positive):
    frame = pd.read_parquet("t.parquet")
    frame["sick"] = np.where(frame["age"] > 49, *values)
    frame.to_parquet("t.parquet")
    frame["sick"] = frame["sick"].map(lambda value: str(value).lower())
    frame.to_csv("t.csv", index=False)
    assert learn(folder, "--positive", positive, "-o", "m.json", data=data) == 0
    again = hypothesis_from_dict(rule_of(folder))
    assert (again.predict(frame[["age", "ward"]]) == (frame["age"] > 49)).mean() > 0.95


@pytest.mark.parametrize(
    ("more", "word"),
    [
        (["--model", "oracle"], "--model must be one of tree"),
        (["--form", "cnf"], "it is for conjunction"),
        (["--depth", "deep"], "--depth takes auto"),
        (["--depth", "²"], "--depth takes auto"),
        (["--features", "odd"], "does not declare; it declares age, ward"),
        (["--features", ","], "names with commas"),
        (["--model", "box", "--columns", "odd"], "'odd'"),
        (["--model", "box", "--columns", "9"], "columns must be 1, 2 or 3"),
        (["--model", "conjunction", "--form", "xor"], "conjunction, cnf, dnf"),
        (["--model", "selection", "--among", "oracle"], "must be one of"),
        (["--alpha", "0.1"], "--alpha needs --class"),
        (["--class", "points"], "there is no option --schema with --class points"),
        (["--error-share", "2"], "error_share"),
        (["--bins", "0"], "--bins must be a whole number of at least 1"),
        (["--model", "conjunction", "--form", "dnf", "--clauses", "-1"], "of at least 1"),
        (["--model", "conjunction", "--clauses", "2"], "--clauses is for --form cnf or dnf"),
        (["--class", "trees", "--column", "age"], "leave --column out"),
        (["--error_share", "0.1"], "--error_share is written --error-share"),
        (["--model", "selection", "--among", "tree,tree"], "each once"),
        (["--model", "selection", "--among", "selection"], "each once"),
        (["--weight", "dose"], "no option --weight: weights of records are out of scope"),
        (["--sample-weight", "dose"], "say what mistakes on a label cost with --cost"),
        (["--regression", "yes"], "regression is out of scope, a rule answers with one of"),
    ],
)
def test_wrong_options_are_told(folder, capsys, more, word):
    assert learn(folder, *more) == 2
    assert word in capsys.readouterr().err


def test_wrong_usage_is_told(folder, capsys):
    assert learn(folder, label="ward") == 2
    plain = ["learn", "t.csv", "--label", "sick", "--epsilon", "1"]
    assert main([*plain, "--model", "tree"]) == 2
    assert main([*plain, "--class", "points", "--size", "9", "--columns", "2"]) == 2
    told = capsys.readouterr().err
    assert main([*plain, "--class", "points", "--size", "9", "--column", "sick"]) == 2
    assert "the label 'sick' must not be the --column" in capsys.readouterr().err
    assert "--model needs --schema" in told
    assert "there is no option --columns with --class points" in told


def test_help_names_every_model_and_the_exit_codes(capsys):
    assert main(["learn", "--help"]) == 0
    told = capsys.readouterr().out
    assert all(model in told for model in models())
    assert "Exit codes" in told


ODD = {
    "flag": (pa.bool_(), [True, None]),
    "small": (pa.int8(), [1, 77]),
    "large": (pa.uint64(), [1, 9988776655]),
    "real": (pa.float32(), [0.5, 424242.0]),
    "money": (pa.decimal128(8, 2), [Decimal("1.25"), None]),
    "word": (pa.string(), ["canary", None]),
    "group": (pa.dictionary(pa.int8(), pa.string()), ["canary", "b"]),
    "day": (pa.date32(), [date(1987, 6, 5), None]),
    "moment": (pa.timestamp("ns"), [0, 1]),
    "many": (pa.list_(pa.int8()), [[1], [2, 3]]),
    "nested": (pa.struct([("a", pa.int8())]), [{"a": 1}, None]),
    "raw": (pa.binary(), [b"canary", None]),
    'a "quoted".name': (pa.int64(), [1, 2]),
}


def test_init_knows_every_type_and_looks_at_no_value(folder, capsys):
    table = pa.table({name: pa.array(rows, kind) for name, (kind, rows) in ODD.items()})
    texts = []
    for rows in (table, table.slice(0, 0)):
        pq.write_table(rows.append_column("y", pa.array([1] * len(rows))), "odd.parquet")
        assert main(["schema", "init", "odd.parquet", "--label", "y"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    dates = r'kind = "date"\nlow = "\?"[^\n]*\nhigh = "\?"'
    declared = 'kind = "date"\nlow = 1970-01-01\nhigh = 1990-01-01'
    filled, many = re.subn(dates, declared, texts[0])
    assert many == 2
    filled = filled.replace('low = "?"', "low = 0").replace('high = "?"', "high = 9")
    filled = filled.replace('["?"]', '["b", "canary"]')
    assert filled.count('kind = "?"') == 3  # lists, bytes
    filled = filled.replace('kind = "?"', 'kind = "category"\nvalues = ["1987-06-05", "u"]')
    (folder / "odd.toml").write_text(filled, encoding="utf-8")
    assert main(["schema", "check", "odd.toml"]) == 0
    pq.write_table(table.append_column("y", pa.array([1, 0])), "odd.parquet")
    more = ["--schema", "odd.toml", "--label", "y", "--epsilon", "1", "-o", "m.json"]
    more.append("--no-ledger")
    assert main(["learn", "odd.parquet", *more]) == 2
    assert "column 'many' holds lists" in capsys.readouterr().err
    plain = [name for name in ODD if name not in ("many", "nested", "raw")]
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in plain)
    assert main(["learn", "odd.parquet", *more, "--features", quoted]) == 0
    assert set(rule_of(folder)["schema"]["columns"]) == set(plain)


def test_a_table_of_labels_alone_is_refused(folder, capsys):
    pd.DataFrame({"sick": [1]}).to_parquet("alone.parquet")
    assert main(["schema", "init", "alone.parquet", "--label", "sick"]) == 2
    assert "no column besides" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["dx_*,dx_a=yes/no", "dx_a=yes/no,dx_*", "dx_a=yes/no,dx_*=1/0"])
def test_values_of_a_label_hold_wherever_it_stands_in_the_list(text):
    found = several_names(text, ["age", "dx_a", "dx_b"])
    assert set(found) == {"dx_a", "dx_b"}
    assert found["dx_a"] == "yes/no"
    assert found["dx_b"] == ("1/0" if "1/0" in text else None)


@pytest.mark.parametrize(
    ("told", "values"),
    [
        ("yes", ["yes"]),
        ("yes/no", ["yes", "no"]),
        (r"n\/a", ["n/a"]),
        (r"n\/a/1\/2", ["n/a", "1/2"]),
        (r"\//\/", ["/", "/"]),
        (r"C:\\/D:\\", ["C:\\", "D:\\"]),
        (r"a\b/c", [r"a\b", "c"]),
        ("a/b/c", ["a", "b", "c"]),
        ("a//", ["a", "", ""]),
    ],
)
def test_a_slash_in_a_label_value_is_written_behind_a_backslash(told, values):
    assert divided_values(told) == values
    assert several_names(f"dx={told}", ["dx"]) == {"dx": told}


def test_the_command_line_takes_label_values_with_a_slash(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ages = np.random.default_rng(5).integers(0, 100, 2000)
    words = np.where(ages > 50, "n/a", "1/2")
    pd.DataFrame({"age": ages, "risk": words, "old": (ages > 20) * 1}).to_csv("t.csv", index=False)
    (tmp_path / "s.toml").write_text('[columns.age]\nkind = "number"\nlow = 0\nhigh = 100\n')
    command = ["learn", "t.csv", "--schema", "s.toml", "--no-ledger", "--epsilon", "5"]
    command += ["--delta", "1e-6", "--depth", "1", "--labels"]
    assert main([*command, "risk=n/a//2,old"]) == 2
    assert r"a slash in a value is written \/" in " ".join(capsys.readouterr().err.split())
    assert main([*command, r"risk=n\/a/1\/2,old=1/0", "-o", "r.json"]) == 0
    capsys.readouterr()
    assert main(["predict", "r.json", "t.csv"]) == 0
    told = [line.split(",")[0] for line in capsys.readouterr().out.split()[1:]]
    assert set(told) == {"n/a", "1/2"}
    assert np.mean(np.array(told) == words) > 0.9


@pytest.mark.parametrize("text", ["dx_a=yes/no,dx_a=1/0", "dx_*=yes/no,d*=1/0"])
def test_values_that_are_given_twice_must_agree(text):
    with pytest.raises(BadInput, match="twice, and differently"):
        several_names(text, ["dx_a", "dx_b"])
    assert several_names("dx_a=yes/no,dx_a=yes/no", ["dx_a"]) == {"dx_a": "yes/no"}


@pytest.mark.parametrize("command", ["learn", "sanitize"])
def test_a_file_without_a_first_line_of_names_shows_no_record(folder, command, capsys):
    declare(folder)
    whole = (folder / "t.csv").read_text(encoding="utf-8")
    header, _, records = whole.partition("\n")
    (folder / "bare.csv").write_text(records, encoding="utf-8")
    words = [command, "bare.csv", "--schema", "s.toml", "--epsilon", "1", "--no-ledger"]
    words += ["--label", "sick"] if command == "learn" else ["-o", "out.csv"]
    assert main(words) == 2
    error = capsys.readouterr().err
    assert "bare.csv has none of the columns age, ward" in error
    assert not any(cell in error for cell in records.split("\n")[0].split(",") if len(cell) > 3)
    (folder / "other.csv").write_text(header.replace("ward", "room") + "\n" + records)
    words[1] = "other.csv"
    assert main(words) == 2
    assert "has no column 'ward'; there are age, dose, room" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--label", "sik"], ["--label", "sick", "--unit", "warrd"]])
def test_a_misspelt_label_or_person_is_told_the_names_that_there_are(folder, wrong, capsys):
    declare(folder)
    words = ["learn", "t.csv", "--schema", "s.toml", "--epsilon", "1", "--no-ledger", *wrong]
    assert main([*words, "--positive", "yes"]) == 2
    said = capsys.readouterr().err
    assert f"has no column '{wrong[-1]}'; there are age, dose, ward" in said


@pytest.mark.parametrize(
    ("relation", "words"), [("replace-one", ", about "), ("add-remove", ", and their number is")]
)
def test_a_memory_limit_is_refused_in_the_words_of_who_asked(
    folder, relation, words, monkeypatch, capsys
):
    declare(folder)
    monkeypatch.setattr("tacit.sources.memory._BYTES_A_CELL", 10**6)
    arguments = [
        "learn", "t.parquet", "--schema", "s.toml", "--label", "sick", "--model", "rule",
        "--memory-limit", "64MB", "--epsilon", "1", "--no-ledger", "--relation", relation,
    ]  # fmt: skip
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert f"--model rule holds all records{words}" in said
    assert "learner" not in said


@pytest.mark.parametrize("command", ["learn", "sanitize", "predict"])
def test_records_are_told_to_be_a_file_or_a_database(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    assert main([command, "--help"]) == 0
    told = capsys.readouterr().out
    for one in (".parquet", "postgresql://host/name", "spark://host:port"):
        assert one in told
