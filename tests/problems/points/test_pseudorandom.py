"""Tests of ``tacit.problems.points.pseudorandom``."""

import pytest
from tests.problems.points.bbkn13_points_cases import ALPHA, BETA

from tacit import Accuracy, Privacy, Task
from tacit.core import ALGORITHMS, BadInput
from tacit.problems.points.pseudorandom import PseudorandomPoints, stretch


def test_pseudorandom_points_are_few_distinct_and_repeatable():
    concepts = PseudorandomPoints(bits=40, seed_bits=8)
    assert concepts.size == 256
    assert stretch(5, seed_bits=8, bits=40) in set(concepts.image.tolist())
    crowded = PseudorandomPoints(bits=9, seed_bits=8)
    assert crowded.size < 256, "colliding seeds count once"
    wide = PseudorandomPoints(bits=200, seed_bits=3)
    assert max(wide.image.tolist()).bit_length() > 180
    for bad in ({"bits": 8, "seed_bits": 8}, {"bits": 64, "seed_bits": 30}):
        with pytest.raises(BadInput):
            PseudorandomPoints(**bad)


def test_theorem_6_1_all_seeds_need_fewer_records_than_all_points():
    task = Task(
        PseudorandomPoints(bits=64, seed_bits=10),
        privacy=Privacy(1),
        accuracy=Accuracy(ALPHA, BETA),
    )
    seeds = ALGORITHMS["pseudorandom-points"].bound(task)
    points = ALGORITHMS["pseudorandom-points-efficient"].bound(task)
    assert seeds.n < points.n / 3
    assert ALGORITHMS["pseudorandom-points-efficient"].why_not(task.with_(output="proper"))
