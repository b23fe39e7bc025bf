"""When a sanitizer can do a task, in words if it cannot."""

from __future__ import annotations

from tacit.core import Relation, Task


def refuses(task: Task, *, classes: tuple[str, ...], privacy: str = "any") -> str | None:
    """Why a sanitizer for these classes cannot do ``task``; ``privacy`` may be approximate."""
    if privacy == "approximate" and task.privacy.delta == 0:
        return "needs delta above 0"
    if task.concept_class.name not in classes:
        return f"is made for {' and '.join(classes)}"
    if task.privacy.relation is not Relation.REPLACE_ONE:
        return "needs the number of records to be public and whole records to be private"
    if task.k != 1:
        return "releases one table"
    return None
