"""Several labels of a table: whether their trees may share questions, by public numbers."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.core import Task
from tacit.core.numbers import Number
from tacit.planner.planning import plan
from tacit.planner.sweeps import Sweep, sweep
from tacit.problems.tables.either_rules import EITHER_TREES
from tacit.problems.tables.shared_trees import MOST_LEVELS, EitherTrees, sharing
from tacit.problems.tables.trees import Trees


def labels_together(task: Task, *, shared: bool | None) -> Task:
    """The task of several labels, with the trees that its errors are compared with.

    With ``shared`` these ask the same questions for all labels; without, each label has its own.
    ``None`` leaves it to public numbers: a private choice between both is planned where it is
    proved to need fewer records than own questions do to come within ``alpha`` of shared ones.
    What each label is promised for itself is promised as a mean as well, so both numbers are about
    the same comparator: Theorem 3 of ``either_learner.proof.md``.
    """
    if shared:
        return task.with_(concept_class=sharing(task.concept_class))
    if shared is not None or not _may_share(task):
        return task
    either = task.with_(concept_class=_either(task))
    best, own = plan(either).runnable, plan(task).runnable
    if best is None or best.name != EITHER_TREES.name or (own is not None and own.n <= best.n):
        return task
    return either


def sweep_labels(task: Task, **axes: Sequence[Number]) -> Sweep:
    """Plans over a grid, at each point for the trees that public numbers choose there."""
    return sweep(task, axes=axes, planner=lambda at: plan(labels_together(at, shared=None)))


def _either(task: Task) -> EitherTrees:
    trees = task.of(Trees)
    return EitherTrees(trees.schema, depth=trees.depth)


def _may_share(task: Task) -> bool:
    """Whether trees of the class have a form with shared questions, without costs, with a delta."""
    family = task.concept_class
    if task.k == 1 or not task.privacy.delta or task.costs is not None or task.label_costs:
        return False
    return (
        isinstance(family, Trees) and family.depth <= MOST_LEVELS and _either(task).trees == family
    )
