"""Audits and attacks say in words what they found, and refuse in words what they cannot take."""

from fractions import Fraction as F

import pytest

from tacit import Accuracy, Privacy, Task, audit
from tacit.checks.audit.report import write
from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.cli import main
from tacit.core import BadInput
from tacit.exact.balls import ball


def test_an_exact_audit_says_what_it_needs_of_a_function():
    with pytest.raises(BadInput, match="pass epsilon="):
        audit.exact(sum, [0, 1], 2)
    with pytest.raises(BadInput, match=r"audit\.Law"):
        audit.exact(sum, [0, 1], 2, epsilon=1)

    def response(data):
        chance = ball(F(3, 4) if data[0] else F(1, 4))
        return audit.Law({1: chance, 0: 1 - chance}, ball(0))

    found = audit.exact(response, [0, 1], 1, epsilon=1)
    assert found.violated
    assert str(found).startswith("exact, 2 pairs of 1 records: epsilon in [1.0986")


def test_an_algorithm_for_another_class_is_refused():
    task = Task(Points(size=16), privacy=Privacy(1), accuracy=Accuracy("0.2", "0.2"))
    with pytest.raises(BadInput, match="'thresholds' does not fit this task"):
        audit.accuracy("thresholds", task, runs=10)


def test_audits_print_as_sentences():
    found = audit.estimate(lambda data: data[0], [([0], [1])], epsilon=1, runs=200)
    assert str(found).startswith("sampled, 200 runs: epsilon at least ")
    assert "Fraction" not in str(found)
    task = Task(Points(size=4), privacy=Privacy(1), accuracy=Accuracy("0.2", "0.2"))
    checked = audit.accuracy("points", task, n=2, runs=60, rng=seeded(1))
    first, *rest = str(checked).splitlines()
    assert first == f"points with 2 records, error 0.2 but for 0.2 of all runs: {checked.verdict}"
    assert len(rest) == len(checked.checks)


def test_a_page_gives_the_verdict_first_and_explains_the_picture(tmp_path):
    found = audit.estimate(lambda data: data[0], [([0], [1])], epsilon=1, runs=400)
    write([found], tmp_path / "a.html", notes=["a < note"])
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert text.index("The claim is broken.") < text.index("a &lt; note") < text.index("<svg")
    assert "breaks the claim" in text


def test_a_page_that_cannot_be_drawn_is_refused_before_the_audit(monkeypatch, capsys):
    monkeypatch.setattr("tacit.cli.audit.find_spec", lambda name: None)
    assert main(["audit", "math:fsum", "--budget", "10m", "--save", "a.html"]) == 2
    assert "tacit[plots]" in capsys.readouterr().err
