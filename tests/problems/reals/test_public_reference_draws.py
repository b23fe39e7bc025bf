"""What the learners of CH11 release, drawn many times, against their stated laws."""

from fractions import Fraction as F

import numpy as np
import pytest
from tests.tools.levels import accepts
from tests.tools.long import long_ones

from tacit.checks.testing import exponential_law, seeded
from tacit.classes import Halfspaces, RealBoxes, RealThresholds
from tacit.core import Sample
from tacit.problems.reals.label_private_cover import LabelPrivateCoverLearner
from tacit.problems.reals.public_reference import PublicReferenceLearner

pytestmark = pytest.mark.statistical

DRAWS = 6_000

EPSILON = F(1)

GENERATOR = np.random.default_rng(11)

LINE = Sample(GENERATOR.random((9, 1)), np.arange(9) % 3 == 0)

SQUARE = Sample(GENERATOR.random((12, 2)), np.arange(12) < 8)

PLANE = Sample(GENERATOR.normal(size=(9, 2)), np.arange(9) % 2)

CASES = {
    "a public cover of thresholds": (
        PublicReferenceLearner(concept_class=RealThresholds(), cells=6, epsilon=EPSILON),
        RealThresholds().cover(6),
        LINE,
    ),
    "a public cover of boxes": (
        PublicReferenceLearner(concept_class=RealBoxes(columns=2), cells=3, epsilon=EPSILON),
        RealBoxes(columns=2).cover(3),
        SQUARE,
    ),
    "a public cover of halfspaces": (
        PublicReferenceLearner(concept_class=Halfspaces(columns=2), cells=7, epsilon=EPSILON),
        Halfspaces(columns=2).cover(7),
        PLANE,
    ),
    "thresholds on the records": (
        LabelPrivateCoverLearner(concept_class=RealThresholds(), radius=F(1, 9), epsilon=EPSILON),
        RealThresholds().cover_on(LINE.x, 1),
        LINE,
    ),
    "halfspaces on the records": (
        LabelPrivateCoverLearner(
            concept_class=Halfspaces(columns=2), radius=F(1, 9), epsilon=EPSILON
        ),
        Halfspaces(columns=2).cover_on(Halfspaces(columns=2).domain.coerce(PLANE.x), 1),
        PLANE,
    ),
}


@pytest.mark.parametrize("case", long_ones(CASES, "halfspaces on the records"))
def test_rules_come_out_as_often_as_stated(case):
    learner, cover, sample = CASES[case]
    rules = [cover.hypothesis(i) for i in range(cover.size)]
    wrong = [int((rule.predict(sample.x) != (sample.y == 1)).sum()) for rule in rules]
    rng = seeded(case)
    place = {rule: i for i, rule in enumerate(rules)}
    assert len(place) == len(rules)
    seen = np.zeros(len(rules), dtype=int)
    for _ in range(DRAWS):
        seen[place[learner._release(sample, rng=rng)]] += 1

    def law(epsilon):
        return [float(mass) for mass in exponential_law(wrong, epsilon / 2).values()]

    assert accepts(seen, law(EPSILON))
    assert not accepts(seen, law(EPSILON * F(2, 3)))
    assert not accepts(seen, law(EPSILON * F(3, 2)))
