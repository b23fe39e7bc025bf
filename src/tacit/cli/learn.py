"""``tacit learn``: from a table to a rule with its certificate."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tacit.cli.classes import EXTRA_OPTIONS, extra_options
from tacit.cli.label_options import check_other, declared_labels, read_label, read_labels
from tacit.cli.learn_options import (
    Alarms,
    Algorithm,
    Alpha,
    Among,
    AsJson,
    Beta,
    Bins,
    Bits,
    Classes,
    Clauses,
    Column,
    Columns,
    Concepts,
    Cost,
    Delta,
    Depth,
    DryRun,
    Epsilon,
    ErrorShare,
    Features,
    Force,
    Form,
    LabelColumn,
    LabelColumns,
    Ledger,
    Marginal,
    Matrix,
    Model,
    Negative,
    NoLedger,
    Orientation,
    Other,
    OutputFile,
    OutputKind,
    Positive,
    Public,
    Purpose,
    Relation,
    SchemaFile,
    Setting,
    Size,
    Tries,
)
from tacit.cli.outputs import Outputs, check_outputs
from tacit.cli.persons import Rows, RowsPerUnit, Unit, persons
from tacit.cli.reading import (
    Data,
    Decimal,
    Delimiter,
    Encoding,
    Engine,
    Glob,
    Query,
    Quote,
    Reading,
    Sheet,
    Table,
)
from tacit.cli.resources import limited, watched
from tacit.core import BadInput, Label, NamedRule
from tacit.core.named import SeveralLabels

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from tacit.core import Hypothesis, Release, Source

    Learn = Callable[[Source, Any], Release[object]]

SETTINGS = EXTRA_OPTIONS
"""What Typer is told about this command: a class has options of its own."""
_MODELS_ONLY = ("model", "features", "error_share", "cost", "alarms", "among", "tries")
_MODELS = (*_MODELS_ONLY, "columns", "form", "clauses", "depth", "bins")
_CLASSES_ONLY = (
    "column",
    "bits",
    "size",
    "orientation",
    "matrix",
    "alpha",
    "setting",
    "output_kind",
    "marginal",
    "algorithm",
)
_OF_A_CLASS = (
    "bits",
    "size",
    "orientation",
    "matrix",
    "schema",
    "columns",
    "form",
    "clauses",
    "depth",
    "bins",
)
"""Options that some class takes, among those that the command itself names."""


@limited
def learn(
    context: typer.Context,
    data: Data,
    *,
    label: LabelColumn = None,
    labels: LabelColumns = None,
    positive: Positive = None,
    negative: Negative = None,
    classes: Classes = None,
    other: Other = "negative",
    output: OutputFile = None,
    force: Force = False,
    as_json: AsJson = False,
    epsilon: Epsilon,
    delta: Delta = "0",
    relation: Relation = "replace-one",
    beta: Beta = "0.05",
    unit: Unit = None,
    rows_per_unit: RowsPerUnit = None,
    rows: Rows = None,
    ledger: Ledger = None,
    no_ledger: NoLedger = False,
    purpose: Purpose = "",
    dry_run: DryRun = False,
    schema: SchemaFile = None,
    model: Model = None,
    features: Features = None,
    columns: Columns = None,
    form: Form = None,
    clauses: Clauses = None,
    depth: Depth = None,
    bins: Bins = None,
    error_share: ErrorShare = None,
    cost: Cost = None,
    alarms: Alarms = None,
    among: Among = None,
    tries: Tries = None,
    concepts: Concepts = None,
    column: Column = None,
    bits: Bits = None,
    size: Size = None,
    orientation: Orientation = None,
    matrix: Matrix = None,
    alpha: Alpha = None,
    setting: Setting = None,
    output_kind: OutputKind = None,
    marginal: Marginal = None,
    public: Public = None,
    algorithm: Algorithm = None,
    delimiter: Delimiter = None, decimal: Decimal = ".", encoding: Encoding = "utf-8",
    quote: Quote = '"', sheet: Sheet = None, glob: Glob = False, table: Table = None,
    query: Query = None,
    engine: Engine = None,
) -> None:  # fmt: skip
    """Learn a private rule and write it with its certificate.

    From a table with a public schema (--schema, and --model), or for any concept class
    (--class NAME with the options of that class, as in `tacit plan`).

    Exit codes: 0 done, 2 bad input or usage, 3 refused by the budget, 4 too few records,
    5 paid for and kept, but not delivered where asked.
    """
    _learn(**locals())


def _learn(*, context: typer.Context, data: Path, **given: Any) -> None:
    """Check every option, charge the ledger, release, deliver."""
    from tacit.accounting import About, describing
    from tacit.cli.deliver import Delivery
    from tacit.cli.files import show_release
    from tacit.cli.learn_table import columns_read
    from tacit.cli.rehearsal import rehearse_words
    from tacit.cli.spend import cost_of, cost_words, ledger_file, payer
    from tacit.report.release_file import release_record, release_text

    extra = extra_options(context.args)
    if (given["label"] is None) == (given["labels"] is None):
        raise BadInput("name the label column: --label NAME, or several of a table: --labels a,b,c")
    given |= declared_labels(given)
    check_other(given)
    read_labels(given)
    _check_way(given, extra)
    learn_from = (_of_a_model if given["concepts"] is None else _of_a_class)(given, extra)
    wanted, force = {"output": given["output"]}, given["force"]
    reading = read_as(given)
    inputs = reading.inputs(data) | {
        "ledger": ledger_file(given["ledger"]),
        "schema": given["schema"],
        "matrix": given["matrix"],
        "public": given["public"],
    }
    check_outputs(wanted, inputs=inputs, force=force)
    columns = tuple(columns_read(given))
    book = payer(given["ledger"], none=given["no_ledger"])

    def release_rule(payee: object) -> Release[object]:
        return learn_from(reading.open(data), payee)

    if given["dry_run"]:
        typer.echo(cost_words(cost_of(release_rule), book, as_json=given["as_json"]))
        return
    about = About(
        data_set=book.ledger.data_set,
        columns=columns,
        label=given["label"] or given["labels"],
        purpose=given["purpose"],
    )
    with (
        describing(about),
        Delivery(wanted, inputs=inputs, ledger=book.ledger, force=force) as delivery,
    ):
        rehearse_words()
        with watched("learning", relation=given["relation"], unit=given["unit"]):
            release = release_rule(book.ledger)
        record = release_record(release, about=about, counted=book.counted)

        def write(files: Outputs) -> None:
            if given["output"] is not None:
                files["output"].write(release_text(record))

        def draw(console: Console) -> None:
            show_release(release, console=console)
            for path in delivery.files.paths:
                console.print(f"\nwritten: {path}", markup=False, highlight=False, soft_wrap=True)

        delivery.finish(record, release, write=write, show=None if given["as_json"] else draw)


def read_as(given: Mapping[str, Any]) -> Reading:
    """How files are written, as the options say."""
    return Reading(**{name: given[name] for name in Reading.OPTIONS})


def _check_way(given: Mapping[str, Any], extra: Mapping[str, str | None]) -> None:
    """Refuse options that would be ignored: they are told, not dropped."""
    if given["concepts"] is not None:
        _refuse(given, (*_MODELS_ONLY, "labels"), "--schema without --class")
        return
    if given["schema"] is None:
        _refuse(given, _MODELS, "--schema; `tacit schema init` writes one to fill in")
        _refuse(given, (*_CLASSES_ONLY, "public"), "--class")
        raise BadInput(
            "say what to learn: --schema FILE for a table (`tacit schema init` writes one to "
            "fill in), or --class NAME for a concept class, such as --class thresholds --size 120"
        )
    _refuse(given, _CLASSES_ONLY, "--class, not --schema")
    for name in extra:
        near = difflib.get_close_matches(name, given, n=1)
        hint = f"; did you mean --{near[0].replace('_', '-')}?" if near else ""
        raise BadInput(f"there is no option --{name.replace('_', '-')}{hint}")


def _declared(given: Mapping[str, Any]) -> tuple[str | None, ...]:
    """All declared label values, the negative one first, as they were written."""
    return given["classes"] or (given["negative"], given["positive"])


def _refuse(given: Mapping[str, Any], names: tuple[str, ...], needed: str) -> None:
    for name in names:
        if given[name] is not None:
            raise BadInput(f"--{name.replace('_', '-')} needs {needed}")


def _privacy(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in ("epsilon", "delta", "relation", "beta")}


def _persons(given: Mapping[str, Any]) -> dict[str, Any]:
    return persons(given["unit"], given["rows_per_unit"], given["rows"])


def _answers(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a task about its labels, as far as options say anything of them."""
    told: dict[str, Any] = {} if given["other"] is None else {"other": given["other"]}
    if given["classes"] is not None:
        told |= {"values": len(given["classes"]), "names": given["classes"]}
    return told


