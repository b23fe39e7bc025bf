"""Exact privacy of geometric noise on all neighbours of tiny data sets."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import pytest

from tacit.checks.testing import exact_epsilon, geometric_mass, neighbours, seeded
from tacit.core import BadInput, Relation
from tacit.exact.balls import at, ball
from tacit.mechanisms.noise import Geometric

pytestmark = pytest.mark.exact

RECORDS = [(x, y) for x in range(4) for y in (0, 1)]

LAST_DIGIT = Fraction(1, 1 << 200)


@dataclass(frozen=True)
class Positives:
    """How many records have the label 1."""

    unit = Fraction(1)

    def __call__(self, data):
        return (Fraction(sum(y for _, y in data)),)

    def sensitivity(self, relation):
        return Fraction(1)


@dataclass(frozen=True)
class Histogram:
    """How many records each of the four values has."""

    unit = Fraction(1)

    def __call__(self, data):
        return tuple(Fraction(sum(x == v for x, _ in data)) for v in range(4))

    def sensitivity(self, relation):
        return {
            Relation.REPLACE_ONE: Fraction(2),
            Relation.ADD_REMOVE: Fraction(1),
            Relation.LABEL: Fraction(0),
        }[relation]


@dataclass(frozen=True)
class Thirds:
    """A sum of thirds, told twice: never on a grid of quarters."""

    unit = None

    def __call__(self, data):
        total = sum((Fraction(x * y, 3) for x, y in data), Fraction(0))
        return (total, -total / 2)

    def sensitivity(self, relation):
        return Fraction(3, 2)


CASES = [
    (Positives(), 1, Fraction(1)),
    (Histogram(), 4, Fraction(1)),
    (Histogram(), 4, Fraction(1, 5)),
    (Thirds(), 2, Fraction(1, 4)),
    (Thirds(), 2, Fraction(2)),
]


class Silent:
    """A sampler whose noise is 0."""

    def geometric(self, scale):
        return 0


def _steps(mechanism, data):
    """The rounded answers in grid steps, by running the mechanism without noise."""
    released = mechanism._release(data, rng=Silent())
    return tuple(int(value / mechanism.grid) for value in released)


def _moves(mechanism, relation):
    seen = {}
    moves = set()
    for n in range(1, 6):
        for left, right in neighbours(RECORDS, n, relation):
            for data in (left, right):
                if data not in seen:
                    seen[data] = _steps(mechanism, data)
            moves.add(tuple(b - a for a, b in zip(seen[left], seen[right], strict=True)))
    return moves


@pytest.mark.parametrize("relation", Relation)
@pytest.mark.parametrize(("query", "answers", "grid"), CASES)
def test_no_neighbours_differ_by_more_than_epsilon(query, answers, grid, relation):
    """The noises are independent, so the worst log-ratio is the sum over the answers."""
    epsilon = Fraction(3, 4)
    mechanism = Geometric(
        query=query, answers=answers, epsilon=epsilon, grid=grid, relation=relation
    )
    scale = mechanism.scale
    moves = _moves(mechanism, relation)
    if scale == 0:
        assert moves == {(0,) * answers}
        return
    steps = {step for move in moves for step in move}
    reach = max(map(abs, steps)) + 1
    with at(256):
        # Outside this window both laws decay alike, so no ratio there is new.
        window = range(-reach, reach + 1)
        centre = {z: geometric_mass(z, scale) for z in window}
        cost = {
            step: exact_epsilon(centre, {z: geometric_mass(z - step, scale) for z in window})
            for step in steps
        }
        worst = ball(0)
        for move in moves:
            worst = worst.max(sum((cost[step] for step in move), ball(0)))
        assert worst < ball(epsilon + LAST_DIGIT)
        if query.unit is not None:
            assert worst > ball(epsilon - LAST_DIGIT)  # tight: the whole budget is used


@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, Relation.ADD_REMOVE])
def test_noise_a_quarter_too_small_is_rejected(relation):
    epsilon = Fraction(3, 4)
    mechanism = Geometric(
        query=Histogram(), answers=4, epsilon=epsilon * Fraction(5, 4), relation=relation
    )
    farthest = max(sum(map(abs, move)) for move in _moves(mechanism, relation))
    assert Fraction(farthest) / mechanism.scale > epsilon


def test_rounding_is_paid_for_only_where_it_happens():
    """Answers off the grid can move one more step each, less one for strictness."""

    def steps(query, answers, grid):
        mechanism = Geometric(query=query, answers=answers, epsilon=Fraction(1), grid=grid)
        return mechanism.scale

    assert steps(Positives(), 1, Fraction(1)) == 1
    assert steps(Positives(), 1, Fraction(1, 10)) == 10
    assert steps(Positives(), 1, Fraction(2)) == 1  # half a step, so at most one
    assert steps(Thirds(), 2, Fraction(1, 4)) == 7  # six steps and two roundings, strictly below


def test_a_query_with_undeclared_answers_is_refused():
    mechanism = Geometric(query=Histogram(), answers=3, epsilon=Fraction(1))
    with pytest.raises(BadInput, match="3 numbers"):
        mechanism._release(((0, 1),), rng=seeded(0))


def test_the_released_value_is_the_answer_plus_noise_on_the_grid():
    mechanism = Geometric(query=Positives(), epsilon=Fraction(1), grid=Fraction(1, 2))
    data = ((0, 1), (1, 1), (2, 0))
    draws = [mechanism._release(data, rng=seeded(seed))[0] for seed in range(200)]
    assert all((draw * 2).denominator == 1 for draw in draws)
    assert len(set(draws)) > 5
    assert abs(sum(draws) / 200 - 2) < 1


def test_between_two_ends_it_is_the_bounded_geometric_mechanism():
    # Of 3 records the count lies in 0..3: the law has its tails on the ends, and is as private.
    bounded = Geometric(query=Positives(), epsilon=1, between=(Fraction(0), Fraction(3)))
    plain = Geometric(query=Positives(), epsilon=1)
    data = [(0, 1), (1, 1), (2, 1)]
    noisy = [seeded(str(run)).part(plain, data)[0] for run in range(300)]
    kept = [seeded(str(run)).part(bounded, data)[0] for run in range(300)]
    assert kept == [min(max(value, 0), 3) for value in noisy]
    assert kept != noisy
    with at(256):
        masses = [_bounded_law(count) for count in range(4)]
        for left, right in pairwise(masses):
            assert exact_epsilon(left, right) < ball(1 + LAST_DIGIT)
        assert exact_epsilon(masses[0], masses[2]) > ball(1)
    with pytest.raises(BadInput, match="lower end"):
        Geometric(query=Positives(), epsilon=1, between=(Fraction(3), Fraction(0)))


def _bounded_law(count):
    """Noise of scale 1 around ``count``, what lies beyond 0 and 3 moved to them."""
    law = {value: geometric_mass(value - count, Fraction(1)) for value in (1, 2)}
    # Below 0 and above 3 the tails add up: q^d / (1 + q) from distance d on.
    q = (-ball(1)).exp()
    law[0] = q**count / (1 + q)
    law[3] = q ** (3 - count) / (1 + q)
    return law
