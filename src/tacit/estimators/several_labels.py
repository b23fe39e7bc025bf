"""Several labels of one table under one budget with a delta: one draw a label, side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tacit.accounting.statement import account_of
from tacit.api import run
from tacit.core import BadInput, Label, NamedRule, Relation, Release, Source
from tacit.domains.schema import Schema
from tacit.estimators.table_base import RuleClassifier
from tacit.problems.several.rules import Rules
from tacit.problems.tables.side_by_side import CheckedRules
from tacit.report.certify_several import Together, certify_several, together
from tacit.sources.batch_reading import TableReading
from tacit.sources.files import StreamedRecords, check_columns, check_labels
from tacit.sources.memory import check_memory, public_number
from tacit.sources.types import check_schema


def labels_together(
    base: RuleClassifier, schema: Schema, *, n: int | None, k: int
) -> Together | None:
    """The mechanism for ``k`` labels; ``None`` where they cannot be drawn together."""
    task = base._task(schema)
    named: dict[str, Any] = {}
    if task.costs is not None:
        negative, wanted = base._classes()
        other = f"not {wanted}" if negative is None else str(negative)
        named = {"names": (other, str(wanted))}
    return together(task.with_(k=k, **named), n=n)


def release_together(
    base: RuleClassifier, made: Together, sample: Any, *, n: int | None, names: list[str]
) -> Release[Rules]:
    """Charge, draw all rules, and certify them together."""
    release: Any = run(made.mechanism, sample, ledger=base.ledger, rng=base.rng)
    found: CheckedRules = release.value
    negative, wanted = (
        one.item() if isinstance(one, np.generic) else one for one in base._classes()
    )
    rules = Rules(
        rules=tuple(
            NamedRule(rule=rule, label=Label(name=name, negative=negative, positive=wanted))
            for rule, name in zip(found.rules, names, strict=True)
        )
    )
    certificate = certify_several(
        made,
        event=release.event,
        rules=rules,
        noisy_mistakes=found.noisy_mistakes,
        n=n,
        private=release.private,
    )
    certificate = replace(certificate, account=account_of(release, base.ledger))
    whole: Release[Rules] = replace(release, value=rules, certificate=certificate)
    return whole


def learn_labels(base: RuleClassifier, source: Source, names: list[str]) -> Release[Rules]:
    """Learn one rule for each of these label columns of a source."""
    base._check_tools()
    if base.unit is not None:
        raise BadInput("several labels protect records: unit= is for one label at a time")
    if base.other != "negative":
        raise BadInput("several labels are learned from all records: --other negative")
    base._two_labels("several label columns are learned at once with")
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
    n = public_number(sample, Relation.read(base.relation))
    made = labels_together(base, schema, n=n, k=len(names))
    if made is None:
        raise BadInput(
            "several labels need a delta above 0, and a model whose rule is one draw: tree of at "
            "most four levels, rule-list, stump, interval, box, conjunction or halfspace"
        )
    check_memory(made.mechanism, sample, n)
    return release_together(base, made, sample, n=n, names=names)
