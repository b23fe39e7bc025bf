"""When a lower bound speaks about a task. A bound that is not sure keeps silent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tacit.core import LOWER_BOUNDS, Claim, LowerBound, Relation, SampleBound, Task

RECORDS = (Relation.REPLACE_ONE, Relation.ADD_REMOVE)
ALL = (*RECORDS, Relation.LABEL)


def register(
    *,
    name: str,
    when: str,
    claim: Claim,
    records: Callable[[Task], SampleBound],
    refuses: Callable[[Task], str | None],
    goal: str = "learn",
) -> LowerBound:
    """Add a lower bound to the registry that the planner reads."""
    return LOWER_BOUNDS.add(
        LowerBound(name=name, when=when, claim=claim, refuses=refuses, records=records, goal=goal)
    )


def silence(
    task: Task,
    *,
    classes: tuple[str, ...] = (),
    proper: bool = False,
    relations: tuple[Relation, ...] = RECORDS,
    marginal: str = "any",
) -> str | None:
    """The first reason why a bound of this shape says nothing about ``task``, if any.

    ``proper`` means that the argument needs answers inside the class. Lower bounds for the
    realizable setting and one concept hold for the agnostic setting and for more concepts,
    which ask for more.
    """
    if classes and task.concept_class.name not in classes:
        return f"is about {' and '.join(classes)}"
    if proper and task.output != "proper":
        return "is about proper answers"
    if task.marginal != marginal:
        return (
            "needs a distribution of its own choice"
            if marginal == "any"
            else (f"is about the {marginal} distribution")
        )
    if task.privacy.relation not in relations:
        return "changes whole records, so it does not bind privacy for labels"
    return None


def privacy(task: Task) -> dict[str, Any]:
    """``epsilon``, ``delta`` and ``relation``, for the functions of this room."""
    asked = task.privacy
    return {"epsilon": asked.epsilon, "delta": asked.delta, "relation": asked.relation}


def attribute(task: Task, name: str) -> int:
    """A whole number that the class knows about itself, or 0."""
    value = getattr(task.concept_class, name, None)
    return value if isinstance(value, int) else 0
