"""Records in a random order: every order alike, and none of the source's own."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import sqrt

import numpy as np
import pytest

from tacit.checks.audit import law
from tacit.checks.testing import seeded
from tacit.core import BadInput, Mechanism, Pure, Relation, Sample, Selection
from tacit.domains import Integers
from tacit.mechanisms.shuffled import Shuffled, random_order

SMALL = Integers(size=8)


@dataclass(frozen=True)
class Listed(Mechanism):
    """The records as they stand: not private, which is what is looked at here."""

    CLAIM = Shuffled.CLAIM
    cost: object = Pure(epsilon=Fraction(1), relation=Relation.REPLACE_ONE)

    def event(self):
        return self.cost

    def _release(self, data, *, rng):
        del rng
        return tuple(zip(np.asarray(data.x).tolist(), np.asarray(data.y).tolist(), strict=True))


def _sample(records):
    return Sample(np.array([x for x, _ in records]), np.array([y for _, y in records]))


@pytest.mark.exact
def test_every_order_is_equally_likely():
    records = [(3, 1), (5, 0), (5, 0), (1, 1)]
    found = law(Shuffled(inner=Listed(), domain=SMALL), _sample(records))
    wanted = Counter(tuple((x, bool(y)) for x, y in one) for one in permutations(records))
    assert len(found.masses) == len(wanted) == 12
    assert all(abs(float(mass) - 1 / 12) < 1e-9 for mass in found.masses.values())
    assert float(found.rest) < 1e-9


@pytest.mark.parametrize("n", [0, 1, 3, 16, 17, 1000])
def test_an_order_has_every_number_once(n):
    assert sorted(random_order(n, rng=seeded(n)).tolist()) == list(range(n))


@pytest.mark.statistical
@pytest.mark.parametrize("n", [5, 40])
def test_every_number_is_as_often_at_every_place(n):
    runs = 2000
    first = Counter(int(random_order(n, rng=seeded(f"{n}/{one}"))[0]) for one in range(runs))
    each = runs / n
    assert all(abs(first[value] - each) < 5 * sqrt(each) for value in range(n))
    follows = sum(
        bool(
            np.argmax((order := random_order(n, rng=seeded(f"{n}+{one}"))) == 0)
            < np.argmax(order == 1)
        )
        for one in range(runs)
    )
    assert abs(follows - runs / 2) < 5 * sqrt(runs / 4)


def test_the_order_in_which_records_come_plays_no_part():
    generator = np.random.default_rng(2)
    x, y = generator.integers(0, 8, 60), generator.integers(0, 2, (60, 2))
    other = generator.permutation(60)
    made = Shuffled(inner=Listed(), domain=SMALL, k=2)
    here, there = (
        made._release(Sample(x[rows], y[rows]), rng=seeded(1)) for rows in (np.arange(60), other)
    )
    assert here == there
    assert sorted(map(repr, here)) == sorted(
        repr((a, b)) for a, b in zip(x.tolist(), (y == 1).tolist(), strict=True)
    )
    assert here != made._release(Sample(x, y), rng=seeded(2))


def test_what_an_average_does_not_keep_is_refused():
    for cost in (
        Selection(epsilon=Fraction(1), relation=Relation.REPLACE_ONE),
        Pure(epsilon=Fraction(1), relation=Relation.ADD_REMOVE),
    ):
        with pytest.raises(BadInput, match="random order"):
            Shuffled(inner=Listed(cost), domain=SMALL)
    made = Shuffled(inner=Listed(), domain=SMALL)
    assert made.streams(1000)
    assert not made.streams(None)
    assert not made.streams(1 << 40)