def _of_a_model(given: Mapping[str, Any], _extra: Mapping[str, str | None]) -> Learn:
    from tacit.cli.learn_table import learn_several, learn_table, several_names
    from tacit.domains.schema_text import read_toml

    def released(source: Source, payee: Any) -> Release[object]:
        options = {name: given[name] for name in _MODELS} | _privacy(given) | {"ledger": payee}
        options["public"] = _public(given)
        options |= _persons(given) | {"other": given["other"]}
        if given["labels"] is not None:
            names = several_names(given["labels"], list(source.types))
            return learn_several(
                source,
                declared=read_toml(given["schema"]),
                labels=names,
                positive=given["positive"],
                negative=given["negative"],
                options=options,
            )
        found = learn_table(
            source,
            declared=read_toml(given["schema"]),
            label=given["label"],
            values=_declared(given),
            options=options,
        )
        return named(found, read_labels(given))

    return released


def _public(given: Mapping[str, Any]) -> Source | None:
    """The file of public records, written as the private one is."""
    here = replace(read_as(given), table=None, query=None, engine=None, glob=False)
    return None if given["public"] is None else here.open(given["public"])


def _of_a_class(given: Mapping[str, Any], extra: Mapping[str, str | None]) -> Learn:
    from tacit.api import learn as learn_rule
    from tacit.cli.task import DEFAULT_SETTING, read_task

    words = {name: given[name] for name in _OF_A_CLASS}
    task = read_task(
        concepts=given["concepts"],
        options=dict(extra)
        | {name: None if word is None else str(word) for name, word in words.items()},
        taken=set(given),
        alpha=given["alpha"] or "0.1",
        setting=given["setting"] or DEFAULT_SETTING,
        output=given["output_kind"] or "any",
        marginal=given["marginal"],
        **_privacy(given),
        **_persons(given),
        **_answers(given),
    )
    label, column = given["label"], given["column"]

    def released(source: Source, payee: Any) -> Release[object]:
        columns = None if column is None else column_names(column, list(source.types))
        return learn_rule(
            task,
            source,
            ledger=payee,
            algorithm=given["algorithm"],
            label=label,
            column=columns,
            positive=read_label(given["positive"]),
            negative=None if given["negative"] is None else read_label(given["negative"]),
            public=_public(given),
        )

    return released


def column_names(text: str, known: list[str]) -> list[str]:
    """A column, or several with commas between them; a name with a comma in it is one column."""
    return [text] if text in known else [name.strip() for name in text.split(",")]


def named(release: Release[Hypothesis], label: Label | SeveralLabels) -> Release[Hypothesis]:
    """The release of a rule over a table with the names that its owner gave to the label."""
    rule = release.value.rule if isinstance(release.value, NamedRule) else release.value
    return replace(release, value=NamedRule(rule=rule, label=label))
