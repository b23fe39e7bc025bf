"""Several labels of one table under one budget: rules of all of them, named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tacit.api import solve
from tacit.core import BadInput, Label, NamedRule, Release, Sample, Source, Task
from tacit.core.label_values import MOST_VALUES
from tacit.core.named import SeveralLabels
from tacit.core.task_fields import BALANCED, by_word, read_costs
from tacit.domains.labels import check_values
from tacit.domains.marked import MarkedSample, check_left_out
from tacit.domains.schema import Schema
from tacit.estimators.table_base import RuleClassifier
from tacit.planner import plan
from tacit.planner.labels import labels_together
from tacit.planner.persons import for_task
from tacit.problems.several.rules import Rules
from tacit.problems.tables.shared_learner import SHARED_TREES
from tacit.problems.tables.shared_trees import SharedTrees
from tacit.problems.tables.side_by_side_rules import SIDE_BY_SIDE, UNBALANCED
from tacit.sources.batch_reading import TableReading
from tacit.sources.files import StreamedRecords, check_columns, check_labels
from tacit.sources.persons import SourcePersons
from tacit.sources.types import check_schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """What labels have of their own, by their names; all else is as the classifier says.

    ``classes``  two label values, the negative one first, or more.
    ``costs``    what a mistake on a record of each of them costs, in whole numbers.
    """

    classes: Mapping[str, Sequence[object]] = field(default_factory=dict)
    costs: Mapping[str, Mapping[object, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for told, form in ((self.classes, "('no', 'yes')"), (self.costs, "{'yes': 20}")):
            if not isinstance(told, Mapping):
                raise BadInput(f"what single labels have is told by their names: {{'a': {form}}}")

    def check(self, names: Sequence[str]) -> None:
        """Refuse names that are no labels, and what is not told by them, before any charge."""
        for name, costs in self.costs.items():
            if not isinstance(costs, Mapping):
                raise BadInput(f"costs of {name!r} must be whole numbers by value: {{'yes': 20}}")
        for name in (*self.classes, *self.costs):
            if name not in names:
                raise BadInput(f"there is no label {name!r}; there are {', '.join(names)}")


def labels_of(
    base: RuleClassifier, names: Sequence[str], own: Own
) -> tuple[Label | SeveralLabels, ...]:
    """The labels with their public values, two or more each."""
    own.check(names)
    found: list[Label | SeveralLabels] = []
    for name in names:
        told = own.classes.get(name, base._classes())
        # Of a word every letter, and of a set any order, would pass for two values.
        values = tuple(told) if isinstance(told, (list, tuple, np.ndarray)) else ()
        if not 2 <= len(values) <= MOST_VALUES:
            raise BadInput(
                f"the label {name!r} must have two values, the negative one first, or more of them"
            )
        told = values[1:] if len(values) == 2 and values[0] is None else values
        check_values(told, name=f"classes of {name!r}")
        if len(values) > 2:
            _check_many(base, name)
            found.append(SeveralLabels(name=name, values=tuple(map(_plain, values))))
            continue
        negative, positive = map(_plain, values)
        found.append(Label(name=name, negative=negative, positive=positive))
    return tuple(found)


def _check_many(base: RuleClassifier, name: str) -> None:
    """Refuse more than two values where the rules of the classifier give two answers."""
    if not base._many_classes:
        raise BadInput(
            f"the label {name!r} must have two values: {type(base).__name__} learns two; for more, "
            "use a tree, a rule list or ScoreClassifier"
        )


def labels_task(
    base: RuleClassifier,
    schema: Schema,
    labels: Sequence[Label | SeveralLabels],
    *,
    own: Own,
    shared: bool | None = None,
    persons: Mapping[str, Any],
) -> Task:
    """The task of these labels; ``shared`` as ``labels_together`` takes it."""
    names = tuple(str(one.name) for one in labels)
    task = base._task(schema).with_(k=len(labels), labels=names, **persons)
    common = read_costs(base._costs, ())
    two = [one for one in labels if isinstance(one, Label)]
    if len(two) < len(labels) and (own.costs or common is not None):
        raise BadInput(
            "costs of several labels are for labels of two values each: leave out the costs, or "
            "learn a label of more values by itself"
        )
    if common == BALANCED and not task.privacy.relation.size_is_public:
        raise BadInput(UNBALANCED)
    if own.costs or (own.classes and isinstance(common, tuple)):
        task = task.with_(costs=None, label_costs=_costs(common, two, own))
    if task.label_costs or len(two) < len(labels):
        task = task.with_(label_values=[replace(one, name=None).words for one in labels])
    return labels_together(task, shared=shared)


def why_apart(task: Task) -> str | None:
    """Why no algorithm learns these labels together, in words; ``None`` if one does."""
    if plan(task).runnable is not None:
        return None
    shared = isinstance(task.concept_class, SharedTrees)
    made = for_task(SHARED_TREES if shared else SIDE_BY_SIDE, task)
    return made.why_not(task) or made.runs(task) or "is not made for them"


def _costs(
    common: tuple[tuple[str, int], ...] | str | None, labels: Sequence[Label], own: Own
) -> list[tuple[int, int]]:
    """What mistakes on both values of each label cost: its own costs, else the common ones."""
    if isinstance(common, str):
        raise BadInput("costs='balanced' is for all labels: give no label costs of its own")
    every = {value for label in labels for value in replace(label, name=None).words}
    shared = dict(common or ())
    for value in shared:
        if value not in every:
            raise BadInput(f"costs name the value {value!r}, which none of the labels has")
    found = []
    for label in labels:
        told = own.costs.get(str(label.name), shared)
        read = by_word(told)
        values = replace(label, name=None).words
        unknown = [value for value in read if value not in values]
        if label.name in own.costs and unknown:
            raise BadInput(
                f"costs name the value {unknown[0]!r} of {label.name!r}, and its values are "
                f"{values[0]!r} and {values[1]!r}"
            )
        found.append((read.get(values[0], 1), read.get(values[1], 1)))
    return found


def sample_of(
    base: RuleClassifier, X: Any, Y: Any, labels: Sequence[Label | SeveralLabels]
) -> Sample:
    """Records in memory: marks, where labels have values of their own or leave records out."""
    _, wanted = map(_plain, base._classes())
    alike = all(
        isinstance(one, Label) and (one.negative, one.positive) == _both(base) for one in labels
    )
    if alike and base.other == "negative":
        return Sample(X, Y, wanted)
    return MarkedSample(X, Y, labels, ignore=base.other == "ignore")


def release_labels(
    base: RuleClassifier, task: Task, sample: Any, labels: Sequence[Label | SeveralLabels]
) -> Release[Rules]:
    """Charge, learn the rules of all labels, and certify them together."""
    negative, wanted = _both(base)
    release: Release[Any] = solve(
        task,
        sample,
        ledger=base.ledger,
        rng=base.rng,
        positive=wanted,
        negative=negative,
        about=base._about,
        rate_share=base._rate_share,
    ).release
    every = release.value if task.k > 1 else (release.value,)
    named = (NamedRule(rule=one, label=label) for one, label in zip(every, labels, strict=True))
    rules = Rules(rules=tuple(named))
    return replace(release, value=rules)


def _both(base: RuleClassifier) -> tuple[Any, ...]:
    """The negative and the positive label value, as JSON can hold them."""
    return tuple(_plain(one) for one in base._classes())


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def check_others(base: RuleClassifier) -> None:
    """Refuse a label of its own for what is missing: rules of several labels give two answers."""
    if base.other == "class":
        raise BadInput("of several labels others count as negative or are left out: --other ignore")


def check_persons(base: RuleClassifier, own: Own) -> None:
    """Refuse what needs other records for each label: one row of a person serves all of them."""
    if own.classes or base.other == "ignore":
        raise BadInput(
            "of persons one row serves all labels: no label may have values of its own, and no "
            "record is ignored; give all labels the same two values, or learn them one by one"
        )


def learn_labels(
    base: RuleClassifier,
    source: Source,
    names: list[str],
    *,
    shared: bool | None = None,
    own: Own | None = None,
    persons: Mapping[str, Any] | None = None,
) -> Release[Rules]:
    """Learn one rule for each of these label columns of a source.

    ``persons`` are the fields of a task that protect persons, by default those of ``base``: of
    each one row is used, with all its labels.
    """
    base._check_tools()
    own, persons = own or Own(), persons or {}
    if base.unit is not None and not persons:
        persons = {"unit": base.unit, "rows_per_unit": base.rows_per_unit}
    check_others(base)
    if persons:
        check_persons(base, own)
    base._two_labels("several label columns are learned at once with")
    schema = base._grid(lambda bins: Schema.of(base.domain, bins=bins))
    if len(names) < 2 or len(set(names)) != len(names):
        raise BadInput("name at least two different label columns")
    for name in names:
        if name in schema.names:
            raise BadInput(f"the label {name!r} must not be a column of the schema as well")
    check_columns(source, *schema.names)
    check_schema(schema, source.types, name=source.name)
    labels = labels_of(base, names, own)
    for label in labels:
        for value in label.values if isinstance(label, SeveralLabels) else (label.positive,):
            check_labels(source, [str(label.name)], value)
    if base.other == "ignore":
        check_left_out(labels)
    task = labels_task(base, schema, labels, own=own, shared=shared, persons=persons)
    why = why_apart(task)
    if why is not None:
        raise BadInput(
            "several labels need a model whose rule is one draw: tree of at most three levels, "
            "rule, rule-list, stump, interval, box, conjunction or score; costs are for them, too, "
            f"where no record is ignored (what was asked for: {why})"
        )
    reading = TableReading(columns=schema.names, labels=tuple(names), positive=_both(base)[1])
    if own.classes or base.other == "ignore":
        reading = replace(reading, each=labels, leave_out=base.other == "ignore")
    sample: Any = StreamedRecords(source, reading)
    if persons:
        sample = SourcePersons(source, reading, unit=persons["unit"], domain=schema)
    return release_labels(base, task, sample, labels)
