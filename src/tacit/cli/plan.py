"""``tacit plan``: what a task costs, before any record is touched."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.outputs import FORCE, Outputs
from tacit.core import BadInput
from tacit.core.numbers import exact, show

if TYPE_CHECKING:
    from tacit.core import Task

_STEPS = 16


def plan(
    *,
    concepts: Annotated[str, typer.Option("--class", help="points, thresholds or table.")],
    epsilon: Annotated[str, typer.Option(help="Privacy, such as 0.5 or 1/2.")],
    bits: Annotated[int | None, typer.Option(help="The domain is 0..2^bits-1.")] = None,
    size: Annotated[str | None, typer.Option(help="The domain is 0..size-1.")] = None,
    orientation: Annotated[str, typer.Option(help="Of thresholds: >=, < or <=.")] = ">=",
    matrix: Annotated[
        Path | None, typer.Option(help="CSV of 0s and 1s, one concept a line, for --class table.")
    ] = None,
    alpha: Annotated[str, typer.Option(help="Error.")] = "0.1",
    beta: Annotated[str, typer.Option(help="Failure probability.")] = "0.05",
    delta: Annotated[str, typer.Option(help="0 for pure privacy.")] = "0",
    relation: Annotated[
        str, typer.Option(help="replace-one, add-remove or label.")
    ] = "replace-one",
    setting: Annotated[str, typer.Option(help="realizable or agnostic.")] = "realizable",
    output: Annotated[str, typer.Option(help="any, proper or improper.")] = "any",
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
        Path | None, typer.Option(help="Write to .html, .svg, .png, .csv or .json.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help=FORCE)] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say how many records suffice, how many are needed, and why."""
    from tacit.cli.task import read_task
    from tacit.planner import plan as make

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
        output=output,
        k=k,
    ).with_(marginal=marginal)
    with Outputs({"output": save}, inputs={"matrix": matrix}, force=force) as files:
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
    from rich.console import Console

    Console().print(answer)
    typer.echo(answer.explain())
    if n is not None:
        typer.echo(_words(record["with"]))
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
        + (f"alpha down to {alpha}" if alpha else "no alpha is reached")
        + "; "
        + (f"or epsilon down to {epsilon}" if epsilon else "no epsilon suffices")
        + f"; or {record['most_tasks']} tasks."
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
