"""Whole persons: every mechanism's law on tiny domains, all persons and all their rows."""

import math
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from tacit.accounting import total
from tacit.bounds.upper import selection
from tacit.checks.audit.branching import law
from tacit.checks.testing import exact_epsilon
from tacit.classes import Points, Table, Thresholds
from tacit.core import (
    ADD_REMOVE,
    ALGORITHMS,
    LABEL,
    REPLACE_ONE,
    ZCDP,
    Accuracy,
    Approximate,
    BadInput,
    Composed,
    Mechanism,
    Privacy,
    Pure,
    Selection,
    Task,
)
from tacit.domains.persons import ListedPersons
from tacit.exact.balls import at, ball
from tacit.mechanisms.calibration import group_delta, rows_moved
from tacit.mechanisms.persons import ForPersons, group_event, row_share
from tacit.planner.persons import for_task
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.finite.wrong_persons import WrongPersons, WrongPersonsLearner, clamped_persons

ROWS = [(x, y) for x in (0, 1) for y in (0, 1)]
_ROUNDING = Fraction(1, 1 << 40)
MATRIX = Table(np.array([[0, 0], [1, 0], [1, 1]]))
CLASSES = [Thresholds(size=2), Points(size=2), MATRIX]


def people(most):
    """Every person with at most so many rows, the one without any, too."""
    return [rows for c in range(most + 1) for rows in combinations_with_replacement(ROWS, c)]


def pairs(number, most, relation):
    """Neighbouring crowds: a person is replaced, or comes, or goes."""
    everyone = people(most)
    for crowd in combinations_with_replacement(everyone, number - 1):
        if relation is ADD_REMOVE:
            for one in everyone:
                yield crowd, (*crowd, one)
        else:
            for one, other in product(everyone, repeat=2):
                yield (*crowd, one), (*crowd, other)


def worst(mechanism, concepts, number, most, relation):
    """The largest loss over all neighbours, searched in floats and then certified."""
    laws, logs = {}, {}

    @cache
    def masses(crowd):
        data = ListedPersons(concepts.domain, crowd)
        kept = data.at_most(mechanism.rows)  # all that a mechanism for persons sees
        seen = (tuple(kept.sample.x), tuple(kept.sample.y), tuple(kept.owner))
        if seen not in laws:
            laws[seen] = law(mechanism, data).masses
            logs[seen] = {key: math.log(float(mass)) for key, mass in laws[seen].items()}
        return seen

    found, at_worst = -1.0, None
    for left, right in pairs(number, most, relation):
        p, q = masses(left), masses(right)
        loss = max(abs(logs[p][key] - logs[q][key]) for key in logs[p])
        if loss > found:
            found, at_worst = loss, (p, q)
    assert len(laws) >= 25
    with at(160):
        p, q = (laws[one] for one in at_worst)
        return exact_epsilon(p, q).max(exact_epsilon(q, p))


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


def test_a_charge_for_one_row_is_too_small_for_two():
    """What the test above would say of rows that are not charged to their person."""
    cheap = ForPersons(
        inner=FiniteClassLearner(concept_class=MATRIX, epsilon=Fraction(1), relation=ADD_REMOVE),
        rows=2,
        relation=ADD_REMOVE,
    )
    assert worst(cheap, MATRIX, 2, 3, ADD_REMOVE) > ball(1)


@pytest.mark.parametrize("selector", ["exponential", "permute-and-flip"])
@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize("concepts", CLASSES, ids=lambda one: one.name)
def test_persons_that_count_once(concepts, relation, selector):
    mechanism = WrongPersonsLearner(
        concept_class=concepts,
        rows=2,
        epsilon=Fraction(1),
        relation=relation,
        selector=selector,
    )
    found = worst(mechanism, concepts, 2, 3, relation)
    assert found < ball(1 + _ROUNDING)
    assert found > ball(Fraction(1, 2))


