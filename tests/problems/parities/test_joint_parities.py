"""One selection for all parities: counts, recovery, and what is only a statement about records."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tacit import Accuracy, BadInput, Privacy, Sample, Task, learn, plan
from tacit.checks.testing import seeded
from tacit.classes import Parities
from tacit.domains import Bits
from tacit.problems.parities.joint_parities import JointMistakes, JointParities


def task(bits, k):
    return Task(
        Parities(bits=bits),
        privacy=Privacy(1),
        accuracy=Accuracy("0.1", "0.1"),
        k=k,
        marginal="uniform",
    )


def test_joint_mistakes_against_brute_force():
    generator = np.random.default_rng(0)
    x, y = generator.integers(0, 4, 12), generator.integers(0, 2, (12, 2)) == 1
    errors = JointMistakes(Bits(columns=2), 2)(Sample(x, y)).errors
    for vector, masks in enumerate(product(range(4), repeat=2)):
        wrong = [
            any(
                (int(cell & mask).bit_count() & 1) != bit
                for mask, bit in zip(masks, row, strict=True)
            )
            for cell, row in zip(x, y, strict=True)
        ]
        assert errors[vector] == sum(wrong)


@pytest.mark.parametrize(("bits", "k"), [(4, 2), (4, 3), (3, 5)])
def test_finds_all_parities_at_the_planned_records(bits, k):
    job = task(bits, k)
    option = next(option for option in plan(job).options if option.name == "joint-parities")
    assert option.runs
    generator, rng = np.random.default_rng(1), seeded(1)
    bad = 0
    for _ in range(20):
        masks = generator.integers(0, 1 << bits, k)
        x = generator.integers(0, 1 << bits, option.n)
        y = np.array([[int(c & m).bit_count() & 1 for m in masks] for c in x]) == 1
        rules = option.algorithm.built(job, option.n)._release(Sample(x, y), rng=rng)
        bad += [rule.mask for rule in rules] != masks.tolist()
    assert bad <= 8  # a failure rate of 0.1 gives 9 or more once in five million runs


def test_the_ratio_to_the_least_possible():
    for k in (1, 100):
        assert plan(task(64, k)).gap <= 2.2


def test_large_vectors_are_planned_but_never_run():
    p = plan(task(64, 100))
    assert p.best.name == "joint-parities"
    assert not p.best.runs
    assert "records only" in str(p)
    assert "No computer can run" in p.explain() or "no computer can run" in p.explain()
    with pytest.raises(BadInput, match="cannot be run"):
        learn(task(64, 100), ([], np.zeros((0, 100))), algorithm="joint-parities")
    assert plan(task(64, 1)).runnable.name == "parity-elimination"


def test_no_records_give_a_uniform_vector():
    mechanism = JointParities(domain=Bits(columns=1), k=2, epsilon=Fraction(1))
    rng = seeded(3)
    empty = Sample(np.zeros(0, dtype=int), np.zeros((0, 2)))
    drawn = {tuple(rule.mask for rule in mechanism._release(empty, rng=rng)) for _ in range(100)}
    assert len(drawn) == 4
