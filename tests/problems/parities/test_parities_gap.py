"""Parities by a gap test on the worst task: exact privacy, leads by enumeration, records."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from tacit.audit import exact
from tacit.checks.testing import seeded
from tacit.classes import Parities
from tacit.core import Accuracy, Privacy, Relation, Sample, Task
from tacit.domains import Bits
from tacit.planner import plan
from tacit.problems.parities.parities_gap import ParitiesGap, transform

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("relation", list(Relation))
def test_it_is_as_private_as_claimed(relation):
    learner = ParitiesGap(
        domain=Bits(columns=1), k=2, epsilon=F(1), delta=F(1, 5), relation=relation
    )
    records = [((x,), (a, b)) for x in (0, 1) for a in (0, 1) for b in (0, 1)]
    found = exact(learner, records, 3)
    assert not found.violated
    assert exact(learner, records, 3, epsilon=F(1, 5), delta=F(1, 1000)).violated


def _mistakes(x, y, mask):
    return sum((bin(mask & cell).count("1") & 1) != label for cell, label in zip(x, y, strict=True))


def test_the_lead_is_that_of_all_vectors():
    d, k = 3, 2
    learner = ParitiesGap(domain=Bits(columns=d), k=k, epsilon=F(1), delta=F(1, 10))
    rng = np.random.default_rng(5)
    leads = set()
    for _ in range(120):
        n = int(rng.integers(1, 9))
        cells = rng.integers(0, 2**d, n)
        labels = rng.integers(0, 2, (n, k))
        if rng.random() < 0.5:
            for task, mask in enumerate(rng.integers(0, 2**d, k)):
                labels[:, task] = [bin(int(mask) & int(c)).count("1") & 1 for c in cells]
        rows = cells[:, None] >> np.arange(d)[::-1] & 1
        masks, gap = learner.leaders(Sample(rows, labels))
        scores = {
            vector: max(_mistakes(cells, labels[:, j], m) for j, m in enumerate(vector))
            for vector in product(range(2**d), repeat=k)
        }
        ranked = sorted(scores.values())
        assert gap == ranked[1] - ranked[0]
        assert scores[tuple(masks)] == ranked[0]
        leads.add(gap)
    assert {0, 1} <= leads


def test_the_transform_is_the_sum_over_all_values():
    values = np.arange(8) ** 2 - 7
    for mask, total in enumerate(transform(values)):
        assert total == sum(v * (-1) ** bin(mask & x).count("1") for x, v in enumerate(values))


def test_the_planner_takes_it_and_says_where_it_cannot_run():
    for bits, runs in ((12, True), (64, False)):
        task = Task(
            Parities(bits=bits),
            privacy=Privacy(1, "1e-6"),
            accuracy=Accuracy("0.1", "0.1"),
            marginal="uniform",
            k=10,
        )
        best = plan(task).best
        assert (best.name, best.runs) == ("parities-gap", runs)
        assert plan(task).runnable is not None


def _fails(n, runs, k=10, d=12):
    learner = ParitiesGap(domain=Bits(columns=d), k=k, epsilon=F(1), delta=F(1, 10**6))
    rng, failed = np.random.default_rng(6), 0
    for run in range(runs):
        rows = rng.integers(0, 2, (n, d))
        targets = rng.integers(1, 2, (d, k)) * rng.integers(0, 2, (d, k))
        targets[0] = 1
        labels = rows @ targets % 2
        rules = learner._release(Sample(rows, labels), rng=seeded(f"{run}"))
        wanted = [int("".join(map(str, column)), 2) for column in targets.T]
        failed += [rule.mask for rule in rules] != wanted
    return failed


def test_simulated_failure_is_below_beta_and_a_tenth_of_the_records_fails():
    assert _fails(102, 200) <= 20 + 13
    assert _fails(10, 20) == 20
