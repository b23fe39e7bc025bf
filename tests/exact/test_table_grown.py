"""Growing all leaves is one selection: no factor 2 when a record moves between leaves."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tacit.classes.trees import Trees
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE
from tacit.core.errors import BadInput
from tacit.domains.schema import Schema
from tacit.exact.balls import at, ball
from tacit.learners.grown_trees import GrownTreeLearner
from tacit.learners.tree_weights import Weigher
from tacit.testing import exact_epsilon, neighbours

SCHEMA = Schema.of([bool, bool])
TREES = Trees(SCHEMA, 1)


def law(rows, rate):
    """The law of one draw of a tree of one level."""
    weigher = Weigher(TREES, rate)
    x = [row for row, _ in rows] or np.empty((0, 2), dtype=object)
    y = np.array([label for _, label in rows], dtype=bool)
    root = weigher.root(SCHEMA.coerce(x), y)
    weights = list(weigher.balls(root, 1))
    total = sum(weights, ball(0))
    out = {False: weights[0] / total, True: weights[1] / total}
    for cut, weight in enumerate(weights[2:]):
        sides = weigher.sides(root, 1, cut)
        labels = []
        for side in sides:
            pair = list(weigher.balls(side, 0))
            labels.append(
                {False: pair[0] / (pair[0] + pair[1]), True: pair[1] / (pair[0] + pair[1])}
            )
        for low, high in product((False, True), repeat=2):
            out[(cut, low, high)] = weight / total * labels[0][low] * labels[1][high]
    return out


def grown_law(rows, rate):
    """Both leaves of the question "is the first column false" grown, jointly."""
    low = tuple(row for row in rows if not row[0][0])
    high = tuple(row for row in rows if row[0][0])
    return {
        (a, b): p * q for (a, p), (b, q) in product(law(low, rate).items(), law(high, rate).items())
    }


@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL, ADD_REMOVE])
def test_all_leaves_together_cost_one_selection(relation):
    learner = GrownTreeLearner(schema=SCHEMA, depth=4, epsilon=Fraction(2), relation=relation)
    rate = Fraction(1) / (1 if relation is ADD_REMOVE else 2)
    assert [event.epsilon for event in learner.event().leaves()] == [1, 1]
    records = [((False, False), 0), ((False, True), 1), ((True, False), 1), ((True, False), 0)]
    laws = {}
    worst = ball(0)
    with at(256):
        for left, right in neighbours(records, 3, relation):
            for data in (left, right):
                if data not in laws:
                    laws[data] = grown_law(data, rate)
            worst = worst.max(exact_epsilon(laws[left], laws[right]))
    assert worst < 1 + ball(Fraction(1, 10**60))
    assert worst > ball(Fraction(2, 5))


def test_the_prior_bound_is_below_every_prior():
    learner = GrownTreeLearner(schema=SCHEMA, depth=5, epsilon=Fraction(1))
    first, second = learner.stages
    assert (first.depth, second.depth) == (3, 2)
    assert learner.least_prior == first.least_prior() * second.least_prior() ** 8
    with pytest.raises(BadInput, match="depth"):
        GrownTreeLearner(schema=SCHEMA, depth=7, epsilon=Fraction(1))
