"""What a first pass holds saves passes and changes no stage."""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pytest

from tacit.core.resources import Resources, using
from tacit.core.tally import Glimpsed
from tacit.domains.integers import Integers
from tacit.tallies.arrays import ArrayRecords
from tacit.tallies.counters import FoldedCounter
from tacit.tallies.ordered import Ordered
from tacit.tallies.reading import Column, Label
from tacit.tallies.scores import CutMistakes, RankErrors

ROWS = 40_000
BITS = 24


@dataclass
class Counting:
    """Counts the passes; shows no glimpse."""

    inner: ArrayRecords
    passes: list = field(default_factory=list)

    def fold(self, tally):
        self.passes.append(type(tally).__name__)
        return self.inner.fold(tally)


class Showing(Counting, Glimpsed):
    """The same, with a glimpse of the first records that ``some`` names."""

    some = slice(None, None, 4)

    def glimpse(self, tally):
        columns = tuple(np.ascontiguousarray(c[self.some]) for c in self.inner.columns)
        return ArrayRecords(columns).fold(tally)


class Misleading(Showing):
    """Shows records that are like no others."""

    some = slice(0, 2000)


def _data(kind):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 1 << BITS, ROWS)
    right = x >= 3 << (BITS - 2)
    match kind:
        case "realizable":
            return x, right
        case "noisy":
            return x, right ^ (rng.random(ROWS) < 0.3)
        case "flat":
            return x, rng.random(ROWS) < 0.5
        case "sorted":
            return np.sort(x), np.sort(x) >= 1 << (BITS - 1)
        case "two values":
            return np.where(right, 5, 1 << 23), right
        case "some values":
            return x % 60 * 4099, (x % 60 > 20) ^ (rng.random(ROWS) < 0.1)
        case "few at first":
            x[:2000] = 77
            return x, right


KINDS = ("realizable", "noisy", "flat", "sorted", "two values", "some values", "few at first")


def _median(below, most, n):
    return np.maximum(np.maximum(2 * below - n, n - 2 * most), 0)


def _stages(records, score):
    counter = FoldedCounter(records, Column(0, Integers(bits=BITS)), Label(1, True), 1 << BITS)
    seen = []
    for stage in Ordered(counter, score, shift=1, edge=True).stages(Fraction(1, 4)):
        listed = stage.listed
        order = np.argsort(listed.starts)
        parts = (listed.errors, listed.sizes, listed.starts)
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


def test_too_many_records_are_not_held(monkeypatch):
    monkeypatch.setattr("tacit.tallies.first._MOST_HELD", 3)
    arrays = ArrayRecords(_data("realizable"))
    records = Showing(arrays)
    held = _stages(records, CutMistakes(0))
    assert len(records.passes) > 1
    assert held == _stages(Counting(arrays), CutMistakes(0))


def test_a_glimpse_of_an_array_takes_records_from_all_over_it():
    x = np.arange(1 << 21)
    seen = ArrayRecords((x,)).glimpse(_Values())
    assert len(seen) >= 1 << 15
    assert np.diff(seen).max() <= 64
    assert ArrayRecords((x[:1000],)).glimpse(_Values()) is None


class _Values:
    def zero(self):
        return np.empty(0, dtype=np.int64)

    def add(self, counter, batch):
        return np.concatenate([counter, batch.column(0)])


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
