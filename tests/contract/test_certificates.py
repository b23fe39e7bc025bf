"""What a certificate states is what the ledger was charged, for every algorithm and classifier."""

from fractions import Fraction

import numpy as np
import pytest
from tests.golden import classifiers
from tests.golden.tasks import Case, cases

import tacit
from tacit.accounting import total
from tacit.classes import Points
from tacit.core import ALGORITHMS, TacitError
from tacit.planner.persons import for_task
from tacit.testing import seeded

_MOST = 500


def _wide(k):
    def records(n):
        x = np.arange(n) % 7
        return (x, x == 3) if k == 1 else (x, np.stack([x == 3, x == 4], axis=1))

    concepts = Points(bits=40)
    return Case(name=f"wide points {k}", concepts=concepts, records=records, more={"k": k})


WIDE = (_wide(1), _wide(2))


def released(entry, case, delta, ledger):
    """A release, or ``None`` where the algorithm does not take the task."""
    task = case.task(delta)
    entry = for_task(entry, task)
    if entry.why_not(task) is not None or entry.runs(task) is not None:
        return None
    try:
        planned = entry.bound(task).n
    except TacitError:
        return None
    tools = {"algorithm": entry.name, "rng": seeded(f"{entry.name}/{case.name}"), "ledger": ledger}
    data = case.records(min(planned, _MOST) * (case.rows or 1))
    if task.goal == "sanitize":
        asked = {"privacy": task.privacy, "accuracy": task.accuracy}
        return task, tacit.sanitize(data, case.concepts, **asked, **tools)
    groups = np.arange(len(data[0])) // case.rows if case.rows else None
    return task, tacit.learn(task, data, groups=groups, **tools)


@pytest.mark.parametrize("name", [entry.name for entry in ALGORITHMS])
def test_the_certificate_states_the_charge(name):
    found = 0
    for case in (*cases(), *WIDE):
        for delta in (Fraction(0), Fraction(1, 20)):
            ledger = tacit.Ledger.memory(None, delta)
            made = released(ALGORITHMS[name], case, delta, ledger)
            if made is None:
                continue
            found += 1
            task, release = made
            (entry,) = ledger.entries
            stated = release.certificate
            spent = ledger.spent
            assert entry.event == stated.event
            assert (stated.epsilon, stated.delta) == (spent.epsilon, spent.delta)
            assert stated.event.relation is spent.relation is task.privacy.relation
            assert spent.epsilon <= task.privacy.epsilon
            assert spent.delta <= task.privacy.delta
            if found == 3:
                return
    assert found


def test_a_hundred_tasks_state_what_was_charged_and_not_their_sum():
    from tacit import Accuracy, Privacy, Task

    task = Task(Points(bits=10), privacy=Privacy(1, "1e-6"), accuracy=Accuracy(0.2, 0.1), k=100)
    x = np.arange(5000) % 1024
    y = np.stack([x == k for k in range(100)], axis=1)
    found = 0
    for option in tacit.plan(task).options:
        entry = option.algorithm
        if entry.runs(task) is not None:
            continue
        ledger = tacit.Ledger.memory(1, "1e-6")
        release = tacit.learn(task, (x, y), algorithm=entry.name, ledger=ledger)
        assert release.certificate.epsilon <= 1
        assert release.certificate.epsilon == total([release.event], delta="1e-6").epsilon
        found += 1
    assert found


def test_every_classifier_states_the_charge():
    found = several = 0
    for _name, fitted in classifiers.fitted():
        inner = fitted.estimator if hasattr(fitted, "estimator") else fitted
        if not hasattr(fitted, "certificate_"):
            continue
        events = [entry.event for entry in inner.ledger.entries]
        stated = fitted.certificate_
        if len(events) == 1:
            assert stated.event == events[0]
        spent = total(events, delta=stated.delta)
        assert (stated.epsilon, stated.delta) == (spent.epsilon, spent.delta)
        found += 1
        several += len(events) > 1
    assert found > 20
    assert several >= 1  # labels that are learned apart have one certificate of several charges
