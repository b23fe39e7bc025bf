"""Tasks so small that a linear program over all private learners says what is possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from tacit.checks.optimal import Question, concepts_of, optimal
from tacit.core import Accuracy, Privacy, Task
from tacit.planner import plan
from tacit.problems.points.points import Points
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.reproduce.experiment import Effort, Experiment, Part, Row, reproduction

_ALPHA, _BETA, _EPSILON = Fraction(3, 10), Fraction(1, 5), Fraction(2)

TASKS: Mapping[str, tuple[Points | Thresholds, Mapping[str, Any]]] = {
    "points, 3 values, pure": (Points(size=3), {}),
    "points, 3 values, pure, any rule": (Points(size=3), {"output": "any"}),
    "points, 3 values, delta": (Points(size=3), {"delta": "0.01"}),
    "points, 3 values, labels private": (Points(size=3), {"relation": "label"}),
    "points, 3 values, add-remove": (Points(size=3), {"relation": "add-remove"}),
    "thresholds, 3 values, pure": (Thresholds(size=3), {}),
    "thresholds, 2 values, delta": (Thresholds(size=2), {"delta": "0.01"}),
    "thresholds, 3 values, labels private": (Thresholds(size=3), {"relation": "label"}),
    "thresholds, 2 values, agnostic, pure": (Thresholds(size=2), {"setting": "agnostic"}),
}


def task_of(name: str) -> Task:
    """The task of one row."""
    made, said = TASKS[name]
    return Task(
        made,
        privacy=Privacy(
            _EPSILON, said.get("delta", "0"), relation=said.get("relation", "replace-one")
        ),
        accuracy=Accuracy(_ALPHA, _BETA),
        setting=said.get("setting", "realizable"),
        output=said.get("output", "proper"),
    )


def least_possible(task: Task, *, most: int) -> int:
    """The least records that the linear program does not forbid every private learner.

    With one record fewer a solution of the dual program, added up in whole numbers, shows that
    every private learner fails more often than allowed on some law.
    """
    made = task.concept_class
    assert isinstance(made, Points | Thresholds)
    values = np.arange(made.domain.size)
    concepts = concepts_of(np.array([made.hypothesis(i).predict(values) for i in range(made.size)]))
    # Labels of one value turned so often that the other concept is just too bad.
    turned = (1 - task.accuracy.alpha) / 2 - Fraction(1, 10**6)
    nothing = (Fraction(0),) * (2 * len(values) - 2)
    for n in range(1, most + 1):
        question = Question(
            concepts=concepts,
            n=n,
            epsilon=task.privacy.epsilon,
            delta=task.privacy.delta,
            alpha=task.accuracy.alpha,
            relation=task.privacy.relation,
            setting=task.setting,
            proper=task.output == "proper",
            more=()
            if task.setting == "realizable"
            else tuple((share, 1 - share, *nothing) for share in (turned, 1 - turned)),
        )
        if not optimal(question).too_few(task.accuracy.beta):
            return n
    return most + 1


def _row(name: str, effort: Effort) -> Sequence[Row]:
    task = task_of(name)
    found = plan(task)
    best = found.best
    enough = best.n if best else 0
    return [
        {
            "task": name,
            "needed": found.lower_bounds[0].n if found.lower_bounds else None,
            "optimum": None if effort.name == "planned" else least_possible(task, most=enough),
            "enough": enough,
            "by": best.name if best else "no learner",
        }
    ]


TINY = reproduction(
    Experiment(
        name="least-records-tiny",
        title="The same where the best possible learner is known",
        says="On two or three values a private learner is a table of numbers, and a linear "
        "program finds the best of all: alpha 0.3, beta 0.2, epsilon 2, delta 0.01 where there "
        "is a delta.",
        changed="Optimum is the least number of records that the program does not forbid: with "
        "one fewer every private learner fails too often on some law, which a rational solution "
        "of the dual program proves.",
        columns=("task", "needed", "optimum", "enough", "by"),
        parts=lambda effort: [Part(key=name, rows=partial(_row, name, effort)) for name in TASKS],
        measured=("optimum",),
    )
)
