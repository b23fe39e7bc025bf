"""Tests of ``tacit.problems.points.representing_sets``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.problems.points.bbkn13_points_cases import everywhere, improper

from tacit.checks.testing import seeded
from tacit.core import ALGORITHMS, Relation
from tacit.domains.integers import Integers
from tacit.exact.balls import ball, below
from tacit.mechanisms.calibration import star_rate
from tacit.problems.finite.reasons import IN_PARTS
from tacit.problems.points import random_sets_upper as set_bounds
from tacit.problems.points.pseudorandom import PseudorandomPoints
from tacit.problems.points.representing_sets import PlaneLines, RandomSets, certified_error
from tacit.problems.points.some_points import SomePoints


def brute(concept_class, x, y):
    rules = (concept_class.hypothesis(i) for i in range(concept_class.size))
    return [int(np.count_nonzero(rule.predict(x) != y)) for rule in rules]


def counted(landscape, size):
    levels = landscape.levels()
    errors = {}
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        for rank in range(int(count)):
            errors[landscape.member(error, rank)] = error
    assert sorted(errors) == list(range(size))
    return [errors[i] for i in range(size)]


@pytest.fixture
def some_records():
    rng = seeded("records")
    x = np.array([rng.below(30) for _ in range(60)], dtype=np.uint64)
    return x, np.array([rng.bits(1) == 1 for _ in range(60)])


@pytest.mark.parametrize(
    "concepts",
    [
        PlaneLines(domain=Integers(size=30), slopes=4),
        RandomSets.draw(seeded(3), domain=Integers(size=30), sets=50, bits=2),
        SomePoints(Integers(size=30), np.array([0, 3, 7, 29], dtype=np.uint64)),
        PseudorandomPoints(bits=5, seed_bits=3),
    ],
    ids=lambda concepts: concepts.name,
)
def test_mistakes_are_counted_as_the_rules_make_them(concepts, some_records):
    x, y = some_records
    assert counted(concepts.landscape(x, y), concepts.size) == brute(concepts, x, y)
    nothing = x[:0], y[:0]
    assert counted(concepts.landscape(*nothing), concepts.size) == [0] * concepts.size


def test_the_fast_count_of_random_sets_is_the_slow_one(monkeypatch, some_records):
    x, y = some_records
    sets = RandomSets.draw(seeded(4), domain=Integers(bits=100), sets=40, bits=3)
    wide = np.array([int(v) << 70 for v in x], dtype=object)
    slow = sets.landscape(wide, y).errors.tolist()
    monkeypatch.setattr("tacit.problems.points.representing_sets._CHUNK", 0)
    assert sets.landscape(wide, y).errors.tolist() == slow == brute(sets, wide, y)


@pytest.mark.parametrize(("size", "slopes"), [(2, 1), (9, 3), (30, 2), (100, 7), (101, 11)])
def test_plane_lines_represent_all_points(size, slopes):
    lines = PlaneLines(domain=Integers(size=size), slopes=slopes)
    table = np.array([lines.hypothesis(i).predict(everywhere(size)) for i in range(lines.size)])
    assert (table.sum(axis=0) == slopes).all()
    assert certified_error(table) <= Fraction(1, slopes)
    if slopes > 2:
        assert certified_error(table[: 2 * lines.prime]) > Fraction(1, slopes)


@pytest.mark.parametrize(
    ("bits", "error", "width"), [(8, Fraction(1, 4), 4), (10, Fraction(1, 5), 4)]
)
def test_lemma_4_1_enough_sets_represent_and_too_few_do_not(bits, error, width):
    size = 1 << bits
    eta = Fraction(1, 1000)
    enough = set_bounds.sets_needed(size=size, error=error, eta=eta, bits=width)
    assert enough < set_bounds.printed_sets(bits=bits, error=error)

    def worst(sets, seed):
        drawn = RandomSets.draw(seeded(seed), domain=Integers(size=size), sets=sets, bits=width)
        return certified_error(drawn.holds(everywhere(size)))

    assert all(worst(enough, seed) < error for seed in range(8))
    assert all(worst(enough // 8, seed) > error for seed in range(8))


@pytest.mark.parametrize("name", ["constant-points", "hashed-points", "protocol-equality"])
def test_records_do_not_grow_with_the_domain(name):
    counts = {ALGORITHMS[name].bound(improper(bits)).n for bits in (16, 64, 1000)}
    assert len(counts) == 1


@pytest.mark.parametrize(
    "change",
    [{"epsilon": Fraction(1, 2)}, {"alpha": Fraction(1, 20)}, {"beta": Fraction(1, 100)}],
)
@pytest.mark.parametrize("name", ["constant-points", "random-sets", "plane-lines"])
def test_harder_tasks_need_more_records(name, change):
    samples = ALGORITHMS[name].bound
    assert samples(improper(16, **change)).n > samples(improper(16)).n


def printed_star_rate(*, epsilon, inner):
    """The smaller rate of BBKN13 Lemma 4.4, rounded down."""

    def rate():
        grown, high = ball(epsilon).exp(), ball(inner).exp()
        return (grown - 1) / (high + grown - ball(epsilon - inner).exp() - 1)

    return Fraction(int(below(rate) * (1 << 64)), 1 << 64)


def test_star_rate_is_between_the_printed_rate_and_one():
    for epsilon, inner in [(Fraction(1), Fraction(7, 5)), (Fraction(1, 10), Fraction(2))]:
        ours = star_rate(epsilon=epsilon, inner=inner)
        assert printed_star_rate(epsilon=epsilon, inner=inner) < ours < 1
    assert star_rate(epsilon=Fraction(2), inner=Fraction(1)) == 1


def test_who_splits_records_refuses_a_private_number_of_them():
    for name in ("constant-points", "heavy-to-proper"):
        entry = ALGORITHMS[name]
        task = improper(16, output="proper" if entry.proper else "improper")
        assert entry.why_not(task) is None
        assert entry.why_not(task.with_(relation=Relation.ADD_REMOVE)) == IN_PARTS
