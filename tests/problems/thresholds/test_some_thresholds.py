"""A table, then k selections: candidates, cost, and accuracy at the planned records."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tacit import Accuracy, Ledger, Privacy, Task, learn, plan
from tacit.accounting import total
from tacit.checks.testing import seeded
from tacit.classes import Points, Thresholds
from tacit.domains import Integers
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.points.some_points import SomePoints
from tacit.problems.several.sanitize_then_learn import heavy, told_apart
from tacit.problems.thresholds.some_thresholds import PointsOrNothing, SomeThresholds


@pytest.mark.parametrize("orientation", [">=", "<", "<="])
@pytest.mark.parametrize("size", [4, 2**63, 2**64, 2**100])
def test_listed_thresholds_count_their_mistakes(orientation, size):
    base = Thresholds(size=size, orientation=orientation)
    cuts = sorted({base.first, 2, size // 2, size})
    concepts = SomeThresholds(base, tuple(cuts))
    values = [0, 1, 2, size // 2, size - 1]
    for labels in product((False, True), repeat=len(values)):
        x, y = base.domain.coerce(values), np.array(labels)
        errors = concepts.landscape(x, y).errors.tolist()
        rules = [concepts.hypothesis(candidate) for candidate in range(concepts.size)]
        assert errors == [int((rule.predict(values) != y).sum()) for rule in rules]


def test_points_or_nothing_counts_its_mistakes():
    domain = Integers(size=5)
    concepts = PointsOrNothing(SomePoints(domain, np.array([1, 4], dtype=np.uint64)))
    x, y = domain.coerce([0, 1, 1, 4, 4]), np.array([True, True, False, True, True])
    errors = concepts.landscape(x, y).errors.tolist()
    rules = [concepts.hypothesis(candidate) for candidate in range(3)]
    assert errors == [int((rule.predict(x) != y).sum()) for rule in rules] == [4, 2, 4]


def test_candidates_divide_the_table_in_every_way():
    base = Thresholds(size=10)
    table = SyntheticTable.of(base.domain, [3, 3, 9, 5])
    concepts = told_apart(base, table)
    values = np.array([3, 5, 9])
    divisions = {
        tuple(concepts.hypothesis(candidate).predict(values)) for candidate in range(concepts.size)
    }
    every = {tuple(base.hypothesis(cut).predict(values)) for cut in range(11)}
    assert divisions == every
    assert concepts.size == len(every)
    kept = heavy(base.domain, table, 0.3)
    assert kept.size == 2  # the value 3, and nothing
    empty = SyntheticTable(domain=base.domain, rows=())
    assert told_apart(base, empty).size == 1
    assert heavy(base.domain, empty, 0.3).size == 1


def job(concepts, *, delta="1e-6", k=4, setting="agnostic"):
    return Task(
        concepts,
        privacy=Privacy(2, delta),
        accuracy=Accuracy("0.3", "0.1"),
        k=k,
        setting=setting,
    )


@pytest.mark.parametrize(
    ("concepts", "name", "delta"),
    [
        (Thresholds(bits=16), "sanitize-then-thresholds", "0"),
        (Thresholds(bits=16), "sanitize-then-thresholds", "1e-6"),
        (Points(bits=64), "sanitize-then-points", "1e-6"),
    ],
)
def test_it_costs_what_was_granted_and_learns(concepts, name, delta):
    task = job(concepts, delta=delta)
    option = next(option for option in plan(task).options if option.name == name)
    generator = np.random.default_rng(1)
    top = 2**16 if concepts.name == "thresholds" else 3
    x = generator.integers(0, top, option.n)
    targets = generator.integers(0, top, 4)
    clean = x[:, None] >= targets if concepts.name == "thresholds" else x[:, None] == targets
    noisy = clean ^ (generator.random(clean.shape) < 0.1)
    release = learn(task, (x, noisy), algorithm=name, ledger=Ledger.memory(2, delta), rng=seeded(1))
    cost = total([release.event], delta=delta)
    assert cost.epsilon <= 2
    assert cost.delta <= Fraction(delta)
    wrong = (release.value.predict(x) ^ clean).mean(axis=0)
    assert np.all(wrong < 0.3)
