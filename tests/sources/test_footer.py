"""What the last bytes of a Parquet file say, beside what Arrow says of the same."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numba import typeof

from tacit.core import BadInput
from tacit.sources import footer
from tacit.sources.footer import (
    CODEC,
    DATA,
    DICTIONARY,
    ELSEWHERE,
    LEVELS,
    PARTS,
    REPEATS,
    SIZE,
    TYPE,
    VALUES,
    find_chunks,
    read_footer,
)
from tacit.sources.opening import read

TYPES = {"BOOLEAN": 0, "INT32": 1, "INT64": 2, "INT96": 3, "FLOAT": 4, "DOUBLE": 5, "BYTE_ARRAY": 6}
CODECS = {"UNCOMPRESSED": 0, "SNAPPY": 1, "GZIP": 2, "ZSTD": 6}
WAYS = [
    {"compression": "snappy"},
    {"compression": {"a": "none", "b": "gzip", "c": "zstd"}, "use_dictionary": ["b"]},
    {"compression": "none", "use_dictionary": False, "write_statistics": False},
    {"write_page_index": True, "write_page_checksum": True, "version": "1.0"},
    {"bloom_filter_options": {"a": {"ndv": 8}}, "store_schema": False},
]


def _table(rows=40):
    draw = np.random.default_rng(1)
    return pa.table(
        {
            "a": draw.integers(0, 2**40, rows),
            "b": pa.array([None if k % 3 == 0 else f"{k}" * (k % 5) for k in range(rows)]),
            "c": draw.random(rows, dtype=np.float32),
            "d": pa.array(
                [[k, None] if k % 2 else None for k in range(rows)], pa.list_(pa.int32())
            ),
            "e": pa.array([{"f": k % 2 == 0, "g": k / 3} for k in range(rows)]),
        },
        metadata={"note": "x" * 300},
    )


def _written(path, way, *, group=7):
    try:
        pq.write_table(_table(), path, row_group_size=group, **way)
    except TypeError:
        pytest.skip("this Arrow cannot write so")
    return pq.read_metadata(path)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("group", [1, 7, 100])
def test_the_same_as_arrow_says(tmp_path, way, group):
    path = tmp_path / "t.parquet"
    said = _written(path, way, group=group)
    assert said.num_columns == 6
    with path.open("rb") as file:
        found = find_chunks(file, said.num_row_groups, said.num_columns)
    assert found.shape[:2] == (said.num_row_groups, said.num_columns)
    for place in np.ndindex(*found.shape[:2]):
        chunk, here = said.row_group(place[0]).column(place[1]), found[place]
        assert here[TYPE] == TYPES[chunk.physical_type]
        assert here[CODEC] == CODECS[chunk.compression]
        assert here[VALUES] == chunk.num_values
        assert here[SIZE] == chunk.total_compressed_size
        assert here[DATA] == chunk.data_page_offset
        assert here[DICTIONARY] == (
            chunk.dictionary_page_offset if chunk.has_dictionary_page else -1
        )
        assert here[ELSEWHERE] == -1
        levels = said.schema.column(place[1])
        assert here[REPEATS] in (-1, 0, levels.max_repetition_level + 1)
        assert here[LEVELS] in (-1, 0, levels.max_definition_level + 1)


def test_what_is_prepared_is_what_is_read(tmp_path, monkeypatch):
    """A loop is compiled for each type of array, and after a charge none may be."""
    path, seen = tmp_path / "t.parquet", []
    said = _written(path, WAYS[0])
    monkeypatch.setattr(footer, "read_footer", lambda *given: seen.append([*map(typeof, given)]))
    footer.prepare.__wrapped__()
    with path.open("rb") as file:
        find_chunks(file, said.num_row_groups, said.num_columns)
    assert len(seen) == 2
    assert seen[0] == seen[1]


def test_another_number_of_columns_or_row_groups_is_none(tmp_path):
    path = tmp_path / "t.parquet"
    said = _written(path, WAYS[0])
    groups, columns = said.num_row_groups, said.num_columns
    with path.open("rb") as file:
        assert find_chunks(file, groups, columns) is not None
        for wrong in ((groups + 1, columns), (groups - 1, columns), (groups, columns - 1)):
            assert find_chunks(file, *wrong) is None
        assert find_chunks(file, groups, columns + 1) is None


def test_a_column_in_another_file_is_told(tmp_path):
    path = tmp_path / "t.parquet"
    said = _written(path, WAYS[0])
    said.set_file_path("elsewhere.parquet")
    said.write_metadata_file(tmp_path / "_metadata")
    with (tmp_path / "_metadata").open("rb") as file:
        found = find_chunks(file, said.num_row_groups, said.num_columns)
    assert (found[:, :, ELSEWHERE] == 1).all()


def test_no_damage_of_a_footer_is_a_fault(tmp_path):
    """Every byte of it changed to others, and every beginning of it: a sign, or numbers."""
    path = tmp_path / "t.parquet"
    said = _written(path, WAYS[0], group=20)
    data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    long = int.from_bytes(data[-8:-4].tobytes(), "little")
    footer = data[-8 - long : -8].copy()
    found = np.empty((said.num_row_groups, said.num_columns, PARTS), dtype=np.int64)
    assert read_footer(footer, found)
    right, refused = found.copy(), 0
    for place in range(len(footer)):
        assert not read_footer(footer[:place], found)
        for other in (0, 0x19, 0x1C, 0x7F, 0x80, 0xFF, footer[place] ^ 1, footer[place] ^ 16):
            changed = footer.copy()
            changed[place] = other
            refused += not read_footer(changed, found)
    assert refused > len(footer)
    draw = np.random.default_rng(2)
    for _ in range(3000):
        read_footer(draw.integers(0, 256, 60).astype(np.uint8), found)
    assert read_footer(footer, found)
    assert (found == right).all()


@pytest.mark.parametrize(
    "end", [b"", b"PAR1", b"\0\0\0\0PAR1", b"\xff\xff\xff\x7fPAR1", b"\4\0\0\0PARE"]
)
def test_a_file_that_does_not_end_so_is_none(tmp_path, end):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1" + b"x" * 20 + end)
    with path.open("rb") as file:
        assert find_chunks(file, 1, 1) is None


def test_counts_of_levels_that_do_not_fit_are_refused_and_end_no_process(tmp_path):
    """Arrow looks at them when it is asked where a column lies, and nobody catches its error."""
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": pa.array(range(300), pa.int32())}), path, store_schema=False)
    data = path.read_bytes()
    read(path).check(["x"])
    may_be_missing, must_not = b"\x25\x02", b"\x25\x00"
    assert data.count(may_be_missing) == 1
    path.write_bytes(data.replace(may_be_missing, must_not))
    asked = "import sys; from pyarrow.parquet import *; read_metadata(sys.argv[1]).row_group(0).column(0)"
    ended = subprocess.run([sys.executable, "-c", asked, path], check=False, capture_output=True)
    if ended.returncode == 0:
        pytest.skip("this Arrow counts no levels")
    assert ended.returncode < 0
    with pytest.raises(BadInput, match="not one well-formed table"):
        read(path).check(["x"])


def test_numbers_of_another_length_are_refused_since_arrow_passes_over_them(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": np.arange(40)}), path, write_statistics=False)
    data = np.fromfile(path, np.uint8)
    long = int.from_bytes(data[-8:-4].tobytes(), "little")
    said = data[-8 - long : -8]
    found = np.empty((1, 1, PARTS), np.int64)
    assert read_footer(said, found)
    refused = 0
    for place in range(len(said)):
        for kind, other in ((5, 6), (6, 5), (5, 4), (6, 4)):
            if said[place] & 15 != kind:
                continue
            changed = said.copy()
            changed[place] ^= kind ^ other
            refused += not read_footer(changed, found)
    assert refused >= 2 * 6  # type, codec, values, size, data, dictionary, each in two ways


FLAGS = b"\xf1" * 4369
"""Truth values that mean nothing: the field after them is numbered higher by 65536."""


@pytest.mark.parametrize("far", [b"\x06\x92\x80\x08", FLAGS + b"\x16"])
def test_fields_numbered_beyond_sixteen_bits_are_refused_since_arrow_begins_anew(tmp_path, far):
    path = tmp_path / "t.parquet"
    kind = pa.schema([pa.field("x", pa.int64(), nullable=False)])
    way = {"compression": "none", "use_dictionary": False, "write_statistics": False}
    pq.write_table(pa.table([range(3)], kind), path, store_schema=False, **way)
    data = path.read_bytes()
    long, found = int.from_bytes(data[-8:-4], "little"), np.empty((1, 1, PARTS), np.int64)
    said = data[-8 - long : -8]
    assert read_footer(np.frombuffer(said, np.uint8), found)
    after = said.index(b"\x26\x08") + 2  # the first page is at 4; then at 3
    changed = said[:after] + far + b"\x06" + said[after:]
    path.write_bytes(data[: -8 - long] + changed + len(changed).to_bytes(4, "little") + b"PAR1")
    assert pq.read_metadata(path).row_group(0).column(0).data_page_offset == 3
    assert not read_footer(np.frombuffer(changed, np.uint8), found)
