"""What the planner says, in plain values: computed in a worker from the words of a form."""

from __future__ import annotations

import inspect
import shlex
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tacit.cli.classes import public_classes
from tacit.cli.person_options import Persons
from tacit.cli.privacy_options import PrivacyOptions
from tacit.cli.task import DEFAULT_SETTING, Question, Subject, read_task
from tacit.core import BadInput, Relation, Task
from tacit.core.numbers import exact, grouped, show, whole
from tacit.core.task import GOALS, OUTPUTS, ROWS, SETTINGS
from tacit.page.charts import Band
from tacit.page.folder import SCHEMAS, Folder
from tacit.planner import Plan
from tacit.planner import plan as make

Words = tuple[tuple[str, str], ...]
"""The fields of a form, in order: what is asked, and the key under which an answer is kept."""

DEFAULTS = {
    "class": "thresholds",
    "epsilon": "1",
    "delta": "0",
    "alpha": "0.1",
    "beta": "0.05",
    "k": "1",
    "relation": Relation.REPLACE_ONE.value,
    "setting": DEFAULT_SETTING,
    "output": "any",
    "goal": "learn",
    "marginal": "any",
    "unit": "",
    "rows_per_unit": "",
    "rows": ROWS[0],
}
CHOICES = {
    "relation": tuple(one.value for one in Relation),
    "setting": SETTINGS,
    "output": OUTPUTS,
    "goal": GOALS,
    "marginal": ("any", "uniform"),
    "rows": ROWS,
}
_STARTS = {"bits": "16", "columns": "2", "size": "101", "terms": "2"}
_STARTS |= {"seed_bits": "8"}
_FIRST = ("bits", "columns")
"""Where one of several options will do, the one that a form starts with."""
_FILES = {"schema": SCHEMAS, "matrix": (".csv",)}
_FACTORS = (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), 1, 2, 4, 8)
_LONGEST = 40
_NOT_USED = "Not used: "


@dataclass(frozen=True, slots=True)
class Wanted:
    """One option of a class: its name, its first value, and the kinds of file that it names.

    ``optional``  the first value is the class's own default, and need not be given.
    """

    name: str
    start: str
    file: tuple[str, ...]
    optional: bool


def wanted(name: str) -> list[Wanted]:
    """The options of a public class, read from its signature."""
    kind = public_classes().get(name)
    if kind is None:
        raise BadInput(f"there is no class {name!r}; choose one from the list")
    found = []
    for key, parameter in inspect.signature(kind).parameters.items():
        if "tuple" in str(parameter.annotation) and key == "chosen":
            continue
        needed = parameter.default is inspect.Parameter.empty
        optional = not needed and parameter.default is not None
        start = str(parameter.default) if optional else ""
        if needed or (not optional and key in _FIRST):
            start = _STARTS.get(key, "")
        found.append(Wanted(key, start, _FILES.get(key, ()), optional))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An algorithm or a lower bound, with its records and its theorem."""

    what: str
    records: str
    by: str
    theorem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A plan for people: ``enough`` records suffice, ``needed`` no algorithm can avoid."""

    task: str
    things: str
    enough: int | None
    to_run: int | None
    by: str
    needed: int | None
    impossible: bool
    gap: float | None
    summary: tuple[str, ...]
    lines: tuple[Line, ...]
    python: str
    shell: str
    at_hand: str


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """What takes longer: the plan in words, and plans around it for a chart."""

    explanation: tuple[str, ...]
    not_used: tuple[str, ...]
    bands: tuple[Band, ...]
    axis: str
    at: float


