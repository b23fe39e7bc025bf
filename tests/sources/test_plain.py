"""Pages that are seen to be sound can be decoded, whatever bytes stand in them."""

import gc
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit.sources.chunks import Damaged, Pages, Unusual
from tacit.sources.kept import Narrow
from tacit.sources.pages import PARTS, read_header
from tacit.sources.plain import PlainGroups

ROWS = 500


def _table():
    generator = np.random.default_rng(1)
    long, few = generator.integers(0, 2**32, ROWS), generator.integers(0, 5, ROWS)
    runs, real = np.arange(ROWS) // 100, generator.random(ROWS)
    table = pa.table({"long": long, "few": few, "runs": runs.astype(np.int32), "real": real})
    required = [field.with_nullable(field.name not in ("few", "real")) for field in table.schema]
    return table.cast(pa.schema(required))


WAYS = {
    "packed": {"compression": "snappy"},
    "as they are": {"compression": "none", "use_dictionary": False},
    "coded": {"compression": "none"},
    "summed": {"compression": "snappy", "write_page_checksum": True},
    "short pages": {"compression": "snappy", "data_page_size": 256, "use_dictionary": ["few"]},
}


def _sound(path, names):
    with path.open("rb") as file, pq.ParquetFile(path) as table:
        plain, found = PlainGroups(file, table, names), set()
        for group in range(table.num_row_groups):
            with suppress(Damaged):
                found |= {group} if plain.sound(file, group) else set()
        return found


def _read(path, names, group, rows=70):
    """What is read without Arrow; ``None`` if that cannot be done."""
    with path.open("rb") as file, pq.ParquetFile(path) as table:
        try:
            found = list(PlainGroups(file, table, names).batches(file, group, rows))
        except Unusual:
            return None
    return pa.Table.from_batches([batch.wide(names) for batch in found])


def _arrow(path, name, group):
    with pq.ParquetFile(path) as table:
        batches = list(table.iter_batches(70, row_groups=[group], columns=[name]))
    return pa.Table.from_batches(batches).cast(pa.schema([(name, batches[0].schema.field(0).type)]))


def _decodes(path, name, group):
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as table:
            batches = list(table.iter_batches(1000, row_groups=[group], columns=[name]))
        return sum(batch.num_rows for batch in batches) == ROWS // 2
    except Exception:
        return False


