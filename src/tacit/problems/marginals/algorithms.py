"""The registry's entries for synthetic tables of several columns."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit.bounds.upper.weights import concentrated
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Mechanism,
    Relation,
    SampleBound,
    Size,
    Task,
    Tiny,
    tiny_task,
)
from tacit.core.certificate import Answered
from tacit.core.certify import Certifier, Facts, Outcome
from tacit.core.numbers import grouped, show, show_rounded_up
from tacit.core.size import Known
from tacit.domains.schema import Schema
from tacit.mechanisms.calibration import round_down, rows_moved
from tacit.mechanisms.persons import ForPersons, row_relation
from tacit.problems.marginals.adaptive import Adaptive
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.independent import Independent
from tacit.problems.marginals.marginals_upper import ONE_WAY, TOGETHER, bound_of, together_bound
from tacit.problems.marginals.method import Method
from tacit.problems.marginals.pair_tree import PairTree
from tacit.problems.marginals.queries import CLASSES, Marginals, TableQueries
from tacit.problems.marginals.sanitizer import NOTHING, CheckedRows, TableSanitizer
from tacit.problems.marginals.together import Together, too_many
from tacit.problems.marginals.worst_error import WORST_ERROR, named_errors, worst_error

_COARSE = Fraction(1, 1 << 12)
METHODS: dict[str, Method] = {}
"""How each of these algorithms spends its budget, by its name."""


def sanitizer(method: Method, task: Task, *, n: int | None) -> TableSanitizer:
    """The mechanism of a method for a task; pure where delta is 0, else zCDP.

    Of persons with several rows it is the mechanism for rows, which ``for_persons`` runs.
    """
    queries, privacy = task.concept_class, task.privacy
    assert isinstance(queries, TableQueries)
    amount = privacy.epsilon
    if privacy.delta:
        amount = round_down(concentrated(epsilon=privacy.epsilon, delta=privacy.delta))
    if privacy.rows_per_unit > 1:
        steps, n = rows_moved(privacy.relation, privacy.rows_per_unit), None
        amount /= steps**2 if privacy.delta else steps
    if not amount:
        raise BadInput(NOTHING)
    return TableSanitizer(
        queries=queries,
        method=method,
        budget=Budget(
            amount=amount,
            concentrated=bool(privacy.delta),
            relation=row_relation(privacy.relation, privacy.rows_per_unit),
        ),
        n=n,
        rows=task.table.rows,
        each=task.table.each,
    )


def for_persons(inner: TableSanitizer, task: Task) -> Mechanism[Any, CheckedRows]:
    """The mechanism for whole persons where a unit is protected, else the one for records."""
    if task.privacy.unit is None:
        return inner
    rows, relation = task.privacy.rows_per_unit, task.privacy.relation
    return ForPersons(inner=inner, rows=rows, relation=relation)


class WorstError(Certifier):
    """Certify a table by its noisy worst error, which was counted on the records."""

    def __call__(self, task: Task, outcome: Outcome) -> Facts:
        """The worst error of all queries, and that of each marginal if it was paid for."""
        mechanism, found = outcome.mechanism, outcome.value
        if isinstance(mechanism, ForPersons):
            mechanism = mechanism.inner
        assert isinstance(mechanism, TableSanitizer)
        assert isinstance(found, CheckedRows)
        queries, cost = mechanism.queries, mechanism.check.event()
        error = worst_error(
            found.noisy_worst, records=found.records, cost=cost, beta=task.accuracy.beta
        )
        answered = Answered(
            noisy_worst=found.noisy_worst,
            cost=cost,
            records=found.records,
            error=error,
            promise=queries.promise,
            claim=WORST_ERROR,
            each=named_errors(queries, found.errors),
        )
        recipe = {"rows": mechanism.rows, "each": show(mechanism.each)}
        return Facts(what=queries.describe(), answered=answered, recipe=recipe)

    def without_theorem(self, task: Task, *, n: int | None) -> str | None:
        """That the worst error is counted, and how close the count will be."""
        words = (
            "A table of few pairs of columns (adaptive-pairs, tree-of-pairs) has no theorem "
            "beforehand; it will state its worst error, counted on the records"
        )
        if n is None:
            return f"{words}."
        public = n if task.privacy.relation.size_is_public else None
        margin = sanitizer(Independent(), task, n=public).check.margin(task.accuracy.beta)
        above = show_rounded_up(min(Fraction(1), Fraction(2 * margin, n)), digits=2)
        likely = show(1 - task.accuracy.beta)
        those = "records" if task.privacy.unit is None else "persons"
        return (
            f"{words}. With {grouped(n)} {those} that is stated at most {above} too large, with "
            f"probability {likely}."
        )


def _nothing(_task: Task) -> str | None:
    return None


def _entry(
    method: Method,
    summary: str,
    *,
    small: Method,
    large: int,
    claim: Claim = ONE_WAY,
    bound: Callable[[Task], SampleBound] = bound_of,
    runs: Callable[[Task], str | None] = _nothing,
) -> Algorithm:
    METHODS[method.name] = method

    def build(task: Task, planned: SampleBound, size: Size) -> Mechanism[Any, CheckedRows]:
        del planned
        n = size.n if size.known is Known.PUBLIC else None
        return for_persons(sanitizer(method, task, n=n), task)

    def made(epsilon: Fraction) -> TableSanitizer:
        """Two columns and a large budget: with little noise few ways need to be followed."""
        pair = Marginals(Schema.of([bool, bool]).declared_complete(), ways=2)
        amount = epsilon * large
        budget = Budget(amount=amount, concentrated=False, relation=Relation.REPLACE_ONE)
        return TableSanitizer(
            queries=pair, method=small, budget=budget, n=1, checked=Fraction(1, 4)
        )

    def tiny(entry: Algorithm) -> Tiny:
        two = Marginals(Schema.of([bool, bool]).declared_complete(), ways=1)
        records = [(False, False), (False, True), (True, False), (True, True)]
        sampled = tiny_task(entry, two, two, records=records, usual=records[1], odd=records[2])
        only = ((records[0],), (records[3],)), ((records[1],), (records[2],))
        return sampled.exactly(made, records=records, n=1, only=only, faint=_COARSE)

    return ALGORITHMS.add(
        Algorithm(
            name=method.name,
            summary=summary,
            applies=Applies(
                proper=True,
                goal="sanitize",
                classes=CLASSES,
                relations=(Relation.REPLACE_ONE, Relation.ADD_REMOVE),
                because="protects whole records: a table has no label of its own",
                by_person=True,
            ),
            claim=claim,
            bound=bound,
            runs=runs,
            build=build,
            certify=WorstError(),
            tiny=tiny,
        )
    )


INDEPENDENT = _entry(
    Independent(),
    "noisy counts of every column, columns independent",
    small=Independent(),
    large=24,
)
TREE = _entry(
    PairTree(),
    "a tree of pairs of columns, drawn pair by pair, and their noisy counts",
    small=PairTree(),
    large=160,
)
ADAPTIVE = _entry(
    Adaptive(),
    "pairs of columns measured one by one, where the table so far answers worst",
    small=Adaptive(rounds=1),
    large=640,
)
TOGETHER_ENTRY = _entry(
    Together(),
    "noisy counts of all combinations of cells: its error is known beforehand",
    small=Together(),
    large=24,
    claim=TOGETHER,
    bound=together_bound,
    runs=too_many,
)
