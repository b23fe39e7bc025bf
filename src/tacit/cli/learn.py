"""``tacit learn``: from a table to a rule with its certificate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import typer

from tacit.cli.classes import EXTRA_OPTIONS, class_options, extra_options, unknown_option
from tacit.cli.groups import given, grouped, option_names
from tacit.cli.label_options import Declared, LabelOptions, read_label, refuse_measured
from tacit.cli.learn_options import (
    CertifiedPrivacy,
    ConceptOptions,
    ConceptPanel,
    PrivacyPanel,
    RuleFile,
    SpendingPanel,
    TableModel,
    TablePanel,
)
from tacit.cli.person_options import Persons, PersonsOptions
from tacit.cli.reading import Data, Reading, ReadingOptions
from tacit.cli.resources import LimitOptions
from tacit.core import BadInput, Label, NamedRule
from tacit.core.named import SeveralLabels

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rich.console import Console

    from tacit.cli.outputs import Outputs
    from tacit.core import Hypothesis, Release, Source

    Learn = Callable[[Source, Any], Release[object]]

SETTINGS = EXTRA_OPTIONS
"""What Typer is told about this command: a class has options of its own."""


@grouped
def learn(
    context: typer.Context,
    data: Data,
    *,
    target: LabelOptions,
    file: RuleFile,
    privacy: PrivacyPanel,
    persons: PersonsOptions,
    spending: SpendingPanel,
    table: TablePanel,
    concept: ConceptPanel,
    reading: ReadingOptions,
    limits: LimitOptions,
) -> None:
    """Learn a private rule and write it with its certificate.

    From a table with a public schema (--schema, and --model), or for any concept class
    (--class NAME with the options of that class, as in `tacit plan`).

    Exit codes: 0 done, 2 bad input or usage, 3 refused by the budget, 4 too few records,
    5 paid for, but not delivered where asked (it says where it is kept, or why there is none).
    """
    from tacit.cli.paid import Order, deliver

    with limits.held():
        if str(data).startswith("--"):  # an option that only a class may know, before the file
            if concept.concepts is not None:
                raise BadInput("name the file first, and then the options of --class")
            word = str(data)[2:].partition("=")[0].replace("-", "_")
            raise unknown_option(word, option_names(learn))

        def known() -> set[str]:
            of_a_class = class_options() if concept.concepts is not None else ()
            return {*of_a_class, *option_names(learn)}

        extra = extra_options(context.args, known=known)
        declared = target.declared()
        wanted = Wish(declared, privacy, persons, table, concept, reading, extra)
        wanted.check()
        asked = RuleRelease(wanted=wanted, learn=wanted.learn(), output=file.output)
        order = Order(
            data=data,
            reading=reading,
            spending=spending,
            inputs={"schema": table.schema, "matrix": concept.matrix, "public": concept.public},
            relation=privacy.relation,
            unit=persons.unit,
            force=file.force,
            as_json=file.as_json,
        )
        deliver(asked, order)


@dataclass(frozen=True, slots=True)
class Wish:
    """Which rule is wanted: all that the options say about it."""

    labels: Declared
    privacy: CertifiedPrivacy
    persons: Persons
    table: TableModel
    concept: ConceptOptions
    reading: Reading
    extra: Mapping[str, str | None]

    def check(self) -> None:
        """Refuse options that would be ignored: they are told, not dropped."""
        table, concept = self.table, self.concept
        if concept.concepts is not None:
            shared = self.labels.shared
            several = [] if shared is None else ["shared" if shared else "own"]
            _refuse([*table.alone(), *several], "--schema without --class")
            self._check_column()
            self._check_labels()
            return
        if table.schema is None:
            _refuse(table.options(), "--schema; `tacit schema init` writes one to fill in")
            _refuse([*concept.alone(), *given(concept)], "--class")
            raise BadInput(
                "say what to learn: --schema FILE for a table (`tacit schema init` writes one to "
                "fill in), or --class NAME for a concept class, such as --class thresholds --size "
                "120"
            )
        _refuse(concept.alone(), "--class, not --schema")
        for name in self.extra:
            raise unknown_option(name, option_names(learn))

    def _check_column(self) -> None:
        """Refuse a column beside those of a schema, and one that is the label itself."""
        if self.concept.column is None:
            return
        if self.table.schema is not None:
            raise BadInput("--schema names the columns of this class: leave --column out")
        if self.labels.column in (self.concept.column, *column_names(self.concept.column, [])):
            raise BadInput(f"the label {self.labels.column!r} must not be the --column as well")

    def _check_labels(self) -> None:
        """Refuse what several labels of a class cannot have: all have the same two values."""
        if self.labels.columns is None:
            return
        if self.table.schema is not None:
            raise BadInput(
                "--class learns one label of a table: several are for --schema without --class, "
                "and with --model"
            )
        if self.labels.other != "negative":
            raise BadInput(
                "with --class and several --labels any other label counts as the negative one: "
                "leave out --other"
            )

    def learn(self) -> Learn:
        """What learns it from a source, at the cost of a ledger."""
        return self._of_a_model if self.concept.concepts is None else self._of_a_class()

    def _of_a_model(self, source: Source, payee: Any) -> Release[object]:
        """What learns a model; a refusal calls it as the user did, and not its algorithm."""
        from tacit.sources.memory import HoldsRecords

        try:
            return self._of_a_table(source, payee)
        except HoldsRecords as error:
            raise BadInput(f"--model {self.table.model or 'tree'} {error.why}") from None

    def _of_a_table(self, source: Source, payee: Any) -> Release[object]:
        from tacit.cli.learn_table import (
            Wanted,
            learn_several,
            learn_table,
            read_names,
            several_names,
        )
        from tacit.domains.schema_text import read_toml
        from tacit.sources.words import refuse_unread

        labels = self.labels
        assert self.table.schema is not None
        wanted = Wanted(
            schema=read_toml(self.table.schema),
            model=self.table,
            privacy=self.privacy,
            values=labels.values,
            payee=payee,
            persons=self.persons,
            other=labels.other,
            public=self.reading.public(self.concept.public),
        )
        columns = wanted.schema.get("columns", wanted.schema)
        if labels.column is None:
            assert labels.columns is not None
            plain = read_names(labels.columns, option="--labels")
            refuse_unread(source, [one.partition("=")[0] for one in plain])
            names = several_names(labels.columns, list(source.types))
            if not labels.named:
                plainly = [name for name, told in names.items() if told is None]
                refuse_measured(plainly, source=source, declared=columns)
            return learn_several(source, names, wanted, shared=labels.shared)
        if not labels.named:
            refuse_measured([labels.column], source=source, declared=columns)
        return named(learn_table(source, labels.column, wanted), labels.read())

    def _of_a_class(self) -> Learn:
        from tacit.api import solve
        from tacit.cli.task import DEFAULT_SETTING, Question, Subject, read_task

        concept, labels = self.concept, self.labels
        subject = Subject(
            concepts=concept.concepts,
            options=dict(self.extra) | concept.words(self.table),
            taken=option_names(learn),
        )
        question = Question(
            setting=concept.setting or DEFAULT_SETTING,
            output=concept.output_kind or "any",
            marginal=concept.marginal or "any",
        )
        task = read_task(
            subject,
            question,
            privacy=self.privacy,
            persons=self.persons,
            accuracy=(concept.alpha or "0.1", self.privacy.beta),
            answers=labels.answers(),
        )
        negative = None if labels.negative is None else read_label(labels.negative)

        def released(source: Source, payee: Any) -> Release[object]:
            column, label = concept.column, labels.column or self._label_columns(source)
            solved = solve(
                task if isinstance(label, str) else task.with_(k=len(label)),
                source,
                ledger=payee,
                algorithm=concept.algorithm,
                label=label,
                column=None if column is None else column_names(column, list(source.types)),
                positive=read_label(labels.positive),
                negative=negative,
                public=self.reading.public(concept.public),
                labels_named=labels.named,
            )
            return replace(solved.release, value=solved.named(solved.release.value))

        return released

    def _label_columns(self, source: Source) -> list[str]:
        """The label columns of a class that ``--labels`` names: all with the same two values."""
        from tacit.cli.learn_table import read_names, several_names
        from tacit.sources.words import refuse_unread

        text, known = self.labels.columns or "", list(source.types)
        plain = read_names(text, option="--labels")
        refuse_unread(source, [one.partition("=")[0] for one in plain])
        named = several_names(text, known)
        told = [name for name, values in named.items() if values is not None]
        if told:
            raise BadInput(
                f"with --class all labels have the same two values, --positive and --negative: "
                f"leave out those of {told[0]!r}"
            )
        if len(named) < 2:
            raise BadInput("name at least two different label columns")
        for name in column_names(self.concept.column or "", known):
            if name in named:
                raise BadInput(f"the label {name!r} must not be the --column as well")
        return list(named)


def _refuse(names: Iterable[str], needed: str) -> None:
    for name in names:
        raise BadInput(f"--{name.replace('_', '-')} needs {needed}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRelease:
    """One ``tacit learn``: what is learned, and where it goes."""

    wanted: Wish
    learn: Learn
    output: Path | None

    making: ClassVar[str] = "learning"
    writing: ClassVar[str] = "writing the rule"
    column: ClassVar[None] = None

    @property
    def outputs(self) -> dict[str, Path | None]:
        """The file that is written."""
        return {"output": self.output}

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read, besides the label."""
        from tacit.cli.learn_table import columns_read

        return tuple(columns_read(self.wanted.table, self.wanted.concept))

    @property
    def label(self) -> str:
        """The label column, or the names and patterns of several."""
        from tacit.cli.learn_table import read_names

        if self.wanted.labels.columns is None:
            return self.wanted.labels.column or ""
        each = read_names(self.wanted.labels.columns, option="--labels")
        return ", ".join(one.partition("=")[0].strip() for one in each)

    def release(self, source: Source, ledger: Any) -> Release[object]:
        """Charge the ledger and learn."""
        return self.learn(source, ledger)

    def rehearse(self) -> None:
        """Load nothing: a rule is words."""

    def write(self, release: Release[Any], record: Mapping[str, Any], files: Outputs) -> None:
        """Write the release with its certificate."""
        from tacit.report.release_file import release_text

        del release  # the record holds all of it
        if self.output is not None:
            files["output"].write(release_text(record))

    def show(self, release: Release[Any], paths: list[Path], console: Console) -> None:
        """Print the rule and its certificate, and where they are."""
        from tacit.cli.files import show_release

        show_release(release, console=console)
        for path in paths:
            console.print(f"\nwritten: {path}", markup=False, highlight=False, soft_wrap=True)


def column_names(text: str, known: list[str]) -> list[str]:
    """A column, or several with commas between them; a name with a comma in it is one column."""
    return [text] if text in known else [name.strip() for name in text.split(",")]


def named(release: Release[Hypothesis], label: Label | SeveralLabels) -> Release[Hypothesis]:
    """The release of a rule over a table with the names that its owner gave to the label."""
    rule = release.value.rule if isinstance(release.value, NamedRule) else release.value
    return replace(release, value=NamedRule(rule=rule, label=label))
