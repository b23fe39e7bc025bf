"""The certificate of a planned task, made when it is released and anew when it is verified."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from tacit.accounting import total
from tacit.core import ALGORITHMS, Accuracy, Algorithm, BadInput, Event, Known, Privacy, Size, Task
from tacit.core.algorithm import SampleBound
from tacit.core.certificate import Asked, Certificate, Planned, Spent
from tacit.core.mechanism import Mechanism
from tacit.core.recipe import rebuilds
from tacit.core.task import RECORD
from tacit.planner.persons import for_task
from tacit.report.class_records import (
    class_from_record,
    class_record,
    marginal_from_record,
    marginal_record,
)

KIND = "task"


def asked_of(task: Task) -> Asked:
    """What a task asks for, as a certificate states it."""
    return Asked(
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
        relation=task.privacy.relation,
        beta=task.accuracy.beta,
        alpha=task.accuracy.alpha,
        setting=task.setting if task.goal == "learn" else None,
        marginal=str(task.marginal),
        goal=task.goal,
        k=task.k,
        unit=task.privacy.unit or RECORD,
        rows_per_unit=task.privacy.rows_per_unit,
        rows=task.rows,
    )


def spent_of(event: Event, *, delta: Fraction) -> Spent:
    """What an event costs at a delta: what the ledger was charged, and nothing else."""
    spent = total([event], delta=delta)
    return Spent(event=event, epsilon=spent.epsilon, delta=spent.delta)


def certify(
    task: Task,
    algorithm: Algorithm,
    bound: SampleBound,
    mechanism: Mechanism[Any, Any],
    *,
    n: int | None,
    private: bool,
) -> Certificate:
    """What may be said about a release of ``mechanism``; ``n`` is ``None`` where private."""
    return Certificate(
        asked=asked_of(task),
        spent=spent_of(mechanism.event(), delta=task.privacy.delta),
        algorithm=algorithm.name,
        what=task.concept_class.describe(),
        n=n,
        private=private,
        privacy_claim=mechanism.CLAIM,
        planned=Planned(needed=bound.n, claim=bound.claim),
        recipe=_recipe(task),
    )


def _recipe(task: Task) -> dict[str, Any] | None:
    concepts = class_record(task.concept_class)
    if concepts is None:
        return None
    return {
        "kind": KIND,
        "class": concepts,
        "marginal": marginal_record(task.marginal),
        "output": task.output,
    }


@rebuilds(KIND)
def _rebuilt(stated: Certificate, value: Any) -> Certificate:
    """Plan, build and certify the task again, from the numbers that were asked for."""
    del value
    asked, recipe = stated.asked, stated.recipe
    if recipe is None or asked.alpha is None:
        raise BadInput("the certificate does not say what was asked for")
    task = Task(
        class_from_record(recipe["class"]),
        privacy=Privacy(
            asked.epsilon,
            asked.delta,
            asked.relation,
            unit=None if asked.unit == RECORD else asked.unit,
            rows_per_unit=asked.rows_per_unit,
        ),
        accuracy=Accuracy(asked.alpha, asked.beta),
        setting="realizable" if asked.setting is None else asked.setting,
        output=recipe["output"],
        k=asked.k,
        marginal=marginal_from_record(recipe["marginal"]),
        goal=asked.goal,
        rows=asked.rows,
    )
    algorithm = for_task(ALGORITHMS[stated.algorithm], task)
    if algorithm.why_not(task) is not None:
        raise BadInput("the algorithm does not do the task that was asked for")
    bound = algorithm.bound(task)
    public = asked.relation.size_is_public
    if public != (stated.n is not None):
        raise BadInput("the number of records is stated where it is private, or missing")
    size = Size(bound.n, Known.PLANNED) if stated.n is None else Size(stated.n)
    mechanism = algorithm.build(task, bound, size)
    anew = certify(task, algorithm, bound, mechanism, n=stated.n, private=stated.private)
    return replace(anew, account=stated.account)
