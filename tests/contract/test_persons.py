"""Every algorithm, asked to protect persons: what it spends, and that it learns from their rows."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from tests.golden import tasks

from tacit.accounting import Ledger, total
from tacit.accounting.cost import implies
from tacit.api import learn, sanitize
from tacit.checks.testing import seeded
from tacit.core import ALGORITHMS, BadInput, Known, Privacy, Size, TacitError
from tacit.mechanisms.persons import ForPersons, row_share
from tacit.planner.persons import for_task, row_task


def cases():
    """The golden tasks about records."""
    return (case for case in tasks.cases() if not case.rows)


DELTAS = (Fraction(0), Fraction(1, 20))


def asked(relation, rows):
    """Every golden task, about persons."""
    for case in cases():
        for delta in DELTAS:
            plain = case.task(delta)
            if plain.privacy.relation.value == "label" and rows > 1:
                continue
            if plain.privacy.relation.value != "label":
                plain = plain.with_(relation=relation)
            yield plain.with_(
                unit="id", rows_per_unit=rows, rows="independent" if rows > 1 else "any"
            )


@cache
def planned(relation, rows):
    """Every algorithm with a task about persons that it takes, and its bound."""
    found, wanted = [], list(asked(relation, rows))
    for entry in ALGORITHMS:
        for task in wanted:
            seen = for_task(entry, task)
            if seen.why_not(task) is None and seen.too_large(task) is None:
                try:
                    found.append((seen, task, seen.bound(task)))
                except TacitError:
                    continue
    return found


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("rows", [1, 3])
def test_what_is_spent_is_at_most_what_was_asked(rows, relation):
    names, grouped = set(), 0
    for entry, task, bound in planned(relation, rows):
        known = Known.PUBLIC if relation == "replace-one" else Known.PLANNED
        mechanism = entry.build(task, bound, Size(max(bound.n, 2), known))
        event, privacy = mechanism.event(), task.privacy
        assert implies(event.relation, privacy.relation), entry.name
        spent = total([event], delta=privacy.delta)
        assert spent.epsilon is not None
        assert spent.epsilon <= privacy.epsilon, entry.name
        assert spent.delta <= privacy.delta, entry.name
        names.add(entry.name)
        if isinstance(mechanism, ForPersons) and mechanism.rows > 1:
            # What a stated group rests on: the inner mechanism keeps within its own share.
            epsilon, delta = row_share(
                epsilon=privacy.epsilon, delta=privacy.delta, relation=privacy.relation, rows=rows
            )
            inner = total([mechanism.inner.event()], delta=delta)
            assert inner.epsilon <= epsilon, entry.name
            assert inner.delta <= delta, entry.name
            grouped += 1
    assert len(names) >= (35 if relation == "replace-one" else 10)
    assert grouped == 0 if rows == 1 else grouped >= 10


def test_what_splits_records_by_position_is_not_for_persons():
    """Renaming one id moves everybody's place: blocks by place are then not disjoint."""
    placed = {
        "parity-votes", "parity-elimination", "parities-vote", "lines", "constant-points",
        "heavy-to-proper", "interval-switch", "quantile-thresholds", "zcdp-quantile-thresholds",
        "stable-quantile-thresholds", "sanitize-then-thresholds",
    }  # fmt: skip
    # Under label privacy ids, and so places, do not change.
    offered = {
        entry.name
        for rows in (1, 3)
        for entry, task, _ in planned("replace-one", rows)
        if task.privacy.relation.value == "replace-one"
    }
    assert offered
    assert not offered & placed
    assert placed <= {entry.name for entry in ALGORITHMS}


def _people(case, persons):
    """Every record twice, under one id."""
    made = case.records(persons)
    ids = np.repeat(np.arange(persons), 2)
    if isinstance(made, tuple):
        return tuple(np.repeat(np.asarray(part), 2, axis=0) for part in made), ids
    return np.repeat(np.asarray(made), 2, axis=0), ids


def test_every_algorithm_learns_from_persons():
    """Two rows of each person, of which one is kept; the certificate counts persons."""
    ran = set()
    for entry in ALGORITHMS:
        for case in cases():
            plain = case.task(Fraction(0))
            task = plain.with_(unit="id", rows_per_unit=1)
            if entry.name in ran or for_task(entry, task).why_not(task) is not None:
                continue
            if entry.too_large(plain) is not None or case.name.startswith("tree"):
                continue
            data, groups = _people(case, 40)
            given = {
                "ledger": Ledger.memory(2, relation="label"),
                "rng": seeded(7),
                "algorithm": entry.name,
            }
            try:
                if task.goal == "sanitize":
                    release = sanitize(
                        data,
                        task.concept_class,
                        privacy=task.privacy,
                        accuracy=task.accuracy,
                        groups=groups,
                        **given,
                    )
                else:
                    release = learn(task, data, groups=groups, **given)
            except BadInput:
                continue
            public = task.privacy.relation.size_is_public
            assert release.certified.n == (40 if public else None)
            assert release.certified.asked.unit == "id"
            ran.add(entry.name)
    assert len(ran) >= 30


def test_row_tasks_forget_the_unit():
    task = next(iter(cases())).task(Fraction(0)).with_(unit="id", rows_per_unit=4)
    assert row_task(task, 1).privacy == Privacy(1)
    assert row_task(task, 4).privacy == Privacy(Fraction(1, 8), relation="add-remove")
