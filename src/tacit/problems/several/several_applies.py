"""When a multi-task learner applies, in words that the planner shows."""

from __future__ import annotations

from tacit.core import Relation, Task


def refusal(
    task: Task,
    *,
    classes: tuple[str, ...] = (),
    proper: bool,
    settings: tuple[str, ...] = ("realizable", "agnostic"),
    relations: tuple[Relation, ...] = tuple(Relation),
    needs_delta: bool = False,
) -> str | None:
    """The first public reason why a learner of this shape cannot do ``task``, if any."""
    if task.k == 1:
        return "is made for several tasks"
    if classes and task.concept_class.name not in classes:
        return f"is made for {' and '.join(classes)}"
    if not classes and (
        task.concept_class.size is None or not hasattr(task.concept_class, "landscape")
    ):
        return "needs a finite class that can count every concept's mistakes"
    if task.setting not in settings:
        return f"has a guarantee in the {' and '.join(settings)} setting only"
    if not proper and task.output == "proper":
        return "answers outside the class, and a proper answer was asked for"
    if task.privacy.relation not in relations:
        return f"is not private under the relation {task.privacy.relation.value}"
    if needs_delta and task.privacy.delta == 0:
        return "needs delta above 0"
    return None
