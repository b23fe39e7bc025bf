"""Tests of ``tacit.problems.marginals.method``."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.problems.marginals.marginals_privacy_cases import SCHEMA, Coins

from tacit.core import ADD_REMOVE, REPLACE_ONE
from tacit.mechanisms.calibration import misfit_spread
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.fitting import Measured, product_of
from tacit.problems.marginals.method import gains, guesses
from tacit.problems.marginals.queries import Marginals
from tacit.tallies.parts import counts_of_cells

pytestmark = pytest.mark.exact


@pytest.mark.parametrize(("relation", "most"), [(REPLACE_ONE, 4), (ADD_REMOVE, 2)])
def test_distances_move_apart_by_the_spread_that_selections_assume(relation, most):
    """So twice the rate would break the promise: the spread is met by some neighbours."""
    every = ((0, 1), (0, 2), (1, 2), (0, 1, 2))
    law = product_of(
        [Measured((column,), np.array([2.0, 1.0]), 1.0) for column in range(3)], total=3
    )
    guess = guesses(law, every, Marginals(SCHEMA, ways=3), total=3)
    assert [guess[part].sum() for part in every] == [3, 3, 3, 3]
    records = list(product(range(2), repeat=3))

    def distances(rows):
        cells = np.array(rows, dtype=np.int32).reshape(-1, 3)
        return gains(counts_of_cells(cells, SCHEMA, every), guess, every)

    apart = 0
    for data in product(records, repeat=2):
        others = [(data[0], other) for other in records]
        for other in others if relation is REPLACE_ONE else [data[:1]]:
            moved = distances(other) - distances(data)
            apart = max(apart, int(moved.max() - moved.min()))
    assert apart <= most == misfit_spread(relation)
    assert apart > most / 2
    coins = Coins("rate")
    Budget(amount=Fraction(3), concentrated=False, relation=relation).chosen(
        np.array([3, 1]), coins
    )
    assert coins.law == ("selection", Fraction(3, most))
    coins = Coins("rate")
    Budget(amount=Fraction(2), concentrated=True, relation=relation).chosen(np.array([3, 1]), coins)
    assert abs(float(coins.law[1]) - 4 / most) < 1e-9  # sqrt(8 rho) is 4
