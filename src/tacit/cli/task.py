"""Tasks from command-line words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.classes import class_options, unknown_option
from tacit.cli.groups import option_names
from tacit.cli.label_options import ANSWERS, Answers
from tacit.cli.person_options import Persons
from tacit.cli.privacy_options import PrivacyOptions
from tacit.core import Accuracy, BadInput, Privacy, Task
from tacit.core.numbers import exact, whole

if TYPE_CHECKING:
    from tacit.core import ConceptClass
    from tacit.domains.references import Reference
    from tacit.problems.marginals.queries import TableQueries

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


_OF_TABLES, _OF_INFORMED = ("queries", "ways", "about"), ("label", "positive", "negative")
"""Options of ``plan`` that only a synthetic table, or only ``--model informed``, takes."""
_PLAIN_LAWS = ("any", "uniform")
_LAWS = "any, uniform, kappa=2, kappa=open, spike=0.01, band=0.3 or caps=0.9"


def read_marginal(text: str, family: ConceptClass) -> Reference | str:
    """What ``--marginal`` says about the features' law: a word, or a public reference.

    ``kappa`` is a density of at most so much against the uniform law on the class's own cube or
    sphere (``open``: as much as the records bear); ``spike``, ``band`` and ``caps`` are the
    examples of CH11.
    """
    name, _, value = text.partition("=")
    if text in _PLAIN_LAWS:
        return text
    from tacit.domains import references
    from tacit.problems.reals.public_reference import CLASSES

    if not value or name not in ("kappa", "spike", "band", "caps"):
        raise BadInput(f"--marginal takes {_LAWS}")
    if not isinstance(family, CLASSES):
        raise BadInput("--marginal with a number is for thresholds, boxes and halfspaces of reals")
    if name == "spike":
        return references.spike(value)
    if name == "kappa":
        open_ended = None if value == "open" else exact(value, name="kappa")
        return references.Reference(family.shape, columns=family.columns, kappa=open_ended)
    if family.shape != "sphere":
        raise BadInput(f"--marginal {name}= is for halfspaces")
    make = references.band if name == "band" else references.caps
    return make(columns=family.columns, gamma=value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is asked about: a class and its options, or a model over a schema.

    ``options``  words by option name.
    ``taken``    the command's own options, for the nearest name in an error.
    """

    concepts: str | None
    options: Mapping[str, str | None]
    model: str | None = None
    schema: Path | None = None
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked about it: the fields of a task that are words and numbers."""

    setting: Annotated[str, typer.Option(help="agnostic or realizable.")] = DEFAULT_SETTING
    output: Annotated[str, typer.Option("--output-kind", help="any, proper or improper.")] = "any"
    goal: Annotated[str, typer.Option(help="learn, or sanitize.")] = "learn"
    k: Annotated[int, typer.Option(help="Concepts to learn from the same records.")] = 1
    questions: Annotated[
        int | None,
        typer.Option(
            help="Questions about sets of values, asked one by one, that are to be answered."
        ),
    ] = None
    marginal: Annotated[
        str,
        typer.Option(
            help="The features' law: any, uniform, or of reals kappa=2, spike=0.01, band=0.3, "
            "caps=0.9."
        ),
    ] = "any"
    public: Annotated[
        str | None,
        typer.Option(
            help="How many public records without labels there are, of the same law. With --model "
            "informed: a file of public records with labels (--label, --positive, --negative)."
        ),
    ] = None

    @property
    def public_count(self) -> int | None:
        """How many public records there are; a file of them is for one model alone."""
        if self.public is None:
            return None
        if not self.public.isdecimal():
            raise BadInput("--public takes a number of records; a file is for --model informed")
        return int(self.public)


def read_task(
    subject: Subject,
    question: Question,
    *,
    privacy: PrivacyOptions,
    persons: Persons,
    accuracy: tuple[str, str],
    answers: Answers = ANSWERS,
) -> Task:
    """A task from the words of the command line; ``accuracy`` is alpha and beta.

    With ``concepts`` a class and its options; else the task of the model's classifier over
    the schema.
    """
    persons.check()
    alpha, beta = accuracy
    if subject.concepts is not None or subject.schema is None:
        return _class_task(subject, question, privacy, persons, accuracy, answers)
    if question.goal != "learn":
        _refuse_rules(question, answers)
        return Task(
            _queries(subject, subject.schema),
            privacy=privacy.read(persons),
            accuracy=Accuracy(alpha, beta),
            goal=question.goal,
            rows=persons.known,
        )
    persons.refuse_independent()
    _refuse_class_words(question)
    informed = subject.model == _INFORMED
    given = (subject, privacy.read(persons), alpha, beta)
    task = _informed_task(*given, question.public) if informed else _model_task(*given, answers)
    named = {"values": len(answers.names), "names": answers.names} if answers.names else {}
    task = task.with_(
        k=question.k,
        unit=persons.unit,
        rows_per_unit=persons.most,
        other=answers.other,
        public=None if informed else question.public_count,
        **named,
    )
    share = subject.options.get(_RATES)
    if share is not None:
        from tacit.problems.tables.rated_learner import read_rate_share

        read_rate_share(share, task)  # refuses what no rates are counted of
    return task


def _class_task(
    subject: Subject,
    question: Question,
    privacy: PrivacyOptions,
    persons: Persons,
    accuracy: tuple[str, str],
    answers: Answers,
) -> Task:
    """The task of a class that ``--class`` names."""
    if subject.model is not None:
        raise BadInput(
            "--model is for a table: give its --schema"
            if subject.schema is None
            else "--model and --class each say what to learn: give one of them"
        )
    unit, most, known = persons.unit, persons.most, persons.known
    public, law = question.public_count, question.marginal
    family = _family(subject)
    return Task(
        family,
        privacy=Privacy(
            privacy.epsilon, privacy.delta, privacy.relation, unit=unit, rows_per_unit=most
        ).check_range(),
        accuracy=Accuracy(*accuracy),
        setting=question.setting,
        output=question.output,
        goal=question.goal,
        k=question.k,
        marginal=law if law in _PLAIN_LAWS else read_marginal(law, family),
        rows=known,
        values=answers.names or 2,
        other=answers.other,
        public=public,
    )


def _family(subject: Subject) -> ConceptClass:
    """The class that ``--class`` names."""
    from tacit.cli.classes import read_class as read

    words = dict(subject.options)
    if subject.schema is not None:
        words["schema"] = str(subject.schema)
    return read(subject.concepts, words, taken=set(subject.taken))


def _refuse_rules(question: Question, answers: Answers) -> None:
    """Refuse what is said about rules, which a synthetic table would not heed."""
    said = {
        "setting": question.setting != DEFAULT_SETTING,
        "output-kind": question.output != "any",
        "k": question.k != 1,
        "marginal": question.marginal != "any",
        "public": question.public is not None,
        "classes": bool(answers.names),
        "other": answers.other != ANSWERS.other,
    }
    for option in (name for name, there in said.items() if there):
        raise BadInput(f"--{option} is about rules: leave it out with --goal {question.goal}")


def _refuse_class_words(question: Question) -> None:
    """Refuse what ``learn`` does not take with a schema: a plan would promise what nobody gets."""
    said = {
        "setting": question.setting != DEFAULT_SETTING,
        "output-kind": question.output != "any",
        "marginal": question.marginal != "any",
    }
    for option in (name for name, there in said.items() if there):
        raise BadInput(f"--{option} needs --class, not --schema")


def _queries(subject: Subject, schema: Path) -> TableQueries:
    """The questions to a synthetic table that ``--queries``, ``--ways`` and ``--about`` name."""
    from tacit.cli.sanitize_table import read_queries

    words = {key: word for key, word in subject.options.items() if word is not None}
    kind, ways, about = (words.pop(one, None) for one in _OF_TABLES)
    if subject.model is not None or words:
        option = "model" if subject.model is not None else min(words).replace("_", "-")
        raise BadInput(
            f"--{option} is not for a synthetic table: it takes --schema, --queries, --ways and "
            "--about"
        )
    count = None if ways is None else whole(ways, name="--ways", least=1)
    return read_queries(schema, kind=kind, ways=count, about=about)


_INFORMED, _RATES = "informed", "rate_share"


def _informed_task(
    subject: Subject, privacy: Privacy, alpha: str, beta: str, public: str | None
) -> Task:
    """The task of trees with a public labelled table as their prior, which is read here."""
    from tacit.cli.label_options import LabelOptions
    from tacit.cli.learn_table import label_value
    from tacit.estimators.tables import InformedTreeClassifier
    from tacit.sources.opening import read

    words = {key: word for key, word in subject.options.items() if word is not None}
    name, *values = (words.pop(one, None) for one in _OF_INFORMED)
    if words:
        raise BadInput(f"--{min(words).replace('_', '-')} is not for --model {_INFORMED}")
    if public is None:
        raise BadInput("--model informed needs --public: a file of public records with labels")
    column = LabelOptions(label=name, positive=values[0], negative=values[1]).declared()
    source, label = read(public), str(column.column)
    classes = [None if one is None else label_value(source, label, one) for one in column.values]
    made = InformedTreeClassifier(
        domain=str(subject.schema),
        classes=tuple(classes),
        public=source,
        epsilon=privacy.epsilon,
        delta=privacy.delta,
        relation=privacy.relation.value,
        beta=beta,
    )
    return made.task(alpha=alpha, label=label)


def _model_task(
    subject: Subject, privacy: Privacy, alpha: str, beta: str, answers: Answers
) -> Task:
    from tacit.cli.learn_table import models, shaped
    from tacit.domains.schema_text import read_toml

    assert subject.schema is not None
    model = subject.model or "tree"
    words = {key: word for key, word in subject.options.items() if word is not None}
    for key in words:  # a classifier has parameters that are no options: its ledger, for one
        if key not in _model_words():
            refused = f"--{key.replace('_', '-')} is not for --model {model}"
            if key not in class_options():
                refused += f": {unknown_option(key, {*_model_words(), *subject.taken})}"
            raise BadInput(refused)
    share = words.pop(_RATES, None)
    shape = shaped(model, read_toml(subject.schema), words)
    if len(answers.names) > 2 and not shape.kind._many_classes:
        takers = ", ".join(name for name, kind in models().items() if kind._many_classes)
        raise BadInput(f"--model {model} learns two label values: for more, use --model {takers}")
    estimator = shape.kind(
        domain=shape.declared,
        epsilon=privacy.epsilon,
        delta=privacy.delta,
        relation=privacy.relation.value,
        beta=beta,
        **shape.options,
    )
    if share is not None:
        from tacit.estimators.rated import RatedClassifier

        estimator = RatedClassifier(estimator, rate_share=share)
    task: Task = estimator.task(alpha=alpha)
    return task


def _model_words() -> frozenset[str]:
    """What may be said about a model over a table."""
    from tacit.cli.learn_options import TableModel

    return frozenset(field.name for field in fields(TableModel))


def plan_words(command: Callable[..., None]) -> set[str]:
    """Every option that ``plan`` takes, with those of classes, models and synthetic tables."""
    return {*class_options(), *_model_words(), *_OF_TABLES, *_OF_INFORMED, *option_names(command)}
