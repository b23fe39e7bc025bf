"""What the functions of lower bounds take from a task."""

from __future__ import annotations

from typing import Any

from tacit.core import Relation, Task

ALL = tuple(Relation)


def privacy(task: Task) -> dict[str, Any]:
    """``epsilon``, ``delta`` and ``relation``."""
    asked = task.privacy
    return {"epsilon": asked.epsilon, "delta": asked.delta, "relation": asked.relation}
