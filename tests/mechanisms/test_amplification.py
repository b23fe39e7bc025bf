"""Records drawn with replacement: the privacy of the draw, exactly, and how tight it is."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.tools.b20_laws import BITS, gap_law

from tacit.bounds.upper.conversions import to_empirical
from tacit.checks.testing import (
    divergence,
    exact_epsilon,
    exponential_law,
    neighbours,
    seeded,
)
from tacit.classes import Points
from tacit.core import (
    ALGORITHMS,
    Accuracy,
    BadInput,
    Mechanism,
    Privacy,
    Pure,
    Relation,
    Sample,
    Task,
)
from tacit.domains import Integers
from tacit.exact.balls import at, ball
from tacit.mechanisms.amplification import Resampled
from tacit.mechanisms.calibration import resampled_delta, resampled_epsilon
from tacit.mechanisms.gap_test import GapTest
from tacit.mechanisms.interior_point import InteriorPoint
from tacit.problems.finite.learner_conversions import empirical
from tacit.problems.points.frequent_item import Counts

pytestmark = pytest.mark.exact


def drawn(law, data, draws):
    """The law after ``draws`` records are drawn with replacement."""
    total = Counter()
    with at(BITS):
        for rows in product(range(len(data)), repeat=draws):
            for output, mass in law(tuple(sorted(data[r] for r in rows))).items():
                total[output] += mass
        return {output: mass / len(data) ** draws for output, mass in total.items()}


def randomised_responses(epsilon):
    """The tightest pure mechanism: the first record's bit is kept or flipped."""

    def law(data):
        ones = sum(data)
        return exponential_law([-ones, ones], epsilon / 2)

    return law


@pytest.mark.parametrize(("draws", "records"), [(1, 1), (1, 3), (2, 2), (2, 4), (3, 4)])
def test_pure_cost_covers_and_is_nearly_reached(draws, records):
    epsilon = Fraction(1)
    claimed = resampled_epsilon(epsilon=epsilon, draws=draws, records=records)
    law = randomised_responses(epsilon)
    worst = ball(0)
    for left, right in neighbours((0, 1), records, Relation.REPLACE_ONE):
        worst = worst.max(exact_epsilon(drawn(law, left, draws), drawn(law, right, draws)))
    with at(BITS):
        assert worst <= ball(claimed)
        assert worst > ball(claimed * Fraction(1, 2))


@pytest.mark.parametrize(("draws", "records"), [(1, 2), (2, 3), (3, 4)])
def test_approximate_cost_covers(draws, records):
    epsilon, delta = Fraction(1), Fraction(1, 10)
    test = GapTest(score=Counts(Integers(size=2)), epsilon=epsilon, delta=delta)
    sizes = {"draws": draws, "records": records}
    e = resampled_epsilon(epsilon=epsilon, **sizes)
    d = resampled_delta(epsilon=epsilon, delta=delta, **sizes)
    worst = ball(0)
    for left, right in neighbours((0, 1), records, Relation.REPLACE_ONE):
        laws = [drawn(lambda data: gap_law(test, data), side, draws) for side in (left, right)]
        worst = worst.max(divergence(*laws, e))
    assert 0 < worst <= ball(d)


def test_the_closed_forms():
    one = Fraction(1)
    # The corrected lemma says 6 n/m = 0.667 and 0.866 delta at m = 9n; these are sharper.
    e = resampled_epsilon(epsilon=one, draws=100, records=900)
    d = resampled_delta(epsilon=one, delta=Fraction(1, 1000), draws=100, records=900)
    assert 0.19 < float(e) < 0.192
    assert 0.12 < float(d) * 1000 < 0.123
    for n in (1, 7, 1000):
        m = to_empirical(n=n, epsilon=one).n
        assert resampled_epsilon(epsilon=one, draws=n, records=m) <= one
        assert resampled_delta(epsilon=one, delta=one / 2, draws=n, records=m) <= one / 2
        assert m <= 2 * n
        assert n == 1 or resampled_epsilon(epsilon=one, draws=n, records=m - 1) > one
    assert resampled_epsilon(epsilon=one, draws=3, records=1) == 3


def test_privacy_of_the_labels_alone_is_not_amplified():
    """An inner mechanism that shows the features shows who was drawn: nothing is gained."""
    epsilon = Fraction(1)

    def law(labels):  # features 0 and 1; one of the two records is drawn
        with at(BITS):
            return {
                (place, said): mass / 2
                for place, label in enumerate(labels)
                for said, mass in exponential_law([label, 1 - label], epsilon).items()
            }

    claimed = resampled_epsilon(epsilon=epsilon, draws=1, records=2)
    with at(BITS):
        assert exact_epsilon(law((0, 1)), law((1, 1))) > ball(claimed * Fraction(3, 2))
    inner = InteriorPoint(domain=Integers(size=2), epsilon=epsilon, relation=Relation.LABEL)
    with pytest.raises(BadInput, match="REPLACE_ONE"):
        Resampled(inner=inner, draws=1, records=2)


def test_where_only_labels_are_private_whole_records_are_protected():
    task = Task(
        Points(size=8),
        privacy=Privacy(1, relation="label"),
        accuracy=Accuracy("0.1", "0.1"),
    )
    inner = ALGORITHMS["exponential"]
    event = empirical(inner).built(task, 500).event()
    assert event.relation is Relation.REPLACE_ONE
    assert event.epsilon <= 1
    assert empirical(inner).why_not(task.with_(relation="add-remove"))


@dataclass(frozen=True)
class _Shown(Mechanism):
    """The records as they stand: not private, which is what is looked at here."""

    CLAIM = Resampled.CLAIM

    def event(self):
        return Pure(epsilon=Fraction(1), relation=Relation.REPLACE_ONE)

    def _release(self, data, *, rng):
        del rng
        return sorted(zip(np.asarray(data.x).tolist(), np.asarray(data.y).tolist(), strict=True))


@pytest.mark.parametrize("bits", [4, 100])
def test_the_order_in_which_records_come_plays_no_part(bits):
    generator = np.random.default_rng(5)
    x = np.array([int(one) << (bits - 4) for one in generator.integers(0, 16, 40)], dtype=object)
    y, other = generator.integers(0, 2, 40), generator.permutation(40)
    made = Resampled(inner=_Shown(), draws=30, records=50, domain=Integers(bits=bits))
    here, there = (
        made._release(Sample(x[rows], y[rows]), rng=seeded(7)) for rows in (np.arange(40), other)
    )
    assert here == there
    assert 10 < len(here) < 30  # ten of fifty numbers are of no record
    assert set(here) <= set(zip(x.tolist(), (y == 1).tolist(), strict=True))


@pytest.mark.statistical
def test_every_record_is_drawn_as_often():
    made = Resampled(inner=_Shown(), draws=4000, records=4, domain=Integers(size=9))
    sample = Sample(np.array([7, 2, 7, 4]), np.array([1, 0, 1, 1]))
    found = Counter(made._release(sample, rng=seeded(3)))
    for record, share in (((7, True), 2), ((2, False), 1), ((4, True), 1)):
        assert abs(found[record] - 1000 * share) < 150
