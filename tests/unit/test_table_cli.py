"""``tacit schema``, ``tacit learn --schema`` and ``tacit predict`` on tables, from the shell."""

import json

import numpy as np
import pandas as pd
import pytest

from tacit.cli import main
from tacit.cli.learn_table import MODELS
from tacit.estimators import tables


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
        "age: integer, 10 cells",
        "ward: category, 2 cells",
    ]


@pytest.mark.parametrize("model", ["tree", "rule-list", "box"])
def test_learn_and_predict(folder, capsys, model):
    declare(folder)
    learn = ["learn", "t.csv", "--schema", "s.toml", "--label", "sick", "--model", model]
    assert main([*learn, "--epsilon", "50", "--ledger", "book.db", "-o", "m.json"]) == 0
    record = json.loads((folder / "m.json").read_text(encoding="utf-8"))
    assert record["certificate"]["epsilon"] == "50"
    capsys.readouterr()
    assert main(["predict", "m.json", "t.parquet"]) == 0
    answers = [int(line) for line in capsys.readouterr().out.split()[1:]]
    truth = pd.read_parquet(folder / "t.parquet")["sick"].to_numpy()
    assert (np.array(answers) == truth).mean() > 0.95


def test_wrong_usage_is_told(folder, capsys):
    declare(folder)
    learn = ["learn", "t.csv", "--schema", "s.toml", "--epsilon", "1"]
    assert main([*learn, "--label", "sick", "--model", "oracle"]) == 2
    assert "tree" in capsys.readouterr().err
    assert main([*learn, "--label", "ward"]) == 2
    assert main(["learn", "t.csv", "--model", "tree", "--label", "sick", "--epsilon", "1"]) == 2


def test_every_named_model_exists():
    assert all(hasattr(tables, name) for name in MODELS.values())
