"""Points under label privacy: exact privacy, exact failure on small laws, simulated at 118."""

from fractions import Fraction as F
from math import exp

import numpy as np
import pytest
from tests.problems.points.label_points_cases import ALPHA, BETA

from tacit.checks.audit import exact
from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.core import LABEL, Accuracy, Privacy, Sample, Task
from tacit.domains.integers import Integers
from tacit.planner import plan
from tacit.problems.points import label_points_upper as bounds
from tacit.problems.points.label_points import LABEL_POINTS, LabelPointLearner

pytestmark = pytest.mark.exact


def test_flipping_a_label_costs_no_more_than_claimed():
    learner = LabelPointLearner(domain=Integers(size=3), epsilon=F(1), spare=F(1, 2))
    records = [(x, y) for x in range(3) for y in (0, 1)]
    found = exact(learner, records, 3)
    assert found.relation is LABEL
    assert not found.violated
    assert found.rest == 0
    assert found.epsilon[0] > F(1, 2)
    assert exact(learner, records, 3, epsilon=F(1, 2), delta=0).violated


def test_a_value_weighs_as_often_as_it_occurs_and_by_its_ones():
    # Values 0, 0, 1 with labels 1, 0, 0 and two spare candidates, over four values.
    learner = LabelPointLearner(domain=Integers(size=4), epsilon=F(1), spare=F(1, 2))
    sample = Sample(np.array([0, 1, 0]), np.array([1, 0, 0]))
    drawn = [learner._release(sample, rng=seeded(f"law {i}")).point for i in range(4000)]
    weights = np.array([2 * exp(1) + 0.5, 1 + 0.5, 0.5, 0.5])
    expected = 4000 * weights / weights.sum()
    seen = np.bincount(drawn, minlength=4)
    assert (np.abs(seen - expected) < 5 * np.sqrt(expected)).all()
    unweighed = 4000 * np.array([exp(1), 1, 0.5, 0.5]) / (exp(1) + 2)
    assert (np.abs(seen - unweighed) > 5 * np.sqrt(unweighed)).any()


def test_the_number_does_not_know_the_domain_and_is_planned():
    for bits in (32, 64, 1000):
        task = Task(
            Points(bits=bits), privacy=Privacy(1, relation=LABEL), accuracy=Accuracy(ALPHA, BETA)
        )
        assert LABEL_POINTS.bound(task).n <= 120
        assert plan(task).best.name == "label-points"
    assert LABEL_POINTS.why_not(task.with_(relation="replace-one"))
    assert LABEL_POINTS.why_not(task.with_(setting="agnostic"))
    small = Task(Points(size=4), privacy=Privacy(1, relation=LABEL), accuracy=Accuracy(ALPHA, BETA))
    assert plan(small).best.name != "label-points"


ONE = (0.1001, 0.8999)

NINE = (0.1001,) * 9 + (0.0991,)

MANY = (0.05, *[0.05] * 19)

LIGHT = (0.04, *[0.06] * 16)

EVEN = (0.1001, *[0.8999 / 400] * 400)

NONE = (0.0, *[1 / 100] * 100)


@pytest.mark.parametrize("masses", [ONE, NINE, MANY, LIGHT, EVEN, NONE])
def test_simulated_failure_is_below_beta_and_a_tenth_of_the_records_fails(masses):
    assert _fails(118, 400, masses) <= 20 + 13
    if masses is ONE:
        assert _fails(12, 200, masses) > 40


def _fails(n, runs, masses):
    bound = bounds.realizable(size=2**64, alpha=ALPHA, beta=BETA, epsilon=F(1))
    assert bound.n == 118
    learner = LabelPointLearner(
        domain=Integers(bits=64), epsilon=F(1), spare=bound.choices["spare"]
    )
    rng, failures = np.random.default_rng(5), 0
    values = 7 + 1000 * np.arange(len(masses))
    law = np.array(masses) / sum(masses)
    for run in range(runs):
        place = rng.choice(len(values), size=n, p=law)
        sample = Sample(values[place], place == 0)
        point = learner._release(sample, rng=seeded(f"points {run}")).point
        hit = np.flatnonzero(values == point)
        error = 0.0 if point == values[0] else law[0] + (law[hit[0]] if len(hit) else 0.0)
        failures += error > 0.1
    return failures
