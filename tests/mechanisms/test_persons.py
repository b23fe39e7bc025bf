"""Whole persons: every mechanism's law on tiny domains, all persons and all their rows."""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from tests.mechanisms.persons_cases import _ROUNDING, CLASSES, MATRIX, people, worst

from tacit.accounting import total
from tacit.checks.audit.branching import law
from tacit.core import (
    ADD_REMOVE,
    LABEL,
    REPLACE_ONE,
    ZCDP,
    Approximate,
    Composed,
    Pure,
    Selection,
)
from tacit.domains.persons import ListedPersons
from tacit.exact.balls import at, ball
from tacit.mechanisms.calibration import group_delta, rows_moved
from tacit.mechanisms.persons import ForPersons, group_event, row_share
from tacit.problems.finite.finite_class import FiniteClassLearner

pytestmark = pytest.mark.exact


def in_rows(concepts, rows, relation, epsilon=Fraction(1)):
    share, _ = row_share(epsilon=epsilon, delta=Fraction(0), relation=relation, rows=rows)
    inner = FiniteClassLearner(
        concept_class=concepts, epsilon=share, relation=relation if rows == 1 else ADD_REMOVE
    )
    return ForPersons(inner=inner, rows=rows, relation=relation)


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize("concepts", CLASSES, ids=lambda one: one.name)
@pytest.mark.parametrize("rows", [1, 2])
def test_rows_charged_to_their_person(concepts, rows, relation):
    """Persons with up to three rows, of which one or two are kept: never above the claim."""
    mechanism = in_rows(concepts, rows, relation)
    assert total([mechanism.event()]).epsilon == 1
    found = worst(mechanism, concepts, 2, 3, relation)
    assert found < ball(1 + _ROUNDING)
    assert found > ball(Fraction(1, 2))


@pytest.mark.parametrize("concepts", CLASSES, ids=lambda one: one.name)
@pytest.mark.parametrize("rows", [1, 2])
def test_labels_charged_to_their_person(concepts, rows):
    """All labels of a person change, of which those of one or two rows are kept."""
    mechanism = in_rows(concepts, rows, LABEL)
    assert total([mechanism.event()]).epsilon == 1
    found = worst(mechanism, concepts, 2, 3, LABEL)
    assert found < ball(1 + _ROUNDING)
    assert found > ball(Fraction(1, 2))


def test_a_step_for_each_label_is_too_small():
    """A row whose label changes goes and comes: with one step for each row a person loses more
    than the 1 that two rows at a half each would cost.
    """
    half = FiniteClassLearner(concept_class=MATRIX, epsilon=Fraction(1, 2), relation=ADD_REMOVE)
    mechanism = ForPersons(inner=half, rows=2, relation=LABEL)
    assert total([mechanism.event()]).epsilon == 2
    assert ball(1) < worst(mechanism, MATRIX, 2, 3, LABEL) < ball(2)


def test_a_charge_for_one_row_is_too_small_for_two():
    """What the test above would say of rows that are not charged to their person."""
    cheap = ForPersons(
        inner=FiniteClassLearner(concept_class=MATRIX, epsilon=Fraction(1), relation=ADD_REMOVE),
        rows=2,
        relation=ADD_REMOVE,
    )
    assert worst(cheap, MATRIX, 2, 3, ADD_REMOVE) > ball(1)


def test_at_most_all_mistakes_is_the_charge_for_rows():
    """Counting up to m mistakes of a person at an m-th of the rate is charging for m rows."""
    mechanism = in_rows(MATRIX, 2, REPLACE_ONE)
    for crowd in combinations_with_replacement(people(2), 2):
        data = ListedPersons(MATRIX.domain, crowd)
        found = law(mechanism, data)
        x = np.array([x for one in crowd for x, _ in one], dtype=int)
        y = np.array([y for one in crowd for _, y in one], dtype=bool)
        wrong = [int((MATRIX.matrix[c][x] != y).sum()) for c in range(3)]
        with at(160):
            weights = [(ball(Fraction(-w, 4))).exp() for w in wrong]
            whole = sum(weights[1:], weights[0])
            assert len(found.masses) == 3
            for key, value in found.values.items():
                assert found.masses[key].overlaps(weights[value.concept] / whole)


def test_what_a_group_of_rows_costs():
    kinds = [
        Pure(epsilon=Fraction(1, 4), relation=ADD_REMOVE),
        Selection(epsilon=Fraction(1, 4), relation=ADD_REMOVE),
        ZCDP(rho=Fraction(1, 4), relation=ADD_REMOVE),
        Approximate(epsilon=Fraction(1, 4), delta=Fraction(1, 100), relation=ADD_REMOVE),
    ]
    whole = group_event(
        Composed(events=tuple(kinds), relation=ADD_REMOVE), steps=6, relation=REPLACE_ONE
    )
    assert isinstance(whole, Composed)
    pure, select, zcdp, approximate = whole.events
    assert (pure.epsilon, select.epsilon, zcdp.rho) == (Fraction(3, 2), Fraction(3, 2), 9)
    assert approximate.epsilon == Fraction(3, 2)
    with at(160):
        steps = [(ball(Fraction(j, 4))).exp() for j in range(6)]
        grown = sum(steps[1:], steps[0]) / 100
        assert grown <= ball(approximate.delta) <= grown * ball(Fraction(1001, 1000))
    assert all(one.relation is REPLACE_ONE for one in whole.events)


def test_how_many_rows_move():
    assert [rows_moved(one, 1) for one in (REPLACE_ONE, ADD_REMOVE, LABEL)] == [1, 1, 1]
    assert [rows_moved(one, 3) for one in (REPLACE_ONE, ADD_REMOVE, LABEL)] == [6, 3, 6]


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE, LABEL])
@pytest.mark.parametrize("rows", [2, 7])
def test_a_share_of_delta_grows_to_no_more_than_all_of_it(rows, relation):
    epsilon, delta = Fraction(3), Fraction(1, 10**6)
    share, part = row_share(epsilon=epsilon, delta=delta, relation=relation, rows=rows)
    steps = rows_moved(relation, rows)
    assert share * steps == epsilon
    grown = group_delta(epsilon=share, delta=part, steps=steps)
    assert delta * Fraction(999, 1000) < grown <= delta
