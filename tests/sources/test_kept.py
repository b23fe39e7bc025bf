"""A file that is little is read once: all of its batches are kept, or none."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit.core import SourceChanged
from tacit.core.resources import Resources, using
from tacit.sources.kept import KeptBatches, Narrow
from tacit.sources.opening import read
from tacit.sources.typed import Parquet


def _batch(start, rows=10):
    return pa.RecordBatch.from_pydict({"x": list(range(start, start + rows)), "y": [0.5] * rows})


def test_all_batches_are_kept_or_none(monkeypatch):
    kept = KeptBatches()
    assert not kept.has(["x"])
    for start in (0, 10):
        kept.add(_batch(start))
    assert kept.has(["y", "x"])
    assert not kept.has(["x", "z"])
    assert [b.wide(["x"]).column("x").to_pylist()[0] for b in kept.all()] == [0, 10]
    assert [b.column("x").to_pylist() for b in kept.some(["x"], 4)] == [[0, 1], [10, 11]]
    assert "private" in repr(kept)
    monkeypatch.setattr("tacit.sources.kept._MOST", 2 * _batch(0).nbytes)
    short = KeptBatches()
    for start in (0, 10, 20, 30):
        short.add(_batch(start))
    assert not short.room
    assert not short.has(["x"])
    assert KeptBatches(least=2 * _batch(0).nbytes).room
    hopeless = KeptBatches(least=2 * _batch(0).nbytes + 1)
    assert not hopeless.room
    hopeless.add(_batch(0))
    assert not hopeless.has(["x"])
    with using(Resources(memory=64 << 20)):
        assert KeptBatches().room


@pytest.mark.parametrize(
    ("values", "kind", "held"),
    [
        ([0, 255], pa.int64(), 1),
        ([0, 256], pa.int64(), 2),
        ([2**32 - 1, 0], pa.uint64(), 4),
        ([2**32, 0], pa.int64(), 8),
        ([-1, 0], pa.int64(), 8),
        ([None, 1], pa.int64(), None),
        ([7, 7], pa.int8(), 1),
        ([-7, 7], pa.int32(), 4),
        ([2**63, 1], pa.uint64(), 8),
        ([1.5, None], pa.float32(), None),
        ([1.5, -2.5], pa.float16(), 2),
        ([1.5, 2.5], pa.float64(), 8),
        ([True, False], pa.bool_(), None),
        (["a", None], pa.string(), None),
        ([1, 2], pa.timestamp("us"), 8),
        ([], pa.int64(), 0),
    ],
)
def test_a_batch_is_held_in_few_bytes_and_given_back_as_it_was(values, kind, held):
    batch = pa.RecordBatch.from_arrays([pa.array(values, kind)], names=["x"])
    narrow = Narrow.of(batch)
    assert narrow.wide(["x"]).equals(batch)
    assert narrow.wide(["x"], 1).equals(batch.slice(0, 1))
    if held is not None:
        assert narrow.nbytes == held * len(values)
    assert "private" in repr(narrow)


def test_columns_share_large_pieces_of_memory_and_none_overlap():
    kept, batches = KeptBatches(), [_batch(100 * start, rows=33) for start in range(50)]
    for place, batch in enumerate(batches):
        kept.add(batch, place=place)
    held = [one.wide(["x", "y"]) for one in kept.all()]
    assert all(one.equals(batch) for one, batch in zip(held, batches, strict=True))
    first, second = (one.columns[0].buffers()[1].address for one in kept.all()[:2])
    assert 0 < second - first < 1024


def test_some_records_come_from_a_few_batches_all_over_the_file():
    kept = KeptBatches()
    for start in range(80):
        kept.add(_batch(10 * start))
    some = [batch.column("x").to_pylist() for batch in kept.some(["x"], 16)]
    assert len(some) == 8
    assert {len(rows) for rows in some} == {2}
    assert some[-1][0] >= 600


def test_a_short_parquet_file_is_read_once(tmp_path, monkeypatch):
    path = tmp_path / "short.parquet"
    pq.write_table(pa.table({"x": [1, 2, 3], "w": ["a", "b", "a"]}).cast(
        pa.schema([("x", pa.int64()), ("w", pa.dictionary(pa.int32(), pa.string()))])
    ), path)  # fmt: skip
    plain, passes = Parquet.batches, []
    monkeypatch.setattr(
        Parquet,
        "batches",
        lambda self, f, *asked: passes.append(asked[0]) or plain(self, f, *asked),
    )
    source = read(path)
    source.check(["x", "w"])
    for _ in range(2):
        (batch,) = source.batches(["w"])
        assert batch.column("w").type == pa.string()
        assert batch.column("w").to_pylist() == ["a", "b", "a"]
    assert passes == [["x", "w"]]
    pq.write_table(pa.table({"x": [1, 2, 3], "w": ["a", "b", "b"]}), path)
    with pytest.raises(SourceChanged):
        list(source.batches(["w"]))