@pytest.mark.parametrize("way", WAYS)
def test_what_is_seen_to_be_sound_can_be_decoded(way, tmp_path):
    path, bad = tmp_path / "t.parquet", tmp_path / "bad.parquet"
    pq.write_table(_table(), path, row_group_size=ROWS // 2, **WAYS[way])
    assert _sound(path, _table().schema.names) == {0, 1}
    generator, whole = np.random.default_rng(2), path.read_bytes()
    found = pq.read_metadata(path).row_group(1)
    seen = {True: 0, False: 0}
    for _ in range(120):
        for place in range(found.num_columns):
            column = found.column(place)
            start = column.dictionary_page_offset or column.data_page_offset
            # Headers and levels are short, and damage to them is the worst: hit them as often.
            reach = column.total_compressed_size
            if generator.random() < 0.5:
                start, reach = column.data_page_offset, min(60, reach)
            broken = bytearray(whole)
            at = start + int(generator.integers(0, reach))
            broken[at] ^= 1 << int(generator.integers(0, 8))
            bad.write_bytes(broken)
            name = column.path_in_schema
            sound = _sound(bad, [name])
            assert 0 in sound
            seen[1 in sound] += 1
            assert 1 not in sound or _decodes(bad, name, 1)
            read = _read(bad, [name], 1)
            assert 1 not in sound or read is not None
            # Where both can read what is damaged, they read the same.
            assert read is None or not _decodes(bad, name, 1) or read.equals(_arrow(bad, name, 1))
    assert seen[False] > 50
    assert way == "summed" or seen[True] > 20


def test_what_is_written_in_another_way_is_left_to_decoding(tmp_path):
    path, table = tmp_path / "t.parquet", _table()
    others = {
        "gap": pa.array([None, *range(ROWS - 1)]),
        "word": pa.array(["a"] * ROWS),
        "list": pa.array([[1]] * ROWS),
        "inside": pa.array([{"long": 1}] * ROWS),
        "day": pa.array(np.arange(ROWS), pa.int32()).cast(pa.date32()),
    }
    for name, column in others.items():
        table = table.append_column(name, column)
    pq.write_table(table, path)
    assert _sound(path, ["long", "few"]) == {0}
    for name in others:
        assert _sound(path, ["long", name]) == set()
    for written in ({"compression": "zstd"}, {"data_page_version": "2.0"}):
        pq.write_table(_table(), path, **written)
        assert _sound(path, ["long"]) == set()


@pytest.mark.parametrize("way", WAYS)
def test_numbers_of_every_kind_are_read_as_they_are(way, tmp_path):
    generator, rows, path = np.random.default_rng(5), 3000, tmp_path / "t.parquet"
    wide = generator.integers(-(2**63), 2**63 - 1, rows)
    late = np.where(np.arange(rows) < rows - 3, 1, 2**40)  # few bytes are enough until the end
    columns = {
        "wide": wide,
        "late": late,
        "flag": generator.integers(0, 2, rows),
        "pair": generator.choice([-7, 2**50], rows),
        "few": generator.integers(0, 300, rows).astype(np.int32),
        "none": np.zeros(rows, np.int32),
        "below": -generator.integers(0, 9, rows).astype(np.int32),
        "real": np.where(wide % 5 == 0, np.nan, generator.normal(size=rows)),
        "short": generator.choice(np.array([0.0, -0.0, np.inf], np.float32), rows),
    }
    table = pa.table(columns)
    pq.write_table(table, path, dictionary_pagesize_limit=2000, **WAYS[way])
    for name in columns:
        read = _read(path, [name], 0, 777)
        if read is None:  # a dictionary of one entry has codes without a bit
            assert name == "none"
            continue
        assert read.column(0).to_numpy().tobytes() == columns[name].tobytes()
    names = [name for name in columns if name != "none"]
    assert (
        _read(path, names, 0, 10**6).select(["wide", "few"]).equals(table.select(["wide", "few"]))
    )


def test_whole_numbers_take_as_few_bytes_as_they_need(tmp_path):
    path, rows = tmp_path / "t.parquet", 1000
    columns = {
        "label": np.arange(rows) % 2,
        "short": np.arange(rows),
        "long": np.arange(rows) << 22,
        "below": np.arange(rows) - 1,
        "real": np.arange(rows) * 0.5,
    }
    pq.write_table(pa.table(columns), path, use_dictionary=["label"])
    with path.open("rb") as file, pq.ParquetFile(path) as table:
        plain = PlainGroups(file, table, list(columns))
        (quick,) = plain.batches(file, 0, rows)
    batch = Narrow.of(quick)
    assert [one.type.bit_width for one in quick.columns] == [8, 64, 64, 64, 64]
    assert quick.wide(list(columns)).equals(batch.wide(list(columns)))
    assert [one.type.bit_width for one in batch.columns] == [8, 16, 32, 64, 64]
    assert batch.wide(list(columns)).equals(pa.table(columns).to_batches()[0])
    assert batch.num_rows == rows
    assert batch.column("label").type == batch.column(0).type == pa.int64()
    assert batch.whole("label").type == pa.uint8()
    assert batch.only(["below", "short"], 3).wide(["short"]).column(0).to_pylist() == [0, 1, 2]


def test_what_is_held_of_a_row_group_is_let_go_at_once(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(_table(), path, row_group_size=ROWS // 2)
    gc.disable()  # what refers to itself would wait for it, and there may be many row groups
    try:
        assert _read(path, ["long", "few"], 0) is not None
        assert _sound(path, ["long", "few"]) == {0, 1}
        assert not [one for one in gc.get_objects() if isinstance(one, Pages)]
    finally:
        gc.enable()


@pytest.mark.parametrize("ahead", [1, 300, 5000])
@pytest.mark.parametrize("way", WAYS)
def test_however_little_is_read_at_a_time_it_is_the_same(way, ahead, tmp_path):
    path, table = tmp_path / "t.parquet", _table()
    pq.write_table(table, path, row_group_size=ROWS // 2, **WAYS[way])
    with path.open("rb") as file, pq.ParquetFile(path) as opened:
        plain = PlainGroups(file, opened, table.schema.names, ahead=ahead)
        for group in range(2):
            assert plain.sound(file, group)
            found = [one.wide(table.schema.names) for one in plain.batches(file, group, 70)]
            part = table.slice(group * ROWS // 2, ROWS // 2)
            assert pa.Table.from_batches(found).to_pydict() == part.to_pydict()


def _header(count, size, spare=None):
    """What stands before a page of so many values, in so many bytes; with some that say nothing."""
    said = (0x15, 0, 0x15, 2 * size, 0x15, 2 * size, 0x2C, 0x15, 2 * count, 0x15, 0, 0x15, 6, 0x15)
    more = b"" if spare is None else bytes((0x1C, 0x58, spare)) + bytes(spare + 1)
    return bytes((*said, 6)) + more + b"\0\0"


def test_a_page_without_values_is_left_to_arrow_which_may_read_no_further(tmp_path):
    path = tmp_path / "a.parquet"
    kind = pa.schema([pa.field("a", pa.int64(), nullable=False)])
    pq.write_table(pa.table([range(5)], kind), path, compression="none", use_dictionary=False)
    data = bytearray(path.read_bytes())
    start = pq.read_metadata(path).row_group(0).column(0).data_page_offset
    found = np.empty(PARTS, dtype=np.int64)
    first = read_header(np.frombuffer(data, np.uint8), start, len(data), found)
    none, room = _header(0, 0), first - start - len(_header(5, 40, spare=0))
    data[start:first] = none + _header(5, 40, spare=room - len(none))
    path.write_bytes(data)
    assert pq.read_table(path).num_rows == 0
    assert _sound(path, ["a"]) == set()
    assert _read(path, ["a"], 0) is None
    data[start:first] = _header(5, 40, spare=room)
    path.write_bytes(data)
    assert _sound(path, ["a"]) == {0}
    assert _read(path, ["a"], 0).column(0).to_pylist() == [0, 1, 2, 3, 4]
