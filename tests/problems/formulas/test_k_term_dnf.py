"""Every finite class is planned by Theorem 3.2 on its own size, or better."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from tacit.bounds.upper import selection
from tacit.checks.testing import seeded
from tacit.classes import (
    Intervals,
    KTermDnf,
    Lines,
    OneWaySequences,
    Parities,
    Points,
    PseudorandomPoints,
    RealThresholds,
    Table,
    Thresholds,
    Trees,
)
from tacit.core import Accuracy, Privacy, Sample, Task, hypothesis_from_dict
from tacit.domains import Schema
from tacit.planner import plan
from tacit.problems.finite.finite_class import PERMUTE_AND_FLIP

pytestmark = pytest.mark.exact

SCHEMA = Schema.of({"a": (0, 8), "b": bool}, bins=8)

CLASSES = {
    "points": Points(bits=64),
    "few points": Points(size=5),
    "thresholds": Thresholds(bits=1000),
    "parities": Parities(bits=64),
    "few parities": Parities(bits=6),
    "lines": Lines(size=9_999_991),
    "sequences": OneWaySequences(bits=64),
    "long sequences": OneWaySequences(bits=1000),
    "formulas": KTermDnf(columns=4, terms=2),
    "long formulas": KTermDnf(columns=12, terms=3),
    "pseudorandom": PseudorandomPoints(bits=20, seed_bits=8),
    "table": Table(np.eye(6, dtype=int)),
    "intervals": Intervals(SCHEMA),
    "trees": Trees(SCHEMA, depth=2),
}


@pytest.mark.parametrize("name", CLASSES)
def test_no_finite_class_is_planned_above_its_own_size(name):
    concepts = CLASSES[name]
    for setting, output, relation in product(
        ("realizable", "agnostic"), ("any", "proper", "improper"), ("replace-one", "label")
    ):
        task = Task(
            concepts,
            privacy=Privacy(1, relation=relation),
            accuracy=Accuracy("0.1", "0.05"),
            setting=setting,
            output=output,
            error_share=0,  # all of epsilon for the draw: counting mistakes is no part of it
        )
        bound = selection.realizable if setting == "realizable" else selection.agnostic
        own = bound(
            size=concepts.size,
            selector="permute-and-flip",
            **task.asked("alpha", "beta", "epsilon", "relation"),
        ).n
        best = plan(task).best
        assert best is not None
        assert best.n <= own, (best.name, best.n, own)


def test_an_improper_task_is_offered_every_proper_learner():
    task = Task(Thresholds(bits=8), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.05"))
    proper = {o.name for o in plan(task.with_(output="proper")).options}
    improper = {o.name for o in plan(task.with_(output="improper")).options}
    assert proper
    assert proper <= improper


@pytest.mark.long
def test_a_random_grid_of_tasks_has_a_plan_or_a_sentence():
    rng = np.random.default_rng(11)
    classes = [*CLASSES.values(), RealThresholds()]
    planned = 0
    for _ in range(150):
        concepts = classes[rng.integers(len(classes))]
        task = Task(
            concepts,
            privacy=Privacy(
                F(int(rng.integers(1, 20)), 10),
                F(int(rng.integers(0, 2)), 10**6),
                ["replace-one", "add-remove", "label"][rng.integers(3)],
            ),
            accuracy=Accuracy(F(int(rng.integers(1, 20)), 50), F(int(rng.integers(1, 20)), 50)),
            setting=["realizable", "agnostic"][rng.integers(2)],
            output=["any", "proper", "improper"][rng.integers(3)],
            k=[1, 1, 3, 50][rng.integers(4)],
        )
        found = plan(task)
        if found.best is None:
            assert concepts.size is None
            assert len(found.explain()) > 40
        else:
            planned += 1
            if found.lower_bounds:
                assert found.lower_bounds[0].n <= found.best.n
    assert planned > 120


def test_formulas_are_listed_once_and_written_as_terms():
    formulas = KTermDnf(columns=4, terms=2)
    assert formulas.size == 1886
    assert KTermDnf(columns=6, terms=2).size == 215148
    assert KTermDnf(columns=12, terms=3).too_many
    x = np.arange(16)[:, None] >> np.arange(4)[::-1] & 1
    seen = set()
    for function in range(0, formulas.size, 7):
        rule = formulas.hypothesis(function)
        assert len(rule.terms) <= 2
        seen.add(tuple(rule.predict(x).tolist()))
        again = hypothesis_from_dict(rule.to_dict())
        assert again.predict(x).tolist() == rule.predict(x).tolist()
        assert rule.describe()
    assert len(seen) == len(range(0, formulas.size, 7))
    y = x[:, 0].astype(bool)
    errors = formulas.landscape(formulas.domain.coerce(x), y).errors
    for function in range(0, formulas.size, 101):
        wrong = formulas.hypothesis(function).predict(x) != y
        assert errors[function] == np.count_nonzero(wrong)
    three = KTermDnf(columns=3, terms=3)
    last = three.hypothesis(three.size - 2)
    assert len(last.terms) <= 3


def test_sequences_count_the_mistakes_of_every_seed():
    sequences = OneWaySequences(index_bits=2, seed_bits=4)
    cells = [sequences.record(i, 5)[0] for i in range(4)] + [0, 1]
    labels = np.array([1, 0, 1, 1, 0, 1], dtype=bool)
    x = sequences.domain.coerce(np.array(cells, dtype=object))
    errors = sequences.landscape(x, labels).errors
    for seed in range(sequences.size):
        said = sequences.hypothesis(seed).predict(np.array(cells, dtype=object))
        assert errors[seed] == np.count_nonzero(said != labels)
    assert OneWaySequences(bits=1000).too_many


def _formulas_fail(n, runs):
    formulas = KTermDnf(columns=4, terms=2)
    task = Task(formulas, privacy=Privacy(1), accuracy=Accuracy("0.1", "0.05"))
    learner = PERMUTE_AND_FLIP.built(task, n)
    rng, failed = np.random.default_rng(9), 0
    values = np.arange(16)[:, None] >> np.arange(4)[::-1] & 1
    masses = np.full(16, 0.9 / 15)
    masses[15] = 0.1
    truth = formulas.hypothesis(700).predict(values)
    for run in range(runs):
        where = rng.choice(16, size=n, p=masses)
        rule = learner._release(Sample(values[where], truth[where]), rng=seeded(f"dnf {run}"))
        failed += masses[rule.predict(values) != truth].sum() > 0.1
    return failed


def test_formulas_are_learned_at_the_planned_number():
    assert _formulas_fail(246, 60) <= 9
    assert _formulas_fail(24, 30) >= 10
