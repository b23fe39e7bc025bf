"""Several labels of one table under one budget with a delta: one draw a label, side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.accounting.statement import account_of, spent_of
from tacit.api import choose, run
from tacit.bounds.upper.adaptive import adaptive_share
from tacit.bounds.upper.noisy_count import NOISY_COUNT, certified_by_gaussian
from tacit.core import (
    BadInput,
    Drawer,
    Known,
    Label,
    Mechanism,
    NamedRule,
    Relation,
    Release,
    Selection,
    Size,
    Source,
    Task,
)
from tacit.core.certificate import Asked, Certificate, OneOfSeveral, Several
from tacit.core.numbers import exact, positive, probability
from tacit.core.task import BALANCED
from tacit.domains.schema import Schema
from tacit.estimators.table_base import RuleClassifier
from tacit.problems.several.rules import Rules
from tacit.problems.tables.costs import CostLearner
from tacit.problems.tables.side_by_side import CheckedRules, SideBySide, counts_variance
from tacit.sources.batch_reading import TableReading
from tacit.sources.files import StreamedRecords, check_columns, check_labels
from tacit.sources.memory import check_memory, public_number
from tacit.sources.types import check_schema

_COUNT_SHARE = Fraction(1, 10)
_COUNT_DELTA = Fraction(1, 10)
"""The parts of epsilon and delta that count mistakes, unless ``error_share`` says otherwise."""
_SIZES_SHARE = Fraction(1, 20)
"""The part of epsilon that counts the records of each label, where costs are balanced."""
_CLOSE = 40
"""Noise on these numbers must have a deviation of at most the records over this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """What ``k`` labels of a table cost together, and the mechanism that draws their rules."""

    mechanism: SideBySide
    learner: Any


def together(base: RuleClassifier, schema: Schema, *, n: int | None, k: int) -> Together | None:
    """The mechanism for ``k`` labels; ``None`` where rules do not come from one selection each,
    or where there is no delta to compose with.
    """
    epsilon = positive(base.epsilon, name="epsilon")
    delta = probability(base.delta, name="delta", zero="allowed")
    if not delta or base.other != "negative":
        return None
    automatic = isinstance(base.error_share, str) and base.error_share == "auto"
    share = _COUNT_SHARE if automatic else exact(base.error_share, name="error_share")
    if not 0 <= share < 1:
        raise BadInput("error_share must be at least 0 and below 1, or 'auto'")
    task = base._task(schema)
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
    learner: Mechanism[Any, Any] = _learner(
        task.with_(epsilon=each, delta=0, error_share=0, **_named_costs(base, task)), n
    )
    if isinstance(learner, CostLearner):
        costs = learner.costs or (1, 1)
        learner = replace(learner.learner, costs=costs, epsilon=each)
    if not isinstance(learner, Drawer) or not isinstance(learner.event(), Selection):
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
    return Together(mechanism=mechanism, learner=learner)


def _named_costs(base: RuleClassifier, task: Task) -> dict[str, Any]:
    """The names of the label values, where costs are told by them."""
    if task.costs is None:
        return {}
    negative, wanted = base._classes()
    other = f"not {wanted}" if negative is None else str(negative)
    return {"names": (other, str(wanted))}


def _learner(task: Task, n: int | None) -> Mechanism[Any, Any]:
    """The draw of one rule, which spends all of its part."""
    chosen = choose(task)
    bound = replace(chosen.bound, choices={**chosen.bound.choices, "whole_from": 0})
    size = Size(bound.n, Known.PLANNED) if n is None else Size(n)
    return chosen.algorithm.build(chosen.algorithm.part(task), bound, size)


def release_together(
    base: RuleClassifier, made: Together, sample: Any, *, n: int | None, names: list[str]
) -> Release[Rules]:
    """Charge, draw all rules, and certify them together."""
    release: Any = run(made.mechanism, sample, ledger=base.ledger, rng=base.rng)
    found: CheckedRules = release.value
    asked = Asked(
        epsilon=positive(base.epsilon, name="epsilon"),
        delta=exact(base.delta, name="delta"),
        relation=Relation.read(base.relation),
        beta=probability(base.beta, name="beta"),
        k=len(names),
    )
    certificate = Certificate(
        asked=asked,
        spent=spent_of(release.event, delta=asked.delta),
        algorithm=f"{type(made.learner).__name__} for {len(names)} labels",
        what=made.learner.drawn_from,
        n=n,
        private=release.private,
        privacy_claim=release.claim,
        several=_several(made, found, n=n, names=names, beta=asked.beta),
        account=account_of(release, base.ledger),
    )
    negative, wanted = (
        one.item() if isinstance(one, np.generic) else one for one in base._classes()
    )
    rules = tuple(
        NamedRule(rule=rule, label=Label(name=name, negative=negative, positive=wanted))
        for rule, name in zip(found.rules, names, strict=True)
    )
    whole: Release[Rules] = replace(release, value=Rules(rules=rules), certificate=certificate)
    return whole


def _several(
    made: Together,
    found: CheckedRules,
    *,
    n: int | None,
    names: list[str],
    beta: Fraction,
) -> Several | None:
    variance = made.mechanism.variance
    if variance is None or n is None:
        return None
    labels = []
    for name, rule, mistakes in zip(names, found.rules, found.noisy_mistakes, strict=True):
        prior = Fraction(made.learner.prior(rule))
        error = certified_by_gaussian(
            noisy_mistakes=mistakes, n=n, prior=prior, variance=variance, beta=beta / len(names)
        )
        labels.append(OneOfSeveral(label=name, noisy_mistakes=mistakes, prior=prior, error=error))
    return Several(variance=variance, claim=NOISY_COUNT, labels=tuple(labels))


def learn_labels(base: RuleClassifier, source: Source, names: list[str]) -> Release[Rules]:
    """Learn one rule for each of these label columns of a source."""
    base._check_tools()
    if base.unit is not None:
        raise BadInput("several labels protect records: unit= is for one label at a time")
    if base.other != "negative":
        raise BadInput("several labels are learned from all records: --other negative")
    schema = base._grid(lambda bins: Schema.of(base.domain, bins=bins))
    if len(names) < 2 or len(set(names)) != len(names):
        raise BadInput("name at least two different label columns")
    for name in names:
        if name in schema.names:
            raise BadInput(f"the label {name!r} must not be a column of the schema as well")
    check_columns(source, *schema.names)
    check_schema(schema, source.types, name=source.name)
    wanted = base._classes()[1]
    wanted = wanted.item() if isinstance(wanted, np.generic) else wanted
    check_labels(source, names, wanted)
    reading = TableReading(columns=schema.names, labels=tuple(names), positive=wanted)
    sample = StreamedRecords(source, reading)
    public = Relation.read(base.relation).size_is_public
    n = public_number(sample) if public else None
    made = together(base, schema, n=n, k=len(names))
    if made is None:
        raise BadInput(
            "several labels need a delta above 0, and a model whose rule is one draw: tree of at "
            "most four levels, rule-list, stump, interval, box, conjunction or halfspace"
        )
    check_memory(made.mechanism, sample, n)
    return release_together(base, made, sample, n=n, names=names)
