"""The game on one-way sequences, its curves and their picture."""

import json

import numpy as np
import pytest

from tacit.checks.testing import seeded
from tacit.classes import OneWaySequences
from tacit.core import BadInput
from tacit.theory.online import brute_force, forward_order, play_orders, reverse_order
from tacit.theory.online.charts import chart
from tacit.theory.online.polynomial import (
    Context,
    Majority,
    NearestNeighbour,
    Perceptron,
    SlotPanel,
    polynomial_learners,
)

SMALL = OneWaySequences(bits=49)


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


def _run(learner, examples):
    said = []
    for point, label in examples:
        said.append(learner.predict(point))
        learner.learn(point, label)
    return said


def test_the_polynomial_learners_do_learn_what_they_can():
    """Or their failure on one-way sequences would show nothing."""
    often = [(t, int(t % 3 != 0)) for t in range(60)]
    assert sum(_run(Majority(), often)[3:]) >= 56
    periodic = [(t, (0, 1, 1)[t % 3]) for t in range(60)]
    assert _run(Context(order=3), periodic)[12:] == [label for _, label in periodic[12:]]
    near = [(x, int(x > 127)) for x in (0, 255, 3, 252, 15, 240)]
    assert _run(NearestNeighbour(), near)[2:] == [0, 1, 0, 1]
    rng = seeded("bits")
    linear = [(x, int((x & 0b111).bit_count() >= 2)) for x in (rng.below(256) for _ in range(400))]
    said = _run(Perceptron(bits=8), linear)
    assert said[200:] == [label for _, label in linear[200:]]


def test_the_slot_experts_are_labels_of_nodes_that_a_record_shows():
    tree = SMALL.tree
    record, _ = SMALL.record(0, 9)
    votes = SlotPanel(tree).votes(record, np.arange(SlotPanel(tree).size))
    seeds = [tree.slot(record & ((1 << tree.width) - 1), level) for level in range(6)]
    assert votes[:6].tolist() == [bool(tree.label(s)) for s in seeds]
    half = len(votes) // 2
    assert (votes[:half] ^ votes[half:]).all()
    # the last slot of leaf 0 is the seed of leaf 1
    assert tree.label(seeds[-1]) == SMALL.record(1, 9)[1]
