"""Algorithms and lower bounds for records, as a task about persons sees them.

An algorithm can always take one row of each person: these are independent records. Where the
task says that a person's rows are independent, too, it can also take all of them and charge
each person for all. Proved in ``persons.proof.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tacit.core import (
    Algorithm,
    BadInput,
    Known,
    LowerBound,
    Relation,
    SampleBound,
    Size,
    Task,
    privacy_event,
)
from tacit.core.certificate import Certificate
from tacit.core.certify import Certifier, Facts, Outcome
from tacit.core.mechanism import SomeMechanism
from tacit.core.task_fields import BALANCED
from tacit.mechanisms.persons import ForPersons, has_zcdp, row_relation, row_share


def row_task(task: Task, rows: int) -> Task:
    """The task about records that ``rows`` rows of each person are used for."""
    privacy = task.privacy
    epsilon, delta = privacy.epsilon, privacy.delta
    if rows > 1:
        epsilon, delta = row_share(
            epsilon=epsilon, delta=delta, relation=privacy.relation, rows=rows
        )
    return task.with_(
        epsilon=epsilon,
        delta=delta,
        relation=row_relation(privacy.relation, rows),
        unit=None,
        rows_per_unit=1,
        rows="any",
    )


def _ways(task: Task) -> list[int]:
    """How many rows of each person may be used, so that a theorem about records holds.

    Where labels are to count alike, how many have each is counted on one row of each person, and
    the rule is drawn from the same rows.
    """
    most = task.privacy.rows_per_unit
    several = most > 1 and task.rows == "independent" and task.costs != BALANCED
    return [1, most] if several else [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAlgorithm(Algorithm):
    """An algorithm for records that is run on rows of persons; numbers are of persons."""

    plain: Algorithm

    def why_not(self, task: Task) -> str | None:
        """Why it cannot do ``task`` in any way; ``None`` if it can.

        Persons stand in the order of their ids, which moves when one of them is another. So what
        tells records apart by their place is refused, and every learner that is private only
        while the number of records is public: ``mechanisms/persons.proof.md``, Requires.
        """
        if task.privacy.relation is Relation.REPLACE_ONE:
            if self.applies.placed:
                return "may tell records apart by their place, and persons have none"
            if self.applies.goal == "learn" and Relation.ADD_REMOVE not in self.applies.relations:
                return "needs a public number of records, and persons' rows have none"
        return self._best(task, lambda one: self.plain.why_not(one))

    def too_large(self, task: Task) -> str | None:
        """Why no computer can run it on ``task``; ``None`` if one can."""
        return self._best(task, lambda one: self.plain.too_large(one))

    def _best(self, task: Task, ask: Callable[[Task], str | None]) -> str | None:
        reasons: list[str | None] = [ask(row_task(task, rows)) for rows in _ways(task)]
        return None if None in reasons else reasons[0]


def for_task(algorithm: Algorithm, task: Task) -> Algorithm:
    """The algorithm as the task sees it: for persons, where the task is about persons."""
    applies = algorithm.applies
    if task.privacy.unit is None or applies.persons or applies.by_person:
        return algorithm
    return PersonAlgorithm(
        name=algorithm.name,
        summary=algorithm.summary,
        applies=algorithm.applies,
        claim=algorithm.claim,
        bound=lambda task: _bound(algorithm, task),
        build=lambda task, bound, size: _built(algorithm, task, bound, size),
        runs=algorithm.runs,
        tiny=algorithm.tiny,
        certify=_OfPersons(algorithm.certify),
        counts=algorithm.counts,
        plain=algorithm,
    )


class _OfPersons(Certifier):
    """Certify of persons, of whom one row each is a record, what is certified of records."""

    def __init__(self, plain: Certifier) -> None:
        self._plain = plain

    def __call__(self, task: Task, outcome: Outcome) -> Facts:
        """What holds of this release; the theorem alone where several rows of each are used."""
        made = outcome.mechanism
        if isinstance(made, ForPersons):
            if made.rows > 1:
                return super().__call__(task, outcome)
            outcome = replace(outcome, mechanism=made.inner)
        return self._plain(task, outcome)

    def counting(
        self, task: Task, learner: SomeMechanism, size: Size, *, declared: bool
    ) -> SomeMechanism | None:
        """The learner, then the mistakes of its rule on one row of each person."""
        return self._plain.counting(task, learner, size, declared=declared)

    def published(self, value: object) -> object:
        """The rule alone."""
        return self._plain.published(value)

    def found(self, stated: Certificate, value: object) -> object:
        """What the mechanism had released."""
        if stated.measured is None and stated.asked.k == 1:
            return value
        return self._plain.found(stated, value)


def _bound(algorithm: Algorithm, task: Task) -> SampleBound:
    """The fewest persons with which one of the ways suffices."""
    found = []
    for rows in _ways(task):
        inner_task = row_task(task, rows)
        if algorithm.why_not(inner_task) is not None:
            continue
        try:
            inner = algorithm.bound(inner_task)
        except BadInput:
            if rows == 1:
                raise
            continue
        found.append(_in_persons(inner, rows))
    if not found:
        raise BadInput(str(algorithm.why_not(row_task(task, 1))))
    return min(found, key=lambda bound: (bound.n, bound.choices["rows"]))


def _in_persons(inner: SampleBound, rows: int) -> SampleBound:
    claim = inner.claim
    if rows > 1:
        claim = replace(
            claim,
            statement=f"{claim.statement}; of {rows} independent rows of each person, each person "
            "charged for all of them",
        )
    return SampleBound(
        n=-(-inner.n // rows),
        claim=claim,
        terms={name: part / rows for name, part in inner.terms.items()},
        printed=inner.printed if rows == 1 else None,
        choices={**(inner.choices if rows == 1 else {}), "rows": rows, "inner": inner},
    )


def _built(algorithm: Algorithm, task: Task, bound: SampleBound, size: Size) -> SomeMechanism:
    rows, inner = bound.choices["rows"], bound.choices["inner"]
    # How many rows several of each make is private.
    of_rows = size if rows == 1 else Size(inner.n, Known.PLANNED)
    mechanism = algorithm.build(row_task(task, rows), inner, of_rows)
    privacy, stated = task.privacy, None
    if rows > 1 and has_zcdp(mechanism.event()):
        # A group's Renyi divergence turned into epsilon would exceed what was asked for.
        stated = privacy_event(
            epsilon=privacy.epsilon, delta=privacy.delta, relation=privacy.relation
        )
    return ForPersons(inner=mechanism, rows=rows, relation=privacy.relation, stated=stated)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLowerBound(LowerBound):
    """A lower bound for records, spoken of persons."""

    def why_not(self, task: Task) -> str | None:
        """Why it says nothing about ``task``; ``None`` if it does."""
        return self.applies.refusal(row_task(task, 1))


def lower_for_task(source: LowerBound, task: Task) -> LowerBound:
    """The lower bound as the task sees it: of persons, where the task is about persons.

    Persons with one row are records. Where each has exactly ``m`` independent rows, ``N``
    persons are ``N m`` records, so that no fewer than an ``m``-th can do.
    """
    if task.privacy.unit is None:
        return source
    return PersonLowerBound(
        name=source.name,
        applies=source.applies,
        claim=source.claim,
        records=lambda task: _fewer(source.records(row_task(task, 1)), task),
    )


def _fewer(bound: SampleBound, task: Task) -> SampleBound:
    rows = task.privacy.rows_per_unit if task.rows == "independent" else 1
    return bound if rows == 1 else replace(bound, n=-(-bound.n // rows), printed=None)
