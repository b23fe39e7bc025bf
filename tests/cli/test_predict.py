"""``tacit predict``: what it says of a label, and which files it does not read."""

import json

import pytest

from tacit.cli import main
from tacit.core import Label

RULE = {
    "kind": "tree",
    "schema": {"columns": {"age": {"kind": "integer", "low": 0, "high": 3, "bins": 4}}},
    "root": {"column": 0, "cell": 2, "low": {"label": 0}, "high": {"label": 1}},
}
LABEL = {"name": "sick", "negative": "no", "positive": "yes"}


@pytest.fixture
def people(tmp_path):
    (tmp_path / "t.csv").write_text("age\n0\n3\n\n")
    (tmp_path / "t.csv").write_text("age,ward\n0,a\n3,b\n,c\n")
    return tmp_path / "t.csv"


def test_a_rule_file_with_other_cells_is_refused(tmp_path, people, capsys):
    """Before columns had a cell for missing values, every cell stood one lower."""
    path = tmp_path / "rule.json"
    path.write_text(json.dumps({"rule": RULE, "certificate": {}, "classes": ["no", "yes"]}))
    assert main(["predict", str(path), str(people)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "early version of Tacit" in said.err
    path.write_text(json.dumps({"rule": RULE, "certificate": {}, "label": LABEL}))
    assert main(["predict", str(path), str(people)]) == 0
    assert capsys.readouterr().out.split() == ["prediction", "no", "yes", "no"]


@pytest.mark.parametrize(
    ("label", "values"),
    [
        (Label(positive="yes", negative="no"), ("no", "yes")),
        (Label(positive="yes", negative=None), ("not yes", "yes")),
        (Label(positive="true", negative=None), ("false", "true")),
        (Label(positive="False", negative=None), ("True", "False")),
        (Label(positive=1, negative=None), (0, 1)),
        (Label(positive=0, negative=None), (1, 0)),
    ],
)
def test_the_other_value_is_said_where_it_is_known(label, values):
    assert label.values == values