def brute(concepts, crowd, rows):
    """Persons with a mistake, counted one by one."""
    kept = ListedPersons(concepts.domain, crowd).at_most(rows)
    x, y, owner = np.array(kept.sample.x, dtype=int), kept.sample.y, kept.owner
    rules = [concepts.hypothesis(c) for c in _candidates(concepts)]
    return [len(set(owner[rule.predict(x) != y].tolist())) for rule in rules]


def _candidates(concepts):
    first = concepts.first if isinstance(concepts, Thresholds) else 0
    return range(first, first + concepts.size)


def listed(concepts, landscape):
    levels = landscape.levels()
    found = {}
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        for rank in range(count):
            found[landscape.member(error, rank)] = error
    return [found[c] for c in _candidates(concepts)]


@pytest.mark.parametrize(
    "concepts",
    [
        Thresholds(size=4),
        Thresholds(size=4, orientation="<"),
        Thresholds(size=4, orientation="<="),
        Points(size=4),
        Table(np.array([[0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]])),
    ],
    ids=str,
)
def test_persons_with_a_mistake_are_counted(concepts):
    """Against counting one by one, up to what is the same for all concepts."""
    rng = np.random.default_rng(1)
    seen = set()
    for _ in range(400):
        crowd = tuple(
            tuple((int(rng.integers(4)), int(rng.integers(2))) for _ in range(rng.integers(5)))
            for _ in range(rng.integers(1, 6))
        )
        wanted = np.array(brute(concepts, crowd, 3))
        counted = WrongPersons(concepts, 3)(ListedPersons(concepts.domain, crowd))
        found = np.array(listed(concepts, counted))
        assert len(set((wanted - found).tolist())) == 1, crowd
        seen.add(tuple((wanted - wanted.min()).tolist()))
    assert len(seen) > 30


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


def test_the_figures_of_the_specification():
    """344 persons where all rows are charged for, 57 where a person counts once."""
    given = {"size": 10**6 + 1, "alpha": Fraction(1, 10), "beta": Fraction(1, 20)}
    for m, charged, once in [
        (1, 419, 419),
        (5, 352, 96),
        (10, 344, 57),
        (20, 341, 40),
        (50, 338, 34),
    ]:
        rows = selection.realizable(**given, epsilon=Fraction(1, m)).n
        assert -(-rows // m) == charged
        assert clamped_persons(**given, epsilon=Fraction(1), rows=m).n == once


def test_a_plan_takes_what_needs_fewest_persons():
    task = Task(
        Thresholds(size=10**6),
        privacy=Privacy(1, unit="id", rows_per_unit=10),
        accuracy=Accuracy("0.1", "0.05"),
        rows="independent",
    )
    options = {
        name: for_task(ALGORITHMS[name], task).bound(task)
        for name in ("exponential", "wrong-persons")
    }
    assert options["exponential"].n == 344
    assert options["exponential"].choices["rows"] == 10
    assert options["wrong-persons"].n == 57
    alike = task.with_(rows="any")
    found = for_task(ALGORITHMS["exponential"], alike).bound(alike)
    assert (found.n, found.choices["rows"]) == (419, 1)
    assert ALGORITHMS["wrong-persons"].bound(alike).n == 419


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
    assert [rows_moved(one, 3) for one in (REPLACE_ONE, ADD_REMOVE)] == [6, 3]


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize("rows", [2, 7])
def test_a_share_of_delta_grows_to_no_more_than_all_of_it(rows, relation):
    epsilon, delta = Fraction(3), Fraction(1, 10**6)
    share, part = row_share(epsilon=epsilon, delta=delta, relation=relation, rows=rows)
    steps = rows_moved(relation, rows)
    assert share * steps == epsilon
    grown = group_delta(epsilon=share, delta=part, steps=steps)
    assert delta * Fraction(999, 1000) < grown <= delta


def test_a_mechanism_for_replaced_rows_is_refused_for_several():
    inner = FiniteClassLearner(concept_class=MATRIX, epsilon=Fraction(1), relation=REPLACE_ONE)
    with pytest.raises(BadInput, match="add-remove"):
        ForPersons(inner=inner, rows=2, relation=REPLACE_ONE)
    assert isinstance(ForPersons(inner=inner, rows=1, relation=REPLACE_ONE), Mechanism)
