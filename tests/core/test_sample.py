"""Lengths are compared, and an empty table is refused, before anything is charged."""

import numpy as np
import pandas as pd
import pytest

from tacit import Accuracy, Ledger, Privacy, Sample, Task, learn, run, sanitize
from tacit.checks.testing import seeded
from tacit.classes import Thresholds
from tacit.core import BadInput
from tacit.estimators import MultiTaskClassifier, StumpClassifier, ThresholdClassifier
from tacit.problems.finite.finite_class import FiniteClassLearner

X = np.arange(1000) % 11

TASK = Task(Thresholds(size=11), privacy=Privacy("0.01"), accuracy=Accuracy(0.1, 0.05))


@pytest.mark.parametrize("y", [[1], [0], [1] * 999, [], 1, np.int64(1)])
def test_labels_of_another_length_are_refused_before_the_charge(y):
    ledger = Ledger.memory(epsilon=1)
    calls = [
        lambda: learn(TASK, Sample(X, y), ledger=ledger),
        lambda: learn(TASK, (X, y), ledger=ledger),
        lambda: run(FiniteClassLearner(concept_class=Thresholds(size=11), epsilon=1), Sample(X, y)),
        lambda: ThresholdClassifier(domain=11, ledger=ledger).fit(X[:, None], y),
        lambda: StumpClassifier(domain=[(0, 11)], ledger=ledger).fit(X[:, None], y),
        lambda: MultiTaskClassifier(ThresholdClassifier(domain=11, ledger=ledger)).fit(
            X[:, None], np.reshape(y, (-1, 1))
        ),
    ]
    for call in calls:
        with pytest.raises(BadInput):
            call()
    assert not ledger.entries


CLASSIFIERS = {
    "one column": ThresholdClassifier(domain=11, epsilon=5, rng=seeded(1)),
    "table": StumpClassifier(domain=[(0, 11)], epsilon=5, rng=seeded(1)),
}


@pytest.mark.parametrize("kind", CLASSIFIERS)
@pytest.mark.parametrize("y", [[1], [0], [1] * 999, [], 1, np.ones((1000, 2))])
def test_a_private_score_needs_a_label_for_every_row(kind, y):
    """A single label was repeated for all rows, and one record then counted for a thousand."""
    spent = Ledger.memory(epsilon=1)
    fitted = CLASSIFIERS[kind].set_params(ledger=Ledger.memory()).fit(X[:, None], X >= 5)
    with pytest.raises(BadInput, match="one label per row"):
        fitted.private_score(X[:, None], y, epsilon="0.01", ledger=spent)
    assert not spent.entries


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_a_private_score_refuses_other_columns_before_the_charge(kind):
    spent = Ledger.memory(epsilon=1)
    fitted = CLASSIFIERS[kind].set_params(ledger=Ledger.memory()).fit(X[:, None], X >= 5)
    with pytest.raises(BadInput, match="features"):
        fitted.private_score(np.ones((1000, 3)), X >= 5, epsilon=1, ledger=spent)
    assert not spent.entries
    assert fitted.private_score(X[:, None], X >= 5, epsilon=1, ledger=spent) > 0.8
    assert len(spent.entries) == 1


@pytest.mark.parametrize("relation", ["replace-one", "label", "add-remove"])
def test_no_records_are_refused_where_their_number_is_public(tmp_path, relation):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n")
    ledger = Ledger.memory(epsilon=100)
    task = TASK.with_(privacy=Privacy(1, relation=relation))
    table = StumpClassifier(domain={"x": (0, 11)}, ledger=ledger, relation=relation)
    calls = [
        lambda: learn(task, (X[:0], X[:0]), ledger=ledger),
        lambda: learn(task, path, label="y", ledger=ledger),
        lambda: table.fit(pd.DataFrame({"x": X[:0]}), X[:0]),
        lambda: table.fit_file(path, label="y"),
    ]
    if relation == "replace-one":
        calls.append(
            lambda: sanitize(
                X[:0], Thresholds(size=11), privacy=Privacy(1, relation=relation), ledger=ledger
            )
        )
    for call in calls:
        if relation == "add-remove":
            call()
        else:
            with pytest.raises(BadInput, match="no records"):
                call()
    assert len(ledger.entries) == (len(calls) if relation == "add-remove" else 0)
