"""Sweeps, charts and files, and the shell's way to them."""

import csv
import json
from fractions import Fraction as F
from itertools import pairwise

import pytest

from tacit.classes import Points, Thresholds
from tacit.cli import main
from tacit.core import Accuracy, BadInput, Privacy, Task
from tacit.planner import plan

TASK = Task(Points(bits=5), privacy=Privacy(1), accuracy=Accuracy(0.2, 0.1))


@pytest.fixture(scope="module")
def sweep():
    return plan.sweep(TASK, epsilon=[2, 0.5, 1], alpha=[0.1, 0.3])


def test_a_sweep_plans_every_point_of_the_grid(sweep):
    assert sweep.axes == ("epsilon", "alpha")
    assert [at["epsilon"] for at, _ in sweep.plans] == [0.5, 0.5, 1.0, 1.0, 2.0, 2.0]
    best = [row for row in sweep.rows if row.best]
    assert len(best) == 6
    for row in best:
        task = TASK.with_(epsilon=F(str(row.at["epsilon"])), alpha=F(str(row.at["alpha"])))
        assert row.records == plan(task).best.n
        assert row.needed <= row.records


def test_crossovers_mark_where_the_best_algorithm_changes():
    sweep = plan.sweep(TASK, alpha=["0.02", "0.05", "0.1", "0.2", "0.4"])
    best = [row.algorithm for row in sweep.rows if row.best]
    changes = [b for a, b in pairwise(best) if a != b]
    assert [row.algorithm for row in sweep.crossovers] == changes


def test_rows_are_saved_exactly(sweep, tmp_path):
    with sweep.save(tmp_path / "s.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == len(sweep.rows)
    assert rows[0]["records"] == str(sweep.rows[0].records)
    record = json.loads(sweep.save(tmp_path / "s.json").read_text())
    assert record["axes"] == ["epsilon", "alpha"]
    assert record["rows"][0]["records"] == sweep.rows[0].records


def test_charts_show_bounds_and_algorithms(sweep, tmp_path):
    drawn = json.dumps(sweep.chart().to_dict())
    assert '"epsilon"' in drawn
    assert '"needed"' in drawn
    single = plan.sweep(TASK, epsilon=[0.5, 1])
    page = single.save(tmp_path / "s.html").read_text()
    assert "<html" in page
    assert 'src="http' not in page
    assert single.save(tmp_path / "s.svg").read_text().startswith("<svg")
    assert single.save(tmp_path / "s.png").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_drawn_is_said(sweep, tmp_path):
    with pytest.raises(BadInput, match=r"\.html"):
        sweep.save(tmp_path / "s.doc")
    with pytest.raises(BadInput, match="name a parameter"):
        plan.sweep(TASK)
    three = plan.sweep(TASK, epsilon=[1], alpha=[0.1], beta=[0.1])
    with pytest.raises(BadInput, match="at most two"):
        three.chart()
    nobody = plan.sweep(TASK.with_(marginal="moonlight", k=3), epsilon=[1])
    if not nobody.rows:
        with pytest.raises(BadInput, match="nothing to draw"):
            nobody.chart()


WORDS = [
    "plan",
    "--class",
    "thresholds",
    "--bits",
    "12",
    "--alpha",
    ".1",
    "--beta",
    ".05",
    "--epsilon",
    "1",
]


def test_the_command_prints_json(capsys):
    assert (
        main([*WORDS, "--json", "--output-kind", "proper", "--setting", "realizable", "--n", "500"])
        == 0
    )
    record = json.loads(capsys.readouterr().out)
    task = Task(
        Thresholds(bits=12), privacy=Privacy(1), accuracy=Accuracy(0.1, 0.05), output="proper"
    )
    assert record["options"][0]["n"] == plan(task).best.n
    assert record["lower_bounds"][0]["n"] == plan(task).lower_bounds[0].n
    assert float(record["with"]["least_alpha"]) < 0.1
    assert float(record["with"]["least_epsilon"]) < 1


def test_the_command_explains(capsys):
    assert main([*WORDS, "--n", "3"]) == 0
    out = capsys.readouterr().out
    assert "records suffice" in out
    assert "No algorithm can do with fewer" in out
    assert "With 3 records" in out


def test_the_command_sweeps_and_saves(tmp_path, capsys):
    target = tmp_path / "plan.csv"
    assert main([*WORDS, "--sweep", "epsilon=0.5..2", "--save", str(target)]) == 0
    with target.open() as stream:
        values = sorted({float(row["epsilon"]) for row in csv.DictReader(stream)})
    assert values[0] == 0.5
    assert values[-1] == 2.0
    assert len(values) == 16
    capsys.readouterr()
    assert main([*WORDS, "--sweep", "alpha=0.1,0.2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["axes"] == ["alpha"]


@pytest.mark.parametrize(
    "extra",
    [
        ["--sweep", "gamma=1..2"],
        ["--sweep", "epsilon=2..1"],
        ["--sweep", "epsilon"],
        ["--save", "plan.html"],
        ["--setting", "hopeful"],
        ["--epsilon", "-1"],
        ["--delta", "1"],
        ["--n", "0"],
    ],
)
def test_bad_words_are_refused_without_a_traceback(extra, capsys):
    assert main([*WORDS, *extra]) == 2
    assert "Traceback" not in capsys.readouterr().err
