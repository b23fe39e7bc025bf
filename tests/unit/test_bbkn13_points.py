"""BBKN13 sections 4 and 6: representing sets, tries, short rules, pseudorandom points."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tacit import Accuracy, Privacy, Task, plan
from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.core import ALGORITHMS, BadInput, Relation, hypothesis_from_dict
from tacit.domains.integers import Integers
from tacit.exact.balls import ball, below
from tacit.mechanisms.calibration import star_rate
from tacit.problems.points import constant_sample_upper as constant_bounds
from tacit.problems.points import random_sets_upper as set_bounds
from tacit.problems.points.constant_sample import (
    CONFLICT,
    NOTHING,
    Flips,
    HashedSet,
    fitting_point,
    paper_try,
)
from tacit.problems.points.pseudorandom import PseudorandomPoints, stretch
from tacit.problems.points.random_sets import representation_error
from tacit.problems.points.representing_sets import PlaneLines, RandomSets, certified_error
from tacit.problems.points.some_points import SomePoints
from tacit.problems.thresholds import reductions_upper as reductions

ALPHA, BETA, ONE = Fraction(1, 10), Fraction(1, 20), Fraction(1)


def improper(bits, **changes):
    task = Task(
        Points(bits=bits),
        privacy=Privacy(1),
        accuracy=Accuracy(ALPHA, BETA),
        output="improper",
    )
    return task.with_(**changes)


def everywhere(size):
    return np.arange(size, dtype=np.uint64)


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


def test_the_certificate_bounds_the_exact_representation_error():
    points = np.eye(7, dtype=bool)
    for seed in range(20):
        sets = RandomSets.draw(seeded(seed), domain=Integers(size=7), sets=12, bits=1)
        table = sets.holds(everywhere(7))
        assert representation_error(points, table) <= certified_error(table)
    alone = np.eye(7, dtype=bool)[:6]
    assert certified_error(alone) == 1 == representation_error(points, alone)
    assert certified_error(points) == 0 == representation_error(points, points)


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


def test_lemma_4_1_grows_with_bits_and_with_one_over_error_squared():
    def sets(bits, error):
        width = {20: 6, 40: 7}[error]
        return set_bounds.sets_needed(
            size=1 << bits, error=Fraction(1, error), eta=Fraction(1, 100), bits=width
        )

    assert 1.8 < sets(64, 20) / sets(32, 20) < 2.1
    assert 3.8 < sets(64, 40) / sets(64, 20) < 4.2
    with pytest.raises(BadInput):
        set_bounds.sets_needed(size=4, error=Fraction(1, 4), eta=BETA, bits=2)


def test_theorem_4_2_needs_records_for_the_logarithm_of_the_bits():
    n = {
        bits: set_bounds.random_sets(size=1 << bits, alpha=Fraction(1, 4), beta=BETA, epsilon=ONE).n
        for bits in (16, 64, 256)
    }
    proper = {bits: ALGORITHMS["points"].bound(_proper(bits)).n for bits in n}
    assert n[16] < n[64] < n[256] < 2 * n[16]
    assert proper[256] > 8 * proper[16]
    assert n[256] < proper[256] / 3


def _proper(bits):
    return Task(Points(bits=bits), privacy=Privacy(1), accuracy=Accuracy(Fraction(1, 4), BETA))


def test_claim_4_5_in_print_and_ours_stand_side_by_side():
    bound = constant_bounds.constant_points(alpha=ALPHA, beta=BETA, epsilon=ONE)
    assert bound.printed == 95_397_299
    assert bound.n == 8_237
    assert sum(bound.terms.values()) == bound.n
    option = next(o for o in plan(improper(64)).options if o.algorithm.name == "constant-points")
    assert option.bound.printed == bound.printed


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


@pytest.mark.parametrize("bits", [16, 64, 65, 1000])
def test_short_rules_hold_their_point_and_come_back_from_a_file(bits):
    rng = seeded(bits)
    for _ in range(20):
        point = rng.bits(bits)
        rule = HashedSet(5)(Integers(bits=bits), point, rng=rng)
        assert rule.predict(np.array([point], dtype=object))[0]
        text = json.dumps(rule.to_dict())
        assert len(text.encode()) <= 2048
        back = hypothesis_from_dict(json.loads(text))
        values = np.array([rng.bits(bits) for _ in range(50)], dtype=object)
        assert (back.predict(values) == rule.predict(values)).all()


def test_fitting_point_by_brute_force():
    for n in range(4):
        for data in product(product(range(3), (0, 1)), repeat=n):
            x = np.array([x for x, _ in data], dtype=np.uint64)
            y = np.array([label == 1 for _, label in data], dtype=bool)
            fits = [j for j in range(3) if all((v == j) == label for v, label in data)]
            found = fitting_point(x, y)
            if not y.any():
                assert found == NOTHING
            else:
                assert found == (fits[0] if fits else CONFLICT)


def test_flips_are_bounded_and_need_a_small_domain():
    with pytest.raises(BadInput):
        Flips(Fraction(3, 4))
    with pytest.raises(BadInput):
        Flips(Fraction(1, 4))(Integers(bits=30), 3, rng=seeded(0))
    assert paper_try(domain=Integers(size=4), alpha=ALPHA).growth == 1 + Fraction(8) / (4 - ALPHA)


def test_theorem_4_11_more_weight_costs_little_and_stays_above_the_lower_bound():
    small = reductions.heavy_to_proper(size=1 << 8, alpha=ALPHA, beta=BETA, epsilon=ONE)
    large = reductions.heavy_to_proper(size=1 << 20, alpha=ALPHA, beta=BETA, epsilon=ONE)
    assert small.n < large.n < 2 * small.n
    task = Task(
        Points(bits=20), privacy=Privacy(1), accuracy=Accuracy(ALPHA, BETA), output="proper"
    )
    assert large.n > max(bound.bound.n for bound in plan(task).lower_bounds)


def test_bucket_weight_holds_for_half_of_all_hashes():
    size, bits = 1 << 12, 5
    limit = reductions.bucket_weight(size=size, bits=bits, hashes=1)
    heavy = 0
    for seed in range(60):
        rule = HashedSet(bits)(Integers(size=size), NOTHING, rng=seeded(seed))
        heavy += np.bincount(rule.hash(everywhere(size)), minlength=1 << bits).max() > limit
    assert heavy <= 30
    assert limit < size // 8, "far from trivial"


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


def test_who_splits_by_position_refuses_a_private_number_of_records():
    for name in ("constant-points", "heavy-to-proper"):
        entry = ALGORITHMS[name]
        task = improper(16, output="proper" if entry.proper else "improper")
        assert entry.why_not(task) is None
        assert "position" in entry.why_not(task.with_(relation=Relation.ADD_REMOVE))
