"""Intervals over whole numbers: dimensions, rules, plans, and learning at the planned number."""

import numpy as np
import pytest

import tacit
from tacit import Accuracy, Privacy, Task, plan
from tacit.checks.testing import seeded
from tacit.classes import GridIntervals, Table
from tacit.core import BadInput, Sample, hypothesis_from_dict
from tacit.domains.integers import Integers
from tacit.problems.boxes.grid_intervals import IntervalRule
from tacit.problems.finite.growing_class import GROWING_CLASS


def _task(bits, **more):
    return Task(
        GridIntervals(bits=bits),
        privacy=Privacy(1),
        accuracy=Accuracy("0.1", "0.05"),
        **more,
    )


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7])
def test_dimensions_and_rules_are_those_of_the_list(size):
    family = GridIntervals(size=size)
    x = np.arange(size)
    rules = [family.hypothesis(number) for number in range(family.size)]
    table = np.array([rule.predict(x) for rule in rules])
    assert len(np.unique(table, axis=0)) == family.size
    assert tacit.dimensions.vc(Table(table)).value == family.vc
    assert tacit.dimensions.littlestone(Table(table)).value >= family.littlestone
    for rule in rules:
        assert hypothesis_from_dict(rule.to_dict()) == rule


def test_rules_outside_the_domain_are_refused():
    for low, high in ((3, 3), (4, 2), (0, 9), (-1, 2)):
        with pytest.raises(BadInput):
            IntervalRule(domain=Integers(size=8), low=low, high=high)


def test_records_that_are_enough():
    """The growth function instead of a union bound over 2^127 intervals: 18,114 before."""
    found = plan(_task(64, setting="agnostic"))
    assert (found.best.name, found.best.n, found.best.runs) == ("growing-class", 6652, True)
    assert plan(_task(1000, setting="agnostic")).best.n == 39659
    assert plan(_task(64)).best.n <= 2251
    assert GridIntervals(bits=64).littlestone == 126


def test_it_learns_at_the_planned_number_and_not_at_a_fiftieth():
    """One value is mostly 1, its neighbours are mostly 0: one interval of 2^127 is good."""
    task = _task(64, setting="agnostic")
    rare = 12345678901234567

    def failed(n, runs):
        learner, rng, wrong = GROWING_CLASS.built(task, n), np.random.default_rng(3), 0
        for run in range(runs):
            at = rng.random(n) < 0.14
            aside = np.where(rng.random(n) < 0.5, rare - 1, rare + 1)
            x = np.where(at, rare, aside).astype(np.uint64)
            data = Sample(x, at ^ (rng.random(n) < 0.1))
            rule = learner._release(data, rng=seeded(f"interval {run}"))
            wrong += (rule.low, rule.high) != (rare, rare + 1)
        return wrong

    assert failed(6652, 5) == 0
    assert failed(130, 10) >= 9
