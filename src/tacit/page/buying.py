"""What a number of records buys for a declared table: computed in a worker, kind by kind."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from fractions import Fraction

from tacit.cli.learn_table import classifier
from tacit.core import BadInput, TacitError, Task
from tacit.core.numbers import show
from tacit.domains.schema import Schema
from tacit.domains.schema_text import parse_toml
from tacit.page.planning import number
from tacit.page.releasing import model_names
from tacit.planner import plan

EXAMPLE = """\
[columns.age]
kind = "integer"
low = 0
high = 99

[columns.ward]
kind = "category"
values = ["north", "south", "west"]

[columns.dose]
kind = "number"
low = 0
high = 50
"""
_DEPTHS = (1, 2, 3)
_EPSILONS = ("0.1", "0.25", "0.5", "1", "2", "4")


@dataclass(frozen=True, slots=True, order=True)
class Kind:
    """A kind of rule: a model, with so many levels if it has levels."""

    model: str
    depth: int | None

    @property
    def words(self) -> str:
        """Its name for people."""
        if self.depth is None:
            return self.model
        return f"{self.model}, {self.depth} level{'s' if self.depth > 1 else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The public numbers of the question."""

    schema: str
    n: int
    epsilon: str
    delta: str
    relation: str
    alpha: str
    beta: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bought:
    """What ``n`` records buy: ``excess`` is how much more than the best rule of its kind may
    err; ``enough`` records suffice for the ``alpha`` that was asked for.
    """

    kind: Kind
    excess: Fraction | None
    epsilon: Fraction | None
    enough: int | None
    problem: str = ""

    @property
    def percent(self) -> str:
        """``excess`` in percentage points, rounded up."""
        if self.excess is None:
            return "nothing certain"
        return f"{float(-(-self.excess * 1000 // 1)) / 10:g}"

    @property
    def least_epsilon(self) -> str:
        return "none" if self.epsilon is None else show(self.epsilon)


def kinds() -> list[Kind]:
    """Every kind of rule that a table can be asked for."""
    found = []
    for model in model_names():
        if model == "rule":  # it chooses one of the others
            continue
        depths = _DEPTHS if "depth" in inspect.signature(classifier(model)).parameters else (None,)
        found += [Kind(model, depth) for depth in depths]
    return found


def read_schema(text: str) -> Schema:
    """The schema of a form; refuses one that is not finished."""
    if not text.strip():
        raise BadInput("declare at least one column")
    return Schema.of(parse_toml(text, name="this schema"))


def _task(kind: Kind, asked: Asked) -> Task:
    options = {} if kind.depth is None else {"depth": kind.depth}
    estimator = classifier(kind.model)(
        domain=parse_toml(asked.schema, name="this schema"),
        epsilon=number(asked.epsilon, name="epsilon"),
        delta=number(asked.delta, name="delta"),
        relation=asked.relation,
        beta=number(asked.beta, name="beta"),
        **options,
    )
    task: Task = estimator.task(alpha=number(asked.alpha, name="alpha"))
    return task


def bought(kind: Kind, asked: Asked) -> Bought:
    """What the records buy for one kind of rule."""
    try:
        task = _task(kind, asked)
        epsilon = plan.least_epsilon(task, asked.n)
        share = None
        if epsilon is not None:  # the task's epsilon is the draw's; the whole one is asked for
            share = epsilon * number(asked.epsilon, name="epsilon") / task.privacy.epsilon
        return Bought(
            kind=kind,
            excess=plan.least_alpha(task, asked.n),
            epsilon=None if share is None else _short(share),
            enough=plan.records(task),
        )
    except TacitError as refused:
        return Bought(kind=kind, excess=None, epsilon=None, enough=None, problem=str(refused))


def _short(value: Fraction) -> Fraction:
    """Rounded up to four decimals: more epsilon is enough as well."""
    return Fraction(-(-value * 10**4 // 1), 10**4)


def curve(kind: Kind, asked: Asked) -> list[tuple[str, float | None]]:
    """The excess error at several epsilons, for a chart."""
    found: list[tuple[str, float | None]] = []
    for epsilon in _EPSILONS:
        task = _task(kind, replace(asked, epsilon=epsilon))
        least = plan.least_alpha(task, asked.n)
        found.append((epsilon, None if least is None else float(least)))
    return found
