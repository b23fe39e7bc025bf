"""What users call: plan, charge a ledger, release a rule or a table with its certificate."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tacit.accounting import Ledger, protecting
from tacit.accounting import ledger as process_ledger
from tacit.accounting.statement import account_of, spent_of
from tacit.core import (
    ALGORITHMS,
    Accuracy,
    Algorithm,
    BadInput,
    ConceptClass,
    Event,
    Hypothesis,
    Known,
    Mechanism,
    Privacy,
    Release,
    Sampler,
    Size,
    Task,
)
from tacit.core import run as core_run
from tacit.core.certify import NEW_PERSONS, NEW_RECORDS
from tacit.core.goal import TableGoal
from tacit.core.numbers import Number
from tacit.core.several_values import label_values, named_values
from tacit.exact.entropy import SYSTEM
from tacit.planner import plan
from tacit.planner.persons import for_task
from tacit.planner.plans import Option
from tacit.problems.marginals.queries import TableQueries
from tacit.problems.marginals.sanitizer import CHECKED
from tacit.problems.marginals.table import SyntheticRows
from tacit.problems.protocols.found import Represented
from tacit.problems.tables.rated_learner import Rated, read_rate_share
from tacit.report.certify import certify
from tacit.report.certify_rates import RateShare
from tacit.sources.intake import Intake, take_in, take_in_unlabelled
from tacit.sources.public import with_public
from tacit.sources.ready import make_ready
from tacit.sources.samples import Names
from tacit.theory.dimensions.measured import Measured
from tacit.theory.dimensions.witnesses import Witness

D = TypeVar("D")
V = TypeVar("V")


def run(
    mechanism: Mechanism[D, V], data: D, *, ledger: Ledger | None = None, rng: Sampler | None = None
) -> Release[V]:
    """Charge ``ledger`` (default: the process's own), then let ``mechanism`` touch ``data``."""
    make_ready(data)
    return _run(mechanism, data, ledger=ledger, rng=rng)


def _run(
    mechanism: Mechanism[D, V], data: D, *, ledger: Ledger | None, rng: Sampler | None
) -> Release[V]:
    """``run`` for data that are ready."""
    if rng is None:
        SYSTEM.renew()
    return core_run(
        mechanism,
        data,
        ledger=process_ledger() if ledger is None else ledger,
        rng=SYSTEM if rng is None else rng,
    )


def algorithms(task: Task | None = None) -> list[Algorithm]:
    """Every algorithm of the registry, or those that apply to ``task``."""
    return [
        entry for entry in ALGORITHMS if task is None or for_task(entry, task).why_not(task) is None
    ]


def learn(
    task: Task,
    data: object,
    *,
    ledger: Ledger | None = None,
    rng: Sampler | None = None,
    algorithm: str | None = None,
    label: Names = None,
    column: Names = None,
    positive: object = 1,
    negative: object = None,
    other: str | None = None,
    groups: object = None,
    public: object = None,
    with_: Witness | Measured | None = None,
) -> Release[Hypothesis]:
    """Learn a private rule for ``task``.

    ``data``       ``(X, y)``, a frame, or the path of a CSV or Parquet file. For the last
                   two ``label`` and ``column`` name the columns (lists where several).
    ``positive``   the public value that means label 1; every other value means 0. Regression is out
                   of scope: a label column of floats by its type needs both values to be named.
    ``negative``   the public value that means 0, where records with neither are counted.
    ``other``      what a record does whose label is neither, or missing: it counts as
                   ``"negative"``, or is left out (``"ignore"``, with both values declared): it
                   stays in the number of records and is no mistake; or it has a label of its own,
                   called "other" (``"class"``). Default: as in ``task``.
    ``groups``     beside arrays, one id per record where ``task.privacy`` protects persons; of
                   a frame or file its ``unit`` names the column.
    ``ledger``     where the cost is recorded first; default ``tacit.ledger()``.
    ``algorithm``  a name from ``tacit.algorithms()``; default: the plan's best.
    ``public``     records without labels that are nobody's secret and no part of ``data``: an
                   array, a frame, a path, or what ``public_records`` has read.
    ``with_``      a representation or protocol of a listed class that ``tacit.dimensions``
                   found: rules are selected from it instead of from the class.

    The rule has the names of its column, its label and the label's values, where the data
    have them (``NamedRule``): its words, its JSON and its answers are told in them.

    With more than two label values, ``Task(..., values=("a", "b", "c"))``, these take the place of
    ``positive`` and ``negative``; values that are not named are 0, 1, 2 and so on.

    Guarantees the privacy of ``task.privacy`` on every data set. Too few records never
    change that: the certificate then says that accuracy is not certified.
    """
    if with_ is not None:
        task = task.with_(concept_class=Represented(task.concept_class, with_))
    solved = solve(
        task,
        data,
        ledger=ledger,
        rng=rng,
        algorithm=algorithm,
        label=label,
        column=column,
        positive=positive,
        negative=negative,
        other=other,
        groups=groups,
        public=public,
        labels_named=not _left_out(positive, negative),
    )
    return replace(solved.release, value=solved.named(solved.release.value))


def _left_out(positive: object, negative: object) -> bool:
    """Whether no label value was named: 1 is the positive one then."""
    return negative is None and type(positive) is int and positive == 1


@dataclass(frozen=True, slots=True)
class Solved:
    """What ``learn`` returns but for names, what the mechanism itself had released, and what
    gives a rule the names of its data.
    """

    release: Release[Hypothesis]
    found: object
    named: Callable[[Hypothesis], Hypothesis]


def solve(
    task: Task,
    data: object,
    *,
    ledger: Ledger | None = None,
    rng: Sampler | None = None,
    algorithm: str | None = None,
    label: Names = None,
    column: Names = None,
    positive: object = 1,
    negative: object = None,
    other: str | None = None,
    groups: object = None,
    about: str = NEW_RECORDS,
    public: object = None,
    rate_share: Number | None = None,
    labels_named: bool = True,
) -> Solved:
    """``learn``, for classifiers; ``about`` says which records errors speak of.

    ``rate_share`` of epsilon counts each label in each part of the rule, in the same charge.
    """
    if not isinstance(task, Task):
        raise BadInput("the first argument of learn must be a Task")
    task = task if other is None else task.with_(other=other)
    rates, values = None, None
    if rate_share is not None:
        rates = RateShare(task.privacy.epsilon, read_rate_share(rate_share, task))
        task = task.with_(epsilon=rates.rule)
    if task.answers > 2:
        values = label_values(task, positive=positive, negative=negative)
        task = named_values(task, values)
    if public is not None or task.public is not None:
        task = with_public(task, public, data=data, column=column)
    if task.costs is not None and values is None:
        rest = f"not {positive}" if negative is None else str(negative)
        task = task.with_(names=(rest, str(positive)))
    chosen = plan.chosen(task, algorithm)  # refused, if at all, before records are looked for
    intake = take_in(
        data,
        task,
        label=label,
        column=column,
        positive=positive,
        negative=negative,
        groups=groups,
        values=values,
        labels_named=labels_named or values is not None,
    )
    return _released(
        task,
        intake,
        chosen,
        algorithm=algorithm,
        ledger=ledger,
        rng=rng,
        about=about,
        declared=negative is not None or values is not None,
        rates=rates,
    )


def sanitize(
    data: object,
    queries: ConceptClass,
    *,
    privacy: Privacy,
    accuracy: Accuracy | None = None,
    ledger: Ledger | None = None,
    rng: Sampler | None = None,
    algorithm: str | None = None,
    column: str | None = None,
    groups: object = None,
    rows: int | None = None,
    errors: bool = False,
) -> Release[object]:
    """Release a synthetic table that answers every query of a class.

    ``data``      a column of records, a frame, or the path of a CSV or Parquet file;
                  ``column`` names the column of the last two.
    ``queries``   the class, such as ``Thresholds(bits=16)``; each concept is a query, and
                  its answer is the fraction of records on which it is 1. Or all marginals
                  of a table, such as ``Marginals(schema, ways=2)``: the released table then
                  has its columns, and ``rows`` rows (by default as many as there are); with
                  ``errors=True`` a twentieth of the budget pays for the error of each marginal.
    ``accuracy``  every answer within ``alpha`` with probability ``1 - beta``; by default
                  0.1 and 0.05.

    Guarantees ``privacy`` on every data set; the certificate says what is certified.
    """
    table = TableGoal(rows=rows, each=CHECKED) if errors else TableGoal(rows=rows)
    task = Task(
        queries,
        privacy=privacy.check_range(),
        accuracy=Accuracy("0.1", "0.05") if accuracy is None else accuracy,
        goal="sanitize",
        table=table,
    )
    if isinstance(queries, TableQueries):
        return _sanitized(task, data, ledger=ledger, rng=rng, algorithm=algorithm, groups=groups)
    if rows is not None or errors:
        raise BadInput(
            "rows and errors are for tables of several columns, such as Marginals(schema)"
        )
    chosen = plan.chosen(task, algorithm)
    intake = take_in_unlabelled(data, task, column=column, groups=groups)
    return _released(task, intake, chosen, algorithm=algorithm, ledger=ledger, rng=rng).release


def planned_event(task: Task, n: int, *, declared: bool) -> Event:
    """What ``learn`` will charge for ``n`` records; ``n`` is not looked at where it is private."""
    public = n if task.privacy.relation.size_is_public else None
    task = task.at(public, declared=declared)
    chosen = plan.chosen(task)
    size = Size(chosen.bound.n, Known.PLANNED) if public is None else Size(public)
    return chosen.algorithm.whole(task, chosen.bound, size, declared=declared).event()


def _sanitized(
    task: Task,
    data: Any,
    *,
    ledger: Ledger | None,
    rng: Sampler | None,
    algorithm: str | None,
    groups: Any,
) -> Release[SyntheticRows]:
    """A table of several columns; its worst error is counted, so no theorem need precede it."""
    from tacit.domains.cells import listed
    from tacit.problems.marginals.algorithms import METHODS
    from tacit.report.certify_table import certify_table, made

    queries = task.concept_class
    assert isinstance(queries, TableQueries)
    name = algorithm or ("independent-columns" if queries.ways == 1 else "adaptive-pairs")
    if name not in METHODS:
        raise BadInput(
            f"the algorithm {name!r} does not fit this task: a table of several columns is made by "
            f"{listed(sorted(METHODS))}"
        )
    entry = ALGORITHMS[name]
    reason = entry.why_not(task) or entry.runs(task)
    if reason is not None:
        raise BadInput(f"the algorithm {name!r} does not fit this task: it {reason}")
    intake = take_in_unlabelled(data, task, groups=groups)
    n = intake.n
    mechanism = made(task, entry, n=n)
    intake.make_ready(mechanism)
    release: Release[Any] = _charged(mechanism, intake, task.privacy, ledger=ledger, rng=rng)
    found = release.value
    certificate = certify_table(task, entry, mechanism, found, n=n, private=release.private)
    certificate = replace(certificate, account=account_of(release, ledger))
    return replace(release, value=found.table, certificate=certificate)


def _released(
    task: Task,
    intake: Intake,
    chosen: Option,
    *,
    algorithm: str | None,
    ledger: Ledger | None,
    rng: Sampler | None,
    about: str = NEW_RECORDS,
    declared: bool = False,
    rates: RateShare | None = None,
) -> Solved:
    """Run the chosen algorithm and attach the certificate."""
    if task.privacy.unit is not None and about == NEW_RECORDS:
        about = NEW_PERSONS
    n = intake.n
    if task.k > 1 and not task.labels and len(intake.labels) == task.k:
        task = task.with_(labels=intake.labels)
    part = task.at(n, declared=declared)
    if part is not task:
        task, chosen = part, plan.chosen(part, algorithm)
    size = Size(chosen.bound.n, Known.PLANNED) if n is None else Size(n)
    mechanism = chosen.algorithm.whole(task, chosen.bound, size, declared=declared)
    rated = None if rates is None else rates.around(mechanism, chosen.algorithm.certify, task)
    intake.make_ready(rated or mechanism)
    release = _charged(rated or mechanism, intake, task.privacy, ledger=ledger, rng=rng)
    found = release.value.found if isinstance(release.value, Rated) else release.value
    value = chosen.algorithm.certify.published(found)
    spent = spent_of(release.event, delta=task.privacy.delta)
    account = account_of(release, ledger)
    certificate = certify(
        task,
        chosen.algorithm,
        chosen.bound,
        mechanism,
        spent=spent,
        n=n,
        private=release.private,
        value=found,
        about=about,
        declared=declared,
        account=account,
    )
    if rates is not None and rated is not None and isinstance(release.value, Rated):
        value = release.value.rated
        certificate = rates.certified(certificate, rated, value)
    done = replace(release, value=value, certificate=certificate)
    return Solved(done, found, intake.named)


def _charged(
    mechanism: Mechanism[Any, V],
    intake: Intake,
    privacy: Privacy,
    *,
    ledger: Ledger | None,
    rng: Sampler | None,
) -> Release[V]:
    """Run on records that are ready; where persons are protected, the charge says so."""
    with ExitStack() as stack:
        if privacy.unit is not None:
            stack.enter_context(protecting(privacy.unit, rows=privacy.rows_per_unit))
        return _run(mechanism, intake.sample, ledger=ledger, rng=rng)
