"""The certificate of several labels of one table, made when released and anew when verified."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tacit.accounting.statement import spent_of
from tacit.bounds.upper.adaptive import adaptive_share
from tacit.bounds.upper.noisy_count import NOISY_COUNT, certified_by_gaussian
from tacit.core import (
    Accuracy,
    BadInput,
    Event,
    Hypothesis,
    Known,
    Mechanism,
    NamedRule,
    Privacy,
    Size,
    Task,
)
from tacit.core.certificate import Certificate, OneOfSeveral, Several
from tacit.core.numbers import show
from tacit.core.recipe import rebuilds
from tacit.core.records import Stored
from tacit.core.task import BALANCED
from tacit.planner import plan
from tacit.problems.several.rules import Rules
from tacit.problems.tables.side_by_side import SideBySide, counts_variance, one_draw
from tacit.report.certify import asked_of
from tacit.report.class_records import class_from_record, class_record

KIND = "several labels"
_COUNT_SHARE = Fraction(1, 10)
_COUNT_DELTA = Fraction(1, 10)
"""The parts of epsilon and delta that count mistakes, unless ``error_share`` says otherwise."""
_SIZES_SHARE = Fraction(1, 20)
"""The part of epsilon that counts the records of each label, where costs are balanced."""
_CLOSE = 40
"""Noise on these numbers must have a deviation of at most the records over this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """What the ``k`` labels of a task cost together, and the mechanism that draws their rules."""

    task: Task
    mechanism: SideBySide
    learner: Any


def together(task: Task, *, n: int | None) -> Together | None:
    """The mechanism for the ``k`` labels of a task; ``None`` where rules do not come from one
    selection each, or where there is no delta to compose with.

    The task's ``error_share`` is the part of epsilon that counts mistakes; ``None`` is a tenth.
    """
    epsilon, delta, k = task.privacy.epsilon, task.privacy.delta, task.k
    if not delta or task.other != "negative":
        return None
    share = _COUNT_SHARE if task.error_share is None else task.error_share
    balanced = task.costs == BALANCED
    if balanced and n is None:
        raise BadInput("balanced costs of several labels need a public number of records")
    part = (epsilon * _SIZES_SHARE, delta * _COUNT_DELTA)
    sizes = part if balanced else None
    if balanced and n is not None and counts_variance(part, k=k) > Fraction(n, _CLOSE) ** 2:
        raise BadInput(
            f"{n} records are too few to balance {k} labels at this epsilon: noise would hide how "
            "many records have each; say what mistakes cost instead, such as costs={'yes': 9}"
        )
    count = (epsilon * share, delta * _COUNT_DELTA) if share else None
    paid = [one for one in (count, sizes) if one is not None]
    drawn = (epsilon - sum(one[0] for one in paid), delta - sum(one[1] for one in paid))
    each = adaptive_share(epsilon=drawn[0], delta=drawn[1], k=k)
    planned = _learner(task.with_(k=1, epsilon=each, delta=0, error_share=0), n)
    learner = one_draw(planned, epsilon=each)
    if learner is None:
        return None
    mechanism = SideBySide(
        learner=learner,
        k=k,
        epsilon=drawn[0],
        delta=drawn[1],
        count=count,
        sizes=sizes,
        n=n if balanced else None,
    )
    return Together(task=task, mechanism=mechanism, learner=learner)


def _learner(task: Task, n: int | None) -> Mechanism[Any, Any]:
    """The draw of one rule, which spends all of its part."""
    chosen = plan(task).runnable
    if chosen is None:
        raise BadInput(f"no algorithm that can be run fits this task. {plan(task).explain()}")
    bound = replace(chosen.bound, choices={**chosen.bound.choices, "whole_from": 0})
    size = Size(bound.n, Known.PLANNED) if n is None else Size(n)
    return chosen.algorithm.build(chosen.algorithm.part(task), bound, size)


def certify_several(
    made: Together,
    *,
    event: Event,
    rules: Rules,
    noisy_mistakes: tuple[int, ...],
    n: int | None,
    private: bool,
) -> Certificate:
    """What may be said about named rules that were drawn together; all errors hold at once."""
    task = made.task
    return Certificate(
        asked=replace(asked_of(task), alpha=None, setting=None),
        spent=spent_of(event, delta=task.privacy.delta),
        algorithm=f"{type(made.learner).__name__} for {task.k} labels",
        what=made.learner.drawn_from,
        n=n,
        private=private,
        privacy_claim=made.mechanism.CLAIM,
        several=_several(made, rules, noisy_mistakes, n=n),
        recipe=_recipe(task),
    )


def _several(
    made: Together, rules: Rules, noisy_mistakes: tuple[int, ...], *, n: int | None
) -> Several | None:
    variance, beta = made.mechanism.variance, made.task.accuracy.beta
    if variance is None or n is None:
        return None
    labels = []
    for name, rule, mistakes in zip(rules.names, rules, noisy_mistakes, strict=True):
        prior = Fraction(made.learner.prior(_bare(rule)))
        error = certified_by_gaussian(
            noisy_mistakes=mistakes, n=n, prior=prior, variance=variance, beta=beta / len(rules)
        )
        labels.append(OneOfSeveral(label=name, noisy_mistakes=mistakes, prior=prior, error=error))
    return Several(variance=variance, claim=NOISY_COUNT, labels=tuple(labels))


def _bare(rule: Hypothesis) -> Hypothesis:
    return rule.rule if isinstance(rule, NamedRule) else rule


def _recipe(task: Task) -> Stored | None:
    concepts = class_record(task.concept_class)
    if concepts is None:
        return None
    alpha = show(task.accuracy.alpha)
    record: dict[str, object] = {"kind": KIND, "class": concepts, "alpha": alpha}
    if task.error_share is not None:
        record["error_share"] = show(task.error_share)
    if task.costs is not None:
        costs = task.costs if isinstance(task.costs, str) else [list(one) for one in task.costs]
        record |= {"costs": costs, "names": list(task.names)}
    return record


@rebuilds(KIND)
def _rebuilt(stated: Certificate, value: object) -> Certificate:
    """Build the mechanism of all labels again, from the numbers that were asked for."""
    asked, recipe = stated.asked, stated.recipe
    if recipe is None or not isinstance(value, Rules) or len(value) != asked.k:
        raise BadInput("there are not as many rules as were asked for")
    task = Task(
        class_from_record(recipe["class"]),
        privacy=Privacy(asked.epsilon, asked.delta, asked.relation),
        accuracy=Accuracy(recipe["alpha"], asked.beta),
        setting="agnostic",
        k=asked.k,
        error_share=recipe.get("error_share"),
        costs=recipe.get("costs"),
        names=recipe.get("names", ()),
    )
    if asked.relation.size_is_public != (stated.n is not None):
        raise BadInput("the number of records is stated where it is private, or missing")
    made = together(task, n=stated.n)
    if made is None:
        raise BadInput("rules of this class are not drawn together")
    found = stated.several
    noisy = () if found is None else tuple(one.noisy_mistakes for one in found.labels)
    anew = certify_several(
        made,
        event=made.mechanism.event(),
        rules=value,
        noisy_mistakes=noisy,
        n=stated.n,
        private=stated.private,
    )
    return replace(anew, account=stated.account)
