"""Tests of ``tacit.theory.dimensions.witnesses.protocols``."""

from fractions import Fraction

import pytest

from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.one_bit import settle
from tacit.theory.dimensions.witnesses import PrivateProtocol

THRESHOLDS = [[0, 0], [0, 1], [1, 1]]


@pytest.mark.parametrize("error", [Fraction(1, 3), Fraction(2, 5), Fraction(9, 20)])
@pytest.mark.parametrize("rows", [[[0], [1]], THRESHOLDS])
def test_every_answer_of_a_found_protocol_errs_at_most_as_stated(rows, error):
    table = read(rows)
    found = settle(table, error)
    assert isinstance(found, PrivateProtocol)
    checked = 0
    for f, chances in enumerate(found.alice):
        assert sum(chances) == 1
        assert min(chances) >= 0
        for x in range(table.points):
            one = sum(p * found.bob[message][x] for message, p in enumerate(chances))
            assert abs(one - table.label(f, x)) <= error
            checked += 1
    assert checked == table.concepts * table.points
