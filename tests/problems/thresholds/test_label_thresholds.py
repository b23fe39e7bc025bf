"""Thresholds under label privacy: exact privacy, and exact failure on the law that bites."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from tests.problems.thresholds.label_thresholds_cases import ALPHA, BETA

from tacit.checks.audit import exact
from tacit.checks.testing import seeded
from tacit.classes import Thresholds
from tacit.core import LABEL, Accuracy, Privacy, Sample, Task
from tacit.planner import plan
from tacit.problems.thresholds.label_thresholds import (
    LABEL_THRESHOLDS,
    LabelThresholdLearner,
    one_a_gap,
)

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("orientation", [">=", "<="])
def test_flipping_a_label_costs_no_more_than_claimed(orientation):
    learner = LabelThresholdLearner(base=Thresholds(size=3, orientation=orientation), epsilon=F(1))
    records = [(x, y) for x in range(3) for y in (0, 1)]
    found = exact(learner, records, 3)
    assert found.relation is LABEL
    assert not found.violated
    assert found.rest == 0
    assert found.epsilon[0] > F(1, 2)
    assert exact(learner, records, 3, epsilon=F(1, 2), delta=0).violated


@pytest.mark.parametrize("orientation", [">=", "<", "<="])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_every_concept_has_exactly_one_candidate_that_agrees_on_the_records(orientation, size):
    base = Thresholds(size=size, orientation=orientation)
    concepts = [base.hypothesis(b) for b in range(base.first, size + 1)]
    for cells in product(range(size), repeat=3):
        x = base.domain.coerce(np.array(cells))
        some = [base.hypothesis(b) for b in one_a_gap(base, np.unique(x))]
        told = [tuple(rule.predict(x).tolist()) for rule in some]
        assert len(set(told)) == len(told)
        assert {tuple(rule.predict(x).tolist()) for rule in concepts} == set(told)
    assert len(one_a_gap(base, base.domain.coerce(np.array([], dtype=int)))) == 1


def test_the_numbers_do_not_know_the_domain():
    for bits in (16, 64, 1000):
        task = Task(
            Thresholds(bits=bits),
            privacy=Privacy(1, relation=LABEL),
            accuracy=Accuracy(ALPHA, BETA),
        )
        assert LABEL_THRESHOLDS.bound(task).n == 112
        assert LABEL_THRESHOLDS.bound(task.with_(setting="agnostic")).n == 1141
        assert plan(task).best.name == "label-thresholds"
    assert LABEL_THRESHOLDS.why_not(task.with_(relation="replace-one"))


def _fails(n, runs, law, *, agnostic):
    base = Thresholds(bits=40)
    learner = LabelThresholdLearner(base=base, epsilon=F(1))
    rng, failures = np.random.default_rng(7), 0
    values, masses, ones = law
    best = min(_error(cut, law) for cut in [0, *[v + 1 for v in values]])
    for run in range(runs):
        place = rng.choice(len(values), size=n, p=masses)
        labels = rng.random(n) < np.array(ones)[place]
        sample = Sample(np.array(values)[place], labels)
        cut = learner._release(sample, rng=seeded(f"label {run}")).cut
        failures += _error(cut, law) > (best if agnostic else 0) + 0.1
    return failures


def _error(cut, law):
    return sum(m * ((1 - o) if v >= cut else o) for v, m, o in zip(*law, strict=True))


RARE_PAIR = ((5, 1000, 1001, 2**39), (0.3999, 0.1001, 0.1001, 0.3999), (0, 0, 1, 1))

NOISY_ATOM = ((2**39,), (1.0,), (0.5502,))

STEP = tuple(zip(*[(i, 0.02, 0.95 if i < 5 else 0.5) for i in range(50)], strict=True))


def test_simulated_failure_is_below_beta_and_a_tenth_of_the_records_fails():
    assert _fails(112, 400, RARE_PAIR, agnostic=False) <= 20 + 13
    assert _fails(11, 200, RARE_PAIR, agnostic=False) > 40


@pytest.mark.parametrize("law", [NOISY_ATOM, STEP], ids=["one atom", "a step and a plateau"])
def test_simulated_agnostic_failure_is_below_beta(law):
    assert _fails(1141, 100, law, agnostic=True) <= 5 + 7
    assert _fails(11, 200, NOISY_ATOM, agnostic=True) > 40
