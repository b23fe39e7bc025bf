"""The game on one-way sequences, its curves and their picture."""

import json

import numpy as np
import pytest
from tests.theory.online.online_one_way_game_cases import SMALL

from tacit.checks.testing import seeded
from tacit.classes import OneWaySequences
from tacit.core import BadInput
from tacit.theory.online import brute_force, forward_order, play_orders, reverse_order
from tacit.theory.online.charts import chart
from tacit.theory.online.polynomial import (
    polynomial_learners,
)


@pytest.fixture(scope="module")
def curves():
    return play_orders(SMALL, rounds=1000, rng=seeded("curves"))


def test_orders_are_each_other_backwards_and_truly_labelled():
    ahead, back = list(forward_order(SMALL, 5)), list(reverse_order(SMALL, 5))
    assert ahead == back[::-1]
    assert len(ahead) == SMALL.tree.leaves == 64
    rule = SMALL.hypothesis(5)
    assert rule.predict(np.array([x for x, _ in ahead], dtype=object)).tolist() == [
        bool(label) for _, label in ahead
    ]


def test_there_are_three_kinds_of_curves(curves):
    kinds = {(curve.name, curve.order): curve for curve in curves}
    searched = kinds["brute force", "reverse"]
    assert searched.transcript.rounds == 64  # all leaves, though more were asked for
    assert searched.mistakes[-1] <= 6
    assert kinds["compute-forward", "forward"].mistakes[-1] == 1
    assert kinds["compute-forward", "reverse"].mistakes[-1] == sum(searched.transcript.labels)
    assert len(curves) == 2 + len(polynomial_learners(SMALL.tree))


def test_equal_seeds_play_equal_games(curves):
    assert play_orders(SMALL, rounds=1000, rng=seeded("curves")) == curves
    assert play_orders(SMALL, rounds=1000, rng=seeded("others")) != curves


def test_seeds_that_cannot_be_searched_are_not():
    wide = OneWaySequences(index_bits=4, seed_bits=128)
    with pytest.raises(BadInput, match="tried"):
        brute_force(wide)
    names = {curve.name for curve in play_orders(wide, rounds=16, rng=seeded("wide"))}
    assert "brute force" not in names
    assert "compute-forward" in names


def test_the_picture_holds_every_curve(curves):
    drawn = json.loads(chart(curves).to_json())
    (rows,) = drawn["datasets"].values() if "datasets" in drawn else (drawn["data"]["values"],)
    for curve in curves:
        mine = [row for row in rows if (row["learner"], row["order"]) == (curve.name, curve.order)]
        assert mine[-1] == {
            "learner": curve.name,
            "order": curve.order,
            "round": curve.transcript.rounds,
            "mistakes": curve.transcript.mistakes,
        }
    with pytest.raises(BadInput, match="no game"):
        chart([])
