"""The certificate of a planned task, made when it is released and anew when it is verified."""

from __future__ import annotations

from typing import Any

from tacit.accounting.statement import spent_of
from tacit.core import (
    ALGORITHMS,
    Accuracy,
    Algorithm,
    BadInput,
    Known,
    Privacy,
    Size,
    Task,
)
from tacit.core.algorithm import SampleBound
from tacit.core.certificate import (
    Account,
    Asked,
    Certificate,
    Planned,
    Spent,
)
from tacit.core.certify import NEW_PERSONS, NEW_RECORDS, Outcome
from tacit.core.label_values import OTHER
from tacit.core.mechanism import Mechanism
from tacit.core.numbers import show
from tacit.core.recipe import rebuilds
from tacit.core.records import Stored
from tacit.core.task_fields import RECORD
from tacit.planner.persons import for_task
from tacit.problems.tables.rated_learner import read_rate_share
from tacit.problems.tables.rated_rules import without_rates
from tacit.report.certify_rates import stated_share
from tacit.report.class_records import (
    class_from_record,
    class_record,
    marginal_from_record,
    marginal_record,
    public_from_record,
    public_record,
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
        marginal=_law(task),
        goal=task.goal,
        k=task.k,
        unit=task.privacy.unit or RECORD,
        rows_per_unit=task.privacy.rows_per_unit,
        rows=task.rows,
        other=task.other,
        values=task.answer_names if task.answers > 2 else (),
    )


def _law(task: Task) -> str:
    """What is assumed about the features' law, in words."""
    if task.public is None:
        return str(task.marginal)
    shown = f"{task.public.describe()}, whose values the rule may show"
    return shown if task.marginal == "any" else f"{task.marginal}, and {shown}"


def certify(
    task: Task,
    algorithm: Algorithm,
    bound: SampleBound,
    mechanism: Mechanism[object, object],
    *,
    spent: Spent,
    n: int | None,
    private: bool,
    value: object = None,
    about: str = NEW_RECORDS,
    declared: bool = True,
    account: Account | None = None,
) -> Certificate:
    """What may be said about a release of ``mechanism``; ``n`` is ``None`` where private.

    ``spent`` is what the ledger was charged, ``account`` how it stands since.

    ``value`` is what it released; what it says is the algorithm's to tell. ``about`` says
    which records errors speak of, ``declared`` whether both labels were.
    """
    asked, recipe = asked_of(task), _recipe(task, about=about, declared=declared)
    outcome = Outcome(mechanism=mechanism, value=value, n=n, about=about, declared=declared)
    facts = algorithm.certify(task, outcome)
    return Certificate(
        asked=asked,
        spent=spent,
        algorithm=algorithm.name,
        what=facts.what,
        n=n,
        private=private,
        privacy_claim=mechanism.CLAIM,
        planned=Planned(needed=bound.n, claim=bound.claim),
        measured=facts.measured,
        compared=facts.compared,
        several=facts.several,
        recipe=None if recipe is None else recipe | dict(facts.recipe),
        account=account,
    )


def _recipe(task: Task, *, about: str, declared: bool) -> dict[str, object] | None:
    concepts = class_record(task.concept_class)
    if concepts is None:
        return None
    record: dict[str, object] = {
        "kind": KIND,
        "class": concepts,
        "marginal": marginal_record(task.marginal),
        "output": task.output,
    }
    if task.public is not None:
        record["public"] = public_record(task.public)
    if task.error_share:
        record |= {"error_share": show(task.error_share), "about": about}
        record["both_labels_declared"] = declared
    elif about not in (NEW_RECORDS, NEW_PERSONS):
        record["about"] = about
    if task.costs is not None:
        costs = task.costs if isinstance(task.costs, str) else [list(one) for one in task.costs]
        record |= {"costs": costs, "names": list(task.names)}
    if task.label_costs:
        record["label_costs"] = [list(pair) for pair in task.label_costs]
    if task.labels:
        record["labels"] = list(task.labels)
    if task.label_values:
        record["label_values"] = [list(one) for one in task.label_values]
    return record


def _labels(asked: Asked, recipe: Stored) -> dict[str, Any]:
    """The declared label values of a task, as its constructor takes them."""
    if not asked.values:
        return {"names": recipe.get("names", ())}
    own = asked.other == "class"
    if own and asked.values[-1] != OTHER:
        raise BadInput("the label values are not the declared ones and the class of all others")
    return {"values": asked.values[: len(asked.values) - own]}


@rebuilds(KIND)
def _rebuilt(stated: Certificate, value: object) -> Certificate:
    """Plan, build and certify the task again, from the numbers that were asked for."""
    asked, recipe = stated.asked, stated.recipe
    if recipe is None or asked.alpha is None:
        raise BadInput("the certificate does not say what was asked for")
    rates = stated_share(asked.epsilon, recipe, value)
    task = Task(
        class_from_record(recipe["class"]),
        privacy=Privacy(
            asked.epsilon if rates is None else rates.rule,
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
        other=asked.other,
        error_share=recipe.get("error_share", 0),
        public=public_from_record(recipe.get("public")),
        costs=recipe.get("costs"),
        label_costs=recipe.get("label_costs", ()),
        label_values=recipe.get("label_values", ()),
        labels=recipe.get("labels", ()),
        **_labels(asked, recipe),
    )
    declared = bool(recipe.get("both_labels_declared", False))
    task = task.at(stated.n, declared=declared)
    algorithm = for_task(ALGORITHMS[stated.algorithm], task)
    part = algorithm.part(task)
    if algorithm.why_not(part) is not None:
        raise BadInput("the algorithm does not do the task that was asked for")
    bound = algorithm.bound(part)
    public = asked.relation.size_is_public
    if public != (stated.n is not None):
        raise BadInput("the number of records is stated where it is private, or missing")
    size = Size(bound.n, Known.PLANNED) if stated.n is None else Size(stated.n)
    mechanism = algorithm.whole(task, bound, size, declared=declared)
    rated = None if rates is None else rates.around(mechanism, algorithm.certify, task)
    anew = certify(
        task,
        algorithm,
        bound,
        mechanism,
        spent=spent_of((rated or mechanism).event(), delta=task.privacy.delta),
        n=stated.n,
        private=stated.private,
        value=algorithm.certify.found(stated, without_rates(value)),
        declared=declared,
        about=str(recipe.get("about", NEW_RECORDS)),
        account=stated.account,
    )
    if rates is None or rated is None:
        return anew
    read_rate_share(rates.share, task)  # refuses what no rates are counted of
    return rates.certified(anew, rated, value)
