"""When an algorithm applies, in words that the planner shows."""

from __future__ import annotations

from tacit.core import Relation, Task


def refusal(
    task: Task,
    *,
    proper: bool,
    classes: tuple[str, ...] = (),
    settings: tuple[str, ...] = ("realizable", "agnostic"),
    relations: tuple[Relation, ...] = tuple(Relation),
) -> str | None:
    """The first public reason why an algorithm of this shape cannot do ``task``, if any.

    ``classes`` lists the names of the classes it is made for; none means any class that
    is finite and can count the mistakes of all its concepts.
    """
    concept_class = task.concept_class
    if classes and concept_class.name not in classes:
        return f"is made for {' and '.join(classes)}"
    if not classes and (concept_class.size is None or not hasattr(concept_class, "landscape")):
        return "needs a finite class that can count every concept's mistakes"
    if task.setting not in settings:
        return f"has a guarantee in the {' and '.join(settings)} setting only"
    if not proper and task.output == "proper":
        return "answers outside the class, and a proper answer was asked for"
    if task.privacy.relation not in relations:
        return f"is not private under the relation {task.privacy.relation.value}"
    if task.k != 1:
        return "learns one concept at a time"
    return None
