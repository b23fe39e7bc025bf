"""Tests of ``tacit.problems.tables.deep_tree_learner``."""

from fractions import Fraction
from itertools import product

import pytest
from tests.problems.tables.table_deep_cases import ROWS, SCHEMA, TINY, functions, placed

from tacit.checks.testing import exact_epsilon, neighbours, seeded
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE
from tacit.exact.balls import at, ball
from tacit.problems.tables.deep_tree_learner import DeepTreeLearner

pytestmark = pytest.mark.exact


def law(rows, rate):
    three, four = functions(rows, 3, rate), functions(rows, 4, rate)
    weights = {f: ball(Fraction(9, 10)) * three[f] + four[f] / 10 for f in three}
    total = sum(weights.values(), ball(0))
    return {f: weight / total for f, weight in weights.items()}


def test_draws_follow_the_law_of_both_classes_together():
    learner = DeepTreeLearner(schema=SCHEMA, epsilon=Fraction(2))
    cells, labels = placed(ROWS)
    stated = law(ROWS, learner.rate)
    rng, draws = seeded(11), 3000
    rules = (learner.draw(cells, labels, rng) for _ in range(draws))
    both = SCHEMA.coerce([(False,), (True,)])
    counts = dict.fromkeys(stated, 0)
    for root in rules:
        while_both = []
        for cell in both:
            node = root
            while not isinstance(node, bool):
                node = node[1] if node[0].asks(cell[None])[0] else node[2]
            while_both.append(node)
        counts[tuple(while_both)] += 1
    wrong = law(ROWS, learner.rate * 2)
    told_apart = False
    for function, mass in stated.items():
        p, q = float(mass), float(wrong[function])
        # Six standard deviations: a false alarm once in 10^8 such comparisons.
        room = 6 * (p * (1 - p) / draws) ** 0.5
        assert abs(counts[function] / draws - p) < room
        told_apart = told_apart or abs(counts[function] / draws - q) > room
    assert told_apart


@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL, ADD_REMOVE])
def test_privacy_by_enumerating_neighbours(relation):
    """Trees of one function change their probability by one factor, so functions suffice."""
    learner = DeepTreeLearner(schema=SCHEMA, epsilon=Fraction(1), relation=relation)
    assert learner.rate == (1 if relation is ADD_REMOVE else Fraction(1, 2))
    records = [((a,), b) for a, b in product((False, True), (0, 1))]
    laws, worst = {}, ball(0)
    with at(256):
        for left, right in neighbours(records, 3, relation):
            for rows in (left, right):
                if rows not in laws:
                    laws[rows] = law(rows, learner.rate)
            worst = worst.max(exact_epsilon(laws[left], laws[right]))
    assert worst < 1 + TINY
    assert worst > ball(Fraction(2, 5))
