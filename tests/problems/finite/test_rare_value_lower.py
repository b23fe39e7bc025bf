"""Tests of ``tacit.problems.finite.rare_value_lower``; ``tests/checks/test_optimal.py`` holds it
against the exact optimum, as every lower bound.
"""

from fractions import Fraction as F

import numpy as np
import pytest

from tacit.checks.optimal import Question, concepts_of, optimal
from tacit.classes import Points, Table, Thresholds
from tacit.core import Accuracy, Privacy, Task
from tacit.planner import plan
from tacit.problems.finite.rare_value_lower import rare_value, uncommon
from tacit.problems.points.points_lower import rare_point

TENTH = F(1, 10)


def needed(concepts, output="proper"):
    task = Task(concepts, privacy=Privacy(1), accuracy=Accuracy("0.1", "0.05"), output=output)
    return {one.name: one.n for one in plan(task).lower_bounds}


def test_an_identity_table_needs_what_points_need():
    size = 64
    assert (
        needed(Table(np.eye(size)))["rare value"] == needed(Points(size=size))["rare point"] == 90
    )
    assert rare_point(size=size, alpha=TENTH, beta=TENTH, epsilon=F(1)).n == (
        rare_value(values=size - 1, shared=1, alpha=TENTH, beta=TENTH, epsilon=F(1)).n
    )


def test_labels_turned_over_and_columns_shuffled_change_nothing():
    rng = np.random.default_rng(0)
    turned = (np.eye(16, dtype=int) ^ rng.integers(0, 2, 16))[:, rng.permutation(16)]
    assert needed(Table(turned))["rare value"] == needed(Table(np.eye(16)))["rare value"] > 39


def test_it_is_silent_about_improper_answers():
    assert "rare value" not in needed(Table(np.eye(64)), output="any")


def test_concepts_that_serve_many_targets_leave_more_room():
    pairs = np.array([[x in (i, j) for x in range(12)] for i in range(12) for j in range(i)])
    assert uncommon(Table(pairs), TENTH) == (11, 1)  # of the pairs that hold one value
    apart = np.vstack([pairs, np.zeros((12, 12)), np.eye(12)])
    assert uncommon(Table(apart[:, :-1]), TENTH) == (10, 1)
    few, many = (
        rare_value(values=11, shared=z, alpha=TENTH, beta=TENTH, epsilon=F(1)).n for z in (1, 2)
    )
    assert many < few


def test_a_lone_concept_needs_nothing_of_it():
    assert uncommon(Table([[0, 1, 1]]), TENTH) == (0, 1)
    assert rare_value(values=0, shared=1, alpha=TENTH, beta=TENTH, epsilon=F(1)).n == 1


@pytest.mark.exact
@pytest.mark.parametrize(
    "matrix",
    [[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]],
    ids=["points or nothing", "points, turned over"],
)
def test_one_record_less_is_too_few_for_the_best_learner_of_all(matrix):
    alpha, beta, epsilon = F(299, 1000), F(1, 5), F(2)
    table = Table(matrix)
    values, shared = uncommon(table, beta)
    n = rare_value(values=values, shared=shared, alpha=alpha, beta=beta, epsilon=epsilon).n
    assert n == 4, "a bound of 1 would show nothing"
    best = optimal(
        Question(concepts=concepts_of(table.matrix), n=n - 1, epsilon=epsilon, alpha=alpha)
    )
    assert best.too_few(beta)


def test_thresholds_gain_nothing_and_lose_nothing():
    table = Table([[x >= t for x in range(8)] for t in range(9)])
    assert max(needed(table).values()) <= max(needed(Thresholds(size=8)).values())
