"""StableCut: exact privacy on tiny domains, no failure on odd data, records at large ones."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from tacit.audit import exact
from tacit.classes import Thresholds
from tacit.core import Accuracy, Privacy, Relation, Sample, Task
from tacit.planner import plan
from tacit.problems.thresholds import stable_cut_upper as bounds
from tacit.problems.thresholds.stable_cut import STABLE_CUT, Cuts, StableCut
from tacit.testing import seeded

pytestmark = pytest.mark.exact


def tiny(size, relation, *, high=2, low=1, share=F(1, 2), delta=F(1, 4)):
    shape = bounds.Shape(scale=share, block=share, cut=share, high=high, low=low, most=9)
    return StableCut(base=Thresholds(size=size), shape=shape, delta=delta, relation=relation)


@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize(("high", "low"), [(2, 1), (0, 1), (1, -1)])
def test_it_is_as_private_as_claimed(relation, high, low):
    learner = tiny(2, relation, high=high, low=low)
    records = [(x, y) for x in range(2) for y in (0, 1)]
    found = exact(learner, records, 3)
    assert found.claimed_epsilon == F(3, 2)
    assert not found.violated
    assert exact(learner, records, 3, epsilon=F(1, 10), delta=F(1, 1000)).violated


def test_more_values_are_as_private():
    learner = tiny(4, Relation.REPLACE_ONE, delta=F(3, 5))
    records = [(x, y) for x in range(4) for y in (0, 1)]
    assert not exact(learner, records, 2).violated


@pytest.mark.parametrize("orientation", [">=", "<="])
@pytest.mark.parametrize("size", [1, 2, 5, 6])
def test_runs_levels_blocks_and_mistakes_are_those_of_all_cuts(orientation, size):
    base = Thresholds(size=size, orientation=orientation)
    rules = [base.hypothesis(cut + base.first) for cut in range(base.size)]
    rng = np.random.default_rng(size)
    for _ in range(40):
        n = int(rng.integers(0, 5))
        x, y = rng.integers(0, size, n), rng.integers(0, 2, n).astype(bool)
        wrong = [int(np.count_nonzero(rule.predict(x) != y)) if n else 0 for rule in rules]
        cuts = Cuts.of(base, Sample(x, y))
        assert [cuts.at(cut) for cut in range(base.size)] == wrong
        depth = (base.size - 1).bit_length()
        assert cuts.depth == depth
        for level, least in enumerate(cuts.grids()):
            step = 1 << (depth - level)
            assert least == min(wrong[cut] for cut in range(0, base.size, step))
        for bits in range(depth):
            if base.size - 1 >= 1 << bits:
                blocks = [
                    min(wrong[start : start + (1 << bits)])
                    for start in range(0, base.size, 1 << bits)
                ]
                block, ahead = cuts.block(bits)
                first = wrong.index(min(wrong)) >> bits
                others = [v for k, v in enumerate(blocks) if k != first]
                assert (block, ahead) == (first, min(others) - blocks[first])


def test_it_answers_whatever_the_data_are():
    for size, bits in ((1, None), (2, None), (None, 1000)):
        base = Thresholds(size=size, bits=bits)
        learner = StableCut(base=base, shape=tiny(2, Relation.REPLACE_ONE).shape, delta=F(1, 10))
        for x, y in product(([], [0], [0] * 5, [0, 0]), (0, 1)):
            for labels in ([y] * len(x), [i % 2 for i in range(len(x))]):
                sample = Sample(np.array(x, dtype=int), np.array(labels, dtype=int))
                rule = learner._release(sample, rng=seeded("odd"))
                assert base.first <= rule.cut <= base.domain.size


def test_the_planner_takes_it_on_large_domains_only():
    task = Task(Thresholds(bits=1000), privacy=Privacy(1, "1e-6"), accuracy=Accuracy("0.1", "0.05"))
    assert plan(task).best.name == "stable-cut"
    assert plan(task.with_(concept_class=Thresholds(bits=64))).best.name == "thresholds"


def _worlds(bits):
    top = 2**bits
    middle = top // 3
    return {
        "rare pair": (
            [0, middle, middle + 1, top - 1],
            [0.3999, 0.1001, 0.1001, 0.3999],
            middle + 1,
        ),
        "power of two": ([top // 2 - 1, top // 2], [0.5, 0.5], top // 2),
        "one side": ([5, 9], [0.1001, 0.8999], 6),
        "doubling": ([2**i for i in range(0, bits, 5)], None, 2 ** (5 * (bits // 10)) + 1),
    }


def _fails(bits, n, runs, name):
    values, masses, cut = _worlds(bits)[name]
    masses = np.full(len(values), 1 / len(values)) if masses is None else np.array(masses)
    task = Task(Thresholds(bits=bits), privacy=Privacy(1, "1e-6"), accuracy=Accuracy("0.1", "0.05"))
    learner = STABLE_CUT.built(task, n)
    rng, failed = np.random.default_rng(2), 0
    places = np.array(values, dtype=object)
    for run in range(runs):
        where = rng.choice(len(values), size=n, p=masses)
        x = places[where]
        rule = learner._release(Sample(x, x >= cut), rng=seeded(f"{name} {run}"))
        wrong = [(v >= rule.cut) != (v >= cut) for v in values]
        failed += masses[wrong].sum() > 0.1
    return failed


@pytest.mark.parametrize("name", _worlds(1000))
def test_simulated_failure_at_the_planned_number(name):
    assert _fails(1000, 2837, 15, name) <= 3


def test_a_tenth_of_the_records_fails():
    assert _fails(1000, 283, 15, "rare pair") >= 8
