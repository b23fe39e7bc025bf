"""``tacit learn``: from a table to a rule with its certificate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.core import BadInput


def learn(
    data: Annotated[Path, typer.Argument(help="A .csv, .tsv or .parquet file.")],
    *,
    label: Annotated[str, typer.Option(help="The label column.")],
    epsilon: Annotated[str, typer.Option(help="Privacy, such as 0.5 or 1/2.")],
    concepts: Annotated[
        str | None, typer.Option("--class", help="points, thresholds or table.")
    ] = None,
    bits: Annotated[int | None, typer.Option(help="The column holds 0..2^bits-1.")] = None,
    size: Annotated[str | None, typer.Option(help="The column holds 0..size-1.")] = None,
    orientation: Annotated[str, typer.Option(help="Of thresholds: >=, < or <=.")] = ">=",
    matrix: Annotated[
        Path | None, typer.Option(help="CSV of 0s and 1s, one concept a line, for --class table.")
    ] = None,
    column: Annotated[str | None, typer.Option(help="The column to learn from.")] = None,
    positive: Annotated[str, typer.Option(help="The label value that means 1.")] = "1",
    schema: Annotated[
        Path | None, typer.Option(help="Public schema (TOML) of a table with many columns.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="With --schema: tree, stump, box, conjunction, ...")
    ] = None,
    delta: Annotated[str, typer.Option(help="0 for pure privacy.")] = "0",
    relation: Annotated[
        str, typer.Option(help="replace-one, add-remove or label.")
    ] = "replace-one",
    alpha: Annotated[str, typer.Option(help="Error to certify.")] = "0.1",
    beta: Annotated[str, typer.Option(help="Failure probability to certify.")] = "0.05",
    setting: Annotated[str, typer.Option(help="realizable or agnostic.")] = "agnostic",
    output_kind: Annotated[
        str, typer.Option("--output-kind", help="any, proper, improper.")
    ] = "any",
    algorithm: Annotated[str | None, typer.Option(help="Default: the plan's best.")] = None,
    ledger: Annotated[
        Path | None, typer.Option(help="Ledger file to charge; made if it does not exist.")
    ] = None,
    budget: Annotated[str | None, typer.Option(help="Epsilon limit of a new ledger file.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write rule and certificate as JSON.")
    ] = None,
) -> None:
    """Learn a private rule and write it with its certificate."""
    from tacit.cli.files import new_file, open_ledger

    target = None if output is None else new_file(output)
    book = open_ledger(ledger, budget=budget, delta=delta)
    if schema is not None or model is not None:
        if schema is None:
            raise BadInput("--model needs --schema; `tacit schema init` writes one to fill in")
        from tacit.cli.learn_table import learn_table

        release = learn_table(
            data,
            schema=schema,
            label=label,
            positive=positive,
            model=model or "tree",
            epsilon=epsilon,
            delta=delta,
            relation=relation,
            alpha=alpha,
            beta=beta,
            ledger=book,
        )
    else:
        from tacit.api import learn as learn_rule
        from tacit.cli.task import read_task

        task = read_task(
            concepts=concepts,
            bits=bits,
            size=size,
            orientation=orientation,
            matrix=matrix,
            epsilon=epsilon,
            delta=delta,
            relation=relation,
            alpha=alpha,
            beta=beta,
            setting=setting,
            output=output_kind,
        )
        release = learn_rule(
            task,
            data,
            ledger=book,
            algorithm=algorithm,
            label=label,
            column=column,
            positive=_label(positive),
        )
    from tacit.cli.files import show_release, write_release

    show_release(release)
    if target is not None:
        write_release(release, target)
        typer.echo(f"\nwritten: {target}")


def _label(text: str) -> object:
    """A label given on the command line: a number where it looks like one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
