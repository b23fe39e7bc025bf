"""The front door: plan, charge a ledger, release a rule or a table with its certificate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tacit.accounting import Entry, Ledger
from tacit.accounting import ledger as process_ledger
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
    Sample,
    Sampler,
    Size,
    Task,
)
from tacit.core import run as core_run
from tacit.core.certificate import Account
from tacit.core.sample import some_records
from tacit.exact.entropy import SYSTEM
from tacit.planner import plan
from tacit.planner.plans import Option
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.report.certify import NEW_RECORDS, certify, mechanism_for
from tacit.sources.samples import Names, as_sample, as_unlabelled

D = TypeVar("D")
V = TypeVar("V")


def run(
    mechanism: Mechanism[D, V], data: D, *, ledger: Ledger | None = None, rng: Sampler | None = None
) -> Release[V]:
    """Charge ``ledger`` (default: the process's own), then let ``mechanism`` touch ``data``."""
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
    return [entry for entry in ALGORITHMS if task is None or entry.why_not(task) is None]


def choose(task: Task, algorithm: str | None = None) -> Option:
    """The named algorithm, or the plan's best that runs; a clear error if there is none."""
    if algorithm is not None:
        named = ALGORITHMS[algorithm]
        part = named.part(task)
        reason = named.why_not(part)
        if reason is not None:
            raise BadInput(f"the algorithm {algorithm!r} does not fit this task: it {reason}")
        too_large = named.too_large(part)
        if too_large is not None:
            raise BadInput(f"the algorithm {algorithm!r} cannot be run here: it {too_large}")
        return Option(algorithm=named, bound=named.bound(part))
    option = plan(task).runnable
    if option is None:
        raise BadInput(f"no algorithm that can be run fits this task. {plan(task).explain()}")
    return option


def learn(
    task: Task,
    data: Any,
    *,
    ledger: Ledger | None = None,
    rng: Sampler | None = None,
    algorithm: str | None = None,
    label: Names = None,
    column: Names = None,
    positive: object = 1,
) -> Release[Hypothesis]:
    """Learn a private rule for ``task``.

    ``data``       ``(X, y)``, a frame, or the path of a CSV or Parquet file. For the last
                   two ``label`` and ``column`` name the columns (lists where several).
    ``positive``   the public value that means label 1; every other value means 0.
    ``ledger``     where the cost is recorded first; default ``tacit.ledger()``.
    ``algorithm``  a name from ``tacit.algorithms()``; default: the plan's best.

    Guarantees the privacy of ``task.privacy`` on every data set. Too few records never
    change that: the certificate then says that accuracy is not certified.
    """
    return solve(
        task,
        data,
        ledger=ledger,
        rng=rng,
        algorithm=algorithm,
        label=label,
        column=column,
        positive=positive,
    ).release


@dataclass(frozen=True, slots=True)
class Solved:
    """What ``learn`` returns, and what the mechanism itself had released."""

    release: Release[Hypothesis]
    found: object


def solve(
    task: Task,
    data: Any,
    *,
    ledger: Ledger | None = None,
    rng: Sampler | None = None,
    algorithm: str | None = None,
    label: Names = None,
    column: Names = None,
    positive: object = 1,
    about: str = NEW_RECORDS,
) -> Solved:
    """``learn``, for classifiers; ``about`` says which records errors speak of."""
    if not isinstance(task, Task):
        raise BadInput("the first argument of learn must be a Task")
    choose(task, algorithm)  # what cannot be done is refused before records are looked for
    sample = as_sample(
        data, domain=task.concept_class.domain, label=label, column=column, positive=positive
    )
    _check_labels(sample, task.k)
    return _released(task, sample, algorithm=algorithm, ledger=ledger, rng=rng, about=about)


def _check_labels(sample: Any, k: int) -> None:
    """Refuse, before anything is charged, labels that do not have one column a task."""
    if isinstance(sample, Sample):
        shape: tuple[int, ...] = getattr(sample.y, "shape", (0,))
        tasks = shape[1] if len(shape) == 2 else 1
    else:
        tasks = sample.tasks
    if tasks != k:
        raise BadInput(f"this task needs {k} columns of labels: pass an (n, {k}) array")


def sanitize(
    data: Any,
    queries: ConceptClass,
    *,
    privacy: Privacy,
    accuracy: Accuracy | None = None,
    ledger: Ledger | None = None,
    rng: Sampler | None = None,
    algorithm: str | None = None,
    column: str | None = None,
) -> Release[SyntheticTable]:
    """Release a synthetic table that answers every query of a class.

    ``data``      a column of records, a frame, or the path of a CSV or Parquet file;
                  ``column`` names the column of the last two.
    ``queries``   the class, such as ``Thresholds(bits=16)``; each concept is a query, and
                  its answer is the fraction of records on which it is 1.
    ``accuracy``  every answer within ``alpha`` with probability ``1 - beta``; by default
                  0.1 and 0.05.

    Guarantees ``privacy`` on every data set; the certificate says what is certified.
    """
    task = Task(
        queries,
        privacy=privacy,
        accuracy=Accuracy("0.1", "0.05") if accuracy is None else accuracy,
        goal="sanitize",
    )
    choose(task, algorithm)
    sample = as_unlabelled(data, domain=queries.domain, column=column)
    done: Any = _released(task, sample, algorithm=algorithm, ledger=ledger, rng=rng).release
    released: Release[SyntheticTable] = done
    return released


def planned_event(task: Task, n: int) -> Event:
    """What ``learn`` will charge for ``n`` records; ``n`` is not looked at where it is private."""
    public = n if task.privacy.relation.size_is_public else None
    task = task.at(public)
    chosen = choose(task)
    made: Mechanism[Any, Any] = mechanism_for(
        task, chosen.algorithm, chosen.bound, _size(chosen, public)
    )
    return made.event()


def _size(chosen: Option, n: int | None) -> Size:
    return Size(chosen.bound.n, Known.PLANNED) if n is None else Size(some_records(n))


def _released(
    task: Task,
    sample: Any,
    *,
    algorithm: str | None,
    ledger: Ledger | None,
    rng: Sampler | None,
    about: str = NEW_RECORDS,
) -> Solved:
    """Run the chosen algorithm and attach the certificate."""
    n = some_records(len(sample)) if task.privacy.relation.size_is_public else None
    task = task.at(n)
    chosen = choose(task, algorithm)
    mechanism = mechanism_for(task, chosen.algorithm, chosen.bound, _size(chosen, n))
    release = run(mechanism, sample, ledger=ledger, rng=rng)
    certificate = certify(
        task,
        chosen.algorithm,
        chosen.bound,
        mechanism,
        n=n,
        private=release.private,
        value=release.value,
        about=about,
    )
    certificate = replace(certificate, account=account_of(release, ledger))
    value = release.value.rule if certificate.measured is not None else release.value
    return Solved(replace(release, value=value, certificate=certificate), release.value)


def account_of(release: Release[Any], ledger: Ledger | None) -> Account | None:
    """How the ledger that paid stands after this release."""
    book = process_ledger() if ledger is None else ledger
    if isinstance(book, Ledger) and isinstance(release.receipt, Entry):
        return book.account(release.receipt)
    return None
