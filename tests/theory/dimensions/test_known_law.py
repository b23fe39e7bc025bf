"""The duality of representation dimensions under a known law, against brute force."""

from fractions import Fraction
from itertools import combinations, product
from math import log

import numpy as np
import pytest
from scipy.optimize import linprog

from tacit.core import BadInput
from tacit.theory.dimensions.distributional import table_labels
from tacit.theory.dimensions.known_law import differ, known_law

pytestmark = pytest.mark.exact

EVERY = [list(map(bool, row)) for row in product((0, 1), repeat=3)]


def served(labels, law, radius):
    return [{f for f, row in enumerate(labels) if differ(row, h, law) <= radius} for h in EVERY]


def least_cover(labels, law, radius):
    """The fewest hypotheses, of all there are, within ``radius`` of every concept."""
    sets = served(labels, law, radius)
    return next(
        m
        for m in range(1, len(labels) + 1)
        if any(len(set().union(*some)) == len(labels) for some in combinations(sets, m))
    )


def least_random(labels, law, radius, failure):
    """The fewest hypotheses in random sets that serve each concept with chance 1 - failure."""
    sets = served(labels, law, radius)
    for m in range(1, len(labels) + 1):
        unions = [set().union(*some) for some in combinations(sets, m)]
        rows = [[-1.0 * (f in union) for union in unions] for f in range(len(labels))]
        found = linprog(
            [0.0] * len(unions),
            A_ub=rows,
            b_ub=[-(1 - float(failure)) + 1e-9] * len(labels),
            A_eq=[[1.0] * len(unions)],
            b_eq=[1.0],
        )
        if found.status == 0:
            return m
    raise AssertionError


def test_both_dimensions_agree_up_to_a_factor_of_two_in_the_error():
    rng = np.random.default_rng(6)
    seen = 0
    for _ in range(15):
        labels = table_labels(rng.integers(0, 2, (5, 3)))
        weights = rng.integers(1, 6, 3)
        law = [Fraction(int(w), int(weights.sum())) for w in weights]
        for radius, failure in ((Fraction(1, 5), Fraction(1, 4)), (Fraction(2, 5), Fraction(1, 3))):
            found = known_law(labels, law, radius=radius, failure=failure)
            cover = least_cover(labels, law, radius)
            random = least_random(labels, law, radius / 2, failure)
            assert cover <= found.enough
            assert found.needed <= random <= least_cover(labels, law, radius / 2)
            assert log(random) >= log(cover) - log(1 / (1 - failure)) - 1e-9
            seen += found.enough > 1
    assert seen >= 10


def test_bad_numbers_are_refused():
    with pytest.raises(BadInput, match="together 1"):
        known_law(np.eye(2), ["1/2", "1/4"], radius=0)
    with pytest.raises(BadInput, match="below 1"):
        known_law(np.eye(2), ["1/2", "1/2"], radius=0, failure=1)
    assert known_law(np.eye(2), ["1/2", "1/2"], radius=1).enough == 1
