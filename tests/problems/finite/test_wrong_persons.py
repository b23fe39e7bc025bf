"""Tests of ``tacit.problems.finite.wrong_persons``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.mechanisms.persons_cases import _ROUNDING, CLASSES, worst

from tacit.bounds.upper import selection
from tacit.classes import Points, Table, Thresholds
from tacit.core import (
    ADD_REMOVE,
    REPLACE_ONE,
)
from tacit.domains.persons import ListedPersons
from tacit.exact.balls import ball
from tacit.problems.finite.wrong_persons import WrongPersons, WrongPersonsLearner, clamped_persons

pytestmark = pytest.mark.exact


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
