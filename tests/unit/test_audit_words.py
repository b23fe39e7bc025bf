"""Audits and attacks say in words what they found, and refuse in words what they cannot take."""

from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.neighbors import KNeighborsClassifier

from tacit import Accuracy, Privacy, Task, audit
from tacit.checks.attacks import membership
from tacit.checks.audit.report import write
from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.cli import main
from tacit.core import BadInput
from tacit.exact.balls import ball


class Answers:
    """A model that gives labels only."""

    def __init__(self, model):
        self.predict, self.classes_ = model.predict, model.classes_


NAMES = np.array(["Barolo", "Grignolino", "Barbera"])


def halves():
    wine = load_wine(as_frame=True)
    order = np.random.default_rng(0).permutation(len(wine.data))
    x, y = wine.data.iloc[order], pd.Series(NAMES[wine.target]).iloc[order]
    return (x[:90], y[:90]), (x[90:], y[90:])


@pytest.mark.parametrize("positive", NAMES)
def test_membership_looks_at_the_label_it_is_told(positive):
    members, outsiders = halves()
    model = KNeighborsClassifier(1).fit(*members)
    # A nearest neighbour remembers its records: each one's own label, and no other.
    truths = (members[1] == positive).to_numpy()
    said = membership.fingerprints(
        model, members[0], truths, np.array([truths.mean()]), positive=positive
    )
    assert np.allclose(said, 1)
    found = membership.infer(model, members=members, outsiders=outsiders, positive=positive)
    assert found.members_accused == 90
    assert found.outsiders_accused < found.outsiders
    assert "accused: 90 of 90 members" in str(found)


def test_membership_reads_words_from_a_model_without_probabilities():
    members, outsiders = halves()
    given = {"members": members, "outsiders": outsiders}
    model = KNeighborsClassifier().fit(*members)
    truths = (outsiders[1] == "Barolo").to_numpy()
    said = membership.fingerprints(
        Answers(model), outsiders[0], truths, np.array([0.5]), positive="Barolo"
    )
    right = (model.predict(outsiders[0]) == "Barolo") == truths
    assert 0 < right.sum() < len(right)
    assert np.array_equal(np.isclose(said, 1), right)
    assert membership.infer(Answers(model), **given, positive="Barolo").members == 90
    with pytest.raises(BadInput, match="classes_"):
        membership.infer(KNeighborsClassifier().fit(*members), **given, positive="Asti")


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


def test_the_traced_private_learner_is_explained(capsys):
    assert main(["attack", "tracing", "--runs", "10"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "betrays that the record was there" in said


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
