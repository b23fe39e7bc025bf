"""Decimal commas: numbers are read by them, words may have a point, ids are what stands there."""

import json

import pyarrow as pa
import pytest

from tacit.cli import main
from tacit.domains.schema import Schema
from tacit.sources import read
from tacit.sources.files import read_table
from tacit.sources.samples import as_sample
from tacit.sources.spelling import Use, used, with_point, word_columns

CELLS = ["1,5", "1.5", "2024.17", "x", None, ",5"]
SCHEMA = Schema.of(
    {"v": (0, 10), "code": {"kind": "category", "values": ["250.1", "250.2", "7,0"]}}
)


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (Use.NUMBER, ["1.5", None, None, "x", None, ".5"]),
        (Use.WORD, ["1.5", "1.5", "2024.17", "x", None, ".5"]),
        (Use.WRITTEN, CELLS),
    ],
)
def test_a_cell_is_what_it_is_used_for(use, expected):
    assert with_point(pa.array(CELLS, pa.string()), use).to_pylist() == expected


def _file(folder, *, rows=3):
    lines = ["id;v;code;y", "2024.1;1,5;250.1;0,0", "2024.2;2.5;250.2;1.0", "1,0;3,5;250,1;1,0"]
    (folder / "t.csv").write_text("\n".join(lines[: rows + 1]) + "\n")
    return read(folder / "t.csv", delimiter=";", decimal=",")


@pytest.mark.parametrize("kept", [True, False])
def test_kept_cells_are_spelled_as_streamed_ones(tmp_path, monkeypatch, kept):
    if not kept:
        monkeypatch.setattr("tacit.sources.kept._MOST", -1)
    source = used(_file(tmp_path), words=["code"], written=["id"])
    assert read_table(source, ["id", "v", "code", "y"]).to_pydict() == {
        "id": ["2024.1", "2024.2", "1,0"],
        "v": ["1.5", None, "3.5"],
        "code": ["250.1", "250.2", "250.1"],
        "y": ["0.0", None, "1.0"],
    }
    assert bool(source._kept._batches) is kept
    assert word_columns(SCHEMA) == ("code",)


def test_codes_and_labels_with_a_point_are_declared_values(tmp_path):
    source = _file(tmp_path)
    sample = as_sample(source, domain=SCHEMA, label="y", positive=1, negative=0)
    assert SCHEMA.coerce(sample.x)[:, 1].tolist() == [1, 2, 1]
    assert sample.y.tolist() == [False, True, True]
    assert sample.fits.all()


@pytest.mark.parametrize("glob", [False, True])
def test_ids_with_a_point_are_persons(tmp_path, glob):
    """Every id such as 2024.17 was taken for a number with a point, and its rows were dropped."""
    _file(tmp_path)
    source = read(tmp_path / "t.csv", delimiter=";", decimal=",", glob=glob)
    persons = as_sample(source, domain=SCHEMA, label="y", unit="id")
    assert persons.number == 3
    assert len(persons.at_most(1).sample) == 3


def test_predict_carries_ids_as_they_are_written(tmp_path, capsys):
    _file(tmp_path)
    rule = {
        "kind": "tree",
        "schema": {"columns": {"code": {"kind": "category", "values": ["250.1", "250.2"]}}},
        "root": {"column": 0, "cell": 2, "low": {"label": 0}, "high": {"label": 1}},
    }
    label = {"name": "y", "negative": "no", "positive": "yes"}
    path = tmp_path / "rule.json"
    path.write_text(json.dumps({"rule": rule, "certificate": {}, "label": label}))
    words = ["predict", str(path), str(tmp_path / "t.csv"), "--delimiter", ";", "--decimal", ","]
    assert main([*words, "--id", "id"]) == 0
    assert capsys.readouterr().out.split() == [
        "id,prediction",
        "2024.1,yes",
        "2024.2,no",
        '"1,0",yes',
    ]
    assert main([*words, "--id", "code"]) == 0
    assert capsys.readouterr().out.split()[-1] == '"250,1",yes'
