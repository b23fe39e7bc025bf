"""Pages that are seen to be sound can be decoded, whatever bytes stand in them."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

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
        plain = PlainGroups.of(table, names)
        return {group for group in range(table.num_row_groups) if plain.sound(file, group)}


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
