"""The part of ``tacit learn`` for tables with a schema."""

from __future__ import annotations

import csv
import fnmatch
import inspect
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from tacit.cli.learn_options import CertifiedPrivacy, ConceptOptions, TableModel
from tacit.cli.person_options import Persons
from tacit.core import BadInput, Hypothesis, Release, Source
from tacit.core.numbers import whole
from tacit.core.task_fields import BALANCED

EARLIER = {"halfspace": "score"}
"""Names that models had, and have still."""
_USUAL = {"other": "negative"}
"""What is told to every classifier that takes it, and means nothing to the others."""
_SPELLED = {"among": "estimators", "cost": "costs"}
"""Options whose name differs from the classifier's parameter."""
_AUTO = {"depth": "auto or a number of levels", "rounds": "auto or a number of trees"}
_WHOLE = _AUTO | dict.fromkeys(("bins", "clauses", "tries"), "a whole number")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One rule over a table, as the command line or the page asks for it.

    ``schema``  the declared columns.
    ``values``  the label values, the negative one first, ``None`` if it is not declared.
    ``payee``   the ledger that is charged, or what stands in its place.
    """

    schema: Mapping[str, Any]
    model: TableModel
    privacy: CertifiedPrivacy
    values: tuple[str | None, ...]
    payee: object
    persons: Persons
    other: str = "negative"
    public: Source | None = None

    def options(self) -> dict[str, object]:
        """What a classifier is given, by the names of options; the model and its rates not."""
        told = self.model.options() | asdict(self.privacy) | {"ledger": self.payee}
        if self.public is not None:
            told["public"] = self.public
        apart = ("model", "rate_share")
        return {name: told[name] for name in told if name not in apart} | {"other": self.other}


def learn_table(data: Source, label: str, wanted: Wanted) -> Release[Hypothesis]:
    """Learn a rule for one label column, with rates where a share of epsilon is for them."""
    persons = _protected(wanted.persons)
    made = _classifier_of(data, label, wanted)
    if wanted.model.rate_share is not None:
        from tacit.estimators.rated import RatedClassifier

        made = RatedClassifier(made, rate_share=wanted.model.rate_share)
    release: Release[Hypothesis] = made.fit_file(data, label=label, **persons).release_
    return release


def learn_several(
    data: Source, labels: Mapping[str, str | None], wanted: Wanted, *, shared: bool | None = None
) -> Release[Hypothesis]:
    """Learn one rule for each of several label columns, under one budget.

    ``labels`` are their names, each with label values of its own where it has some.
    """
    from tacit.estimators.several_labels import Own, learn_labels

    names, persons = list(labels), _protected(wanted.persons)
    wanted, costs = _apart_costs(wanted, names)
    classes = {
        name: _own_values(data, name, told) for name, told in labels.items() if told is not None
    }
    made = _classifier_of(data, names[0], wanted)
    made._rate_share = wanted.model.rate_share
    own = Own(classes=classes, costs=costs)
    return learn_labels(made, data, names, shared=shared, own=own, persons=persons)


def _protected(persons: Persons) -> dict[str, Any]:
    """The fields of a task that protect persons; none where rows are protected."""
    persons.check()
    persons.refuse_independent()
    unit, most = persons.unit, persons.most
    return {} if unit is None else {"unit": unit, "rows_per_unit": most}


def _own_values(data: Source, name: str, told: str) -> tuple[object, ...]:
    """The values of one label, the negative one first, from ``yes/no`` or ``yes``; more than two
    as they stand.
    """
    values = divided_values(told)
    if not all(values):
        raise BadInput(
            f"--labels {name}=... takes the positive value, or both: {name}=yes/no, or more than "
            rf"two: {name}=a/b/c; a slash in a value is written \/"
        )
    if len(values) > 2:
        return tuple(label_value(data, name, one) for one in values)
    other = label_value(data, name, values[1]) if len(values) == 2 else None
    return other, label_value(data, name, values[0])


def divided_values(told: str) -> list[str]:
    r"""Label values with slashes between them; ``\/`` is a slash and ``\\`` a backslash in one.

    Any other backslash stands for itself.

    >>> divided_values(r"n\/a/low")
    ['n/a', 'low']
    """
    found = [""]
    for one in re.findall(r"\\[\\/]|.", told, flags=re.DOTALL):
        if one == "/":
            found.append("")
        else:
            found[-1] += one[-1]
    return found


def _apart_costs(wanted: Wanted, names: list[str]) -> tuple[Wanted, dict[str, dict[object, int]]]:
    """What is wanted without costs of single labels (``--cost smoker:yes=20``), and these."""
    text = wanted.model.cost
    told = None if text is None else read_costs(text)
    if not isinstance(told, dict):
        return wanted, {}
    common: list[str] = []
    own: dict[str, dict[object, int]] = {}
    for word, cost in told.items():
        name, _, value = word.partition(":")
        if name in names and value:
            own.setdefault(name, {})[value] = cost
        else:
            common.append(f"{word}={cost}")
    model = replace(wanted.model, cost=",".join(common) or None)
    return replace(wanted, model=model), own


def several_names(text: str, known: list[str]) -> dict[str, str | None]:
    """Label columns by name, or by patterns such as ``dx_*`` over the names of the header.

    After ``=`` stand label values of their own: the positive one, or ``yes/no``, or ``a/b/c``.
    Those of a name go before those of a pattern, in whatever order they stand.
    """
    found: dict[str, None] = {}
    own: dict[bool, dict[str, str]] = {True: {}, False: {}}  # of names, and of patterns
    for one in read_names(text, option="--labels"):
        pattern, divided, told = (one, "", "") if one in known else one.partition("=")
        exact = pattern in known
        fitting = [pattern] if exact else fnmatch.filter(known, pattern)
        if not fitting:
            raise BadInput(f"no column fits {pattern!r} in --labels; there are {', '.join(known)}")
        found |= dict.fromkeys(fitting)
        for name in fitting if divided else ():
            if own[exact].setdefault(name, told) != told:
                raise BadInput(f"--labels gives the values of {name!r} twice, and differently")
    return {name: own[True].get(name, own[False].get(name)) for name in found}


def _classifier_of(data: Source, label: str, wanted: Wanted) -> Any:
    """The classifier that is asked for, not yet fitted."""
    shape = shaped(wanted.model.model or "tree", wanted.schema, wanted.options())
    classes = tuple(None if one is None else label_value(data, label, one) for one in wanted.values)
    return shape.kind(domain=shape.declared, classes=classes, **shape.options)


@dataclass(frozen=True, slots=True)
class Shape:
    """A classifier, the columns that it may ask, and what it is given besides."""

    kind: Any
    declared: Mapping[str, Any]
    options: dict[str, object]


def shaped(model: str, declared: Mapping[str, Any], told: Mapping[str, object]) -> Shape:
    """What ``--model`` and its options ask for; ``plan`` and ``learn`` read them alike."""
    told, kind = dict(told), classifier(model)
    features = told.pop("features", None)
    for name in told:
        if _SPELLED.get(name, name) not in _parameters(kind):
            if told[name] == _USUAL.get(name):  # said by nobody
                continue
            takers = ", ".join(one for one in models() if _takes(one, name))
            hint = f"; it is for {takers}" if takers else ""
            raise BadInput(f"--{name.replace('_', '-')} is not for --model {model}{hint}")
    if features is not None:
        declared = _only(declared, read_names(str(features), option="--features"))
    options = read_options(
        {name: said for name, said in told.items() if _SPELLED.get(name, name) in _parameters(kind)}
    )
    if model == "selection":
        options["estimators"] = _candidates(str(options.pop("among", "tree,box,score")))
    return Shape(kind, declared, options)


def _candidates(text: str) -> list[tuple[str, Any]]:
    """The models that ``--among`` names, each once."""
    chosen = read_names(text, option="--among")
    if len(set(chosen)) != len(chosen) or "selection" in chosen:
        raise BadInput("--among names models to choose from, each once: tree,box")
    return [(one, classifier(one)()) for one in chosen]


def read_options(told: Mapping[str, object]) -> dict[str, object]:
    """Options of a classifier as it takes them, from words of the command line."""
    read = dict(told)
    if "columns" in read:
        read["columns"] = _column_sets(str(read["columns"]))
    if "cost" in read:
        read["costs"] = read_costs(str(read.pop("cost")))
    for name, words in _WHOLE.items():
        word = read.get(name)
        if not isinstance(word, str) or (name in _AUTO and word == "auto"):
            continue
        if not word.isdecimal():
            raise BadInput(f"--{name} takes {words}")
        read[name] = int(word)
    for name in ("bins", "clauses", "tries", "rounds"):
        # also where the schema, or the form of the rule, has no use for it
        if name in read and read[name] != "auto":
            whole(read[name], name=f"--{name}", least=1)
    if "clauses" in read and read.get("form", "conjunction") == "conjunction":
        raise BadInput("--clauses is for --form cnf or dnf: a conjunction has one")
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
    found = models().get(EARLIER.get(model, model))
    if found is None:
        raise BadInput(f"--model must be one of {', '.join(models())}")
    return found


def models() -> Mapping[str, Any]:
    """The classifiers over a table by the names of ``--model``; loads them."""
    from tacit.estimators.tables import models as named

    return named()


def _parameters(kind: Any) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(kind).parameters


def _takes(model: str, name: str) -> bool:
    return _SPELLED.get(name, name) in _parameters(classifier(model))


def label_value(data: Source, label: str, positive: str) -> object:
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


def columns_read(table: TableModel, concept: ConceptOptions) -> list[str]:
    """The columns that ``tacit learn`` reads, besides the label."""
    from tacit.domains.schema_text import read_toml

    if concept.concepts is not None and concept.column is not None:
        return read_names(concept.column, option="--column")
    if concept.concepts is None and table.features is not None:
        return read_names(table.features, option="--features")
    columns = None if table.schema is None else read_toml(table.schema).get("columns")
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
