"""``tacit schema --json``: the same declarations, for programs."""

import json

from tacit.cli import main
from tacit.domains import Schema

TOML = '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 9\nbins = 5\n'


def test_init_prints_declarations_and_nothing_else(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("age,sick\n1,0\n")
    assert main(["schema", "init", str(tmp_path / "t.csv"), "--label", "sick", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"columns": {"age": {"kind": "?"}}}


def test_check_prints_every_cell(tmp_path, capsys):
    (tmp_path / "s.toml").write_text(TOML)
    assert main(["schema", "check", str(tmp_path / "s.toml"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert Schema.of(told["schema"]) == Schema.of(tmp_path / "s.toml")
    assert len(told["cells"]["age"]["cells"]) == 5
    assert told["cells"]["age"]["apart"]
    assert told["cells"]["age"]["complete"] is False
