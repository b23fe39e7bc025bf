"""Tests of ``tacit.tallies.reading``."""

from fractions import Fraction

import pytest
from tests.tallies.tallies_first_cases import BITS, Showing, _data

from tacit.domains.integers import Integers
from tacit.tallies.arrays import ArrayRecords
from tacit.tallies.counters import FoldedCounter
from tacit.tallies.ordered import Ordered
from tacit.tallies.reading import Column, Label
from tacit.tallies.scores import CutMistakes


@pytest.mark.parametrize(
    ("kind", "passes"),
    [("realizable", 1), ("noisy", 1), ("sorted", 1), ("two values", 1), ("some values", 1)],
)
def test_one_pass_is_enough_where_a_glimpse_is_right(kind, passes):
    arrays = ArrayRecords(_data(kind))
    records = Showing(arrays)
    counter = FoldedCounter(records, Column(0, Integers(bits=BITS)), Label(1, True), 1 << BITS)
    next(Ordered(counter, CutMistakes(0)).stages(Fraction(1)))
    assert records.passes == ["FirstPass"] * passes
