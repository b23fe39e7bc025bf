"""``tacit schema --json``: the same declarations, for programs."""

import json
import tomllib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit.cli import main
from tacit.domains import Schema

COMMA = '[columns."BMI"]\nkind = "number"\nlow = 1,40\nhigh = 3\n'
TOML = '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 9\nbins = 5\n'


def test_init_leaves_out_several_labels(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("age,dx_a,dx_b,sick\n1,0,1,0\n")
    words = ["schema", "init", str(tmp_path / "t.csv"), "--json"]
    assert main([*words, "--labels", "dx_*", "--label", "sick"]) == 0
    assert list(json.loads(capsys.readouterr().out)["columns"]) == ["age"]
    assert main([*words, "--labels", "age,dx_*,sick"]) == 2
    assert "besides the labels" in capsys.readouterr().err
    assert main([*words, "--labels", "rx_*"]) == 2
    assert "no column fits 'rx_*'" in capsys.readouterr().err


def test_init_prints_declarations_and_nothing_else(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("age,sick\n1,0\n")
    assert main(["schema", "init", str(tmp_path / "t.csv"), "--label", "sick", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"columns": {"age": {"kind": "?"}}}


def test_a_public_sample_declares_its_columns(tmp_path, capsys):
    lines = [f"{20 + place},{'abc'[place % 3]},{place % 2}" for place in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["age,ward,sick", *lines, ""]))
    table, toml = str(tmp_path / "t.csv"), str(tmp_path / "s.toml")
    words = ["schema", "init", table, "--label", "sick", "--public", "--bins", "4"]
    assert main([*words, "-o", toml]) == 0
    assert "declare what" not in capsys.readouterr().out
    found = Schema.of(tmp_path / "s.toml")
    assert found.cells == (5, 4)
    assert found.public == (
        "every value of 'age', 'ward': borders and categories were read off a public sample",
    )
    assert main([*words, "--json"]) == 0
    assert Schema.of(json.loads(capsys.readouterr().out)) == found
    learned = ["learn", table, "--label", "sick", "--schema", toml, "--epsilon", "1"]
    assert main([*learned, "--no-ledger", "--model", "stump"]) == 0
    assert "read off a public sample" in " ".join(capsys.readouterr().out.split())
    assert main(["schema", "init", table, "--bins", "4"]) == 2
    assert "--bins needs --public" in capsys.readouterr().err
    assert main([*words[:-1], "0"]) == 2


def test_a_public_sample_with_decimal_commas(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("bmi;ward\n21,5;a\n30,25;b\n25;a\n")
    words = ["schema", "init", str(tmp_path / "t.csv"), "--delimiter", ";", "--decimal", ","]
    assert main([*words, "--public", "--json"]) == 0
    bmi = json.loads(capsys.readouterr().out)["columns"]["bmi"]
    assert (bmi["kind"], bmi["low"], bmi["high"]) == ("number", "21.5", "30.25")


def test_the_file_is_toml_whatever_is_printed(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("age,sick\n1,0\n")
    words = ["schema", "init", str(tmp_path / "t.csv"), "--json", "-o"]
    assert main([*words, str(tmp_path / "s.toml")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert tomllib.loads((tmp_path / "s.toml").read_text()) == told


def test_check_prints_every_cell(tmp_path, capsys):
    (tmp_path / "s.toml").write_text(TOML)
    assert main(["schema", "check", str(tmp_path / "s.toml"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert Schema.of(told["schema"]) == Schema.of(tmp_path / "s.toml")
    assert len(told["cells"]["age"]["cells"]) == 5
    assert told["cells"]["age"]["apart"]
    assert told["cells"]["age"]["complete"] is False


def test_columns_that_can_miss_nothing_are_proposed_as_complete(tmp_path, capsys):
    fields = [
        ("age", pa.int32()),
        ("weight", pa.float64()),
        ("ward", pa.string()),
        ("in", pa.bool_()),
    ]
    table = pa.table(
        [pa.array([1]), pa.array([1.0]), pa.array(["a"]), pa.array([True])],
        schema=pa.schema([pa.field(name, kind, nullable=False) for name, kind in fields]),
    )
    pq.write_table(table, tmp_path / "t.parquet")
    assert main(["schema", "init", str(tmp_path / "t.parquet"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["columns"]
    assert [name for name, one in found.items() if one.get("complete")] == ["age", "in"]
    nullable = table.cast(pa.schema([pa.field(name, kind) for name, kind in fields]))
    pq.write_table(nullable, tmp_path / "n.parquet")
    assert main(["schema", "init", str(tmp_path / "n.parquet"), "--json"]) == 0
    assert "complete" not in capsys.readouterr().out
    # Of several files one that may miss values decides.
    both = [str(tmp_path / "?.parquet"), "--glob", "--json"]
    assert main(["schema", "init", *both]) == 0
    assert "complete" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("header", "options", "said"),
    [
        ("age;sick", ["--delimiter", ";"], None),
        ("age;sick", [], "delimiter"),
        ("Age,sick", [], "no column 'age'"),
        ("age,sick", ["--encoding", "latin-1"], None),
    ],
)
def test_check_compares_the_header_of_a_table(tmp_path, capsys, header, options, said):
    (tmp_path / "s.toml").write_text(TOML)
    (tmp_path / "t.csv").write_text(f'{header}\n"broken, and not read\n')
    code = main(["schema", "check", str(tmp_path / "s.toml"), str(tmp_path / "t.csv"), *options])
    told = capsys.readouterr()
    assert code == (0 if said is None else 2)
    assert said is None or said in told.err


def test_check_refuses_a_type_that_cannot_hold_the_declaration(tmp_path, capsys):
    (tmp_path / "s.toml").write_text(TOML)
    pq.write_table(pa.table({"age": ["a"]}), tmp_path / "t.parquet")
    assert main(["schema", "check", str(tmp_path / "s.toml"), str(tmp_path / "t.parquet")]) == 2
    assert "holds text, and is declared as integer" in capsys.readouterr().err


def test_options_of_a_table_need_the_table(tmp_path, capsys):
    (tmp_path / "s.toml").write_text(TOML)
    assert main(["schema", "check", str(tmp_path / "s.toml"), "--delimiter", ";"]) == 2
    assert "need the table" in capsys.readouterr().err


def test_a_decimal_comma_in_a_schema_is_named(tmp_path, capsys):
    (tmp_path / "s.toml").write_text(COMMA)
    assert main(["schema", "check", str(tmp_path / "s.toml")]) == 2
    assert "with a point, not a comma: low = 1,40" in capsys.readouterr().err


IMPOSSIBLE = """
[columns.sex]
kind = "category"
values = ["f", "m"]

[columns.pregnant]
kind = "boolean"

[[impossible]]
sex = ["m"]
pregnant = true
"""


def test_check_says_which_combinations_cannot_be(tmp_path, capsys):
    (tmp_path / "s.toml").write_text(TOML + IMPOSSIBLE)
    assert main(["schema", "check", str(tmp_path / "s.toml")]) == 0
    told = capsys.readouterr().out
    assert "impossible in a synthetic table: sex is m and pregnant is true\n" in told
    assert main(["schema", "check", str(tmp_path / "s.toml"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["impossible"] == [
        {"sex": ["m"], "pregnant": ["true"]}
    ]
    (tmp_path / "s.toml").write_text(TOML)
    assert main(["schema", "check", str(tmp_path / "s.toml"), "--json"]) == 0
    assert "impossible" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('sex = "male"', "a value that column 'sex' does not declare"),
        ('gender = "m"', "names 'gender', and the schema has no such column"),
    ],
)
def test_check_refuses_combinations_that_no_table_could_keep_to(tmp_path, capsys, wrong, said):
    (tmp_path / "s.toml").write_text(TOML + IMPOSSIBLE.replace('sex = ["m"]', wrong))
    assert main(["schema", "check", str(tmp_path / "s.toml")]) == 2
    assert said in capsys.readouterr().err
