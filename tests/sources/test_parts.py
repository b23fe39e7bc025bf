"""Text files that several threads read, each a part of the bytes, against one that reads all."""

import io
import random
from collections import Counter
from itertools import chain, pairwise, product

import pytest

from tacit.core import BadInput
from tacit.core.resources import Resources, using
from tacit.sources.dialect import Dialect
from tacit.sources.parts import cut
from tacit.sources.snapshot import Snapshot
from tacit.sources.text import TextFile

CELLS = ["", "x", '"x"', '"a,b"', '"\n"', '"x\ny,z\n"', '"x""y"', "ü"]


@pytest.fixture(autouse=True)
def short_files_are_cut(monkeypatch):
    monkeypatch.setattr("tacit.sources.text._LONG", 0)


def _rows(path, threads, **dialect):
    """All records as a check with so many threads and then one pass have them, and in how many
    parts; ``None`` for a file that is refused.
    """
    with using(Resources(threads=threads)):
        source = TextFile(Snapshot(path), Dialect(**dialect))
        try:
            source.check(["a"])
        except BadInput:
            return None, 0
        batches = list(source.batches(["a", "b"]))
        rows = [row for batch in batches for row in batch.to_pylist()]
        assert len(rows) == source.count()
        return rows, len(source._parts)


@pytest.mark.parametrize("quote", ['"', None])
def test_all_short_files_are_read_alike(tmp_path, quote):
    path, accepted, parts_seen = tmp_path / "short.csv", 0, set()
    for size in range(2, 4 if quote is None else 5):
        for pieces in product(["x", ",", '"', "\n", "x,y\n"], repeat=size):
            path.write_text("a,b\n" + "".join(pieces))
            expected, alone = _rows(path, 1, quote=quote)
            accepted += expected is not None
            assert alone <= 1
            for threads in (2, 3):
                found, parts = _rows(path, threads, quote=quote)
                parts_seen.add(parts)
                assert found == expected, pieces
    assert accepted > 50
    assert {1, 2, 3} <= parts_seen


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_long_random_files_are_read_alike(tmp_path, end):
    draw, path, seen = random.Random(1), tmp_path / "long.csv", Counter()
    for _ in range(400):
        odd = draw.choice([0, 0, 0.5])
        weights = [9] * 4 + [draw.choice([0, 3])] * 2 + [9, 9, odd]
        lines = [
            ",".join(draw.choices([*CELLS, '"'], weights, k=2)) + end
            for _ in range(draw.randrange(1, 60))
        ]
        mark = draw.choice(["", "\N{ZERO WIDTH NO-BREAK SPACE}"])
        path.write_bytes((mark + f"a,b{end}" + "".join(lines)).encode())
        expected, _ = _rows(path, 1)
        found, parts = _rows(path, 4)
        assert found == expected
        seen["refused" if found is None else parts] += 1
    assert min(seen["refused"], seen[1], seen[4]) > 20


def test_a_line_feed_inside_quotes_where_the_file_is_cut(tmp_path):
    """What follows it reads as records, and yet it is one cell."""
    path = tmp_path / "note.csv"
    path.write_text('a,b\n1,"' + "2,3\n" * 100 + '"\n')
    rows, parts = _rows(path, 2)
    assert parts == 1
    assert rows == [{"a": "1", "b": "2,3\n" * 100}]


def test_parts_are_shared_out_and_give_every_record_once(tmp_path, monkeypatch):
    monkeypatch.setattr("tacit.sources.text.MANY_ROWS", 10)
    monkeypatch.setattr("tacit.sources.kept._MOST", 0)
    path = tmp_path / "many.csv"
    path.write_text("a,b\n" + "".join(f"{k},{k % 7}\n" for k in range(5000)))
    with using(Resources(threads=3)):
        source = TextFile(Snapshot(path), Dialect())
        source.check(["a", "b"])
        for parts in (1, 2, 3, 5):
            shares = source.shares(["b", "a"], parts)
            assert len(shares) == min(parts, 3)
            each = [
                [int(a) for batch in one for a in batch.column("a").to_pylist()] for one in shares
            ]
            assert sorted(chain.from_iterable(each)) == list(range(5000))
        in_order = [int(a) for one in source.batches(["a"]) for a in one.column("a").to_pylist()]
        assert in_order == list(range(5000))


def test_cut_after_line_feeds_alone():
    data = b"x,y\n" * 10 + b"z" * 100 + b"\n" + b"x,y\n" * 10
    for parts in range(1, 9):
        found = cut(io.BytesIO(data), range(4, len(data)), parts)
        assert found[0].start == 4
        assert found[-1].stop == len(data)
        assert all(one.stop == other.start for one, other in pairwise(found))
        assert all(data[one.start - 1] == ord("\n") and len(one) for one in found)
        assert len(found) <= parts
    assert len(cut(io.BytesIO(b"x,y\n" * 40), range(4, 160), 4)) == 4


def test_no_line_feed_nearby_no_cut():
    data = b"x" * (1 << 18)
    assert cut(io.BytesIO(data), range(len(data)), 2) == (range(len(data)),)
