"""``tacit plan``: what a task costs, before any record is touched."""

from __future__ import annotations

import inspect
import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.classes import EXTRA_OPTIONS, extra_options
from tacit.cli.outputs import FORCE, Outputs
from tacit.cli.task import DEFAULT_SETTING
from tacit.core import BadInput
from tacit.core.numbers import exact, show

if TYPE_CHECKING:
    from tacit.core import Task

_STEPS = 16
SETTINGS = EXTRA_OPTIONS
"""What Typer is told about this command."""


def plan(
    context: typer.Context,
    *,
    epsilon: Annotated[str, typer.Option(help="Privacy, such as 0.5 or 1/2.")],
    schema: Annotated[
        Path | None,
        typer.Option(help="Public schema (TOML) of a table, for --model and classes of tables."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(help="With --schema: tree (default), rule-list, stump, interval, box, ..."),
    ] = None,
    concepts: Annotated[
        str | None,
        typer.Option("--class", help="points, thresholds, parities, trees, ...: any public class."),
    ] = None,
    bits: Annotated[str | None, typer.Option(help="The domain is 0..2^bits-1.")] = None,
    size: Annotated[str | None, typer.Option(help="The domain is 0..size-1.")] = None,
    orientation: Annotated[
        str | None, typer.Option(help="Of thresholds: >= (default), < or <=.")
    ] = None,
    matrix: Annotated[
        str | None, typer.Option(help="CSV of 0s and 1s, one concept a line, for --class table.")
    ] = None,
    alpha: Annotated[str, typer.Option(help="Error, such as 0.05, 5% or 1/20.")] = "0.1",
    beta: Annotated[str, typer.Option(help="Failure probability.")] = "0.05",
    delta: Annotated[str, typer.Option(help="0 for pure privacy.")] = "0",
    relation: Annotated[
        str, typer.Option(help="replace-one, add-remove or label.")
    ] = "replace-one",
    setting: Annotated[str, typer.Option(help="agnostic or realizable.")] = DEFAULT_SETTING,
    output: Annotated[str, typer.Option("--output-kind", help="any, proper or improper.")] = "any",
    goal: Annotated[str, typer.Option(help="learn, or sanitize.")] = "learn",
    k: Annotated[int, typer.Option(help="Concepts to learn from the same records.")] = 1,
    marginal: Annotated[str, typer.Option(help="any, or uniform.")] = "any",
    n: Annotated[
        int | None, typer.Option(help="Records at hand: also say what they can do.")
    ] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(help="A parameter to vary: epsilon=0.1..4 or alpha=0.05,0.1,0.2."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", "-o", help="Write to .html, .svg, .png, .csv or .json."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help=FORCE)] = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", help="All algorithms and bounds, and why others are not used."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say how many records suffice, how many are needed, and why.

    For a table: --schema FILE [--model tree]. For any class: --class NAME with the options of
    that class, such as --class parities --bits 8 or --class trees --schema FILE --depth 2.
    """
    from tacit.cli.task import read_task
    from tacit.planner import plan as make

    task = read_task(
        concepts=concepts,
        model=model,
        schema=schema,
        options=extra_options(context.args)
        | {"bits": bits, "size": size, "orientation": orientation, "matrix": matrix},
        taken=set(inspect.signature(plan).parameters),
        epsilon=epsilon,
        delta=delta,
        relation=relation,
        alpha=alpha,
        beta=beta,
        setting=setting,
        output=output,
        goal=goal,
        k=k,
    ).with_(marginal=marginal)
    inputs = {"matrix": None if matrix is None else Path(matrix), "schema": schema}
    with Outputs({"output": save}, inputs=inputs, force=force) as files:
        if sweep:
            _sweep(task, words=sweep, files=files, as_json=as_json)
            return
        if save is not None and save.suffix.lower() != ".json":
            raise BadInput("one plan is saved as .json; charts and .csv come with --sweep")
        answer = make(task)
        record: dict[str, Any] = answer.to_dict()
        if n is not None:
            record["with"] = _inverse(task, n=n)
        if save is not None:
            files["output"].write(json.dumps(record, indent=2) + "\n")
    if as_json:
        typer.echo(json.dumps(record, indent=2))
        return
    typer.echo(answer.summary())
    if n is not None:
        typer.echo(_words(record["with"]))
    if verbose:
        from rich.console import Console

        Console().print(answer)
        typer.echo(answer.explain())
    else:
        typer.echo("(--verbose: all algorithms and bounds, and what would need fewer records)")
    if save is not None:
        typer.echo(f"written: {save}")


def _inverse(task: Task, *, n: int) -> dict[str, Any]:
    from tacit.planner import plan as make

    alpha, epsilon = make.least_alpha(task, n), make.least_epsilon(task, n)
    return {
        "n": n,
        "least_alpha": None if alpha is None else show(alpha),
        "least_epsilon": None if epsilon is None else show(epsilon),
        "most_tasks": make.most_tasks(task, n),
    }


def _words(record: dict[str, Any]) -> str:
    alpha, epsilon = record["least_alpha"], record["least_epsilon"]
    return (
        f"With {record['n']} records: "
        + (f"an error alpha of {alpha} at this epsilon" if alpha else "no error below 1 is certain")
        + "; "
        + (f"this alpha from epsilon {epsilon} on" if epsilon else "no epsilon reaches this alpha")
        + f"; {record['most_tasks']} tasks at this alpha and epsilon."
    )


def _sweep(task: Task, *, words: list[str], files: Outputs, as_json: bool) -> None:
    from tacit.planner import plan as make

    axes = dict(_axis(word) for word in words)
    grid: Any = axes
    answer = make.sweep(task, **grid)
    if "output" in files:
        answer.save(files["output"].draft)
        files["output"].publish()
    if as_json:
        typer.echo(json.dumps(answer.to_dict(), indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    view = Table(title=task.describe())
    for name in (*answer.axes, "records", "algorithm", "needed"):
        view.add_column(name, justify="left" if name == "algorithm" else "right")
    for row in answer.rows:
        if row.best:
            at = [f"{row.at[name]:g}" for name in answer.axes]
            needed = "" if row.needed is None else str(row.needed)
            view.add_row(*at, str(row.records), row.algorithm, needed)
    Console().print(view)
    for path in files.paths:
        typer.echo(f"written: {path}")


def _axis(word: str) -> tuple[str, list[Fraction]]:
    """``epsilon=0.1..4`` is a geometric range, ``alpha=0.05,0.1`` a list."""
    name, equals, values = word.partition("=")
    if not equals or name not in ("epsilon", "alpha", "beta", "delta", "k"):
        raise BadInput("--sweep looks like epsilon=0.1..4, or alpha=0.05,0.1,0.2")
    low, dots, high = values.partition("..")
    if not dots:
        return name, [exact(value, name=name) for value in values.split(",")]
    first, last = exact(low, name=name), exact(high, name=name)
    if not 0 < first < last:
        raise BadInput(f"--sweep {name}: the range must rise from above 0")
    ratio = float(last / first) ** (1 / (_STEPS - 1))
    inner = [exact(f"{float(first) * ratio**i:.3g}", name=name) for i in range(1, _STEPS - 1)]
    if name == "k":
        inner = [Fraction(round(value)) for value in inner]
    return name, sorted({first, *inner, last})