def task_of(words: Words, root: str | None) -> Task:
    """The task that a form describes; files are looked for under ``root`` alone."""
    given = DEFAULTS | {name: word for name, word in words if word and name in DEFAULTS}
    for name, allowed in CHOICES.items():
        if given[name] not in allowed:
            raise BadInput(f"{name} must be one of {', '.join(allowed)}")
    options = _options(words)
    files = {name: _file(root, name, options.pop(name)) for name in _FILES if name in options}
    matrix = files.get("matrix")
    subject = Subject(
        concepts=given["class"],
        options=options | ({} if matrix is None else {"matrix": str(matrix)}),
        schema=files.get("schema"),
    )
    question = Question(
        setting=given["setting"],
        output=given["output"],
        goal=given["goal"],
        k=_whole(given["k"], "k"),
        marginal=given["marginal"],
    )
    privacy = PrivacyOptions(
        epsilon=_short(given, "epsilon"),
        delta=_short(given, "delta"),
        relation=given["relation"],
    )
    accuracy = _short(given, "alpha"), _short(given, "beta")
    return read_task(subject, question, privacy=privacy, persons=_persons(given), accuracy=accuracy)


def _persons(given: dict[str, str]) -> Persons:
    most = _whole(given["rows_per_unit"], "rows of each person") if given["rows_per_unit"] else None
    rows = given["rows"] if given["rows"] != DEFAULTS["rows"] else None
    return Persons(unit=_short(given, "unit") or None, rows_per_unit=most, rows=rows)


def _file(root: str | None, name: str, word: str) -> Path:
    if root is None:
        raise BadInput("start the page with a folder to read from: tacit serve --data FOLDER")
    return Folder(Path(root)).file(word, kinds=_FILES[name])


def _short(given: dict[str, str], name: str) -> str:
    if len(given[name]) > _LONGEST:
        raise BadInput(f"{name} has more than {_LONGEST} letters")
    return given[name]


def _whole(word: str, name: str) -> int:
    if not word.isdecimal() or len(word) > _LONGEST:
        raise BadInput(f"{name} must be a whole number")
    return whole(int(word), name=name, least=1)


def _options(words: Words) -> dict[str, str]:
    """The options of the class that say more than their defaults."""
    given = {name[2:]: word for name, word in words if name.startswith("o.") and word}
    usual = {
        one.name: one.start
        for one in wanted(dict(words).get("class", DEFAULTS["class"]))
        if one.optional
    }
    return {name: word for name, word in given.items() if usual.get(name) != word}


def answer(words: Words, root: str | None) -> Answer:
    """Plan what the form asks for."""
    task = task_of(words, root)
    plan = make(task)
    best, needed = plan.best, plan.lower_bounds[0] if plan.lower_bounds else None
    impossible = needed is not None and needed.bound.impossible
    runs = plan.runnable
    return Answer(
        task=task.describe(),
        things="records" if task.privacy.unit is None else "persons",
        enough=None if best is None else best.n,
        to_run=runs.n if best is not None and not best.runs and runs is not None else None,
        by="" if best is None else f"{best.name}, {best.claim.cite}",
        needed=None if needed is None or impossible else needed.n,
        impossible=impossible,
        gap=plan.gap,
        summary=tuple(plan.summary().splitlines()),
        lines=_lines(plan),
        python=python_code(words, task),
        shell=shell_line(words),
        at_hand=_at_hand(plan, dict(words).get("n", "")),
    )


def _lines(plan: Plan) -> tuple[Line, ...]:
    upper = [
        Line(
            what="suffices" if option.runs else "suffices (too large to run)",
            records=grouped(option.n),
            by=option.name,
            theorem=option.claim.cite,
        )
        for option in plan.options
    ]
    lower = [
        Line(
            what="needed by any",
            records="no number" if one.bound.impossible else grouped(one.n),
            by=one.name,
            theorem=one.claim.cite,
        )
        for one in plan.lower_bounds
    ]
    return (*upper, *lower)


def _at_hand(plan: Plan, word: str) -> str:
    if not word:
        return ""
    n, best = _whole(word, "records at hand"), plan.best
    if best is None:
        return "No algorithm of this package does this task, with any number of records."
    if n >= best.n:
        more = grouped(n - best.n)
        return f"{grouped(n)} records are enough: {more} more than the theorem asks for."
    less = grouped(best.n - n)
    return f"{grouped(n)} records are {less} too few for this promise; privacy holds all the same."


