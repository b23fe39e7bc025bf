"""Tests of ``tacit.theory.online.polynomial``."""

import numpy as np
from tests.theory.online.online_one_way_game_cases import SMALL

from tacit.checks.testing import seeded
from tacit.theory.online.polynomial import (
    Context,
    Majority,
    NearestNeighbour,
    Perceptron,
    SlotPanel,
)


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
