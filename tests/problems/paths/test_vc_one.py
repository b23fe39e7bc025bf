"""VC dimension 1: the tree of every tiny class, exact privacy, and failures at the planned n."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tacit import Accuracy, Privacy, Task, plan
from tacit.checks.audit.registered import audit_exactly
from tacit.classes import Paths, Table
from tacit.core import ALGORITHMS, BadInput, Sample
from tacit.problems.paths.vc_one import VcOneLearner, has_tree, tree_of
from tacit.testing import seeded

ENTRY = ALGORITHMS["vc-one"]


def shatters_two(rows):
    pairs = product(range(len(rows[0])), repeat=2)
    return any(len({(row[a], row[b]) for row in rows}) == 4 for a, b in pairs)


@pytest.mark.exact
def test_every_tiny_class_of_vc_dimension_one_is_a_tree():
    seen = 0
    for columns in (1, 2, 3):
        rows = list(product((0, 1), repeat=columns))
        for chosen in range(1, 1 << len(rows)):
            some = [row for place, row in enumerate(rows) if chosen >> place & 1]
            table = Table(some)
            assert has_tree(table) == (not shatters_two(some))
            if not has_tree(table):
                continue
            seen += 1
            tree = tree_of(table)
            points = np.arange(columns, dtype=np.uint64)
            depth = tree.depth(points)
            base = tree.base(points)
            assert depth.max(initial=0) < tree.depths
            for row in some:
                path = points[np.array(row, dtype=bool) != base]
                # One node a depth, from the root on, and the rule of the last one is the row.
                on = sorted({int(tree.depth(np.array([p]))[0]) for p in path})
                assert on == list(range(len(on)))
                last = int(path[np.argmax(tree.depth(path))]) if len(path) else None
                assert tree.rule(last).predict(points).tolist() == [bool(v) for v in row]
                for t in on:
                    deeper = path[tree.depth(path) >= t]
                    assert len(set(tree.above(deeper, t).tolist())) == 1
    assert seen > 100


@pytest.mark.exact
@pytest.mark.parametrize("relation", ["replace-one", "add-remove", "label"])
def test_privacy_over_all_neighbours_of_a_tiny_class(relation):
    tiny = ENTRY.instance()
    tiny = replace(
        tiny,
        make=lambda e: VcOneLearner(
            concept_class=Paths(bits=1), epsilon=e, epsilon_depth=e / 4, delta=Fraction(1, 100),
            low=2, high=6, relation=relation,
        ),
        records=[(x, y) for x in (1, 2) for y in (0, 1)],
        n=5,
    )  # fmt: skip
    found, why = audit_exactly(tiny, epsilon=Fraction(1), seconds=120)
    assert found is not None, why
    assert not found.violated
    # The same law, claimed with half of its epsilon and a hundredth of its delta, is caught.
    wrong, _ = audit_exactly(tiny, epsilon=Fraction(2), claimed=Fraction(1, 10), seconds=120)
    assert wrong is not None
    assert wrong.violated


@pytest.mark.statistical
@pytest.mark.parametrize("masses", ["one heavy end", "spread along the path"])
def test_failures_at_the_planned_number_of_records(masses):
    paths = Paths(bits=40)
    alpha, beta = Fraction(1, 5), Fraction(1, 5)
    task = Task(paths, privacy=Privacy(1, "1e-4"), accuracy=Accuracy(alpha, beta))
    n = ENTRY.bound(task).n
    end = (1 << 40) | 987654321
    path = np.array([end >> step for step in range(41)], dtype=np.uint64)
    off = path[:-1] ^ np.uint64(1)
    if masses == "one heavy end":
        chances = np.zeros(41)
        chances[0], chances[40] = 0.2001, 0.3
    else:
        chances = np.full(41, 0.6 / 41)
    rest = 1 - chances.sum()
    support = np.concatenate([path, off])
    law = np.concatenate([chances, np.full(40, rest / 40)])
    learner = ENTRY.built(task, n)
    rng, coins = np.random.default_rng(3), seeded(masses)
    failed = 0
    for _ in range(150):
        x = rng.choice(support, n, p=law)
        rule = learner._release(Sample(x, np.isin(x, path)), rng=coins)
        failed += float(law[rule.predict(support) != np.isin(support, path)].sum()) > alpha
    assert failed <= 30, failed  # beta is 30 of 150; what is seen is near 5


def test_a_plan_of_deep_paths_does_not_grow_with_their_number():
    def records(bits):
        task = Task(Paths(bits=bits), privacy=Privacy(1, "1e-6"), accuracy=Accuracy("0.1", "0.05"))
        return plan(task).best

    deep = records(1000)
    assert deep.algorithm.name == "vc-one"
    assert deep.bound.n < 1900
    assert records(64).bound.n < 1300  # a selection among 2^65 paths
    with pytest.raises(BadInput, match="VC dimension 1"):
        tree_of(Table([[0, 0], [0, 1], [1, 0], [1, 1]]))
    assert ENTRY.why_not(
        Task(
            Table([[0, 0], [0, 1], [1, 0], [1, 1]]),
            privacy=Privacy(1, "0.1"),
            accuracy=Accuracy("0.1", "0.1"),
        )
    )
