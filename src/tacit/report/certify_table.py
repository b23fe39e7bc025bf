"""The certificate of a synthetic table of several columns, made when released and when verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tacit.core import ALGORITHMS, Accuracy, BadInput, Privacy, Task
from tacit.core.certificate import Answered, Certificate, Planned
from tacit.core.numbers import exact, show
from tacit.core.recipe import rebuilds
from tacit.problems.marginals.algorithms import METHODS, for_persons, sanitizer
from tacit.problems.marginals.queries import TableQueries
from tacit.problems.marginals.sanitizer import TableSanitizer
from tacit.problems.marginals.table import SyntheticRows
from tacit.problems.marginals.worst_error import WORST_ERROR, named_errors, worst_error
from tacit.report.certify import asked_of, spent_of
from tacit.report.class_records import class_from_record, class_record

KIND = "synthetic table"


def certify_table(
    task: Task,
    mechanism: TableSanitizer,
    *,
    n: int | None,
    noisy_worst: int,
    records: int,
    errors: Sequence[int],
    private: bool,
) -> Certificate:
    """What may be said about a table: its worst error, and a theorem where one is known before."""
    queries, cost, name = mechanism.queries, mechanism.check.event(), mechanism.method.name
    try:
        bound = None if task.privacy.rows_per_unit > 1 else ALGORITHMS[name].bound(task)
    except BadInput:
        bound = None
    beta, whole = task.accuracy.beta, for_persons(mechanism, task)
    return Certificate(
        asked=asked_of(task),
        spent=spent_of(whole.event(), delta=task.privacy.delta),
        algorithm=name,
        what=queries.describe(),
        n=n,
        private=private,
        privacy_claim=whole.CLAIM,
        planned=None if bound is None else Planned(needed=bound.n, claim=bound.claim),
        answered=Answered(
            noisy_worst=noisy_worst,
            cost=cost,
            records=records,
            error=worst_error(noisy_worst, records=records, cost=cost, beta=beta),
            promise=queries.promise,
            claim=WORST_ERROR,
            each=named_errors(queries, errors),
        ),
        recipe={
            "kind": KIND,
            "class": class_record(queries),
            "rows": mechanism.rows,
            "each": show(mechanism.each),
        },
    )


@rebuilds(KIND)
def _rebuilt(stated: Certificate, value: Any) -> Certificate:
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
    )
    mechanism = sanitizer(
        METHODS[stated.algorithm],
        task,
        n=stated.n,
        rows=recipe["rows"],
        each=_share(recipe["each"]),
    )
    _check_table(value, mechanism, records=found.records)
    anew = certify_table(
        task,
        mechanism,
        n=stated.n,
        noisy_worst=found.noisy_worst,
        records=found.records,
        errors=[one.noisy for one in found.each],
        private=stated.private,
    )
    return replace(anew, account=stated.account)


def _share(text: object) -> Fraction:
    if not isinstance(text, str):
        raise BadInput("a share of the budget is damaged")
    return exact(text, name="each")


def _check_table(value: object, mechanism: TableSanitizer, *, records: int) -> None:
    """Refuse a table that this mechanism does not make."""
    if not isinstance(value, SyntheticRows) or value.schema != mechanism.queries.schema:
        raise BadInput("the table has other columns than the certificate names")
    if mechanism.n is not None and records != mechanism.n:
        raise BadInput("the error is a share of another number of records")
    if len(value) != mechanism.row_count(records):
        raise BadInput("the table has another number of rows than the certificate says")
