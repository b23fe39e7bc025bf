"""Several labels of a table in a plan: their names, of which there is no file to read any off."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping

from tacit.cli.label_options import SEVERAL_CLASSES, LabelOptions, refuse_measured
from tacit.cli.task import Question, Subject
from tacit.core import BadInput

TWO = ("0", "1")
"""The names of two values, where nothing depends on what they are called."""
_PATTERN = re.compile(r"[*?\[]")


def planned_labels(
    subject: Subject, question: Question, labels: LabelOptions, *, persons: bool = False
) -> dict[str, tuple[str, ...]]:
    """The label columns that ``--labels`` names, none where it was left out, with the names of the
    values of each: what is planned depends on how many these are.

    ``learn`` reads patterns by the header of its file; here the schema's names are all there are.
    """
    if labels.labels is None:
        return {}
    neither = subject.concepts is None and subject.schema is None
    if neither or (subject.concepts and subject.schema) or question.goal != "learn":
        raise BadInput(
            "--labels is for rules: over a table (--schema without --class), or of a class of one "
            "column (--class without --schema)"
        )
    if question.k != 1:
        raise BadInput("--labels says how many labels there are: leave out --k")
    if labels.classes is not None:
        raise BadInput(SEVERAL_CLASSES)
    from tacit.cli.learn_table import divided_values, read_names
    from tacit.domains.schema_text import read_toml

    _refuse_own_costs(subject.options.get("cost"))
    columns = {} if subject.schema is None else read_toml(subject.schema).get("columns")
    declared = columns if isinstance(columns, Mapping) else {}
    known = list(declared)
    features = subject.options.get("features")
    asked = known if features is None else read_names(features, option="--features")
    found: dict[str, tuple[str, ...]] = {}
    own = False
    for one in read_names(labels.labels, option="--labels"):
        name, _, told = (one, "", "") if one in known else one.partition("=")
        name = name.strip()
        if told and subject.concepts is not None:
            raise BadInput(f"with --class all labels have the same two values: leave out {told!r}")
        values = tuple(divided_values(told.strip())) if told else ()
        if told and not all(values):
            raise BadInput(f"--labels {name}=... takes values with slashes between them: a/b/c")
        fitting = [name]
        if name not in known and _PATTERN.search(name):
            fitting = fnmatch.filter(known, name)
            if not fitting:
                raise BadInput(
                    f"no column of a schema fits {name!r}, and a plan reads no file: a pattern "
                    "needs names here, --labels a,b,c, or say how many with --k 3"
                )
        own = own or bool(values)
        found |= dict.fromkeys(fitting, values if len(values) > 2 else TWO)
    for name in found:
        if name in asked:
            raise BadInput(
                f"the label {name!r} must not be a column of the schema as well: leave it out "
                "with --features"
            )
    if labels.positive is None:
        plain = [name for name in read_names(labels.labels, option="--labels") if name in found]
        refuse_measured(plain, source=None, declared=declared)
    _refuse_together(found, subject, labels, own=own, persons=persons)
    return found


def _refuse_together(
    found: Mapping[str, tuple[str, ...]],
    subject: Subject,
    labels: LabelOptions,
    *,
    own: bool,
    persons: bool,
) -> None:
    """Refuse what labels cannot have together; ``own`` says whether any has values of its own."""
    if any(len(values) > 2 for values in found.values()):
        _refuse_two_valued(subject.model or "tree")
    if own and persons:
        raise BadInput(
            "with --unit all labels have the same two values, --positive and --negative: leave out "
            "those of single labels in --labels"
        )
    if persons and labels.other == "ignore" and subject.concepts is None:
        raise BadInput("with --unit no record of several labels is ignored: leave --other out")
    if len(found) < 2:
        raise BadInput("name at least two different label columns")


def _refuse_two_valued(model: str) -> None:
    """Refuse a model whose rules give two labels."""
    from tacit.cli.learn_table import classifier, models

    if not classifier(model)._many_classes:
        takers = ", ".join(name for name, kind in models().items() if kind._many_classes)
        raise BadInput(f"--model {model} learns two label values: for more, use --model {takers}")


def _refuse_own_costs(text: str | None) -> None:
    """Refuse costs of one label, such as ``smoker:yes=20``: they would pass for those of a value
    that all labels have.
    """
    from tacit.cli.learn_table import read_costs

    told = None if text is None else read_costs(text)
    for word, cost in told.items() if isinstance(told, dict) else ():
        name, divided, value = word.partition(":")
        if divided:
            raise BadInput(
                f"a plan takes costs that are the same for all labels: --cost {value}={cost} plans "
                f"for the costs that {word}={cost} gives {name!r} alone in learn"
            )
