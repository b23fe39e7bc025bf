"""Tests of ``tacit.problems.tables.banded_weights``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.banded_cases import computed, stated

from tacit.exact.balls import at, ball
from tacit.problems.tables.banded_scores import BandedScores
from tacit.problems.tables.banded_weights import BandWeigher
from tacit.problems.tables.scores import Scores

pytestmark = pytest.mark.exact

TWO = complete([range(3), bool])


def data(seed, n, values):
    rng = np.random.default_rng(seed)
    cells = np.stack([rng.integers(0, 3, n), rng.integers(0, 2, n)], axis=1)
    x = [(int(a), bool(b)) for a, b in cells.tolist()] or np.empty((0, 2), dtype=object)
    return x, cells.astype(np.int32), rng.integers(0, values, n)


@pytest.mark.parametrize(
    ("columns", "most", "fewest", "values", "n"),
    [(1, 1, 1, 3, 6), (2, 1, 1, 3, 7), (2, 1, 2, 4, 5), (1, 2, 1, 5, 9), (2, 1, 1, 3, 0)],
)
def test_the_law_is_the_stated_one(columns, most, fewest, values, n):
    rules = BandedScores(Scores(TWO, columns=columns, most=most, fewest=fewest), values)
    x, cells, y = data(n, n, values)
    rate = Fraction(2, 3)
    weigher = BandWeigher(rules, rate)
    held = weigher.held(cells, y)
    with at(256):
        wanted, found = stated(rules, rate, x, y), computed(weigher, held)
        assert found.keys() == wanted.keys()
        assert all(abs(found[t] - mass) < ball(Fraction(1, 10**60)) for t, mass in wanted.items())
        other = stated(rules, Fraction(3, 4), x, y)
        moved = any(abs(other[t] - mass) > ball(Fraction(1, 1000)) for t, mass in wanted.items())
        assert moved is bool(n)
    assert repr(held) == "Held(private)"


def test_the_law_with_costs_is_the_stated_one():
    rules, rate, costs = BandedScores(Scores(TWO, columns=2, most=1), 3), Fraction(1, 7), (2, 0, 5)
    x, cells, y = data(7, 7, 3)
    weigher = BandWeigher(rules, rate, costs)
    with at(256):
        wanted, found = stated(rules, rate, x, y, costs), computed(weigher, weigher.held(cells, y))
        assert found.keys() == wanted.keys()
        assert all(abs(found[t] - mass) < ball(Fraction(1, 10**60)) for t, mass in wanted.items())
        other = stated(rules, rate, x, y, (2, 1, 5))
        assert any(abs(other[t] - mass) > ball(Fraction(1, 1000)) for t, mass in wanted.items())


def test_costs_are_as_if_records_were_there_so_many_times():
    rules, costs = BandedScores(Scores(TWO, columns=2, most=2), 3), (40, 0, 3)
    _, cells, labels = data(3, 50, 3)
    repeats = np.array(costs)[labels]
    one, other = BandWeigher(rules, Fraction(1, 90), costs), BandWeigher(rules, Fraction(1, 90))
    many = other.held(np.repeat(cells, repeats, axis=0), np.repeat(labels, repeats))
    left, right = one.choices(one.held(cells, labels)), other.choices(many)
    assert np.array_equal(left[0], right[0])
    assert np.allclose(left[1], right[1], rtol=1e-12)


@pytest.mark.parametrize(("n", "values"), [(0, 3), (1, 3), (40, 5), (2000, 3), (300, 10)])
def test_float_weights_stay_within_their_proved_error(n, values):
    rng = np.random.default_rng(n)
    schema = complete([(0, 1), (0, 1), bool], bins=5)
    cells = np.stack(
        [rng.integers(0, 5, n), rng.integers(0, 5, n), rng.integers(0, 2, n)], axis=1
    ).astype(np.int32)
    rate = Fraction(3, 2)
    weigher = BandWeigher(BandedScores(Scores(schema, columns=2, most=2), values), rate)
    held = weigher.held(cells, rng.integers(0, values, n))
    m, z = weigher.choices(held)
    bound = Fraction(weigher.relative_error())
    assert bound < Fraction(1, 10**9)
    with at(400):
        trues = list(weigher.balls(held))
        assert len(trues) == len(m) > 15
        for mistakes, value, true in zip(m.tolist(), z.tolist(), trues, strict=True):
            ratio = ball(Fraction(value)) * (-ball(rate) * mistakes).exp() / true
            assert abs(ratio - 1) < ball(bound)


def test_totals_count_every_record_once():
    rng = np.random.default_rng(1)
    weigher = BandWeigher(BandedScores(Scores(TWO, columns=2, most=2), 3), Fraction(1))
    _, cells, y = data(1, 50, 3)
    held = weigher.held(cells, y)
    for total in weigher.totals:
        counts = weigher.counts(held, total)
        levels = held.levels[:, list(total.columns)] @ np.array(total.weights)
        plain = np.zeros_like(counts)
        np.add.at(plain, (levels - total.least, y), 1)
        assert np.array_equal(counts, plain)
    del rng


def test_a_label_out_of_range_is_never_counted():
    weigher = BandWeigher(BandedScores(Scores(TWO, columns=1, most=1), 3), Fraction(1))
    for label in (-1, 3):
        with pytest.raises(IndexError, match="number of a public value"):
            weigher.held(np.zeros((1, 2), dtype=np.int32), np.array([label]))
