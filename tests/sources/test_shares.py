"""Threads that read parts of a source side by side: every record once, whatever they do."""

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from tacit.core import BadInput, SourceChanged
from tacit.core.resources import Resources, using
from tacit.sources.files import FileSample
from tacit.sources.opening import read
from tacit.sources.several import SeveralFiles
from tacit.sources.shares import MANY_ROWS, OneAtATime, dealt, side_by_side
from tacit.sources.typed import Parquet
from tacit.tallies.arrays import fold_shares

ROWS = 3000


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The same records in four kinds of source, so many that threads would share them."""
    for module in ("shares", "typed", "text", "files"):
        monkeypatch.setattr(f"tacit.sources.{module}.MANY_ROWS", 100, raising=True)
    monkeypatch.setattr("tacit.sources.text._ROWS", 128)
    table = pa.table({"x": np.arange(ROWS), "y": np.arange(ROWS) % 2, "w": ["a,b"] * ROWS})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=700)
    feather.write_feather(table, tmp_path / "a.feather", chunksize=700)
    lines = "".join(f'{x},{x % 2},"a,b"\n' for x in range(ROWS))
    (tmp_path / "a.csv").write_text("x,y,w\n" + lines)
    for name, part in (("b", table[:100]), ("c", table[100:])):
        pq.write_table(part, tmp_path / f"{name}.parquet")
    single = [tmp_path / f"a.{kind}" for kind in ("parquet", "feather", "csv")]
    return [*map(read, single), SeveralFiles([read(tmp_path / f"{n}.parquet") for n in "bc"])]


def _values(batches):
    return [int(x) for batch in batches for x in batch.column("x").to_pylist()]


@pytest.mark.parametrize("kept", [True, False])
def test_every_record_is_in_one_share(files, kept, monkeypatch):
    if not kept:
        monkeypatch.setattr("tacit.sources.kept._MOST", 1000)
    for source in files:
        source.check(["x", "y", "w"])
        assert _values(source.batches(["x", "y"])) == list(range(ROWS))
        shares = source.shares(["x"], 2)
        assert len(shares) == 2
        # As two threads may ask: in turns, then each what is left.
        turns = [next(share, None) for _ in range(2) for share in shares]
        found = _values([one for one in turns if one is not None] + [b for s in shares for b in s])
        assert sorted(found) == list(range(ROWS))


class _Sum:
    def zero(self):
        return np.zeros(3, dtype=np.int64)

    def add(self, counter, batch):
        x, y = batch.column(0), batch.column(1)
        return counter + np.array([len(x), np.sum(x), np.sum(y)], dtype=np.int64)

    def merge(self, left, right):
        return left + right


class _Watch:
    def __init__(self):
        self.whole, self.seen = [], []

    def begin(self, rows):
        self.whole.append(rows)

    def read(self, rows):
        self.seen.append(rows)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_same_counts_and_whoever_watches_is_told(files, threads):
    watch = _Watch()
    with using(Resources(threads=threads, watch=watch)):
        for source in files:
            sample = FileSample(source, columns=("x",), labels=("y",), exact=False)
            assert sample.fold(_Sum()).tolist() == [ROWS, ROWS * (ROWS - 1) // 2, ROWS // 2]
    assert watch.whole == [ROWS] * 4
    assert sum(watch.seen) == 4 * ROWS


def test_a_failure_in_one_thread_is_raised_and_ends_the_others(files, tmp_path):
    def breaks():
        yield from files[0].batches(["x"])
        raise SourceChanged("gone")

    with pytest.raises(SourceChanged, match="gone"):
        fold_shares([breaks(), iter(())], _Rows())
    source = read(tmp_path / "a.parquet")
    with using(Resources(threads=2)):
        source.check(["x"])
        held = source.shares(["x"], 2)
        pq.write_table(pa.table({"x": [1]}), tmp_path / "a.parquet")
        with pytest.raises(SourceChanged, match="changed"):
            fold_shares(held, _Rows())


class _Rows(_Sum):
    def add(self, counter, batch):
        return counter + batch.num_rows


def test_a_piece_that_cannot_be_decoded_is_refused_by_whichever_thread_reads_it(files, tmp_path):
    assert files
    whole = (tmp_path / "a.parquet").read_bytes()
    place = pq.read_metadata(tmp_path / "a.parquet").row_group(3).column(0).dictionary_page_offset
    broken = whole[:place] + b"\xff" * 40 + whole[place + 40 :]
    (tmp_path / "bad.parquet").write_bytes(broken)
    for threads in (1, 2):
        with (
            using(Resources(threads=threads)),
            pytest.raises(BadInput, match="not one well-formed"),
        ):
            read(tmp_path / "bad.parquet").check(["x"])


def test_work_is_dealt_out():
    assert [list(part) for part in dealt(5, 2)] == [[0, 2, 4], [1, 3]]
    assert [list(part) for part in dealt(0, 2)] == [[]]
    assert side_by_side(lambda one: one + 1, [1, 2, 3]) == [2, 3, 4]
    turns = OneAtATime(iter(range(4)))
    assert [next(turns), next(turns), *turns] == [0, 1, 2, 3]


def test_a_wide_file_is_decoded_once_and_its_batches_are_handed_out(tmp_path, monkeypatch):
    rows = MANY_ROWS + 10
    table = pa.table({name: np.arange(rows) for name in "abcde"})
    pq.write_table(table, tmp_path / "wide.parquet", row_group_size=rows // 4)
    monkeypatch.setattr("tacit.sources.kept._MOST", 0)
    plain, passes = Parquet.batches, []
    monkeypatch.setattr(
        Parquet,
        "batches",
        lambda self, f, *asked: passes.append(len(asked[1])) or plain(self, f, *asked),
    )
    source = read(tmp_path / "wide.parquet")
    source.check(list("abcde"))
    shares = source.shares(list("abcde"), 2)
    found = [batch.column("e").to_numpy() for share in shares for batch in share]
    assert len(shares) == 2
    assert (np.sort(np.concatenate(found)) == np.arange(rows)).all()
    assert len(source.shares(["a", "b"], 2)) == 2
    assert passes == [5]  # all pieces, by the shares together: the check had no need to decode


def test_a_file_is_read_where_arrow_cannot_open_it_again(tmp_path, monkeypatch):
    pq.write_table(pa.table({"x": [3, 1, 2]}), tmp_path / "t.parquet")
    monkeypatch.setattr(pa, "OSFile", lambda name: (_ for _ in ()).throw(OSError(name)))
    source = read(tmp_path / "t.parquet")
    source.check(["x"])
    (batch,) = source.batches(["x"])
    assert batch.column("x").to_pylist() == [3, 1, 2]
