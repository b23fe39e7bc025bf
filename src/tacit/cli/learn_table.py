"""The part of ``tacit learn`` for tables with a schema."""

from __future__ import annotations

import csv
import fnmatch
import inspect
from collections.abc import Mapping
from typing import Any

from tacit.cli.persons import refuse_independent
from tacit.core import BadInput, Hypothesis, Release, Source
from tacit.core.task import BALANCED

MODELS = {
    "tree": "TreeClassifier",
    "rule": "BestRuleClassifier",
    "rule-list": "RuleListClassifier",
    "stump": "StumpClassifier",
    "interval": "IntervalClassifier",
    "box": "BoxClassifier",
    "conjunction": "ConjunctionClassifier",
    "score": "ScoreClassifier",
    "alarms": "AlarmClassifier",
    "informed": "InformedTreeClassifier",
    "selection": "PrivateSelection",
}
EARLIER = {"halfspace": "score"}
"""Names that models had, and have still."""
_SPELLED = {"among": "estimators", "cost": "costs"}
"""Options whose name differs from the classifier's parameter."""


def learn_table(
    data: Source,
    *,
    declared: Mapping[str, Any],
    label: str,
    values: tuple[str | None, ...],
    options: Mapping[str, Any],
) -> Release[Hypothesis]:
    """Learn a rule of the named model from a file whose columns are declared.

    ``values`` are the label values, the negative one first, ``None`` if it is not declared.
    ``options`` are those of the command line; the ones that were left out are ``None``.
    """
    given = dict(options)
    known, about = given.pop("rows", None), ("unit", "rows_per_unit")
    refuse_independent(known)
    persons = {name: given.pop(name) for name in about if name in given}
    made = _classifier_of(data, declared=declared, label=label, values=values, options=given)
    release: Release[Hypothesis] = made.fit_file(data, label=label, **persons).release_
    return release


def learn_several(
    data: Source,
    *,
    declared: Mapping[str, Any],
    labels: list[str],
    positive: str,
    negative: str | None,
    options: Mapping[str, Any],
) -> Release[Hypothesis]:
    """Learn one rule for each of several label columns, under one budget."""
    from tacit.estimators.several_labels import learn_labels

    if options.get("unit") is not None:
        raise BadInput("--labels protects records: learn one --label at a time with --unit")
    made = _classifier_of(
        data, declared=declared, label=labels[0], values=(negative, positive), options=options
    )
    return learn_labels(made, data, labels)


def several_names(text: str, known: list[str]) -> list[str]:
    """Label columns by name, or by patterns such as ``dx_*`` over the names of the header."""
    found: list[str] = []
    for one in read_names(text, option="--labels"):
        fitting = [one] if one in known else fnmatch.filter(known, one)
        if not fitting:
            raise BadInput(f"no column fits {one!r} in --labels; there are {', '.join(known)}")
        found += [name for name in fitting if name not in found]
    return found


def _classifier_of(
    data: Source,
    *,
    declared: Mapping[str, Any],
    label: str,
    values: tuple[str | None, ...],
    options: Mapping[str, Any],
) -> Any:
    """The classifier that the options ask for, not yet fitted."""
    given = {name: value for name, value in options.items() if value is not None}
    model, features = given.pop("model", "tree"), given.pop("features", None)
    kind = classifier(model)
    for name in given:
        if _SPELLED.get(name, name) not in _parameters(kind):
            takers = ", ".join(one for one in MODELS if _takes(one, name))
            raise BadInput(
                f"--{name.replace('_', '-')} is not for --model {model}; it is for {takers}"
            )
    if features is not None:
        declared = _only(declared, read_names(features, option="--features"))
    given = read_options(given)
    if model == "selection":
        chosen = read_names(given.pop("among", "tree,box,score"), option="--among")
        given["estimators"] = [(one, classifier(one)()) for one in chosen]
    classes = tuple(None if one is None else _label(data, label, one) for one in values)
    return kind(domain=declared, classes=classes, **given)


def read_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a classifier as it takes them, from words of the command line."""
    read = dict(given)
    if "columns" in read:
        read["columns"] = _column_sets(read["columns"])
    if read.get("depth", "auto") != "auto":
        if not read["depth"].isdecimal():
            raise BadInput("--depth takes auto or a number of levels")
        read["depth"] = int(read["depth"])
    if "cost" in read:
        read["costs"] = read_costs(read.pop("cost"))
    for name in ("bins", "clauses", "tries"):
        if isinstance(read.get(name), str):
            if not read[name].isdecimal():
                raise BadInput(f"--{name} takes a whole number")
            read[name] = int(read[name])
    return read


def read_costs(text: str) -> Any:
    """``balanced``, or whole numbers by label such as ``yes=20,no=1``."""
    if text == BALANCED:
        return text
    costs: dict[str, int] = {}
    for one in read_names(text, option="--cost"):
        label, _, cost = one.rpartition("=")
        if not label or not cost.isdecimal() or label in costs:
            raise BadInput("--cost takes balanced, or a whole number by label: yes=20,no=1")
        costs[label] = int(cost)
    return costs


def classifier(model: str) -> Any:
    """The classifier that ``--model`` names."""
    from tacit.estimators import tables

    model = EARLIER.get(model, model)
    if model not in MODELS:
        raise BadInput(f"--model must be one of {', '.join(MODELS)}")
    return getattr(tables, MODELS[model])


def _parameters(kind: Any) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(kind).parameters


def _takes(model: str, name: str) -> bool:
    return _SPELLED.get(name, name) in _parameters(classifier(model))


def _label(data: Source, label: str, positive: str) -> object:
    """The positive label; true and false are meant where the column's own type is boolean, or
    where a text file leaves it open.
    """
    from tacit.cli.label_options import read_label

    truths = {"true": True, "false": False}
    kind = data.types.get(label)
    boolean = kind is None or str(kind) == "bool"
    return (
        truths[positive.lower()] if boolean and positive.lower() in truths else read_label(positive)
    )


def _only(declared: Mapping[str, Any], wanted: list[str]) -> dict[str, Any]:
    """Some columns of a schema, in its order."""
    columns = declared.get("columns", declared)
    for name in wanted:
        if name not in columns:
            raise BadInput(
                f"--features names {name!r}, which the schema does not declare; it declares "
                f"{', '.join(columns)}"
            )
    return {"columns": {name: one for name, one in columns.items() if name in wanted}}


def columns_read(given: Mapping[str, Any]) -> list[str]:
    """The columns that these options of ``tacit learn`` read, besides the label."""
    from tacit.domains.schema_text import read_toml

    option = "features" if given["concepts"] is None else "column"
    if given[option] is not None:
        return read_names(given[option], option=f"--{option}")
    declared = {} if given["schema"] is None else read_toml(given["schema"])
    columns = declared.get("columns")
    return list(columns) if isinstance(columns, Mapping) else []


def read_names(text: str, *, option: str) -> list[str]:
    """Names with commas between them; quoted as in a CSV file if one has a comma itself."""
    found = [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]
    if not found or not all(found):
        raise BadInput(f"{option} takes names with commas between them, such as age,dose")
    return found


def _column_sets(text: str) -> Any:
    """A number, or sets of columns such as ``age,dose;age,ward``."""
    if text.strip().isdecimal():
        return int(text)
    return [tuple(read_names(one, option="--columns")) for one in text.split(";")]
