"""Rates of persons: noise for all rows of one that are counted, and no less."""

from fractions import Fraction
from itertools import product
from math import exp

import numpy as np
import pandas as pd
import pytest

from tacit.checks.audit.enumeration import exact
from tacit.checks.testing import seeded
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, Composed, Pure, Sample
from tacit.domains.persons import persons_of
from tacit.domains.schema import Schema
from tacit.mechanisms.calibration import noise_scale, spread
from tacit.mechanisms.persons import ForPersons
from tacit.problems.tables.leaf_rates import LeafCounts, LeafRates
from tacit.problems.tables.rated_learner import RatedLearner
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.trees import TreeRule, Trees
from tacit.sources.persons import ArrayPersons

SCHEMA = Schema.of({"age": (0, 2)}, bins=2)
TREES = Trees(SCHEMA, depth=1)
SPLIT = TREES.hypothesis((1, False, True))
ROWS = [(age, label) for age in (0.5, 1.5) for label in (0, 1)]


def crowd(persons):
    """Persons as a frame with ids; whoever has no rows is not there."""
    rows = [(str(place), *row) for place, one in enumerate(persons) for row in one]
    frame = pd.DataFrame(rows, columns=["id", "age", "sick"])
    labels = frame.sick.to_numpy(dtype=np.int64)
    return ArrayPersons(Sample(frame[["age"]], labels), ids=frame.id.astype(str), domain=SCHEMA)


def learner(relation=REPLACE_ONE, **more):
    drawn = TreeLearner(trees=TREES, epsilon=Fraction(3, 4), relation=relation)
    first = ForPersons(inner=drawn, rows=1, relation=relation)
    return RatedLearner(learner=first, rule_of=lambda rule: rule, epsilon=Fraction(1, 4), **more)


@pytest.mark.parametrize(
    ("relation", "rows", "moved"),
    [
        (REPLACE_ONE, 1, 2),
        (REPLACE_ONE, 3, 6),
        (ADD_REMOVE, 1, 1),
        (ADD_REMOVE, 3, 3),
        (LABEL, 1, 2),
    ],
)
def test_it_costs_a_person_the_learner_and_the_numbers(relation, rows, moved):
    made = learner(relation, rows=rows)
    rates = Pure(epsilon=Fraction(1, 4), relation=relation)
    assert made.event() == Composed(events=(made.learner.event(), rates), relation=relation)
    counting = made.counting(SPLIT)
    assert counting.scale == moved / Fraction(1, 4)
    assert ForPersons(inner=counting, rows=rows, relation=relation).event() == rates


def test_it_is_the_learner_and_then_the_rows_that_are_kept():
    data = crowd([ROWS, ROWS[1:], ROWS[:1]] * 20)
    found = learner(rows=3)._release(data, rng=seeded(9))
    rng = seeded(9)
    rule = learner(rows=3).learner._release(data, rng=rng)
    apart = LeafRates(rule=rule, epsilon=Fraction(1, 24), relation=ADD_REMOVE)
    numbers = apart._release(data.at_most(3).sample, rng=rng)
    assert found.found == rule
    assert found.rated == apart.rated(numbers)


@pytest.mark.exact
@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize("rows", [1, 2])
def test_a_person_moves_the_numbers_by_what_the_noise_is_for(relation, rows):
    """All persons with up to three rows: the noise is for the farthest two, and no more."""
    everyone = [one for one in persons_of(ROWS, most=3) if one]

    def numbers(person):
        kept = crowd([person]).at_most(rows).sample
        return LeafCounts(SPLIT).count(kept.x, np.asarray(kept.y, dtype=bool))

    of = {person: numbers(person) for person in everyone}
    if relation is ADD_REMOVE:
        worst = max(int(np.abs(one).sum()) for one in of.values())
    else:
        worst = max(int(np.abs(one - other).sum()) for one, other in product(of.values(), repeat=2))
    epsilon = Fraction(1, 4)
    made = LeafRates.of_rows(SPLIT, epsilon=epsilon, relation=relation, rows=rows)
    assert worst / made.scale == epsilon
    record = LeafRates(rule=SPLIT, epsilon=epsilon, relation=relation)
    assert (worst / record.scale > epsilon) == (rows > 1)


@pytest.mark.exact
@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
def test_the_whole_law_is_as_private_as_claimed_for_persons(relation):
    """One part, up to two rows a person of either label; noise for a record is found."""
    rule = TreeRule(schema=SCHEMA, root=True)
    rows = [(0.5, 0), (0.5, 1)]
    persons = [one for one in persons_of(rows, most=2) if one]

    def audited(inner, claimed=Fraction(4)):
        made = ForPersons(
            inner=inner, rows=2, relation=relation, stated=Pure(epsilon=claimed, relation=relation)
        )
        return exact(made, persons, 1, form=crowd, faint=Fraction(1, 1 << 18))

    honest = LeafRates.of_rows(rule, epsilon=Fraction(4), relation=relation, rows=2)
    found = audited(honest)
    assert not found.violated, str(found)
    assert found.epsilon[0] > Fraction(7, 2)  # nearly all of it is used
    assert audited(honest, Fraction(3)).violated
    for_a_record = LeafRates(rule=rule, epsilon=4 / Fraction(spread(relation)), relation=ADD_REMOVE)
    assert for_a_record.scale == noise_scale(epsilon=Fraction(4), relation=relation)
    assert audited(for_a_record).violated


@pytest.mark.statistical
def test_noise_is_that_of_so_many_rows():
    """Two rows of each who is replaced: scale 4 over epsilon, not that of one row or of three."""
    made, rng, runs = learner(rows=2), seeded("rates of persons"), 1500
    kept = crowd([ROWS[:1]]).at_most(2).sample
    counting = made.counting(SPLIT)
    noise = np.array([counting._release(kept, rng=rng) for _ in range(runs)]) - [1, 0, 0, 0]
    scale = float(counting.scale)
    assert scale == 16

    def chance(scale):
        """That noise is at most 10 away from 0."""
        q = exp(-1 / scale)
        return 1 - 2 * q**11 / (1 + q)

    near = np.count_nonzero(np.abs(noise) <= 10) / noise.size
    error = 5 * np.sqrt(chance(scale) * (1 - chance(scale)) / noise.size)
    assert abs(near - chance(scale)) < error
    for wrong in (2 / 0.25, 1 / 0.25, 6 / 0.25, 0.8 * scale, 1.2 * scale):
        assert abs(near - chance(wrong)) > error
