"""tacit audit, tacit attack, audit.accuracy, and what they write."""

import json
import time
from types import SimpleNamespace

import numpy as np
import pytest
from tests.checks.audit.audit_accuracy_cases import broken

from tacit.checks.audit import accuracy, estimation, race
from tacit.checks.audit.estimation import _curve, _pace
from tacit.checks.audit.instances import named
from tacit.checks.testing import seeded
from tacit.classes import Points, Thresholds
from tacit.cli import main
from tacit.cli.audit import read_seconds
from tacit.core import Accuracy, BadInput, Privacy, Task

LEAKY = """
import random
def leaky(data):
    return sum(data)
def response(data):
    return random.random() < (0.6 if data[0] else 0.4)
def pairs():
    return [([0], [1])]
def chatty(data):
    print("a number is coming")
    if random.random() < 0.1:
        raise ValueError
    return {"noisy": [sum(data) + random.random()], "object": object()}
def slow(data):
    import time
    time.sleep(1)
def failing(data):
    return data["no such column"]
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "their_module.py").write_text(LEAKY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def processor_time(monkeypatch):
    """Budgets in seconds of this process, so that other work on the machine takes none of them."""
    clock = SimpleNamespace(monotonic=time.process_time)
    for audit in (estimation, race):
        monkeypatch.setattr(audit, "time", clock)


def test_a_function_that_tells_all_is_caught(module, processor_time, capsys):
    assert main(["audit", "their_module:leaky", "--budget", "1s", "--json"]) == 2
    record = json.loads(capsys.readouterr().out)
    assert record["violated"]
    assert record["audits"][0]["epsilon_at_least"] > 1


def test_a_function_that_keeps_its_word_is_not(module, processor_time, capsys):
    command = ["audit", "their_module:response", "--pairs", "their_module:pairs", "--budget", "1s"]
    assert main([*command, "--save", "page.html"]) == 0
    assert "sampled" in capsys.readouterr().out
    page = (module / "page.html").read_text()
    assert "<svg" in page
    assert "claimed epsilon" in page


def test_no_time_left_to_look_is_no_division_by_zero():
    found = SimpleNamespace(here=[0], there=[1])
    assert _pace(sum, found, lambda _: [0.0], least=0.25, seconds=-1.0) == 0.25


def test_what_a_function_prints_stays_out_of_the_report(module, processor_time, capsys):
    assert main(["audit", "their_module:chatty", "--budget", "6s", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["violated"]


@pytest.mark.parametrize(("name", "said"), [("slow", "more time"), ("failing", "TypeError")])
def test_a_function_that_cannot_be_audited_is_refused_in_words(module, capsys, name, said):
    assert main(["audit", f"their_module:{name}", "--budget", "2s"]) == 2
    assert said in capsys.readouterr().err


def test_a_registered_mechanism(module, capsys):
    assert main(["audit", "geometric", "--budget", "2s", "--save", "report.json"]) == 0
    assert "epsilon in [1.000000, 1.000000]" in capsys.readouterr().out
    kinds = [audit["kind"] for audit in json.loads((module / "report.json").read_text())["audits"]]
    assert kinds == ["exact audit", "estimate"]


def test_every_name_that_can_be_audited_is_listed(capsys):
    assert main(["audit", "list"]) == 0
    names = capsys.readouterr().out.splitlines()
    assert len(names) > 100
    assert {"geometric", "trees"} <= {name.lower() for name in names}
    assert main(["audit", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["names"] == names
    assert all(named(name) is not None for name in names)


@pytest.mark.parametrize(
    "words",
    [
        ["audit", "nobody"],
        ["audit", "nobody:here"],
        ["audit", "geometric", "--budget", "soon"],
        ["audit", "geometric", "--save", "x.pdf"],
        ["attack", "nothing"],
    ],
)
def test_bad_usage_is_refused_in_words(words, capsys):
    assert main(words) == 2
    assert "error:" in capsys.readouterr().err


def test_attacks_are_listed_and_run(capsys):
    assert main(["attack"]) == 0
    assert "tracing" in capsys.readouterr().out
    assert main(["attack", "floating-point", "--runs", "100", "--json"]) == 0
    naive, ours = json.loads(capsys.readouterr().out)
    assert naive["betrayed"] > 30
    assert ours["betrayed"] == 0


def test_budgets_are_read():
    assert [read_seconds(text) for text in ("30s", "2m", "1h", "5")] == [30, 120, 3600, 5]


def task(**changes):
    given = {"concept_class": Points(size=16), "output": "proper"} | changes
    return Task(
        given.pop("concept_class"), privacy=Privacy(1), accuracy=Accuracy("0.2", "0.2"), **given
    )


@pytest.mark.parametrize(
    ("name", "job", "runs"),
    [
        ("points", task(), 1000),
        pytest.param(
            "thresholds", task(concept_class=Thresholds(size=16)), 1600, marks=pytest.mark.long
        ),
    ],
)
def test_planned_records_are_accurate_and_few_are_not(name, job, runs):
    planned = accuracy(name, job, runs=runs, rng=seeded("accurate"))
    assert planned.verdict == "holds", planned.to_dict()
    assert broken(name, job, n=2, runs=200, rng=seeded("accurate"))


def test_anybodys_learner_is_checked():
    def constant(_):
        class Rule:
            def predict(self, x):
                return [False] * len(x)

        return Rule()

    assert accuracy(constant, task(), n=50, rng=seeded("constant")).verdict == "broken"
    with pytest.raises(BadInput, match="say n"):
        accuracy(constant, task())


def test_the_curve_of_a_score_counts_both_sides_at_every_cut():
    here, there = np.array([0.0, 1.0, 1.0, 2.0]), np.array([-1.0, 0.0, 0.0, 2.0])
    curve = _curve(here, there)
    expected = [(float(np.mean(there >= cut)), float(np.mean(here < cut))) for cut in (2, 1, 0, -1)]
    assert curve == ((0.0, 1.0), *expected, (1.0, 0.0))


def test_the_pace_counts_the_reading_of_outputs_that_are_new_each_time():
    found = SimpleNamespace(here=0, there=1)
    read = []

    def score(output):
        read.append(output)
        return [0.0]

    assert _pace(lambda data: data, found, score, least=7.0, seconds=0.0) == 7.0
    assert set(read) == {0, 1}


@pytest.mark.parametrize("text", ["soon", "", "s", "-1s", "0"])
def test_a_budget_that_is_no_time_says_how_a_time_is_written(text):
    with pytest.raises(BadInput, match="30s, 2m or 1h"):
        read_seconds(text)
