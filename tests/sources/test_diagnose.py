"""The owner of a file is told where it is broken; nobody else is."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.sources.diagnose_cases import ROWS, _file

from tacit.sources import read
from tacit.sources.diagnose import MOST, diagnose

CASES = {
    "open quote": (b'"n,7,1', "a quote is opened and never closed"),
    "quote inside": (b'n"x,7,1', "a quote stands inside a cell"),
    "after a quote": (b'"n"x,7,1', "something follows a closing quote"),
    "too many": (b"n,7,1,1", "has 4 cells, and the header 3"),
    "too few": (b"n,7", "has 2 cells, and the header 3"),
    "blank": (b"", "the line is blank"),
    "carriage return": (b"n\rx,7,1", "a carriage return stands without a line feed"),
    "letters": (b"\xff,7,1", "the text is not UTF-8; --encoding declares another, such as cp1252"),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("place", [0, 20, 49])
@pytest.mark.parametrize("block", [5, 1 << 22])
def test_a_bad_record_is_named_by_its_line(tmp_path, case, place, block, monkeypatch):
    monkeypatch.setattr("tacit.sources.blocks._BLOCK", block)
    row, words = CASES[case]
    path = _file(tmp_path / "t.csv", [*ROWS[:place], row, *ROWS[place + 1 :]])
    found = diagnose(read(path))
    assert [one.where for one in found] == [f"line {place + 2}"]
    assert words in found[0].what


def test_several_bad_records_are_all_named(tmp_path):
    rows = list(ROWS)
    for place, (row, _) in zip((3, 10, 11, 20, 30, 31, 40, 49), CASES.values(), strict=True):
        rows[place] = row
    found = diagnose(read(_file(tmp_path / "t.csv.gz", rows, packed=True)))
    assert [one.where for one in found] == [
        f"line {p + 2}" for p in (3, 10, 11, 20, 30, 31, 40, 49)
    ]
    assert len(diagnose(read(_file(tmp_path / "u.csv", [b"x"] * 100)))) == MOST


def test_a_well_formed_file_has_no_findings(tmp_path):
    rows = [b'"two\nlines, ""x""",7,1', *ROWS]
    assert diagnose(read(_file(tmp_path / "t.csv", rows))) == []


def test_lines_that_are_unreadable_without_quotes_are_named(tmp_path):
    path = _file(tmp_path / "t.csv", [*ROWS[:5], b'"x,1', *ROWS[6:8], b"\xff,1,2", *ROWS[8:]])
    found = diagnose(read(path, quote=None))
    assert [one.where for one in found] == ["line 7", "line 10"]


def test_a_column_that_cannot_be_decoded_is_named(tmp_path):
    raw = pa.array([b"a", b"\xff"])
    text = pa.StringArray.from_buffers(2, *raw.buffers()[1:])
    pq.write_table(pa.table({"good": [1, 2], "bad": text}), tmp_path / "t.parquet")
    assert [str(one) for one in diagnose(read(tmp_path / "t.parquet"))] == [
        "column 'bad': cannot be decoded"
    ]


def test_several_files_are_named(tmp_path):
    _file(tmp_path / "a1.csv", ROWS)
    _file(tmp_path / "a2.csv", [b"x"])
    found = diagnose(read(tmp_path / "a*.csv", glob=True))
    assert [one.where for one in found] == ["a2.csv, line 2"]
