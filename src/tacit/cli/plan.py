"""``tacit plan``: what a task costs, before any record is touched."""

from __future__ import annotations

import inspect
import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tacit.cli.classes import EXTRA_OPTIONS, extra_options
from tacit.cli.label_options import told
from tacit.cli.learn_options import Classes, Other
from tacit.cli.outputs import Outputs
from tacit.cli.persons import Rows, RowsPerUnit, Unit, persons
from tacit.cli.plan_options import (
    Alpha,
    AsJson,
    Beta,
    Bits,
    Concepts,
    Delta,
    Epsilon,
    Force,
    Goal,
    Marginal,
    Matrix,
    Model,
    Orientation,
    OutputKind,
    Public,
    Questions,
    Records,
    Relation,
    Save,
    SchemaFile,
    Setting,
    Size,
    Sweep,
    Tasks,
    Verbose,
)
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
    epsilon: Epsilon,
    schema: SchemaFile = None,
    model: Model = None,
    concepts: Concepts = None,
    bits: Bits = None,
    size: Size = None,
    orientation: Orientation = None,
    matrix: Matrix = None,
    alpha: Alpha = "0.1",
    beta: Beta = "0.05",
    delta: Delta = "0",
    relation: Relation = "replace-one",
    classes: Classes = None,
    other: Other = "negative",
    unit: Unit = None,
    rows_per_unit: RowsPerUnit = None,
    rows: Rows = None,
    setting: Setting = DEFAULT_SETTING,
    output: OutputKind = "any",
    goal: Goal = "learn",
    k: Tasks = 1,
    questions: Questions = None,
    marginal: Marginal = "any",
    public: Public = None,
    n: Records = None,
    sweep: Sweep = None,
    save: Save = None,
    force: Force = False,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Say how many records suffice, how many are needed, and why.

    For a table: --schema FILE [--model tree], or for a synthetic one --schema FILE --goal
    sanitize [--queries marginals] [--ways 2]. For any class: --class NAME with the options of that
    class, such as --class parities --bits 8 or --class trees --schema FILE --depth 2.
    """
    from tacit.cli.task import read_task

    own = {"bits": bits, "size": size, "orientation": orientation, "matrix": matrix}
    asked = told(classes, other) | persons(unit, rows_per_unit, rows)
    task = read_task(
        concepts=concepts,
        model=model,
        schema=schema,
        options=extra_options(context.args) | own,
        taken=set(inspect.signature(plan).parameters),
        epsilon=epsilon,
        delta=delta,
        relation=relation,
        alpha=alpha,
        beta=beta,
        setting=setting,
        marginal=marginal,
        **asked | {"public": public, "k": k, "output": output, "goal": goal},
    )
    inputs = {"matrix": Path(matrix) if matrix else None, "schema": schema}
    with Outputs({"output": save}, inputs=inputs, force=force) as files:
        if sweep:
            _sweep(task, words=sweep, files=files, as_json=as_json)
        else:
            _plan(task, n, questions, files=files, as_json=as_json, verbose=verbose)


def _plan(
    task: Task,
    n: int | None,
    questions: int | None,
    *,
    files: Outputs,
    as_json: bool,
    verbose: bool,
) -> None:
    """Print one plan, and write it where that was asked for."""
    from tacit.planner import plan as make

    if questions is not None:
        _questions(task, questions, files=files, as_json=as_json)
        return
    if any(path.suffix.lower() != ".json" for path in files.paths):
        raise BadInput("one plan is saved as .json; charts and .csv come with --sweep")
    answer = make(task)
    record: dict[str, Any] = answer.to_dict()
    if n is not None:
        record["with"] = _inverse(task, n=n)
    if "output" in files:
        files["output"].write(json.dumps(record, indent=2) + "\n")
    if as_json:
        typer.echo(json.dumps(record, indent=2))
        return
    if n is not None and answer.options:
        typer.echo(_words(task, record["with"]))
    typer.echo(answer.summary(n=n))
    if verbose:
        from rich.console import Console

        Console().print(answer)
        typer.echo(answer.explain())
    else:
        typer.echo("(--verbose: all algorithms and bounds, and what would need fewer records)")
    for path in files.paths:
        typer.echo(f"written: {path}")


def _questions(task: Task, questions: int, *, files: Outputs, as_json: bool) -> None:
    """Print the ways to answer questions one by one, and their records."""
    from tacit.planner import plan as make

    if any(path.suffix.lower() != ".json" for path in files.paths):
        raise BadInput("a plan for questions is saved as .json")
    given = task.privacy, task.accuracy
    ways = make.questions(task.concept_class, questions, privacy=given[0], accuracy=given[1])
    record = {"questions": questions, "ways": [{"name": way.name, "n": way.n} for way in ways]}
    if "output" in files:
        files["output"].write(json.dumps(record, indent=2) + "\n")
    if as_json:
        typer.echo(json.dumps(record, indent=2))
        return
    alpha, sure = show(task.accuracy.alpha), show(1 - task.accuracy.beta)
    typer.echo(
        f"{questions} questions about {task.concept_class.domain.describe()}, each chosen after "
        f"the earlier answers and answered within {alpha}, with probability {sure}:"
    )
    for way in ways:
        typer.echo(f"  {way.n} records suffice by {way.name} ({way.bound.claim.cite})")
    for path in files.paths:
        typer.echo(f"written: {path}")


def _inverse(task: Task, *, n: int) -> dict[str, Any]:
    from tacit.planner import plan as make

    alpha, epsilon = make.least_alpha(task, n), make.least_epsilon(task, n)
    reached = None if alpha is None else make(task.with_(alpha=alpha))
    by = None if reached is None else reached.runnable or reached.best
    return {
        "n": n,
        "algorithm": None if by is None else by.name,
        "least_alpha": None if alpha is None else show(alpha),
        "least_epsilon": None if epsilon is None else show(epsilon),
        "least_epsilon_runs": epsilon is not None and _runs(task.with_(epsilon=epsilon), n=n),
        "most_tasks": (tasks := make.most_tasks(task, n)),
        "most_tasks_runs": tasks > 0 and _runs(task.with_(k=tasks), n=n),
    }


def _runs(task: Task, *, n: int) -> bool:
    """Whether an algorithm that can be run here does this task with so many records."""
    from tacit.planner import plan as make

    option = make(task).runnable
    return option is not None and option.n <= n


_PAPER = " (on paper: no computer can run that at this size)"


def _words(task: Task, record: dict[str, Any]) -> str:
    from tacit.planner.explain import kind_of_error

    alpha, epsilon, tasks = (
        record[name] for name in ("least_alpha", "least_epsilon", "most_tasks")
    )
    above = kind_of_error(task)
    asked = f"an error of {show(task.accuracy.alpha)}{above}"
    return (
        f"With {record['n']} {'records' if task.privacy.unit is None else 'persons'}: "
        + (
            f"an error of {alpha}{above} at this epsilon ({record['algorithm']})"
            if alpha
            else "no error below 1 is certain at this epsilon"
        )
        + "; "
        + (f"{asked} from epsilon {epsilon} on" if epsilon else f"{asked} at no epsilon")
        + ("" if record["least_epsilon_runs"] or not epsilon else _PAPER)
        + (f"; {tasks} rules at once with {asked} each" if tasks > 1 else "")
        + (_PAPER if tasks > 1 and not record["most_tasks_runs"] else "")
        + "."
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
