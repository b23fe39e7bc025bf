"""Every command that reads records takes a table of a server."""

import json
import tomllib

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.sources.postgres_cases import REASON
from tests.sources.postgres_server import do, load, server

from tacit.cli import main

pytestmark = pytest.mark.skipif(REASON is not None, reason=REASON or "")
ROWS = 400
SCHEMA = '[columns.age]\nkind = "number"\nlow = 0\nhigh = 100\nbins = 4\n\n[columns.ward]\nkind = "category"\nvalues = ["north", "south"]\n'


@pytest.fixture(scope="module")
def address():
    generator = np.random.default_rng(7)
    age = generator.integers(0, 100, ROWS)
    wards = np.where(generator.random(ROWS) < 0.5, "north", "south").tolist()
    people = {"id": np.arange(ROWS), "age": age, "ward": wards, "sick": (age > 60).astype(int)}
    with server() as where:
        load(where, "people", pa.table(people))
        do(where, "ALTER TABLE people ADD COLUMN home point")
        yield where


@pytest.fixture
def schema(tmp_path):
    path = tmp_path / "schema.toml"
    path.write_text(SCHEMA)
    return str(path)


def test_a_column_of_a_server_is_sanitized(address, tmp_path, capsys):
    common = ["sanitize", address, "--columns", "age:0..100", "--queries", "thresholds"]
    paid = ["--epsilon", "4", "--no-ledger"]
    out = tmp_path / "ages.csv"
    assert main([*common, *paid, "--table", "people", "-o", str(out)]) == 0
    values = [int(line) for line in out.read_text().split()[1:]]
    assert len(values) == ROWS
    assert 0.2 < np.mean(np.array(values) > 60) < 0.6
    capsys.readouterr()
    assert main([*common, *paid, "-o", str(tmp_path / "b.csv")]) == 2
    assert "--table people" in capsys.readouterr().err
    some = [*common, *paid, "--query", "SELECT age FROM people WHERE sick = 1"]
    assert main([*some, "-o", str(tmp_path / "c.csv")]) == 2
    assert "add-remove" in capsys.readouterr().err
    assert not (tmp_path / "b.csv").exists()


def test_a_table_of_a_server_is_sanitized(address, schema, tmp_path, capsys):
    out, told = tmp_path / "synthetic.parquet", tmp_path / "release.json"
    common = ["sanitize", address, "--schema", schema, "--ways", "2", "--epsilon", "2"]
    files = ["-o", str(out), "--release", str(told), "--no-ledger"]
    assert main([*common, "--table", "people", *files]) == 0
    table = pq.read_table(out)
    assert table.column_names == ["age", "ward"]
    assert table.num_rows == ROWS
    said = capsys.readouterr()
    assert address not in said.out + said.err + told.read_text()
    some = [*common, "--query", "SELECT age, ward FROM people WHERE sick = 1", "--no-ledger"]
    other = tmp_path / "some.parquet"
    assert main([*some, "--relation", "add-remove", "--rows", "50", "-o", str(other)]) == 0
    assert pq.read_table(other).num_rows == 50


def _rule(address, schema, tmp_path):
    rule = tmp_path / "rule.json"
    arguments = [
        "learn", address, "--table", "people", "--schema", schema, "--model", "tree",
        "--label", "sick", "--epsilon", "4", "--no-ledger", "-o", str(rule),
    ]  # fmt: skip
    assert main(arguments) == 0
    return str(rule)


def test_a_rule_is_applied_to_a_server(address, schema, tmp_path, capsys):
    rule = _rule(address, schema, tmp_path)
    capsys.readouterr()
    assert main(["predict", rule, address, "--table", "people", "--id", "id", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert sorted(row["id"] for row in rows) == list(range(ROWS))
    chosen = "SELECT id, age, ward FROM people WHERE sick = 1"
    assert main(["predict", rule, address, "--query", chosen, "--id", "id"]) == 0
    some = capsys.readouterr().out.splitlines()
    assert some[0] == "id,prediction"
    known = {str(row["id"]): str(row["prediction"]) for row in rows}
    assert all(known[line.split(",")[0]] == line.split(",")[1] for line in some[1:])


def test_answers_of_a_server_go_with_the_column_that_names_their_rows(
    address, schema, tmp_path, capsys, monkeypatch
):
    """The rows come in another order each time; without a name they would be nobody's."""
    from tacit.sources.postgres import PostgresTable

    rule = _rule(address, schema, tmp_path)
    capsys.readouterr()
    assert main(["predict", rule, address, "--table", "people"]) == 2
    assert "--id" in capsys.readouterr().err
    rows, passes = PostgresTable._rows, []

    def shuffled(self, columns, where, order="", sample=""):
        passes.append(list(columns))
        return rows(self, columns, where, f"ORDER BY md5(id::text || '{len(passes)}')", sample)

    answers = []
    for again in (False, True):
        if again:
            monkeypatch.setattr(PostgresTable, "_rows", shuffled)
        assert main(["predict", rule, address, "--table", "people", "--id", "id", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        answers.append({row["id"]: row["prediction"] for row in found})
    assert answers[0] == answers[1]
    assert len(set(answers[0].values())) == 2
    assert passes == [["age", "ward", "id"]] or passes == [["age", "id"]]


def test_doctor_says_what_is_read_of_a_server(address, schema, capsys):
    assert main(["doctor", address, "--table", "people", "--schema", schema]) == 0
    said = capsys.readouterr().out
    assert "table 'people': 4 columns" in said
    assert "age: int64" in said
    assert "home is of type point: not read" in said
    assert f"PRIVATE, for the owner of the table: {ROWS} records" in said
    assert "ward: most cells fit" in said
    assert main(["doctor", address]) == 2
    assert "--table people" in capsys.readouterr().err


def test_a_schema_of_a_server_repeats_no_settings_of_its_address(address, capsys):
    secret = f"{address}?application_name=SECRET&password=SECRET"
    assert main(["schema", "init", secret, "--table", "people", "--label", "nope"]) == 2
    said = capsys.readouterr().err
    assert "table 'people' has no column 'nope'" in said
    assert "SECRET" not in said


def test_a_type_named_with_a_line_of_its_own_writes_none(address, tmp_path, capsys):
    do(address, 'CREATE DOMAIN "odd\n[columns.evil]\nkind" AS point')
    do(address, 'CREATE TABLE places (age int, home "odd\n[columns.evil]\nkind")')
    table, written = ["--table", "places"], tmp_path / "schema.toml"
    assert main(["schema", "init", address, *table, "-o", str(written)]) == 0
    assert list(tomllib.loads(written.read_text())["columns"]) == ["age"]
    assert main(["schema", "init", address, *table, "--label", "home"]) == 2
    assert main(["doctor", address, *table]) == 0
    said = capsys.readouterr()
    for text in (written.read_text(), said.out, said.err):
        assert "odd\\n[columns.evil]" in text
        assert "\n[columns.evil]" not in text
