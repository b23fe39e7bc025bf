"""A random task has a plan, or a sentence from every algorithm that says why it has none."""

import numpy as np

from tacit import Accuracy, Privacy, Task, plan
from tacit.classes import (
    Halfspaces,
    Lines,
    OneWaySequences,
    Parities,
    Points,
    RealBoxes,
    RealThresholds,
    Table,
    Thresholds,
)

FAMILIES = (
    Points(bits=16),
    Points(bits=200),
    Thresholds(bits=16),
    Thresholds(bits=200),
    Parities(bits=8),
    Lines(size=101),
    OneWaySequences(bits=64),
    Table(np.eye(8, dtype=bool)),
    RealThresholds(),
    RealBoxes(columns=2),
    Halfspaces(columns=3),
)


def some_tasks(count):
    pick = np.random.default_rng(16)
    for _ in range(count):
        yield Task(
            FAMILIES[pick.integers(len(FAMILIES))],
            privacy=Privacy(
                pick.choice(["1/10", "1", "4"]),
                pick.choice(["0", "1e-6"]),
                str(pick.choice(["replace-one", "add-remove", "label"])),
            ),
            accuracy=Accuracy(pick.choice(["0.05", "0.2"]), "0.1"),
            setting=str(pick.choice(["realizable", "agnostic"])),
            output=str(pick.choice(["any", "proper", "improper"])),
            k=int(pick.choice([1, 1, 3])),
            marginal=str(pick.choice(["any", "uniform"])),
            public=None if pick.random() < 0.7 else 2000,
        )


def test_a_random_task_has_a_plan_or_a_sentence():
    planned = 0
    for task in some_tasks(24):
        found = plan(task)
        planned += found.best is not None
        assert all(one.reason for one in (*found.rejected, *found.inapplicable))
        if found.best is None:
            told = found.explain()
            assert "No algorithm applies" in told
            assert all(one.reason in told for one in found.rejected), task.describe()
        else:
            assert not any(one.n > found.best.n for one in found.lower_bounds), task.describe()
    assert planned >= 12
