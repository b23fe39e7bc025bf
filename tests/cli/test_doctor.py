"""Tests of ``tacit.cli.doctor``."""

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