def more(words: Words, root: str | None) -> More:
    """The plan in words, and how many records it takes around the chosen point."""
    task = task_of(words, root)
    axis = "alpha" if dict(words).get("along") == "alpha" else "epsilon"
    here = task.accuracy.alpha if axis == "alpha" else task.privacy.epsilon
    values = [here * factor for factor in _FACTORS if axis == "epsilon" or here * factor < 1]
    bands = []
    for value in values:
        plan = make(task.with_(**{axis: value}))
        lower = [one.n for one in plan.lower_bounds if not one.bound.impossible]
        best = None if plan.best is None else plan.best.n
        if best is not None or lower:
            bands.append(
                Band(
                    x=float(value),
                    label=show(value),
                    high=best,
                    low=max(lower, default=None),
                    by="" if plan.best is None else plan.best.name,
                )
            )
    told = make(task).explain().splitlines()
    return More(
        explanation=tuple(line for line in told if not line.startswith(_NOT_USED)),
        not_used=tuple(line.removeprefix(_NOT_USED) for line in told if line.startswith(_NOT_USED)),
        bands=tuple(bands),
        axis=axis,
        at=float(here),
    )


def shell_line(words: Words) -> str:
    """The command that gives the same answer in a shell."""
    given = DEFAULTS | {name: word for name, word in words if word and name in DEFAULTS}
    parts = ["tacit", "plan", "--class", given["class"]]
    for name, word in _options(words).items():
        parts += [f"--{name.replace('_', '-')}", word]
    for name, word in given.items():
        if name != "class" and (name == "epsilon" or word != DEFAULTS[name]):
            option = "output-kind" if name == "output" else name.replace("_", "-")
            parts += [f"--{option}", word]
    if n := dict(words).get("n"):
        parts += ["--n", n]
    return shlex.join(parts)


def python_code(words: Words, task: Task) -> str:
    """The Python that gives the same answer."""
    given = DEFAULTS | {name: word for name, word in words if word and name in DEFAULTS}
    kind = public_classes()[given["class"]].__name__
    options = _options(words)
    inside = ", ".join(f"{name}={_literal(name, word)}" for name, word in options.items())
    imports = [
        "from tacit import Accuracy, Privacy, Task, plan",
        f"from tacit.classes import {kind}",
    ]
    if "schema" in options:
        imports.append("from tacit.domains.schema import Schema")
    if "matrix" in options:
        imports.append("import numpy as np")
    delta = "" if task.privacy.delta == 0 else f", {given['delta']!r}"
    relation = (
        "" if given["relation"] == DEFAULTS["relation"] else f", relation={given['relation']!r}"
    )
    unit = "" if task.privacy.unit is None else f", unit={task.privacy.unit!r}"
    if task.privacy.rows_per_unit > 1:
        unit += f", rows_per_unit={task.privacy.rows_per_unit}"
    lines = [
        *imports,
        "",
        "task = Task(",
        f"    {kind}({inside}),",
        f"    privacy=Privacy({given['epsilon']!r}{delta}{relation}{unit}),",
        f"    accuracy=Accuracy({given['alpha']!r}, {given['beta']!r}),",
        f"    setting={given['setting']!r},",
    ]
    lines += [
        f"    {name}={given[name]!r},"
        for name in ("output", "goal", "marginal", "rows")
        if given[name] != DEFAULTS[name]
    ]
    if task.k != 1:
        lines.append(f"    k={task.k},")
    return "\n".join((*lines, ")", "print(plan(task).summary())"))


def _literal(name: str, word: str) -> str:
    if name == "schema":
        return f"Schema.of({word!r})"
    if name == "matrix":
        return f"np.loadtxt({word!r}, delimiter=',', ndmin=2)"
    if word.lstrip("-").isdecimal():
        return str(int(word))
    return repr(word)


def number(word: str, *, name: str) -> Fraction:
    """A number of a form."""
    if len(word) > _LONGEST:
        raise BadInput(f"{name} has more than {_LONGEST} letters")
    return exact(word, name=name)
