"""The label values of a task that has more than two, as records are read by them."""

from __future__ import annotations

from tacit.core.errors import BadInput
from tacit.core.label_values import LabelValues
from tacit.core.task import Task

BOTH_FOR_CLASS = (
    "other='class' is a third label beside two that are declared: say both (negative= and "
    "positive=, or --negative and --positive)"
)


def label_values(task: Task, *, positive: object, negative: object) -> LabelValues:
    """The declared values of more than two labels, and where all others go.

    Of two values with a class for all others, ``negative`` and ``positive`` are the declared ones.
    """
    declared: tuple[object, ...] = task.names or tuple(range(task.values))
    if task.values == 2 and (negative is not None or not task.names):
        if negative is None:
            raise BadInput(BOTH_FOR_CLASS)
        declared = (negative, positive)
    return LabelValues(declared, len(declared) if task.other == "class" else 0)


def named_values(task: Task, values: LabelValues) -> Task:
    """The task with the names of its label values, which its certificate tells."""
    return task.with_(names=tuple(str(value) for value in values.declared))
