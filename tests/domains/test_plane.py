"""Tests of ``tacit.domains.plane``."""

from __future__ import annotations

import pytest
from tests.domains.domains_total_cases import _column
from tests.domains.each_record_by_itself_cases import LONG

from tacit.core import Sample
from tacit.domains.bits import Bits
from tacit.domains.labels import truth
from tacit.domains.plane import Plane


@pytest.mark.parametrize("last", [2, 0.5, "word"])
def test_a_list_of_pairs_is_placed_pair_by_pair(last):
    prime = 1152921504606847009
    assert int(Plane(size=prime).coerce([[LONG, 1], [last, 1]])[0]) == LONG * prime + 1


@pytest.mark.parametrize("last", [[3], 3, [3, 4], [3, [4]], None])
def test_a_row_of_another_length_leaves_the_other_rows(last):
    """Where entries of a column are rows, as in a frame; a list of such rows is no table."""
    assert Bits(columns=2).coerce(_column([[1, 0], [1, 1], last]))[:2].tolist() == [2, 3]
    assert Plane(size=5).coerce(_column([[1, 0], [1, 1], last]))[:2].tolist() == [5, 6]
    assert truth(Sample([0] * 3, _column([1, 1, last])))[:2].tolist() == [True, True]
