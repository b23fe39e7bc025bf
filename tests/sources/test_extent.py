"""Tests of ``tacit.sources.extent``: a sheet with a stray cell is refused, and nothing ends."""

import io
import subprocess
import sys
import zipfile

import pytest

from tacit.core import BadInput
from tacit.sources.extent import spread_out
from tacit.sources.opening import read

_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
TABLE = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>age</t></is></c></row>'
    '<row r="2"><c r="A2"><v>41</v></c></row>'
)
CORNERS = [
    '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    '<row><c s="0" r="XFD1048576" ><v>1</v></c></row>',
    "<row r='1048576'><c r='xfd1048576'><v>1</v></c></row>",
    '<row r="3"><c r="XFD3"><v>1</v></c></row><row r="1048576"><c><v>1</v></c></row>',
    '<row r="3"><c r="XFD3"><v>1</v></c><c><v>1</v></c></row>'
    '<row r="900000"><c r="A900000"><v>1</v></c></row>',
    f'<row r="3">{"<c><v>1</v></c>" * 9000}</row><row r="1048576"><c><v>1</v></c></row>',
]
NEAR = [
    "",
    '<row r="3"><c r="A3"><v>7</v></c></row>',
    '<row r="1048576"><c r="A1048576"><v>1</v></c></row>',  # one column: a million cells
    '<row r="1048576"><c r="XFD1048576" s="1"/></row>',  # a format alone, as readers skip it
    '<row r="1048576"><c r="XFD1048576" s="1"></c></row>',
]


def workbook(*bodies, first=0):
    """A workbook whose sheets are stored in another order than they are named."""
    held = io.BytesIO()
    order = [*range(first, len(bodies)), *range(first)]
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="rId1" '
            f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        sheets = "".join(f'<sheet name="s{n}" sheetId="{n + 1}" r:id="rId{n}"/>' for n in order)
        book.writestr(
            "xl/workbook.xml",
            f'<workbook {_MAIN} xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets></workbook>',
        )
        related = "".join(
            f'<Relationship Id="rId{n}" Type="{_OFFICE}/worksheet" Target="'
            f'{"/xl/" * (n % 2)}worksheets/part{n}.xml"/>'
            for n in range(len(bodies))
        )
        book.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{_PACKAGE}">{related}</Relationships>',
        )
        for n, body in enumerate(bodies):
            book.writestr(
                f"xl/worksheets/part{n}.xml",
                f"<worksheet {_MAIN}><sheetData>{body}</sheetData></worksheet>",
            )
    return held.getvalue()


@pytest.mark.parametrize("more", CORNERS)
def test_cells_that_lie_far_apart_are_seen(more):
    assert spread_out(workbook(TABLE + more), 0)


@pytest.mark.parametrize("more", NEAR)
def test_a_table_and_what_readers_skip_are_left_alone(more):
    assert not spread_out(workbook(TABLE + more), 0)


def test_many_cells_that_are_written_may_span_as_many():
    row = "".join(f"<c><v>{n % 7}</v></c>" for n in range(200))
    assert not spread_out(workbook(f"<row>{row}</row>" * 2000), 0)


def test_only_the_sheet_that_is_read_matters():
    for first in (0, 1):
        book = workbook(TABLE, TABLE + CORNERS[0], first=first)
        assert [spread_out(book, place) for place in (0, 1)] == [first == 1, first == 0]
    assert spread_out(workbook(TABLE, TABLE + CORNERS[0]), 7)  # not found: all are looked at


def test_what_is_no_workbook_is_left_to_its_reader():
    assert not spread_out(b"PK\x03\x04junk", 0)
    assert not spread_out(b"", 0)


@pytest.mark.parametrize("more", CORNERS[:4])
def test_a_stray_cell_is_refused_in_words_before_anything_is_read(tmp_path, more):
    path = tmp_path / "t.xlsx"
    path.write_bytes(workbook(TABLE + more, TABLE))
    with pytest.raises(BadInput, match="spans far more cells than are filled") as refusal:
        read(path)
    assert "41" not in str(refusal.value)
    assert read(path, sheet="s1").count() == 1


def test_the_command_ends_with_the_code_of_bad_input(tmp_path):
    path = tmp_path / "t.xlsx"
    path.write_bytes(workbook(TABLE + CORNERS[0]))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tacit",
            "schema",
            "init",
            str(path),
            "-o",
            str(tmp_path / "s.toml"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "spans far more cells" in done.stderr
