"""Each attack succeeds on its specimen and fails on what corrects it."""

from fractions import Fraction as F

import numpy as np
import pytest

from tacit.checks.attacks import packing
from tacit.checks.attacks.faulty import first_positive
from tacit.checks.testing import seeded
from tacit.classes import Points, Thresholds
from tacit.core import ALGORITHMS, Accuracy, Privacy, Task
from tacit.problems.finite.finite_class import FiniteClassLearner

BETA = F(1, 10)


def test_packing_breaks_a_proper_learner_with_too_few_records():
    rng = seeded("packing")
    ours = FiniteClassLearner(
        concept_class=Points(size=64), epsilon=F(1), selector="permute-and-flip"
    )
    few = packing.attack(ours, packing.points(size=64, n=3), epsilon=1, runs=600, rng=rng)
    assert few.fails(BETA)
    assert not few.not_private
    assert few.success[0] <= few.allowed

    task = Task(
        Points(size=64), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.1"), output="proper"
    )
    n = ALGORITHMS["points"].bound(task).n
    enough = packing.attack(ours, packing.points(size=64, n=n), epsilon=1, runs=600, rng=rng)
    assert not enough.fails(BETA)
    assert not enough.not_private


def test_packing_shows_that_an_accurate_learner_with_few_records_is_not_private():
    points = Points(size=64)
    found = packing.attack(
        lambda sample: first_positive(sample.x, sample.y, points),
        packing.points(size=64, n=3),
        epsilon=1,
        runs=600,
        rng=seeded("packing"),
    )
    assert found.not_private
    assert not found.fails(BETA)


@pytest.mark.parametrize("name", ["pure-point-table", "blr-points"])
def test_packed_tables_break_a_sanitizer_with_too_few_records(name):
    alpha = F(1, 4)
    job = Task(
        Points(size=64), privacy=Privacy(1), accuracy=Accuracy(alpha, "0.1"), goal="sanitize"
    )
    planned = ALGORITHMS[name].bound(job).n

    def found(n):
        return packing.attack(
            ALGORITHMS[name].built(job, n),
            packing.point_tables(size=64, n=n, alpha=alpha),
            epsilon=1,
            runs=150,
            rng=seeded(name),
        )

    few, enough = found(6), found(planned)
    assert few.fails(BETA)
    assert not few.not_private
    assert not enough.fails(BETA)
    assert not enough.not_private


def test_packed_tables_show_that_a_faithful_copy_of_few_records_is_not_private():
    class Copy:
        def __init__(self, sample):
            seen, counts = np.unique(sample.x, return_counts=True)
            self.rows = list(zip(seen.tolist(), counts.tolist(), strict=True))

    found = packing.attack(
        Copy,
        packing.point_tables(size=64, n=6, alpha=F(1, 10)),
        epsilon=1,
        runs=300,
        rng=seeded("copy"),
    )
    assert found.not_private
    assert not found.fails(BETA)


@pytest.mark.parametrize(("n", "fails"), [(3, True), (60, False)])
def test_packed_thresholds(n, fails):
    ours = FiniteClassLearner(concept_class=Thresholds(size=65), epsilon=F(1))
    found = packing.attack(
        ours, packing.thresholds(size=65, n=n), epsilon=1, runs=400, rng=seeded("thresholds")
    )
    assert found.fails(BETA) is fails
    assert not found.not_private
