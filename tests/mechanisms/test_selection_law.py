"""Exact privacy of both selections over all neighbours of tiny data sets.

The errors come from the classes' own landscapes (grouped and flat); each landscape is
also checked against brute force, so the law compared is the law of the code.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest

from tacit.checks.testing import exact_epsilon, exponential_law, flip_law, neighbours
from tacit.core import Relation
from tacit.exact.balls import at, ball
from tacit.mechanisms.score import Mistakes
from tacit.mechanisms.selection import Exponential, PermuteAndFlip
from tacit.problems.finite.listed import Table
from tacit.problems.points.hashes import Hash, HashedPoints
from tacit.problems.points.points import Points
from tacit.problems.thresholds.thresholds import Thresholds

pytestmark = pytest.mark.exact

LARGEST_N = 5

# Some neighbours differ by exactly epsilon, which no ball certifies: allow a last digit.
LAST_DIGIT = Fraction(1, 1 << 200)

TABLE = Table([[0, 0, 0, 0], [1, 0, 0, 1], [0, 1, 1, 0], [1, 1, 1, 1], [1, 1, 0, 0]])

HASHED = HashedPoints(
    Points(size=4).domain,
    (Hash((0x9E3779B97F4A7C15,), 0x1234_5678_9ABC_DEF0, 1), Hash((0xC2B2AE3D27D4EB4F,), 7, 1)),
)

CLASSES = {
    "points": Points(size=4),
    "thresholds >=": Thresholds(size=4),
    "thresholds <": Thresholds(size=4, orientation="INTERVAL"),
    "thresholds <=": Thresholds(size=4, orientation="THRESH"),
    "table": TABLE,
    "hashed points": HASHED,
}

LAWS = {Exponential: exponential_law, PermuteAndFlip: flip_law}

RECORDS = [(x, y) for x in range(4) for y in (0, 1)]


def _candidates(concept_class):
    first = getattr(concept_class, "first", 0)
    return range(first, first + concept_class.size)


def _seen(landscape, candidates):
    """Every candidate's error, as levels and members tell it."""
    levels = landscape.levels()
    errors = {}
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        for rank in range(int(count)):
            candidate = landscape.member(error, rank)
            assert candidate not in errors, "two ranks name one candidate"
            errors[candidate] = error
    assert sorted(errors) == list(candidates)
    return tuple(errors[candidate] for candidate in candidates)


@cache
def _errors(name, data):
    x = np.array([record[0] for record in data], dtype=np.uint64)
    y = np.array([record[1] for record in data], dtype=bool)
    return _seen(CLASSES[name].landscape(x, y), _candidates(CLASSES[name]))


@pytest.mark.parametrize("name", CLASSES)
def test_landscapes_are_the_mistakes_of_their_rules(name):
    concept_class = CLASSES[name]
    rules = [concept_class.hypothesis(c) for c in _candidates(concept_class)]
    answers = [rule.predict(np.arange(4)).tolist() for rule in rules]
    for n in range(LARGEST_N + 1):
        for data in combinations_with_replacement(RECORDS, n):
            wrong = tuple(sum(answer[x] != y for x, y in data) for answer in answers)
            assert _errors(name, data) == wrong


@cache
def _moves(name, relation):
    """All pairs of error vectors that neighbours can have, up to a common shift."""
    pairs = set()
    for n in range(1, LARGEST_N + 1):
        for left, right in neighbours(RECORDS, n, relation):
            before = _errors(name, tuple(sorted(left)))
            after = _errors(name, tuple(sorted(right)))
            shift, other = min(before), min(after)
            pairs.add((tuple(e - shift for e in before), tuple(e - other for e in after)))
    return pairs


def _mechanism(kind, name, relation, epsilon):
    return kind(score=Mistakes(CLASSES[name]), epsilon=epsilon, relation=relation)


@cache
def _law(kind, errors, rate):
    return LAWS[kind](errors, rate)


def _worst(kind, name, relation, rate):
    with at(256):
        worst = ball(0)
        for before, after in _moves(name, relation):
            worst = worst.max(exact_epsilon(_law(kind, before, rate), _law(kind, after, rate)))
        return worst


@pytest.mark.parametrize("relation", Relation)
@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("kind", LAWS)
def test_no_neighbours_differ_by_more_than_epsilon(kind, name, relation):
    for epsilon in (Fraction(1, 2), Fraction(4)):
        rate = _mechanism(kind, name, relation, epsilon).rate
        with at(256):
            assert _worst(kind, name, relation, rate) < ball(epsilon + LAST_DIGIT)


@pytest.mark.parametrize("relation", Relation)
@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("kind", LAWS)
def test_the_same_check_rejects_a_rate_a_quarter_too_high(kind, name, relation):
    epsilon = Fraction(4)
    rate = _mechanism(kind, name, relation, epsilon * Fraction(5, 4)).rate
    assert _worst(kind, name, relation, rate) > ball(epsilon)


@pytest.mark.parametrize("relation", Relation)
@pytest.mark.parametrize("name", CLASSES)
def test_the_exponential_mechanism_has_bounded_range(name, relation):
    """For each pair, all log-ratios lie in an interval of length epsilon."""
    epsilon = Fraction(1)
    rate = _mechanism(Exponential, name, relation, epsilon).rate
    with at(256):
        for before, after in _moves(name, relation):
            p, q = _law(Exponential, before, rate), _law(Exponential, after, rate)
            ratios = [(p[candidate] / q[candidate]).log() for candidate in p]
            low, high = ratios[0], ratios[0]
            for ratio in ratios:
                low, high = low.min(ratio), high.max(ratio)
            assert high - low < ball(epsilon + LAST_DIGIT)


@pytest.mark.parametrize("relation", Relation)
@pytest.mark.parametrize("name", CLASSES)
def test_errors_move_within_the_stated_spread(name, relation):
    """And the spread is not more than is needed: some neighbours use all of it."""
    spread = Mistakes(CLASSES[name]).spread(relation)
    widest = 0
    for n in range(1, LARGEST_N + 1):
        for left, right in neighbours(RECORDS, n, relation):
            before = _errors(name, tuple(sorted(left)))
            after = _errors(name, tuple(sorted(right)))
            moves = [b - a for a, b in zip(before, after, strict=True)]
            widest = max(widest, max(moves) - min(moves))
    assert widest == spread


def test_permute_and_flip_has_no_bounded_range():
    """Why its event is ``Pure``: some pair of neighbours spreads wider than epsilon."""
    epsilon = Fraction(4)
    relation = Relation.REPLACE_ONE
    rate = _mechanism(PermuteAndFlip, "points", relation, epsilon).rate
    with at(256):
        widest = ball(0)
        for before, after in _moves("points", relation):
            p, q = _law(PermuteAndFlip, before, rate), _law(PermuteAndFlip, after, rate)
            ratios = [(p[candidate] / q[candidate]).log() for candidate in p]
            low, high = ratios[0], ratios[0]
            for ratio in ratios:
                low, high = low.min(ratio), high.max(ratio)
            widest = widest.max(high - low)
        assert widest > ball(epsilon)
