"""What a first pass holds saves passes and changes no stage."""

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
from tacit.tallies.scores import CutMistakes, RankErrors


class Misleading(Showing):
    """Shows records that are like no others."""

    some = slice(0, 2000)


def _median(below, most, n):
    return np.maximum(np.maximum(2 * below - n, n - 2 * most), 0)


def _stages(records, score):
    counter = FoldedCounter(records, Column(0, Integers(bits=BITS)), Label(1, True), 1 << BITS)
    seen = []
    for stage in Ordered(counter, score, shift=1, edge=True).stages(Fraction(1, 4)):
        listed = stage.listed
        columns = ([p.errors, p.sizes, p.starts + np.uint64(by)] for p, by in listed.parts)
        parts = [np.concatenate(one) for one in zip(*columns, strict=True)]
        order = np.argsort(parts[2])
        rest = stage.rest and (stage.rest.errors.tolist(), [int(c) for c in stage.rest.counts])
        seen.append(([part[order].tolist() for part in parts], rest))
    return seen


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("score", [CutMistakes(0), CutMistakes(1), RankErrors(_median)])
def test_every_glimpse_gives_the_same_stages(kind, score):
    arrays = ArrayRecords(tuple(map(np.asarray, _data(kind))))
    plain = _stages(Counting(arrays), score)
    assert _stages(Showing(arrays), score) == plain
    assert _stages(Misleading(arrays), score) == plain


def test_too_many_records_are_not_held(monkeypatch):
    monkeypatch.setattr("tacit.tallies.first._MOST_HELD", 3)
    arrays = ArrayRecords(_data("realizable"))
    records = Showing(arrays)
    held = _stages(records, CutMistakes(0))
    assert len(records.passes) > 1
    assert held == _stages(Counting(arrays), CutMistakes(0))


def test_a_memory_limit_lets_fewer_records_be_held(monkeypatch):
    monkeypatch.setattr("tacit.tallies.counters._BYTES_TAKEN", (64 << 20) // 100)
    monkeypatch.setattr("tacit.tallies.counters._ALWAYS_TAKEN", 1 << 30)
    arrays = ArrayRecords(_data("flat"))
    plain, tight = Counting(arrays), Counting(arrays)
    _stages(plain, CutMistakes(0))
    with using(Resources(memory=64 << 20)):
        _stages(tight, CutMistakes(0))
    assert "InsideCounts" not in plain.passes
    assert "InsideCounts" in tight.passes
