"""Tasks from command-line words."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.cli.persons import refuse_independent
from tacit.core import Accuracy, BadInput, Privacy, Task
from tacit.core.numbers import exact, whole

if TYPE_CHECKING:
    from tacit.core import ConceptClass
    from tacit.domains.references import Reference

DEFAULT_SETTING = "agnostic"
"""What ``plan`` and ``learn`` assume alike: no rule of the class need be perfect."""


def read_class(
    *,
    concepts: str | None,
    size: str | int | None = None,
    orientation: str | None = None,
    matrix: Path | None = None,
) -> ConceptClass:
    """The concept class that ``--class`` and the usual companions name."""
    from tacit.cli.classes import read_class as read

    words = {
        "size": None if size is None else str(size),
        "orientation": orientation if concepts == "thresholds" else None,
        "matrix": None if matrix is None else str(matrix),
    }
    return read(concepts, words, taken=set())


_LAWS = "any, uniform, kappa=2, kappa=open, spike=0.01, band=0.3 or caps=0.9"


def read_marginal(text: str | None, family: ConceptClass) -> Reference | str:
    """What ``--marginal`` says about the features' law: a word, or a public reference.

    ``kappa`` is a density of at most so much against the uniform law on the class's own cube or
    sphere (``open``: as much as the records bear); ``spike``, ``band`` and ``caps`` are the
    examples of CH11.
    """
    from tacit.domains import references
    from tacit.problems.reals.public_reference import CLASSES

    name, _, value = (text or "any").partition("=")
    if not value and name in ("any", "uniform"):
        return name
    if not value or name not in ("kappa", "spike", "band", "caps"):
        raise BadInput(f"--marginal takes {_LAWS}")
    if not isinstance(family, CLASSES):
        raise BadInput("--marginal with a number is for thresholds, boxes and halfspaces of reals")
    if name == "spike":
        return references.spike(value)
    if name == "kappa":
        open_ended = None if value == "open" else exact(value, name="kappa")
        return references.Reference(family.shape, family.dimension, open_ended)
    if family.shape != "sphere":
        raise BadInput(f"--marginal {name}= is for halfspaces")
    make = references.band if name == "band" else references.caps
    return make(family.dimension, gamma=value)


def read_task(
    *,
    concepts: str | None,
    options: Mapping[str, str | None],
    epsilon: str,
    delta: str,
    relation: str,
    alpha: str,
    beta: str,
    setting: str,
    output: str,
    model: str | None = None,
    schema: Path | None = None,
    goal: str = "learn",
    k: int = 1,
    marginal: str | None = None,
    taken: set[str] | None = None,
    **more: Any,
) -> Task:
    """A task from the words of the command line.

    With ``concepts`` a class and its options; else the task of the model's classifier over
    the schema. ``more`` are further fields of the task, and who is protected.
    """
    if concepts is None and schema is not None:
        if goal != "learn":
            return _table_task(
                schema,
                model,
                options,
                Privacy(epsilon, delta, relation),
                Accuracy(alpha, beta),
                more,
            )
        refuse_independent(more.get("rows"))
        privacy = Privacy(epsilon, delta, relation)
        task = _model_task(model or "tree", schema, options, privacy, alpha=alpha, beta=beta)
        law = read_marginal(marginal, task.concept_class)
        return task.with_(setting=setting, output=output, k=k, marginal=law, **more)
    if model is not None:
        raise BadInput("--model is for a table: give its --schema")
    from tacit.cli.classes import read_class as read

    words = dict(options) | ({} if schema is None else {"schema": str(schema)})
    family = read(concepts, words, taken=taken or set())
    law = "any" if marginal is None else read_marginal(marginal, family)
    who = {name: more.pop(name) for name in ("unit", "rows_per_unit") if name in more}
    return Task(
        family,
        privacy=Privacy(epsilon, delta, relation, **who),
        accuracy=Accuracy(alpha, beta),
        setting=setting,
        output=output,
        goal=goal,
        k=k,
        marginal=law,
        **more,
    )


def _table_task(
    schema: Path,
    model: str | None,
    options: Mapping[str, str | None],
    privacy: Privacy,
    accuracy: Accuracy,
    more: Mapping[str, Any],
) -> Task:
    """A synthetic table for the questions that ``--queries`` and ``--ways`` name."""
    from tacit.cli.sanitize_table import read_queries

    words = {key: word for key, word in options.items() if word is not None}
    kind, ways = words.pop("queries", None), words.pop("ways", None)
    if model is not None or words:
        option = "model" if model is not None else min(words).replace("_", "-")
        raise BadInput(
            f"--{option} is not for a synthetic table: it takes --schema, --queries and --ways"
        )
    count = None if ways is None else whole(ways, name="--ways", least=1)
    queries = read_queries(schema, kind=kind, ways=count)
    return Task(queries, privacy=privacy, accuracy=accuracy, goal="sanitize").with_(**more)


def _model_task(
    model: str,
    schema: Path,
    options: Mapping[str, str | None],
    privacy: Privacy,
    *,
    alpha: str,
    beta: str,
) -> Task:
    from tacit.cli.learn_table import classifier, read_options

    kind = classifier(model)
    given = read_options({key: word for key, word in options.items() if word is not None})
    for key in given:
        if key not in inspect.signature(kind).parameters:
            raise BadInput(f"--{key.replace('_', '-')} is not for --model {model}")
    estimator = kind(
        domain=str(schema),
        epsilon=privacy.epsilon,
        delta=privacy.delta,
        relation=privacy.relation.value,
        beta=beta,
        **given,
    )
    task: Task = estimator.task(alpha=alpha)
    return task
