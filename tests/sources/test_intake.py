"""What is taken in before a charge: the sample, its public number, its names."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tacit import Accuracy, BadInput, Privacy, Task
from tacit.classes import Points, Thresholds
from tacit.core import resources
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.sources import intake as room
from tacit.sources.intake import take_in, take_in_unlabelled

pytestmark = pytest.mark.unit

FRAME = pd.DataFrame({"age": [1, 5, 7, 2], "sick": ["no", "yes", "yes", "no"]})


def task(relation="replace-one", **more):
    privacy = Privacy(1, relation=relation, **more)
    return Task(Thresholds(size=8), privacy=privacy, accuracy=Accuracy("0.2", "0.2"))


def test_a_frame_has_a_sample_a_number_and_names():
    taken = take_in(FRAME, task(), label="sick", column="age", positive="yes", negative="no")
    assert taken.n == 4
    assert len(taken.sample) == 4
    rule = taken.named(Thresholds(size=8).hypothesis(3))
    assert "age" in rule.describe()
    assert rule.label.name == "sick"


def test_the_number_is_told_only_where_it_is_public():
    for relation, told in (("replace-one", 4), ("label", 4), ("add-remove", None)):
        data = (FRAME["age"].to_numpy(), np.array([0, 1, 1, 0]))
        assert take_in(data, task(relation)).n == told
        assert take_in_unlabelled(data[0], task(relation)).n == told


def test_labels_of_too_many_tasks_are_refused():
    with pytest.raises(BadInput, match="1 columns of labels"):
        take_in((np.arange(4), np.zeros((4, 2), dtype=int)), task())


def test_ids_need_a_unit_and_a_unit_needs_ids():
    data = (np.arange(4), np.array([0, 1, 1, 0]))
    with pytest.raises(BadInput, match="groups= needs"):
        take_in(data, task(), groups=[1, 1, 2, 2])
    with pytest.raises(BadInput, match="pass groups="):
        take_in(data, task(unit="patient"))
    assert take_in(data, task(unit="patient"), groups=[1, 1, 2, 3]).n == 3


def test_a_memory_limit_is_looked_at_for_files_and_loops_are_compiled(tmp_path, monkeypatch):
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    learner = FiniteClassLearner(concept_class=Points(bits=64), epsilon=1)
    ready = []
    monkeypatch.setattr(room, "make_ready", lambda sample, n: ready.append(n))
    path = str(tmp_path / "t.csv")
    file = take_in(path, task(), label="sick", column="age", positive="yes")
    arrays = take_in((np.arange(4), np.array([0, 1, 1, 0])), task())
    with resources.using(resources.Resources(memory=1 << 26)):
        arrays.make_ready(learner)
        with pytest.raises(BadInput, match="memory limit"):
            replace(file, n=10**9).make_ready(learner)
    file.make_ready(learner)
    assert ready == [4, 4]
