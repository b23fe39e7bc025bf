"""Tests of ``tacit.cli.doctor``."""

import pytest
from tests.sources.diagnose_cases import ROWS, _file

from tacit.cli import main


def test_the_command_names_lines_and_no_cell(tmp_path, capsys):
    path = _file(tmp_path / "t.csv", [*ROWS[:7], b'secret,"7,1', *ROWS[8:]])
    assert main(["doctor", str(path)]) == 2
    told = capsys.readouterr().out
    assert "line 9: a quote is opened and never closed" in told
    assert "PRIVATE, for the owner" in told
    assert "secret" not in told
    assert main(["doctor", str(path), "--quote", "none"]) == 0
    assert "51 records" not in capsys.readouterr().out
    assert main(["doctor", str(_file(tmp_path / "u.csv", ROWS))]) == 0
    assert "50 records; the file is one well-formed table" in capsys.readouterr().out


def test_the_installation(capsys, monkeypatch):
    assert main(["doctor"]) == 0
    told = capsys.readouterr().out
    assert "numpy" in told
    assert "python-calamine" in told
    monkeypatch.setattr("tacit.cli.doctor._NEEDED", ("no-such-package",))
    assert main(["doctor"]) == 2
    assert "MISSING" in capsys.readouterr().out


def test_the_owner_is_told_whether_cells_fit_the_declaration(tmp_path, capsys):
    data, schema = tmp_path / "t.csv", tmp_path / "s.toml"
    days = [f"{day:02}.03.2024" for day in range(1, 21)]
    data.write_text(
        "day;age;note\n"
        + "".join(f"{day};{7.5 if place < 9 else ''};secret\n" for place, day in enumerate(days))
    )
    date = '[columns.day]\nkind = "date"\nlow = 2024-01-01\nhigh = 2024-12-31\n'
    age = '[columns.age]\nkind = "number"\nlow = 0\nhigh = 99\n'
    schema.write_text(date + age)
    words = ["doctor", str(data), "--delimiter", ";", "--schema", str(schema)]
    assert main(words) == 2
    told = capsys.readouterr().out
    assert "day: NO cell fits what is declared" in told
    assert "age: fewer than half of the cells fit" in told
    assert "secret" not in told.split("PRIVATE")[1]
    schema.write_text(date + 'format = "%d.%m.%Y"\n' + age)
    assert main(words) == 0
    assert "day: most cells fit" in capsys.readouterr().out
    assert main(["schema", "check", str(schema)]) == 0
    assert "in text files written 31.12.2024: anything" in capsys.readouterr().out


def test_options_about_a_file_need_the_file(capsys):
    for words in (["--schema", "s.toml"], ["--delimiter", ";"], ["--glob"]):
        assert main(["doctor", *words]) == 2
        assert "name it, too" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["postgresql://u:SECRET@h/db", "--engine", "spark"],
        ["postgresql://h/db?password=SECRET", "--engine", "spark"],
        ["Postgresql://u:SECRET@h/db"],
        ["Postgresql://u:SECRET@h"],
        ["postgresql+psycopg://u:SEC/SECRET@h"],
        ["postgresql+psycopg://h/db?password=SECRET"],
        ["postgresql+psycopg://h/db?password=SECRET", "--glob"],
        ["postgresql+psycopg://h/db?password=SECRET", "--table", "people"],
        ["https://h/people.csv?token=SECRET"],
        ["https://h/SECRET@people.csv"],
        ["postgresql://u:pa[SECRET]word@h/db", "--table", "people"],
    ],
)
def test_an_address_is_not_repeated_with_its_secrets(words, capsys):
    assert main(["doctor", *words]) == 2
    said = capsys.readouterr()
    assert said.err
    assert "SECRET" not in said.err + said.out
