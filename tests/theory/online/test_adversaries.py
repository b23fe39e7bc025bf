"""Mistake bounds against every adversary there is, on everything small enough to list."""

import copy
import itertools
from fractions import Fraction

import numpy as np
import pytest

from tacit.classes import OneWaySequences
from tacit.theory.dimensions import littlestone
from tacit.theory.dimensions.incidence import read
from tacit.theory.online import (
    ConservativeHedge,
    Halving,
    StandardOptimal,
    mistake_bound,
    worst_case,
)
from tacit.theory.online.halving import halving_bound
from tacit.theory.online.one_way_game import SeedPanel, brute_force
from tacit.theory.online.panels import TablePanel

pytestmark = pytest.mark.exact

POINTS = 3

ROWS = list(itertools.product((0, 1), repeat=POINTS))

CLASSES = [
    [row for bit, row in enumerate(ROWS) if chosen >> bit & 1]
    for chosen in range(1, 1 << len(ROWS))
]


def test_the_standard_optimal_algorithm_is_optimal_on_all_classes_on_three_points():
    assert len(CLASSES) == 255
    for rows in CLASSES:
        assert worst_case(StandardOptimal(rows), rows) == littlestone(rows).value, rows


def test_halving_keeps_its_bound_on_all_classes_on_three_points():
    for rows in CLASSES:
        mistakes = worst_case(Halving(rows), rows)
        assert littlestone(rows).value <= mistakes <= halving_bound(experts=len(rows)), rows


def test_halving_counts_concepts_and_the_optimal_algorithm_what_they_can_do():
    many = [[1, *row] for row in np.eye(5, dtype=int).tolist()]
    able = [[0, a, b, 0, 0, 0] for a in (0, 1) for b in (0, 1)]
    rows = [*many, *able]
    assert littlestone(rows).value == worst_case(StandardOptimal(rows), rows) == 2
    assert worst_case(Halving(rows), rows) == halving_bound(experts=9) == 3


def test_hedge_with_a_perfect_expert_is_as_good_as_halving():
    for rows in CLASSES:
        learner = ConservativeHedge(rows, wrong=0)
        assert worst_case(learner, rows) <= halving_bound(experts=len(rows)) == learner.bound, rows


def test_the_exhaustive_adversary_catches_a_learner_that_does_not_learn():
    class Stubborn:
        def predict(self, point):
            return 0

        def learn(self, point, label):
            self.told = getattr(self, "told", 0) + 1
            if self.told > 6:
                self.predict = lambda point: 1

    assert worst_case(Stubborn(), [[1, 1]]) == 7


@pytest.mark.parametrize("share", [Fraction(1, 3), Fraction(1, 4), Fraction(2, 5), Fraction(3, 8)])
def test_conservative_hedge_keeps_its_bound_whatever_is_asked(share):
    """A few experts of whom at most ``share`` are wrong at each point, in all ways, among many
    who always are.
    """
    ways = itertools.product((0, 1), repeat=share.denominator)
    good = np.array([way for way in ways if sum(way) == share.numerator]).T
    bad = np.ones((20, good.shape[1]), dtype=int)
    matrix = np.concatenate([good, bad])  # all labels are 0: a 1 is a wrong vote
    worst = _most_mistakes(matrix, share, len(good))
    assert 3 <= worst <= mistake_bound(experts=len(matrix), wrong=share)


def _most_mistakes(matrix, share, good):
    """The longest game, by trying every point on which the learner errs.

    The learner is the blame of its experts, and the good ones may change places: the points
    are wrong about them in all ways.
    """
    known = {}

    def go(learner):
        state = (*sorted(learner._wrong[:good].tolist()), int(learner._wrong[good]))
        if state not in known:
            known[state] = 0
            for point in range(matrix.shape[1]):
                if learner.predict(point):
                    after = copy.copy(learner)
                    after.learn(point, 0)
                    known[state] = max(known[state], 1 + go(after))
        return known[state]

    return go(ConservativeHedge(TablePanel(matrix.astype(bool)), wrong=share))


@pytest.mark.parametrize("k", [2, 3])
def test_brute_force_on_one_way_sequences_makes_at_most_k_mistakes_in_every_order(k):
    sequences = OneWaySequences(bits=(k + 1) ** 2)
    table = read(sequences)
    everyone = np.arange(1 << k)
    records = sorted({sequences.record(i, s)[0] for i in range(1 << k) for s in everyone.tolist()})
    votes = SeedPanel(sequences.tree)
    said = np.array([votes.votes(record, everyone) for record in records])
    # the panel is the class: its votes on all records are the table's columns
    for record, column in zip(records, said, strict=True):
        assert [bool(table.rows[s] >> _place(record, sequences) & 1) for s in everyone] == (
            column.tolist()
        )
    assert brute_force(sequences).bound == k
    if k == 2:
        assert worst_case(_Renamed(brute_force(sequences), records), said.T) <= k


def _place(record, sequences):
    """Where ``read`` puts a record: it lists strings with the lowest bit first."""
    length = sequences.domain.columns
    return int(f"{record:0{length}b}"[::-1], 2)


class _Renamed:
    """A learner over records, played with their numbers."""

    def __init__(self, learner, records):
        self._learner, self._records = learner, records

    def predict(self, point):
        return self._learner.predict(self._records[point])

    def learn(self, point, label):
        self._learner.learn(self._records[point], label)

    def __copy__(self):
        return _Renamed(copy.copy(self._learner), self._records)
