"""Tests of ``tacit.tallies.counters``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.tallies.tallies_first_cases import BITS, KINDS, Counting, Showing, _data

from tacit.core.resources import Resources, using
from tacit.domains.integers import Integers
from tacit.tallies.arrays import ArrayRecords
from tacit.tallies.counters import FoldedCounter
from tacit.tallies.ordered import Ordered
from tacit.tallies.reading import Column, Label
from tacit.tallies.scores import CutMistakes


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bits", [12, BITS, 64])
def test_fixed_passes_are_one_whatever_the_records_are(kind, bits):
    x, y = _data(kind)
    arrays = ArrayRecords((x.astype(np.uint64) % np.uint64(min(1 << bits, (1 << 64) - 1)), y))

    def levels(records):
        counter = FoldedCounter(records, Column(0, Integers(bits=bits)), Label(1, True), 1 << bits)
        found = {}
        for stage in Ordered(counter, CutMistakes(0)).stages(Fraction(1, 4)):
            seen = stage.listed.levels()
            for error, count in zip(seen.errors.tolist(), seen.counts.tolist(), strict=True):
                found[error] = found.get(error, 0) + int(count)
        return found

    plain, fixed = Counting(arrays), Showing(arrays)
    with using(Resources(fixed_passes=True)):
        sorted_ones = levels(fixed)
    assert sorted_ones == levels(plain)
    assert len(fixed.passes) == 1
