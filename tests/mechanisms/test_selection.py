"""The selections: rates, events, uniform members, totality."""

from fractions import Fraction

import numpy as np
import pytest

from tacit.checks.testing import law_of, seeded
from tacit.classes import Points, Table, Thresholds
from tacit.core import BadInput, Pure, Relation, Sample, Selection
from tacit.exact.landscape import Flat, Grouped
from tacit.mechanisms import Exponential, Mistakes, PermuteAndFlip
from tacit.mechanisms.selection import SELECTORS


class Given:
    """A score that hands out one landscape."""

    def __init__(self, landscape, spread=2):
        self.landscape, self._spread = landscape, spread

    def __call__(self, data):
        return self.landscape

    def spread(self, relation):
        return self._spread


@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip])
def test_the_rate_is_epsilon_over_the_spread(kind):
    score = Mistakes(Points(size=4))
    rates = {
        relation: kind(score=score, epsilon="0.6", relation=relation).rate for relation in Relation
    }
    assert rates == {
        Relation.REPLACE_ONE: Fraction(3, 10),
        Relation.LABEL: Fraction(3, 10),
        Relation.ADD_REMOVE: Fraction(6, 10),
    }


def test_events_say_what_was_proved():
    score = Mistakes(Points(size=4))
    one = Fraction(1)
    relation = Relation.LABEL
    assert Exponential(score=score, epsilon=1, relation="label").event() == Selection(
        epsilon=one, relation=relation
    )
    assert PermuteAndFlip(score=score, epsilon=1, relation="label").event() == Pure(
        epsilon=one, relation=relation
    )
    assert {"exponential": Exponential, "permute-and-flip": PermuteAndFlip} == SELECTORS


@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip])
@pytest.mark.parametrize("bad", [{"epsilon": 0}, {"epsilon": -1}, {"epsilon": 1, "relation": "x"}])
def test_bad_public_numbers_are_refused_when_it_is_made(kind, bad):
    with pytest.raises(BadInput):
        kind(score=Mistakes(Points(size=4)), **bad)


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip])
def test_a_member_of_the_level_is_uniform(kind, level):
    """Given the level, the candidate's law is exactly uniform: followed through all ranks."""

    class AtLevel:
        def __init__(self, rng):
            self.below = rng.below

        def level(self, levels, *, rate):
            return level

        def flip_level(self, levels, *, rate):
            return level

    grouped = Grouped(
        errors=np.array([4, 1, 4, 1]),
        sizes=np.array([2, 3, 1, 2], dtype=np.uint64),
        starts=np.array([0, 2, 5, 6], dtype=np.uint64),
    )
    mechanism = kind(score=Given(grouped), epsilon=1)
    masses, left = law_of(lambda rng: mechanism._release(None, rng=AtLevel(rng)))
    members = [{2, 3, 4, 6, 7}, {0, 1, 5}][level]
    assert left == 0
    assert masses == dict.fromkeys(members, Fraction(1, len(members)))


@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip])
def test_a_high_rate_takes_the_best(kind):
    mechanism = kind(score=Given(Flat(np.array([3, 2, 9]))), epsilon=10_000)
    assert {mechanism._release(None, rng=seeded(s)) for s in range(30)} == {1}


@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip])
def test_equal_errors_leave_everything_open(kind):
    mechanism = kind(score=Given(Flat(np.zeros(4, dtype=np.int64))), epsilon=10_000)
    assert {mechanism._release(None, rng=seeded(s)) for s in range(80)} == {0, 1, 2, 3}


@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip])
@pytest.mark.parametrize(
    "concepts",
    [
        Points(bits=1000),
        Points(size=1),
        Thresholds(bits=64),
        Thresholds(bits=4096),
        Table([[1, 0]]),
    ],
    ids=lambda c: c.describe()[:25],
)
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([], []),
        ([5], [1]),
        ([0] * 9, [1] * 9),
        ([2**90, -1, None, "x"], [1, 0, None, "?"]),
        (np.arange(50), np.arange(50) % 2),
    ],
)
def test_every_data_set_has_an_answer(kind, concepts, x, y):
    mechanism = kind(score=Mistakes(concepts), epsilon=Fraction(1, 10))
    candidate = mechanism._release(Sample(x, y), rng=seeded(2))
    assert concepts.hypothesis(candidate).predict([0]).shape == (1,)


def test_nothing_but_public_numbers_is_printed():
    text = repr(Exponential(score=Given(Flat(np.array([4711]))), epsilon=1))
    assert text.startswith("Exponential(epsilon=Fraction(1, 1)")
    assert "4711" not in text
