"""``tacit learn``: from a table to a rule with its certificate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.outputs import FORCE, Outputs, check_outputs
from tacit.cli.reading import Data, Decimal, Delimiter, Encoding, Glob, Quote, Reading, Sheet, Table
from tacit.cli.spend import DRY_RUN, LEDGER, NO_LEDGER, PURPOSE
from tacit.core import BadInput, Label, NamedRule

if TYPE_CHECKING:
    from rich.console import Console

    from tacit.core import Release

_PRIVACY = "Privacy and accuracy"
_TABLE = "A table with a schema (--schema)"
_COLUMN = "One column of whole numbers (--class)"


def learn(
    data: Data,
    *,
    label: Annotated[str, typer.Option(help="The label column.")],
    positive: Annotated[str, typer.Option(help="The label value that means 1.")] = "1",
    negative: Annotated[
        str | None,
        typer.Option(help="The label value that means 0; default: any other, missing too."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write rule and certificate as JSON.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help=FORCE)] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the release as JSON, nothing else.")
    ] = False,
    epsilon: Annotated[
        str, typer.Option(help="Privacy, such as 0.5 or 1/2.", rich_help_panel=_PRIVACY)
    ],
    delta: Annotated[str, typer.Option(help="0 for pure privacy.", rich_help_panel=_PRIVACY)] = "0",
    relation: Annotated[
        str, typer.Option(help="replace-one, add-remove or label.", rich_help_panel=_PRIVACY)
    ] = "replace-one",
    beta: Annotated[
        str, typer.Option(help="Failure probability to certify.", rich_help_panel=_PRIVACY)
    ] = "0.05",
    ledger: Annotated[str | None, typer.Option(help=LEDGER, rich_help_panel=_PRIVACY)] = None,
    no_ledger: Annotated[
        bool, typer.Option("--no-ledger", help=NO_LEDGER, rich_help_panel=_PRIVACY)
    ] = False,
    purpose: Annotated[str, typer.Option(help=PURPOSE, rich_help_panel=_PRIVACY)] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help=DRY_RUN, rich_help_panel=_PRIVACY)
    ] = False,
    schema: Annotated[
        Path | None,
        typer.Option(help="Public schema (TOML); see tacit schema.", rich_help_panel=_TABLE),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="tree (default), rule, rule-list, stump, interval, box, conjunction, halfspace, "
            "or selection for the best of several.",
            rich_help_panel=_TABLE,
        ),
    ] = None,
    features: Annotated[
        str | None,
        typer.Option(help="Only these columns of the schema: age,dose.", rich_help_panel=_TABLE),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            help="box, conjunction: how many columns a rule asks, or which together: "
            "age,dose;age,ward.",
            rich_help_panel=_TABLE,
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(help="conjunction: conjunction, cnf or dnf.", rich_help_panel=_TABLE),
    ] = None,
    clauses: Annotated[
        int | None, typer.Option(help="conjunction: clauses at most.", rich_help_panel=_TABLE)
    ] = None,
    depth: Annotated[
        str | None,
        typer.Option(help="tree, rule, rule-list: auto or levels.", rich_help_panel=_TABLE),
    ] = None,
    bins: Annotated[
        int | None,
        typer.Option(help="Cells of a column that declares none.", rich_help_panel=_TABLE),
    ] = None,
    error_share: Annotated[
        str | None,
        typer.Option(
            help="Part of epsilon that counts mistakes: auto, or such as 0.1.",
            rich_help_panel=_TABLE,
        ),
    ] = None,
    among: Annotated[
        str | None,
        typer.Option(help="selection: models to choose from: tree,box.", rich_help_panel=_TABLE),
    ] = None,
    tries: Annotated[
        int | None, typer.Option(help="selection: expected draws.", rich_help_panel=_TABLE)
    ] = None,
    concepts: Annotated[
        str | None,
        typer.Option("--class", help="points, thresholds or table.", rich_help_panel=_COLUMN),
    ] = None,
    column: Annotated[
        str | None, typer.Option(help="The column to learn from.", rich_help_panel=_COLUMN)
    ] = None,
    bits: Annotated[
        int | None, typer.Option(help="The column holds 0..2^bits-1.", rich_help_panel=_COLUMN)
    ] = None,
    size: Annotated[
        str | None, typer.Option(help="The column holds 0..size-1.", rich_help_panel=_COLUMN)
    ] = None,
    orientation: Annotated[
        str | None,
        typer.Option(help="Of thresholds: >= (default), < or <=.", rich_help_panel=_COLUMN),
    ] = None,
    matrix: Annotated[
        Path | None,
        typer.Option(
            help="CSV of 0s and 1s, one concept a line, for --class table.",
            rich_help_panel=_COLUMN,
        ),
    ] = None,
    alpha: Annotated[
        str | None, typer.Option(help="Error to certify; default 0.1.", rich_help_panel=_COLUMN)
    ] = None,
    setting: Annotated[
        str | None,
        typer.Option(help="agnostic (default) or realizable.", rich_help_panel=_COLUMN),
    ] = None,
    output_kind: Annotated[
        str | None, typer.Option(help="any (default), proper, improper.", rich_help_panel=_COLUMN)
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option(help="Default: the plan's best.", rich_help_panel=_COLUMN)
    ] = None,
    delimiter: Delimiter = None,
    decimal: Decimal = ".",
    encoding: Encoding = "utf-8",
    quote: Quote = '"',
    sheet: Sheet = None,
    glob: Glob = False,
    table: Table = None,
) -> None:
    """Learn a private rule and write it with its certificate.

    From a table with a public schema (--schema), or from one column (--class).

    Exit codes: 0 done, 2 bad input or usage, 3 refused by the budget, 4 too few records,
    5 paid for and kept, but not delivered where asked.
    """
    from tacit.accounting import About, describing
    from tacit.cli.deliver import Delivery
    from tacit.cli.files import show_release
    from tacit.cli.spend import cost_of, cost_words, ledger_file, payer
    from tacit.domains.values import key
    from tacit.report.release_file import release_record, release_text

    for_table: dict[str, Any] = {
        "model": model,
        "features": features,
        "columns": columns,
        "form": form,
        "clauses": clauses,
        "depth": depth,
        "bins": bins,
        "error_share": error_share,
        "among": among,
        "tries": tries,
    }
    for_column: dict[str, Any] = {
        "class": concepts,
        "column": column,
        "bits": bits,
        "size": size,
        "orientation": orientation,
        "matrix": matrix,
        "alpha": alpha,
        "setting": setting,
        "output_kind": output_kind,
        "algorithm": algorithm,
    }
    target = Label(
        name=label,
        negative=None if negative is None else read_label(negative),
        positive=read_label(positive),
    )
    if negative is not None and key(target.negative) == key(target.positive):
        raise BadInput("--positive and --negative must be two different values")
    if schema is None:
        _refuse(for_table, "--schema; `tacit schema init` writes one to fill in")
        if concepts is None:
            raise BadInput(
                "say what to learn: --schema FILE for a table (`tacit schema init` writes one to "
                "fill in), or --class points, thresholds or table for one column"
            )
    else:
        _refuse(for_column, "--class, not --schema")
    wanted = {"output": output}
    reading = Reading(
        delimiter=delimiter,
        decimal=decimal,
        encoding=encoding,
        quote=quote,
        sheet=sheet,
        glob=glob,
        table=table,
    )
    inputs = reading.inputs(data) | {
        "ledger": ledger_file(ledger),
        "schema": schema,
        "matrix": matrix,
    }
    check_outputs(wanted, inputs=inputs, force=force)
    book = payer(ledger, none=no_ledger)
    privacy: dict[str, Any] = {
        "epsilon": epsilon,
        "delta": delta,
        "relation": relation,
        "beta": beta,
    }

    def release_rule(book: object) -> Release[Any]:
        source = reading.open(data)
        if schema is not None:
            from tacit.cli.learn_table import learn_table
            from tacit.domains.schema import read_toml

            options = for_table | privacy | {"ledger": book}
            found = learn_table(
                source,
                declared=read_toml(schema),
                label=label,
                positive=positive,
                options=options,
            )
            return named(found, target, column=None)
        from tacit.api import learn as learn_rule
        from tacit.cli.task import DEFAULT_SETTING, read_task

        task = read_task(
            concepts=concepts,
            options={
                "bits": None if bits is None else str(bits),
                "size": size,
                "orientation": orientation,
                "matrix": None if matrix is None else str(matrix),
            },
            alpha=alpha or "0.1",
            setting=setting or DEFAULT_SETTING,
            output=output_kind or "any",
            **privacy,
        )
        payee: Any = book
        found = learn_rule(
            task,
            source,
            ledger=payee,
            algorithm=algorithm,
            label=label,
            column=column,
            positive=read_label(positive),
        )
        others = [name for name in source.types if name != label]
        return named(found, target, column=column or (others[0] if len(others) == 1 else None))

    if dry_run:
        typer.echo(cost_words(cost_of(release_rule), book))
        return
    about = About(data_set=book.ledger.data_set, label=label, purpose=purpose)
    with (
        Delivery(wanted, inputs=inputs, ledger=book.ledger, force=force) as delivery,
        describing(about),
    ):
        release = release_rule(book.ledger)
        record = release_record(release, about=about, counted=book.counted)

        def write(files: Outputs) -> None:
            if output is not None:
                files["output"].write(release_text(record))

        def draw(console: Console) -> None:
            show_release(release, console=console)
            for path in delivery.files.paths:
                console.print(f"\nwritten: {path}", markup=False, highlight=False, soft_wrap=True)

        delivery.finish(record, release, write=write, show=None if as_json else draw)


def _refuse(options: dict[str, Any], needed: str) -> None:
    """Options that would be ignored are told, not dropped."""
    for name, value in options.items():
        if value is not None:
            raise BadInput(f"--{name.replace('_', '-')} needs {needed}")


def named(release: Release[Any], label: Label, *, column: str | None) -> Release[Any]:
    """The release with the names that its owner gave to column and label."""
    return replace(release, value=NamedRule(rule=release.value, label=label, column=column))


def read_label(text: str) -> str | int | float:
    """A label given on the command line: a number where it looks like one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
