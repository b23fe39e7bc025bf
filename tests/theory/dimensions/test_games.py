"""The searches against brute force that follows the definitions."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from tests.theory.dimensions.dimensions_brute_force_cases import SMALL, orbits

from tacit.theory.dimensions import (
    communication,
    littlestone,
    representation,
    vc,
    verify,
)
from tacit.theory.dimensions.games import solve, solve_large


def brute_vc(rows):
    best = 0 if rows else -1
    for k in range(1, len(rows[0]) + 1 if rows else 0):
        if any(
            len({tuple(row[x] for x in chosen) for row in rows}) == 2**k
            for chosen in combinations(range(len(rows[0])), k)
        ):
            best = k
    return best


def brute_littlestone(rows):
    rows = sorted(set(rows))
    if len(rows) < 2:
        return len(rows) - 1
    best = 0
    for x in range(len(rows[0])):
        sides = [[row for row in rows if row[x] == label] for label in (0, 1)]
        if all(sides):
            best = max(best, 1 + min(brute_littlestone(side) for side in sides))
    return best


def test_every_small_class_up_to_symmetry():
    assert len(SMALL) == 2 + 5 + 19 + 107  # counted by Burnside's lemma
    for rows in SMALL:
        found, mistakes = vc(rows), littlestone(rows)
        assert found.value == brute_vc(rows)
        assert mistakes.value == brute_littlestone(rows)
        for witness in (*found.witnesses, *mistakes.witnesses):
            assert verify(witness, rows)


@pytest.mark.long
def test_five_hundred_larger_classes():
    rng = np.random.default_rng(20)
    for _ in range(500):
        shape = (int(rng.integers(1, 15)), int(rng.integers(1, 9)))
        table = rng.random(shape) < rng.choice([0.2, 0.5, 0.8])
        rows = [tuple(map(int, row)) for row in table]
        found, mistakes = vc(table), littlestone(table)
        assert found.value == brute_vc(rows)
        assert mistakes.value == brute_littlestone(rows)
        for witness in (*found.witnesses, *mistakes.witnesses):
            assert verify(witness, table)


def brute_representation(rows, alpha):
    """Fewest hypotheses, by trying all sets of them with an exact game for each concept."""
    cube = list(product((0, 1), repeat=len(rows[0])))
    for size in range(1, len(rows) + 1):
        for hypotheses in combinations(cube, size):
            if all(
                solve([[h[x] ^ row[x] for h in hypotheses] for x in range(len(row))])[0] <= alpha
                for row in rows
            ):
                return size
    raise AssertionError


@pytest.mark.parametrize("alpha", [Fraction(1, 4), Fraction(2, 5)])
def test_deterministic_dimension_of_every_class_on_three_points(alpha):
    for rows in orbits(3, 5):
        found = representation(rows, alpha=alpha)
        assert found.least == found.most == brute_representation(rows, alpha)
        assert all(verify(witness, rows) for witness in found.witnesses)


def brute_public(rows, messages):
    """Value of the game over all partitions and answers, solved exactly."""
    inputs = [(f, x) for f in range(len(rows)) for x in range(len(rows[0]))]
    rows_of_answers = list(product((0, 1), repeat=len(rows[0])))
    columns = [
        [int(answers[sent[f]][x] != rows[f][x]) for f, x in inputs]
        for sent in product(range(messages), repeat=len(rows))
        for answers in product(rows_of_answers, repeat=messages)
    ]
    return solve_large(np.array(sorted(set(map(tuple, columns)))).T)[0]


@pytest.mark.parametrize("error", [Fraction(1, 5), Fraction(1, 3)])
def test_public_coins_on_every_class_on_two_points_and_some_on_three(error):
    for rows in [*orbits(2, 4), *list(orbits(3, 3))[:9]]:
        found = communication(rows, error=error)
        bits = next(b for b in range(3) if b == 2 or brute_public(rows, 1 << b) <= error)
        assert found.value == bits
        assert all(verify(witness, rows) for witness in found.witnesses)


def test_one_private_bit_against_a_grid_search():
    # two messages, chances on a grid of fifths: whenever they do, one bit is enough
    grid = range(6)
    lines = list(product(grid, repeat=2))
    refused = 0
    for rows in orbits(2, 4):
        found = communication(rows, error=Fraction(2, 5), coins="private")
        assert all(verify(witness, rows) for witness in found.witnesses)
        if found.value < 2:
            continue
        refused += 1
        for chances in product(grid, repeat=len(rows)):
            # answers in units of 1/25: 5 a + p (b - a), to be within 10 of 0 or 25
            assert not all(
                any(
                    all(
                        abs(5 * a + p * (b - a) - 25 * row[x]) <= 10
                        for p, row in zip(chances, rows, strict=True)
                    )
                    for a, b in lines
                )
                for x in range(2)
            )
    assert refused == 1  # all four labellings of two points


def test_exact_games_have_matching_sides():
    rng = np.random.default_rng(4)
    for _ in range(100):
        payoff = rng.integers(-3, 4, (int(rng.integers(1, 7)), int(rng.integers(1, 7))))
        value, p, q = solve([[int(a) for a in row] for row in payoff])
        assert sum(p) == sum(q) == 1
        assert min(p) >= 0
        assert min(q) >= 0
        assert max(sum(int(a) * w for a, w in zip(row, q, strict=True)) for row in payoff) == value
        assert (
            min(sum(int(a) * w for a, w in zip(column, p, strict=True)) for column in payoff.T)
            == value
        )
        assert solve_large(payoff)[0] == value
