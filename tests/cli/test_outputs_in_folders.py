"""No output lies in a folder that is read: a part of the data would be gone."""

import pytest

from tacit.cli import main
from tacit.cli.outputs import check_outputs
from tacit.core import BadInput

RULE = '{"rule": {"kind": "threshold", "size": "100", "cut": "50", "orientation": ">="}}'
PAID = ["--epsilon", "1", "--no-ledger"]
COMMANDS = {
    "predict": ["predict", "rule.json", "DATA", "--column", "age", "--id", "age"],
    "learn": [
        *("learn", "DATA", "--label", "sick", "--class", "thresholds", "--column", "age"),
        *("--size", "100", *PAID),
    ],
    "sanitize": ["sanitize", "DATA", "--columns", "age:0..99", "--queries", "thresholds", *PAID],
}


@pytest.mark.parametrize("data", ["people.parquet", "people.parquet/", "file:{}/people.parquet"])
@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_no_output_lies_in_a_folder_that_is_read(tmp_path, monkeypatch, command, data, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rule.json").write_text(RULE)
    part = tmp_path / "people.parquet" / "deep" / "part-0.parquet"
    part.parent.mkdir(parents=True)
    part.write_text("rows")
    words = [data.format(tmp_path) if one == "DATA" else one for one in COMMANDS[command]]
    words += ["--engine", "spark", "-o", str(part), "--force"]
    assert main(words) == 2
    assert "would lie in the data, a folder" in capsys.readouterr().err
    assert part.read_text() == "rows"
    assert list(part.parent.iterdir()) == [part]


def test_no_output_lies_where_links_of_a_folder_lead(tmp_path):
    folder, away = tmp_path / "people.parquet", tmp_path / "away"
    for one in (folder, away):
        one.mkdir()
    (tmp_path / "alone.parquet").write_text("rows")
    (folder / "linked").symlink_to(away)
    (folder / "round").symlink_to(folder)
    (folder / "part-1.parquet").symlink_to(tmp_path / "alone.parquet")
    (tmp_path / "by_link").symlink_to(folder)
    for name in (
        "people.parquet/new.parquet",
        "people.parquet/part-1.parquet",
        "alone.parquet",
        "away/new.parquet",
        "by_link/new.parquet",
    ):
        with pytest.raises(BadInput, match="would lie in the data"):
            check_outputs({"output": tmp_path / name}, inputs={"data": folder}, force=True)
    beside = {"output": tmp_path / "people.parquet.csv"}
    assert check_outputs(beside, inputs={"data": folder}, force=True) == beside
