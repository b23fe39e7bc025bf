"""The only door to data: charge first, then touch; refuse before either; tell nothing."""

import copy
import pickle
import traceback
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from tests.core.core_charging_cases import CLAIM, EVENT

from tacit.checks.testing import seeded
from tacit.classes import Thresholds
from tacit.core import (
    LABEL,
    Accuracy,
    BadInput,
    BudgetRefused,
    Claim,
    Mechanism,
    Privacy,
    ReleaseFailed,
    Sample,
    Task,
    run,
)
from tacit.exact.entropy import SYSTEM


class Diary:
    """A ledger that writes down, in one list with the mechanism, what happened when."""

    def __init__(self, log, refuse=False):
        self.log, self.refuse = log, refuse

    def charge(self, event, *, note=""):
        if self.refuse:
            raise BudgetRefused("no room")
        self.log.append(("charge", event, note))


class Watched:
    """Data that notice being looked at."""

    def __init__(self, log):
        self.log = log

    def __len__(self):
        self.log.append(("touch",))
        return 4711


@dataclass(frozen=True, kw_only=True)
class Count(Mechanism[Watched, int]):
    CLAIM: ClassVar[Claim] = CLAIM

    def event(self):
        return EVENT

    def _release(self, data, *, rng):
        return len(data) + rng.below(3)


@dataclass(frozen=True, kw_only=True)
class Breaks(Count):
    def _release(self, data, *, rng):
        secret = len(data)
        try:
            raise KeyError(secret)
        except KeyError as error:
            raise RuntimeError(f"the number is {secret}") from error


def test_the_charge_comes_before_the_touch():
    log = []
    run(Count(), Watched(log), ledger=Diary(log), rng=SYSTEM)
    assert log == [("charge", EVENT, "count"), ("touch",)]


def test_a_refusal_charges_nothing_and_touches_nothing():
    log = []
    with pytest.raises(BudgetRefused):
        run(Count(), Watched(log), ledger=Diary(log, refuse=True), rng=SYSTEM)
    assert log == []


def test_a_ledger_that_breaks_keeps_the_data_shut():
    class Broken:
        def charge(self, event, *, note=""):
            raise OSError("disk full")

    log = []
    with pytest.raises(OSError, match="disk"):
        run(Count(), Watched(log), ledger=Broken(), rng=SYSTEM)
    assert log == []


def test_a_failure_hides_its_cause():
    log = []
    with pytest.raises(ReleaseFailed) as caught:
        run(Breaks(), Watched(log), ledger=Diary(log), rng=SYSTEM)
    assert "4711" not in "".join(traceback.format_exception(caught.value))
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert caught.value.exit_code == 1  # 2 would say that the input was refused, and unpaid
    assert log[0][0] == "charge"


def test_a_seeded_failure_shows_its_cause():
    with pytest.raises(RuntimeError, match="4711"):
        run(Breaks(), Watched([]), ledger=Diary([]), rng=seeded(0))


def test_a_seeded_release_is_marked():
    private = run(Count(), Watched([]), ledger=Diary([]), rng=SYSTEM)
    marked = run(Count(), Watched([]), ledger=Diary([]), rng=seeded(0))
    assert private.private
    assert "NOT PRIVATE" not in str(private)
    assert not marked.private
    assert "NOT PRIVATE" in str(marked)
    assert marked.claim is CLAIM
    assert marked.event is EVENT


def test_a_sample_tells_nothing_and_is_not_pickled():
    sample = Sample(np.array([4711, 3]), np.array([1, 0]))
    assert repr(sample) == str(sample) == "Sample(private)"
    assert len(sample) == 2
    for carry in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="private"):
            carry(sample)


TASK = {"privacy": Privacy(1), "accuracy": Accuracy(0.1, 0.05)}


def test_tasks():
    task = Task(Thresholds(bits=8), **TASK)
    assert task.setting == "realizable"
    assert hash(task) == hash(Task(Thresholds(bits=8), **TASK))
    changed = task.with_(epsilon="1/2", relation="label", beta=0.01, k=3, setting="agnostic")
    assert changed.privacy == Privacy(0.5, relation=LABEL)
    assert changed.accuracy == Accuracy(0.1, 0.01)
    assert changed.k == 3
    assert "3 tasks" in changed.describe()
    assert "epsilon 0.5 (label)" in changed.describe()
    assert task.privacy.epsilon == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: Task(Thresholds, **TASK),
        lambda: Task("thresholds", **TASK),
        lambda: Task(Thresholds(bits=8), privacy=1, accuracy=TASK["accuracy"]),
        lambda: Task(Thresholds(bits=8), privacy=TASK["privacy"], accuracy=0.1),
        lambda: Task(Thresholds(bits=8), **TASK, setting="easy"),
        lambda: Task(Thresholds(bits=8), **TASK, output="nice"),
        lambda: Task(Thresholds(bits=8), **TASK, k=0),
        lambda: Privacy(0),
        lambda: Privacy(-1),
        lambda: Privacy(float("nan")),
        lambda: Privacy(1, 1),
        lambda: Privacy(1, -0.1),
        lambda: Privacy(1, relation="friends"),
        lambda: Accuracy(0, 0.1),
        lambda: Accuracy(0.1, 1),
    ],
)
def test_tasks_refuse_bad_public_numbers(make):
    with pytest.raises(BadInput):
        make()
