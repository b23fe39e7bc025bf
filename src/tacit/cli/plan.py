"""``tacit plan``: what a task costs, before any record is touched."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.classes import EXTRA_OPTIONS, extra_options
from tacit.cli.groups import Without, grouped, option_names
from tacit.cli.label_options import ANSWERS, LabelOptions
from tacit.cli.outputs import Outputs
from tacit.cli.person_options import PersonsOptions
from tacit.cli.plan_labels import planned_labels
from tacit.cli.plan_options import PlannedAccuracy, PlanOutput, SubjectOptions
from tacit.cli.privacy_options import PrivacyOptions
from tacit.cli.task import DEFAULT_SETTING, Question, Subject, plan_words, read_task
from tacit.core import BadInput
from tacit.core.numbers import counted, exact, show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.core import Task
    from tacit.planner.sweeps import Sweep

_STEPS = 16
SETTINGS = EXTRA_OPTIONS
"""What Typer is told about this command."""


@grouped
def plan(
    context: typer.Context,
    *,
    about: SubjectOptions,
    accuracy: PlannedAccuracy,
    privacy: PrivacyOptions,
    labels: Annotated[LabelOptions, Without("label", "positive", "negative")],
    persons: PersonsOptions,
    question: Question,
    shown: PlanOutput,
) -> None:
    """Say how many records suffice, how many are needed, and why.

    For a table: --schema FILE [--model tree], or for a synthetic one --schema FILE --goal
    sanitize [--queries marginals] [--ways 2] [--about COLUMN]. For any class: --class NAME with
    the options of that class, such as --class parities --bits 8, or --class trees --schema FILE
    --depth 2.
    """
    subject = Subject(
        concepts=about.concepts,
        options=extra_options(context.args, known=lambda: plan_words(plan)) | about.words(),
        model=about.model,
        schema=about.schema,
        taken=option_names(plan),
    )
    names = planned_labels(subject, question, labels, persons=persons.unit is not None)
    task = read_task(
        subject,
        replace(question, k=len(names) or question.k),
        privacy=privacy,
        persons=persons,
        accuracy=(accuracy.alpha, accuracy.beta),
        answers=labels.answers(),
    )
    if names:
        many = any(len(values) > 2 for values in names.values())
        task = task.with_(labels=tuple(names), label_values=names.values() if many else ())
    of_a_model = about.concepts is None and question.goal == "learn"
    task = _shared(task, shared=labels.shared, of_a_model=of_a_model and not shown.sweep)
    _refuse_unread(shown, question, labels)
    inputs = {"matrix": Path(about.matrix) if about.matrix else None, "schema": about.schema}
    with Outputs({"output": shown.save}, inputs=inputs, force=shown.force) as files:
        if shown.sweep:
            chosen = of_a_model and labels.shared is None
            _sweep(task, shown, files=files, chosen=chosen)
        elif question.questions is not None:
            _questions(task, question.questions, files=files, as_json=shown.as_json)
        else:
            _plan(task, shown, files=files, of_a_model=of_a_model)


def _shared(task: Task, *, shared: bool | None, of_a_model: bool) -> Task:
    """The task with the trees that ``learn`` would take for several labels.

    A class that was named stays as it is unless questions are to be shared; so does a sweep,
    which asks at each of its points.
    """
    if shared is not None and task.k == 1:
        told = "--shared" if shared else "--own"
        raise BadInput(
            f"{told} is for several labels: say how many, such as --k 3, or --labels a,b,c"
        )
    if task.k == 1 or not (of_a_model or shared):
        return task
    from tacit.planner.labels import labels_together

    return labels_together(task, shared=shared)


def _refuse_unread(shown: PlanOutput, question: Question, labels: LabelOptions) -> None:
    """Refuse options that a sweep, or a plan for questions, would not heed."""
    of_one = {"n": shown.n is not None, "verbose": shown.verbose}
    of_rules = {
        "goal": question.goal != "learn",
        "k": question.k != 1,
        "setting": question.setting != DEFAULT_SETTING,
        "output-kind": question.output != "any",
        "marginal": question.marginal != "any",
        "public": question.public is not None,
        "shared": labels.shared is not None,
        "labels": labels.labels is not None,
        "classes": labels.classes is not None,
        "other": labels.other != ANSWERS.other,
    }
    kinds = {
        "questions": (question.questions, of_one | of_rules | {"sweep": bool(shown.sweep)}),
        "sweep": (shown.sweep, of_one),
    }
    for kind, (asked, unread) in kinds.items():
        for option in (name for name, there in unread.items() if asked and there):
            raise BadInput(f"--{option} does not go with --{kind}: leave one of them out")


def _plan(task: Task, shown: PlanOutput, *, files: Outputs, of_a_model: bool) -> None:
    """Print one plan, and write it where that was asked for."""
    from tacit.planner import plan as make
    from tacit.planner.explain import without_theorem

    n = shown.n
    if any(path.suffix.lower() != ".json" for path in files.paths):
        raise BadInput("one plan is saved as .json; charts and .csv come with --sweep")
    answer = make(task)
    if of_a_model and not answer.options and without_theorem(answer) is None:
        words = answer.explain() if shown.verbose else answer.summary(n=n)
        raise BadInput(words)  # as ``learn`` would
    record: dict[str, Any] = answer.to_dict()
    if n is not None:
        record["with"] = _inverse(task, n=n)
    if "output" in files:
        files["output"].write(json.dumps(record, indent=2) + "\n")
    if shown.as_json:
        typer.echo(json.dumps(record, indent=2))
        return
    if n is not None and answer.options:
        typer.echo(_words(task, record["with"]))
    typer.echo(answer.summary(n=n))
    if shown.verbose:
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
        enough = f"{counted(way.n, 'record')} suffice{'s' if way.n == 1 else ''}"
        typer.echo(f"  {enough} by {way.name} ({way.bound.claim.cite})")
    for path in files.paths:
        typer.echo(f"written: {path}")


def _inverse(task: Task, *, n: int) -> dict[str, Any]:
    from tacit.planner import plan as make
    from tacit.planner.inverse import with_labels

    alpha, epsilon = make.least_alpha(task, n), make.least_epsilon(task, n)
    reached = None if alpha is None else make(task.with_(alpha=alpha).at(_public(task, n)))
    by = None if reached is None else reached.runnable or reached.best
    gentler = make.gentler(task, n)
    return {
        "n": n,
        "algorithm": None if by is None else by.name,
        "least_alpha": None if alpha is None else show(alpha),
        "least_alpha_runs": by is not None and by.runs,
        "gentler": None
        if gentler is None
        else {"epsilon": show(gentler[0]), "least_alpha": show(gentler[1])},
        "least_epsilon": None if epsilon is None else show(epsilon),
        "least_epsilon_runs": epsilon is not None and _runs(task.with_(epsilon=epsilon), n=n),
        "most_tasks": (tasks := make.most_tasks(task, n)),
        "most_tasks_runs": tasks > 0 and _runs(with_labels(task, tasks), n=n),
    }


def _runs(task: Task, *, n: int) -> bool:
    """Whether an algorithm that can be run here does this task with so many records."""
    from tacit.planner import plan as make

    option = make(task.at(_public(task, n))).runnable
    return option is not None and option.n <= n


def _public(task: Task, n: int) -> int | None:
    """The number of records, where the relation lets it be known."""
    return n if task.privacy.relation.size_is_public else None


_PAPER = " (on paper: no computer can run that at this size)"


def _words(task: Task, record: dict[str, Any]) -> str:
    from tacit.planner.explain import FOLLOWS, kind_of_error

    alpha, epsilon, tasks = (
        record[name] for name in ("least_alpha", "least_epsilon", "most_tasks")
    )
    above = kind_of_error(task)
    asked = f"an error of {show(task.accuracy.alpha)}{above}"
    less = record["gentler"]
    return (
        f"With {counted(record['n'], 'record' if task.privacy.unit is None else 'person')}: "
        + (
            f"an error of {alpha}{above} at this epsilon ({record['algorithm']})"
            + ("" if record["least_alpha_runs"] else _PAPER)
            if alpha
            else "no error below 1 is certain at this epsilon"
        )
        + "; "
        + (f"{epsilon} is the least epsilon for {asked}" if epsilon else f"{asked} at no epsilon")
        + ("" if record["least_epsilon_runs"] or not epsilon else _PAPER)
        + _at_once(task, tasks, asked)
        + (_PAPER if tasks > (task.k == 1) and not record["most_tasks_runs"] else "")
        + _all_with_less(task, tasks, epsilon)
        + "."
        + ("" if less is None else f" {_less(less)}: {FOLLOWS}.")
    )


def _less(gentler: dict[str, str]) -> str:
    """Which smaller error a smaller epsilon is proved to reach."""
    return f"With epsilon = {gentler['epsilon']} an error of {gentler['least_alpha']} is proved"


def _at_once(task: Task, tasks: int, asked: str) -> str:
    """How many rules can be learned at once with what was asked for, of those that are wanted."""
    from tacit.core.concept import Averaged

    if task.k == 1:
        return f"; {tasks} rules at once with {asked} each" if tasks > 1 else ""
    which = "all" if tasks >= task.k else str(tasks)
    each = "" if isinstance(task.concept_class, Averaged) else " each"
    return f"; {which} of the {task.k} labels can be learned at once with {asked}{each}"


def _all_with_less(task: Task, tasks: int, epsilon: str | None) -> str:
    """That a smaller epsilon is proved to do for all labels, where the one asked for is not."""
    if tasks >= task.k or epsilon is None or Fraction(epsilon) >= task.privacy.epsilon:
        return ""
    return f" (all of them with epsilon = {epsilon})"


def _sweep(task: Task, shown: PlanOutput, *, files: Outputs, chosen: bool) -> None:
    """Print the plans of a grid; with ``chosen`` each for the trees that ``learn`` would take."""
    from tacit.planner.labels import sweep_labels
    from tacit.planner.planning import plan as make

    given = [_axis(word) for word in shown.sweep or ()]
    axes = dict(given)
    if len(axes) != len(given):
        raise BadInput("--sweep varies each parameter once: list all its values in one --sweep")
    grid: Any = axes
    answer = sweep_labels(task, **grid) if chosen else make.sweep(task, **grid)
    if "output" in files:
        answer.save(files["output"].draft)
        files["output"].publish()
    if shown.as_json:
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
    for words in _other_errors(task, answer):
        typer.echo(words)
    for path in files.paths:
        typer.echo(f"written: {path}")


def _other_errors(task: Task, answer: Sweep) -> Iterator[str]:
    """What an error is at points where other rules are planned than the title names."""
    from tacit.planner.explain import kind_of_error

    usual = kind_of_error(task)
    other = {
        (plan.best.name, kind_of_error(plan.task))
        for _, plan in answer.plans
        if plan.best is not None and kind_of_error(plan.task) != usual
    }
    for name, kind in sorted(other):
        yield f"{name}: the error is counted{kind}; otherwise{usual}."


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
