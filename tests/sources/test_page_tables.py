"""Pages that are read many at a time: none is touched that does not lie in what was passed."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit.sources.page_tables import (
    DICTIONARY,
    FIELDS,
    FIRST,
    LAST,
    list_pages,
    prove_pages,
    read_pages,
)
from tacit.sources.pages import FIT, KIND, UNPACKED, VALUES

ROWS, WIDTH = 300, 8


def _column(**written):
    """The bytes of one column of many short pages, and its values."""
    values = np.random.default_rng(0).integers(0, 2**40, ROWS)
    schema = pa.schema([pa.field("x", pa.int64(), nullable=False)])
    file = io.BytesIO()
    pq.write_table(
        pa.table([values], schema), file, data_page_size=64, write_batch_size=8, **written
    )
    found = pq.read_metadata(file).row_group(0).column(0)
    start = found.dictionary_page_offset or found.data_page_offset
    whole = np.frombuffer(file.getvalue(), np.uint8)
    return whole[start : start + found.total_compressed_size].copy(), values


def _listed(data, stop, rows=ROWS, most=200):
    table = np.zeros((most, FIELDS), np.int64)
    many, place, left, needed = list_pages(data, 0, stop, rows, table)
    return table[: max(0, many)], (many, place, left, needed)


@pytest.mark.parametrize("compression", ["none", "snappy"])
def test_pages_are_listed_and_read_as_they_were_written(compression):
    data, values = _column(compression=compression, use_dictionary=False)
    table, (many, place, left, needed) = _listed(data, len(data))
    assert (place, left, needed) == (len(data), 0, 0)
    assert many > 20
    assert table[:, VALUES].sum() == ROWS
    none = np.zeros(0, np.uint8)
    room, packed = np.zeros(table[:, UNPACKED].max() + 64, np.uint8), compression == "snappy"
    out = np.zeros(WIDTH * ROWS + 8, np.uint8)
    assert prove_pages(data, table, 0, packed, False, WIDTH, -1, room) == FIT
    assert read_pages(data, table, packed, False, WIDTH, none, room, out[:-8])
    assert (out[:-8].view(np.int64) == values).all()
    assert not out[-8:].any()
    # One byte too few for the last value; pages that are said to be of another kind or length.
    assert not read_pages(data, table, packed, False, WIDTH, none, room, out[:-9])
    for field, wrong in ((KIND, DICTIONARY), (UNPACKED, table[0, UNPACKED] + 1)):
        changed = table.copy()
        changed[0, field] = wrong
        assert prove_pages(data, changed, 0, packed, False, WIDTH, -1, room) != FIT
        assert not read_pages(data, changed, packed, False, WIDTH, none, room, out)


def test_a_page_that_is_cut_off_is_not_listed_and_says_what_it_needs():
    data, _ = _column(compression="snappy", use_dictionary=False)
    whole, _ = _listed(data, len(data))
    ends = whole[:, LAST].tolist()
    for cut in range(len(data)):
        table, (many, place, left, needed) = _listed(data[:cut], len(data))
        assert many == sum(end <= cut for end in ends)
        assert place == ([0, *ends])[many]
        assert left == ROWS - table[:, VALUES].sum()
        assert needed > cut - place
        # Where the column itself ends there, nothing more can come.
        _, (many, *_) = _listed(data, cut)
        assert many == -1 or ends[many] > cut


def test_only_so_many_rows_and_pages_are_listed():
    data, _ = _column(compression="snappy", use_dictionary=False)
    table, (many, place, left, needed) = _listed(data, len(data), most=3)
    assert (many, place, needed) == (3, table[2, LAST], 0)
    assert left == ROWS - table[:, VALUES].sum()
    assert _listed(data, len(data), rows=int(table[:, VALUES].sum()))[1][0] == 3
    assert _listed(data, len(data), rows=int(table[:, VALUES].sum()) - 1)[1][0] == -1


def test_codes_need_a_dictionary():
    data, values = _column(compression="none")
    table, _ = _listed(data, len(data))
    assert table[0, KIND] == DICTIONARY
    entries = data[table[0, FIRST] : table[0, LAST]].copy()
    none, room = np.zeros(0, np.uint8), np.zeros(0, np.uint8)
    out, size = np.zeros(WIDTH * ROWS, np.uint8), len(entries) // WIDTH
    assert prove_pages(data, table[1:], 0, False, False, WIDTH, size, room) == FIT
    assert read_pages(data, table[1:], False, False, WIDTH, entries, room, out)
    assert (out.view(np.int64) == values).all()
    for fewer, known in ((none, -1), (none, 0), (entries[:-WIDTH], size - 1)):
        assert prove_pages(data, table[1:], 0, False, False, WIDTH, known, room) != FIT
        assert not read_pages(data, table[1:], False, False, WIDTH, fewer, room, out)


def test_pages_side_by_side_are_proved_as_each_alone():
    data, _ = _column(compression="snappy", use_dictionary=False)
    table, _ = _listed(data, len(data))
    said = 0, True, False, WIDTH, -1, np.zeros(table[:, UNPACKED].max() + 64, np.uint8)
    for many in range(1, 13):
        pages = table[:many]
        assert prove_pages(data, pages, *said) == FIT
        for wrong in range(many):
            damaged = data.copy()
            damaged[pages[wrong, FIRST]] ^= 1  # another length than the pieces make
            assert prove_pages(damaged, pages, *said) != FIT
            changed = pages.copy()
            changed[wrong, UNPACKED] += 1
            assert prove_pages(data, changed, *said) != FIT


def test_a_dictionary_is_proved_as_the_first_page_and_nowhere_else():
    data, _ = _column(compression="snappy")
    table, _ = _listed(data, len(data))
    entries, room = int(table[0, VALUES]), np.zeros(table[:, UNPACKED].max() + 64, np.uint8)
    said = True, False, WIDTH, entries, room
    assert table[0, KIND] == DICTIONARY
    assert prove_pages(data, table, 1, *said) == FIT
    assert prove_pages(data, table[:1], 1, *said) == FIT
    assert prove_pages(data, table[1:], 0, *said) == FIT
    assert prove_pages(data, table, 0, *said) != FIT
    assert prove_pages(data, table[[1, 0]], 0, *said) != FIT
    damaged = data.copy()
    damaged[table[0, FIRST]] ^= 1
    assert prove_pages(damaged, table, 1, *said) != FIT
