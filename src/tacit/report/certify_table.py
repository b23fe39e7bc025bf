"""The certificate of a synthetic table of several columns, made when released and when verified."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from tacit.accounting.statement import spent_of
from tacit.core import (
    ALGORITHMS,
    Accuracy,
    Algorithm,
    BadInput,
    Known,
    Mechanism,
    Privacy,
    SampleBound,
    Size,
    Task,
)
from tacit.core.certificate import Certificate, Planned
from tacit.core.certify import Outcome
from tacit.core.goal import TableGoal
from tacit.core.numbers import exact
from tacit.core.recipe import rebuilds
from tacit.problems.marginals.algorithms import METHODS, sanitizer
from tacit.problems.marginals.queries import TableQueries
from tacit.problems.marginals.sanitizer import CheckedRows, TableSanitizer
from tacit.problems.marginals.table import SyntheticRows
from tacit.report.certify import asked_of
from tacit.report.class_records import class_from_record, class_record

KIND = "synthetic table"


def certify_table(
    task: Task,
    algorithm: Algorithm,
    mechanism: Mechanism[Any, CheckedRows],
    found: CheckedRows,
    *,
    n: int | None,
    private: bool,
) -> Certificate:
    """What may be said about a table: its worst error, and a theorem where one is known before."""
    bound = _known_before(task, algorithm)
    facts = algorithm.certify(task, Outcome(mechanism=mechanism, value=found, n=n))
    return Certificate(
        asked=asked_of(task),
        spent=spent_of(mechanism.event(), delta=task.privacy.delta),
        algorithm=algorithm.name,
        what=facts.what,
        n=n,
        private=private,
        privacy_claim=mechanism.CLAIM,
        planned=None if bound is None else Planned(needed=bound.n, claim=bound.claim),
        answered=facts.answered,
        recipe={"kind": KIND, "class": class_record(task.concept_class), **facts.recipe},
    )


def made(task: Task, algorithm: Algorithm, *, n: int | None) -> Mechanism[Any, CheckedRows]:
    """The registered algorithm's mechanism for ``n`` records, or a private number of them.

    No theorem need precede it: what its table is worth is counted.
    """
    size = Size(0, Known.PLANNED) if n is None else Size(n)
    return algorithm.build(task, SampleBound(n=size.n, claim=algorithm.claim), size)


def _known_before(task: Task, algorithm: Algorithm) -> SampleBound | None:
    """A theorem about as many rows as records; with fewer rows than it asks for it says nothing."""
    try:
        bound = algorithm.bound(task)
    except BadInput:
        return None
    return bound if task.table.rows is None or task.table.rows >= bound.n else None


@rebuilds(KIND)
def _rebuilt(stated: Certificate, value: object) -> Certificate:
    """Build and certify the table's mechanism again, from the numbers that were asked for."""
    asked, recipe, found = stated.asked, stated.recipe, stated.answered
    if recipe is None or found is None or asked.alpha is None:
        raise BadInput("the certificate does not say what was asked for")
    queries = class_from_record(recipe["class"])
    if not isinstance(queries, TableQueries) or stated.algorithm not in METHODS:
        raise BadInput("the certificate was made in a way that this version does not know")
    task = Task(
        queries,
        privacy=Privacy(
            asked.epsilon,
            asked.delta,
            asked.relation,
            unit=None if asked.unit == "record" else asked.unit,
            rows_per_unit=asked.rows_per_unit,
        ),
        accuracy=Accuracy(asked.alpha, asked.beta),
        goal="sanitize",
        table=TableGoal(rows=recipe["rows"], each=_share(recipe["each"])),
    )
    algorithm = ALGORITHMS[stated.algorithm]
    mechanism = made(task, algorithm, n=stated.n)
    inner = sanitizer(METHODS[stated.algorithm], task, n=stated.n)
    if bool(found.each) != bool(inner.each):
        raise BadInput("errors of marginals are stated where nothing was spent on them, or missing")
    table = CheckedRows(
        table=_table_of(value, inner, records=found.records),
        noisy_worst=found.noisy_worst,
        records=found.records,
        errors=tuple(one.noisy for one in found.each),
    )
    anew = certify_table(task, algorithm, mechanism, table, n=stated.n, private=stated.private)
    return replace(anew, account=stated.account)


def _share(text: object) -> Fraction:
    if not isinstance(text, str):
        raise BadInput("a share of the budget is damaged")
    return exact(text, name="each")


def _table_of(value: object, mechanism: TableSanitizer, *, records: int) -> SyntheticRows:
    """The table; one that this mechanism does not make is refused."""
    if not isinstance(value, SyntheticRows) or value.schema != mechanism.queries.schema:
        raise BadInput("the table has other columns than the certificate names")
    if mechanism.n is not None and records != mechanism.n:
        raise BadInput("the error is a share of another number of records")
    if len(value) != mechanism.row_count(records):
        raise BadInput("the table has another number of rows than the certificate says")
    for columns, zero in mechanism.queries.zeros:
        if zero[tuple(value.cells[:, list(columns)].T)].any():
            raise BadInput("the table has rows that were declared impossible")
    return value
