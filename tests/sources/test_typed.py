"""A damaged Parquet file is refused before the charge, whether it is kept or only looked at."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit import Ledger, Privacy, sanitize
from tacit.classes import Points
from tacit.core import BadInput
from tacit.sources.kept import Narrow
from tacit.sources.opening import read
from tacit.sources.typed import Parquet

ROWS, GROUPS = 4000, 4


def _written(path, **how):
    generator = np.random.default_rng(0)
    table = pa.table({"x": generator.integers(0, 3, ROWS), "z": generator.integers(0, 2**30, ROWS)})
    pq.write_table(table, path, row_group_size=ROWS // GROUPS, **how)
    return bytearray(path.read_bytes()), pq.read_metadata(path).row_group(GROUPS - 1)


def _truncated(path):
    """The header of a page says that it has more bytes than are left to its column."""
    data, group = _written(path, compression="none", use_dictionary=False)
    place = group.column(1).data_page_offset
    assert data[place + 3 : place + 5] == data[place + 6 : place + 8]  # both lengths
    data[place + 3 : place + 5] = data[place + 6 : place + 8] = b"\xfe\x7f"  # 8191 bytes
    return data


def _unpackable(path):
    data, group = _written(path, compression="snappy", use_dictionary=False)
    column = group.column(1)
    last = column.data_page_offset + column.total_compressed_size
    data[last - 300 : last - 200] = b"\xfe" * 100  # copies from before the beginning
    return data


def _beyond_the_dictionary(path):
    data, group = _written(path, compression="none")
    column = group.column(0)
    last = column.dictionary_page_offset + column.total_compressed_size
    data[last - 20] = 0xFF  # four times the code 3, of which there is none
    return data


def _not_as_summed(path):
    data, group = _written(path, compression="none", use_dictionary=False, write_page_checksum=True)
    column = group.column(1)
    data[column.data_page_offset + column.total_compressed_size - 20] ^= 1
    return data


def _no_header(path):
    data, group = _written(path)
    data[group.column(0).data_page_offset] = 0xFF
    return data


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize(
    ("damaged", "column"),
    [
        (_truncated, "z"),
        (_unpackable, "z"),
        (_beyond_the_dictionary, "x"),
        (_not_as_summed, "z"),
        (_no_header, "x"),
    ],
)
def test_a_damaged_file_is_refused_before_the_charge(damaged, column, kept, tmp_path, monkeypatch):
    if not kept:
        monkeypatch.setattr("tacit.sources.kept._MOST", 0)
    path, ledger = tmp_path / "t.parquet", Ledger.memory()
    asked = {"privacy": Privacy(1), "ledger": ledger}
    _written(path)
    sanitize(path, Points(size=3), column=column, **asked)
    path.write_bytes(damaged(path))
    with pytest.raises(BadInput, match="not one well-formed table"):
        sanitize(path, Points(size=3), column=column, **asked)
    assert len(ledger.entries) == 1
    other = {"x": "z", "z": "x"}[column]
    sanitize(path, Points(size=3), column=other, **asked)  # which is as it was
    assert len(ledger.entries) == 2


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("rows", [1, 2, 3, 5, 7, 8, 100, 4096])
def test_codes_beyond_the_dictionary_are_refused_however_many_are_read_at_once(
    rows, kept, tmp_path, monkeypatch
):
    """Arrow goes on behind the run that has such a code, if no more is asked for at once."""
    monkeypatch.setattr("tacit.sources.typed._MOST_ROWS", rows)
    if not kept:
        monkeypatch.setattr("tacit.sources.kept._MOST", 0)
    path = tmp_path / "t.parquet"
    values = [
        *range(5),
        *range(5),
        *range(5),
        0,
        *[1] * 8,
        2,
        3,
        2,
    ]  # a group of codes, a run, a group
    column = pa.array(values, pa.int64())
    required = pa.schema([pa.field("x", pa.int64(), nullable=False)])
    pq.write_table(pa.table([column], schema=required), path, compression="none")
    assert read(path).check(["x"]) is None
    data, found = bytearray(path.read_bytes()), pq.read_metadata(path).row_group(0).column(0)
    body = found.dictionary_page_offset + found.total_compressed_size - 14
    assert data[body : body + 2] == b"\x03\x05"  # three bits a code, two groups of eight
    data[body + 7] = 0xFF
    path.write_bytes(data)
    with pytest.raises(BadInput, match="not one well-formed table"):
        read(path).check(["x"])


def test_a_long_file_of_numbers_is_looked_at_and_not_decoded_before_the_charge(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("tacit.sources.kept._MOST", 0)
    plain, decoded = Parquet.batches, []

    def batches(self, file, *asked):
        for piece, batch in plain(self, file, *asked):
            decoded.append(piece)
            yield piece, batch

    monkeypatch.setattr(Parquet, "batches", batches)
    path = tmp_path / "t.parquet"
    _written(path)
    read(path).check(["x", "z"])
    assert set(decoded) <= {0, 1}
    decoded.clear()
    _written(path, compression="zstd")  # only decoding tells
    read(path).check(["x", "z"])
    assert set(decoded) == set(range(GROUPS))


def test_what_is_unusual_in_the_middle_of_a_row_group_is_left_to_arrow(tmp_path, monkeypatch):
    monkeypatch.setattr("tacit.sources.typed._MOST_ROWS", 100)
    path, rows = tmp_path / "t.parquet", 1000
    x = pa.array([None if row == 777 else row for row in range(rows)])
    table = pa.table({"x": x, "y": np.arange(rows) % 3})
    short = {"row_group_size": 800, "data_page_size": 100, "write_batch_size": 50}
    for options in ({}, {"use_dictionary": False}, {"compression": "none"}):
        pq.write_table(table, path, **short, **options)
        with path.open("rb") as file:
            found = [batch for _, batch in Parquet().batches(file, ["x", "y"], [0, 1])]
        known = [isinstance(one, Narrow) for one in found]
        assert known[0]
        assert known[-1]  # the row group after it
        assert not all(known)
        parts = [one.wide(["x", "y"]) if isinstance(one, Narrow) else one for one in found]
        assert pa.Table.from_batches(parts).equals(table)
        source = read(path)
        source.check(["x", "y"])
        assert pa.Table.from_batches(source.batches(["x", "y"])).equals(table)
