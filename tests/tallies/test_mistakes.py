"""Mistakes of listed concepts add up over batches; others follow from the values that occur."""

import pickle
from importlib.metadata import version

import numpy as np
import pyarrow as pa
import pytest

from tacit.classes import KTermDnf, Lines, Parities, Points, Table, Thresholds
from tacit.core import Sample
from tacit.domains.integers import Integers
from tacit.domains.reals import RealBox
from tacit.mechanisms.score import Mistakes
from tacit.problems.points.representing_sets import PlaneLines
from tacit.problems.points.some_points import SomePoints
from tacit.problems.reals.real_cuts import centres
from tacit.problems.reals.real_thresholds import ThresholdCover
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.products import Products
from tacit.problems.thresholds.some_thresholds import PointsOrNothing, SomeThresholds
from tacit.tallies import mistakes as module
from tacit.tallies.arrays import ReadBatch
from tacit.tallies.distinct import Repeated
from tacit.tallies.mistakes import AddsUp, ByValue, ListedMistakes, listed_mistakes

EIGHT = Integers(size=8)
SOME = SomePoints(EIGHT, np.array([1, 5], dtype=np.uint64))


def _numbers(generator, rows):
    return generator.integers(0, 8, rows)


def _bits(generator, rows):
    return generator.integers(0, 2, (rows, 3))


LISTED = [
    (Table(np.random.default_rng(1).integers(0, 2, (6, 8))), _numbers),
    (SOME, _numbers),
    (SomeThresholds(Thresholds(size=8), (0, 3, 8)), _numbers),
    (SomeThresholds(Thresholds(size=8, orientation="<="), (1, 4)), _numbers),
    (PointsOrNothing(SOME), _numbers),
    (Parities(bits=3), _bits),
    (KTermDnf(columns=3, terms=2), _bits),
    (ThresholdCover(RealBox.unit(columns=1), centres(5)), lambda g, rows: g.random((rows, 1))),
    (Formulas.tiny(), None),
    (Products.tiny(), None),
]
COUNTED = [
    (Points(size=8), _numbers),
    (Thresholds(size=8), _numbers),
    (Thresholds(size=8, orientation="<="), _numbers),
    (Thresholds(bits=70), lambda g, rows: g.integers(0, 2**40, rows).astype(object) << 30),
    (PlaneLines(domain=EIGHT, slopes=2), _numbers),
    (Lines(size=5), lambda g, rows: g.integers(0, 5, (rows, 2))),
]


def _records(known, made, rows=200):
    generator = np.random.default_rng(7)
    if made is None:
        cells = known.schema.cells
        x = np.stack([generator.integers(0, size, rows) for size in cells], axis=1)
        return x.astype(np.int32), generator.integers(0, 2, rows).astype(bool)
    return known.domain.coerce(made(generator, rows)), generator.integers(0, 2, rows).astype(bool)


class _AsTheyAre:
    """Records that are placed already."""

    def coerce(self, values, /):
        return np.asarray(values)


@pytest.mark.parametrize(("known", "made"), LISTED, ids=lambda one: getattr(one, "name", ""))
def test_mistakes_of_listed_concepts_add_up(known, made, monkeypatch):
    monkeypatch.setattr(module, "_AT_ONCE", 30)
    assert isinstance(known, AddsUp)
    x, y = _records(known, made)
    tally = ListedMistakes(known, _AsTheyAre())
    wanted = known.landscape(x, y).errors
    batches = Repeated(x, y, np.ones(len(y), dtype=np.int64))
    monkeypatch.setattr("tacit.tallies.distinct._AT_ONCE", 17)
    assert listed_mistakes(batches, known, _AsTheyAre()).errors.tolist() == wanted.tolist()
    left, right = (
        Repeated(x[part], y[part], np.ones(len(y[part]), dtype=np.int64)).fold(tally)
        for part in (slice(0, 61), slice(61, None))
    )
    merged = tally.merge(tally.merge(tally.zero(), right), left)
    assert merged.waiting < 30
    assert tally.finished(merged).errors.tolist() == wanted.tolist()
    assert "private" in repr(merged)
    nothing = Repeated(x[:0], y[:0], np.empty(0, dtype=np.int64))
    assert listed_mistakes(nothing, known, _AsTheyAre()).errors.tolist() == [0] * len(wanted)


@pytest.mark.parametrize(("known", "made"), COUNTED, ids=lambda one: getattr(one, "name", ""))
@pytest.mark.parametrize("rows", [0, 1, 200])
def test_mistakes_follow_from_the_values_that_occur(known, made, rows):
    assert isinstance(known, ByValue)
    x, y = _records(known, made, rows)
    score = Mistakes(known)
    listed = score(Sample(x, y, positive=True)).levels()
    counted = score(Repeated(x, y, np.ones(rows, dtype=np.int64))).levels()
    some = np.asarray(listed.counts != 0, dtype=bool)
    assert counted.errors.tolist() == listed.errors[some].tolist()
    assert counted.counts.tolist() == listed.counts[some].tolist()


def test_which_classes_are_counted_is_public():
    assert Mistakes(LISTED[0][0]).streams(None)
    assert Mistakes(Points(bits=8)).streams(None)
    assert not Mistakes(Points(bits=60)).streams(10**9)
    assert Mistakes(Thresholds(bits=60)).streams(10**9)
    assert not Mistakes(Thresholds(bits=70)).streams(10**9)
    assert Mistakes(Thresholds(bits=70)).streams(1000)


def test_no_record_waits_in_what_a_worker_sends():
    """Counts travel, records do not: a worker of Spark finishes its counter first."""
    pytest.importorskip("pyspark", reason="Spark is not installed (pip install 'tacit[spark]')")
    from tacit.sources.spark_workers import count_partition

    known, made = LISTED[0]
    x, y = _records(known, made, rows=9)
    batch = ReadBatch((x, y), 9)
    rows = pa.record_batch({"row": range(9)})
    tally = ListedMistakes(known, _AsTheyAre())
    assert tally.add(tally.zero(), batch).waiting == 9
    parts = iter([rows.slice(0, 4), rows.slice(4)])
    (sent,) = count_partition(version("tacit"), lambda _: batch, tally, parts)
    counter = pickle.loads(sent.column("counter")[0].as_py())
    assert not counter.parts
    assert counter.errors.tolist() == known.landscape(x, y).errors.tolist()
