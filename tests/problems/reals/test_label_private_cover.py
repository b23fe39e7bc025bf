"""Exact privacy of A_1, A_1r and A_2 over all neighbours of tiny real-valued data sets."""

from fractions import Fraction as F
from functools import cache
from math import nan

import numpy as np
import pytest

from tacit.checks.testing import exact_epsilon, exponential_law, neighbours
from tacit.classes import Halfspaces, RealBoxes, RealIntervals, RealThresholds
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, Sample
from tacit.exact.balls import at, ball
from tacit.problems.reals.label_private_cover import LabelPrivateCoverLearner
from tacit.problems.reals.public_reference import PublicReferenceLearner

pytestmark = pytest.mark.exact

EPSILON = F(7, 5)

LAST_DIGIT = F(1, 1 << 200)

LINE = [[0.0], [0.5], [0.74], [7.0], [nan]]

SQUARE = [[0.1, 0.9], [0.5, 0.5], [nan, 2.0]]

RING = [[1, 0], [0, -2], [-1, 1], [0, 0]]

SPACE = [[1, 0, 0], [-1, 2, 3], [0, 0, -1]]

CASES = {
    "thresholds": (RealThresholds(), 4, LINE),
    "intervals": (RealIntervals(), 3, LINE),
    "boxes": (RealBoxes(columns=2), 3, SQUARE),
    "plane": (Halfspaces(columns=2), 5, RING),
    "space": (Halfspaces(columns=3), 2, SPACE),
}

N = 3


def _sample(points, data):
    width = len(points[0])
    x = np.array([points[i] for i, _ in data], dtype=float).reshape(-1, width)
    return Sample(x, np.array([y for _, y in data], dtype=int))


def _law(learner, cover, sample):
    """The law over released rules, from mistakes counted by the released rules themselves."""
    rules = [cover.hypothesis(i) for i in range(cover.size)]
    wrong = [int((rule.predict(sample.x) != (sample.y == 1)).sum()) for rule in rules]
    x = cover.domain.coerce(sample.x)
    assert cover.landscape(x, sample.y == 1).errors.tolist() == wrong
    rate = learner.epsilon / (1 if learner.event().relation is ADD_REMOVE else 2)
    law = {}
    with at(256):
        for i, mass in exponential_law(wrong, rate).items():
            law[rules[i]] = law.get(rules[i], ball(0)) + mass
    return law


def _worst(law, points, relation, n=N):
    seen = cache(law)
    records = [(i, y) for i in range(len(points)) for y in (0, 1)]
    with at(256):
        worst = ball(0)
        for left, right in neighbours(records, n, relation):
            worst = worst.max(exact_epsilon(seen(left), seen(right)))
        return worst


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE, LABEL])
@pytest.mark.parametrize("case", CASES)
def test_a_public_cover_is_private(case, relation):
    concept_class, cells, points = CASES[case]
    learner = PublicReferenceLearner(
        concept_class=concept_class, cells=cells, epsilon=EPSILON, relation=relation
    )
    assert learner.event().epsilon == EPSILON
    cover = concept_class.cover(cells)
    worst = _worst(lambda data: _law(learner, cover, _sample(points, data)), points, relation)
    with at(256):
        assert worst <= ball(EPSILON + LAST_DIGIT)
        assert worst > ball(EPSILON / 4)  # so a quarter of the budget would not be true


@pytest.mark.parametrize("case", ["thresholds", "intervals", "boxes", "plane"])
@pytest.mark.parametrize("radius", [F(0), F(1, 3)])
def test_a_cover_on_the_records_keeps_labels_private(case, radius):
    concept_class, _, points = CASES[case]
    learner = LabelPrivateCoverLearner(concept_class=concept_class, radius=radius, epsilon=EPSILON)
    assert learner.event().relation is LABEL

    def law(data):
        sample = _sample(points, data)
        x = concept_class.domain.coerce(sample.x)
        return _law(learner, concept_class.cover_on(x, int(radius * len(x))), sample)

    worst = _worst(law, points, LABEL)
    with at(256):
        assert worst <= ball(EPSILON + LAST_DIGIT)
        assert worst > ball(EPSILON / 4)


def test_a_cover_on_the_records_does_not_hide_features():
    # Why A_2 is refused for other relations: a rule is possible on one side only.
    concept_class, _, points = CASES["thresholds"]
    learner = LabelPrivateCoverLearner(concept_class=concept_class, radius=F(0), epsilon=EPSILON)

    def law(data):
        sample = _sample(points, data)
        return _law(
            learner, concept_class.cover_on(concept_class.domain.coerce(sample.x), 0), sample
        )

    left, right = law(((0, 0), (1, 1))), law(((0, 0), (2, 1)))
    assert not exact_epsilon(left, right).is_finite()


def test_a_doubled_rate_is_caught():
    concept_class, cells, points = CASES["thresholds"]
    honest = PublicReferenceLearner(concept_class=concept_class, cells=cells, epsilon=2 * EPSILON)
    cover = concept_class.cover(cells)
    worst = _worst(lambda data: _law(honest, cover, _sample(points, data)), points, REPLACE_ONE)
    with at(256):
        assert worst > ball(EPSILON)
