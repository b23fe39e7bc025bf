"""``tacit reproduce``: lists, makes, and says what is wrong."""

from tacit.cli import main


def test_list(capsys):
    assert main(["reproduce", "--list"]) == 0
    said = capsys.readouterr().out
    assert "bbkn13-table1 " in said
    assert len(said.splitlines()) >= 10


def test_planned_numbers_are_printed_and_written(capsys, tmp_path):
    code = main(["reproduce", "fx14-lines", "--planned", "--out", str(tmp_path), "--workers", "1"])
    assert code == 0
    assert "53,176" in capsys.readouterr().out
    assert (tmp_path / "fx14-lines.csv").exists()


def test_planned_numbers_are_written_only_where_that_is_said(capsys, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "tacit.reproduce.reproduce", lambda *_, folder, **__: asked.append(folder) or []
    )
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", "log-star", "--planned"]) == 0
    assert not list(tmp_path.iterdir())
    assert not asked[0].exists()  # a folder for the moment, and gone
    assert capsys.readouterr().err == ""
    assert main(["reproduce", "log-star"]) == 0
    assert str(asked[1]) == "reproduced"
    assert "go to the folder reproduced" in capsys.readouterr().err


def test_errors(capsys, tmp_path):
    assert main(["reproduce", "nothing", "--out", str(tmp_path)]) == 2
    assert "there is no reproduction" in capsys.readouterr().err
    assert main(["reproduce", "log-star", "--quick", "--full", "--out", str(tmp_path)]) == 2
    assert "give one of" in capsys.readouterr().err
