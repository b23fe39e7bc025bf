"""Every dialect and kind of file that can be declared, and what is said of those that are not."""

import datetime
import gzip
import zipfile

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from tests.sources.opening_cases import _file

from tacit.cli import main
from tacit.core import BadInput, SourceChanged
from tacit.sources import read
from tacit.sources.diagnose import diagnose
from tacit.sources.files import read_table


def _cells(path, **declared):
    source = read(path, **declared)
    return read_table(source, list(source.types)).to_pydict()


@pytest.mark.parametrize("delimiter", [";", "|", "\t", "tab", "semicolon", " ", ":"])
def test_delimiters(tmp_path, delimiter):
    mark = {"tab": "\t", "semicolon": ";"}.get(delimiter, delimiter)
    path = _file(tmp_path / "t.csv", f'a{mark}b\n1{mark}"x{mark}y"\n')
    assert _cells(path, delimiter=delimiter) == {"a": ["1"], "b": [f"x{mark}y"]}


def test_a_tsv_file_has_tabs(tmp_path):
    assert _cells(_file(tmp_path / "t.tsv", "a\tb\n1\t2,5\n")) == {"a": ["1"], "b": ["2,5"]}


def test_another_quote(tmp_path):
    path = _file(tmp_path / "t.csv", "a,b\n'it''s','x,y'\n\",1\n")
    assert _cells(path, quote="'") == {"a": ["it's", '"'], "b": ["x,y", "1"]}


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le", "iso8859-15"])
def test_encodings(tmp_path, encoding):
    path = _file(tmp_path / "t.csv", 'âge,b\n"Ä,ö",ß\n', encoding)
    assert _cells(path, encoding=encoding) == {"âge": ["Ä,ö"], "b": ["ß"]}


@pytest.mark.parametrize("name", ["utf-8", "UTF8", "utf-8-sig"])
def test_names_of_utf8(tmp_path, name):
    assert _cells(_file(tmp_path / "t.csv", "\ufeffâ\n1\n"), encoding=name) == {"â": ["1"]}


@pytest.mark.parametrize(
    ("name", "encoding"), [("cp1252", b"\x81"), ("ascii", b"\xe4"), ("utf-16", b"\x00\xd8\x61")]
)
def test_bytes_that_an_encoding_does_not_know_refuse_the_file(tmp_path, name, encoding):
    path = tmp_path / "t.csv"
    path.write_bytes("a,b\n1,2\n".encode(name) + encoding + ",1\n".encode(name)[-4:])
    with pytest.raises(BadInput, match="not one well-formed table"):
        read(path, encoding=name).count()


@pytest.mark.parametrize("name", ["shift_jis", "gbk", "utf-7", "hex", "nonsense", "", "\0", "a.b"])
def test_encodings_that_are_not_read(tmp_path, name):
    with pytest.raises(BadInput, match="encoding"):
        read(_file(tmp_path / "t.csv", "a\n1\n"), encoding=name)


@pytest.mark.parametrize(
    "declared",
    [
        {"delimiter": ""},
        {"delimiter": ";;"},
        {"delimiter": "ä"},
        {"delimiter": "\n"},
        {"delimiter": '"'},
        {"quote": "''"},
        {"quote": ""},
        {"decimal": "x"},
        {"quote": None, "decimal": ","},
        {"quote": None, "encoding": "utf-16"},
        {"sheet": "one"},
    ],
    ids=str,
)
def test_dialects_that_make_no_sense(tmp_path, declared):
    with pytest.raises(BadInput):
        read(_file(tmp_path / "t.csv", "a\n1\n"), **declared)


def test_decimal_commas(tmp_path):
    cells = [
        "12,5",
        " -0,25 ",
        "1e3",
        "+3,",
        ",5",
        "7",
        "1,5e-3",
        "12.5",
        "1.234,5",
        "a,b",
        ",",
        "",
    ]
    path = _file(tmp_path / "t.csv", "x;y\n" + "".join(f"{cell};1\n" for cell in cells))
    read_as = _cells(path, delimiter=";", decimal=",")["x"]
    expected = ["12.5", " -0.25 ", "1e3", "+3.", ".5", "7", "1.5e-3", None]
    assert read_as == [*expected, "1.234,5", "a,b", ",", None]


@pytest.mark.parametrize("suffix", [".csv.gz", ".CSV.GZ"])
def test_packed_files(tmp_path, suffix):
    whole = gzip.compress(b"a,b\n" + b"1,2\n" * 3) + gzip.compress(b"3,4\n")
    path = tmp_path / f"t{suffix}"
    path.write_bytes(whole)
    assert _cells(path)["a"] == ["1", "1", "1", "3"]
    for broken in (whole[:-3], whole[:-20], whole + b"x", b"a,b\n1,2\n"):
        path.write_bytes(broken)
        with pytest.raises(BadInput):
            read(path).count()


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_feather_files(tmp_path, compression):
    table = pa.table({"x": [1, None, 3], "s": pa.array(["a", "b", None]).dictionary_encode()})
    pa.feather.write_feather(table, tmp_path / "t.feather", compression=compression)
    source = read(tmp_path / "t.feather")
    assert source.types == {"x": pa.int64(), "s": pa.string()}
    assert source.count() == 3
    assert _cells(tmp_path / "t.feather") == {"x": [1, None, 3], "s": ["a", "b", None]}
    (tmp_path / "t.feather").write_bytes(b"junk")
    with pytest.raises(BadInput, match="not one well-formed"):
        read(tmp_path / "t.feather")


def _workbook(path, rows, *, sheet="one"):
    """A minimal workbook; a cell is text, a number, a truth value or a day (style 1)."""
    kinds = {str: 't="inlineStr"', bool: 't="b"', float: "", int: "", datetime.date: 's="1"'}

    def cell(place, row, value):
        if value is None:
            return ""
        name = f"{chr(65 + place)}{row}"
        if isinstance(value, str):
            inside = f"<is><t>{value}</t></is>"
        elif isinstance(value, datetime.date):
            inside = f"<v>{(value - datetime.date(1899, 12, 30)).days}</v>"
        else:
            inside = f"<v>{int(value) if isinstance(value, bool) else value}</v>"
        return f'<c r="{name}" {kinds[type(value)]}>{inside}</c>'

    body = "".join(
        f'<row r="{place}">'
        + "".join(cell(i, place, value) for i, value in enumerate(row))
        + "</row>"
        for place, row in enumerate(rows, 1)
    )
    main_ns = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}"><Relationship Id="rId1" '
            f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        book.writestr(
            "xl/workbook.xml",
            f'<workbook {main_ns} xmlns:r="{office}"><sheets>'
            f'<sheet name="{sheet}" sheetId="1" r:id="rId1"/></sheets></workbook>',
        )
        book.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{package}">'
            f'<Relationship Id="rId1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>'
            f'<Relationship Id="rId2" Type="{office}/styles" Target="styles.xml"/></Relationships>',
        )
        book.writestr(
            "xl/styles.xml",
            f'<styleSheet {main_ns}><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
            "</styleSheet>",
        )
        book.writestr(
            "xl/worksheets/sheet1.xml",
            f"<worksheet {main_ns}><sheetData>{body}</sheetData></worksheet>",
        )
    return path


def test_workbooks(tmp_path):
    rows = [["age", "day", "ok", "x"], [41, datetime.date(2024, 5, 1), True, 0.5]]
    rows += [["n/a", None, False, 1e20], [None, None, None, -3]]
    path = _workbook(tmp_path / "t.xlsx", rows)
    source = read(path)
    assert source.count() == 3
    assert dict(source.types) == dict.fromkeys(rows[0])
    assert _cells(path, sheet="one") == {
        "age": ["41", "n/a", None],
        "day": ["2024-05-01", None, None],
        "ok": ["true", "false", None],
        "x": ["0.5", "1e+20", "-3"],
    }
    with pytest.raises(BadInput, match="no sheet 'two'; it has one"):
        read(path, sheet="two")


def test_bad_rows_of_a_workbook_are_named_to_its_owner(tmp_path):
    rows = [["a", "b"], [1, 2], [None, None], [3, None], [4, 5, 6]]
    found = diagnose(read(_workbook(tmp_path / "t.xlsx", rows)))
    assert [one.where for one in found] == ["row 3", "row 5"]
    assert diagnose(read(_workbook(tmp_path / "u.xlsx", rows[:2]))) == []


@pytest.mark.parametrize("row", [[None, None], [1, 2, 3], [None, None, 3]])
def test_a_workbook_with_a_row_that_is_no_record_is_refused(tmp_path, row):
    path = _workbook(tmp_path / "t.xlsx", [["a", "b"], [1, 2], row, [1, 2]])
    with pytest.raises(BadInput, match="not one well-formed table"):
        read(path).check(["a"])
    (tmp_path / "junk.xlsx").write_bytes(b"PK\x03\x04junk")
    with pytest.raises(BadInput, match="not one well-formed table"):
        read(tmp_path / "junk.xlsx")


TOTAL = [
    (b"1,2,3", ["\ufffd", "\ufffd"]),
    (b"1", ["\ufffd", "\ufffd"]),
    (b"", ["\ufffd", "\ufffd"]),
    (b"\xff,1", ["\ufffd", "\ufffd"]),
    (b"1,\xed\xa0\x80", ["\ufffd", "\ufffd"]),
    (b'"1,2', ['"1', "2"]),
    (b'"a"b,"', ['"a"b', '"']),
    (b",", [None, None]),
    (b"a\rb,c\r", ["a\rb", "c"]),
    ("ä,€".encode(), ["ä", "€"]),
    (b"\0,x", ["\0", "x"]),
]


@pytest.mark.parametrize(("line", "cells"), TOTAL)
@pytest.mark.parametrize("place", [0, 1, 4])
def test_without_quotes_every_line_is_one_record(tmp_path, line, cells, place):
    lines = [b"%d,%d" % (row, -row) for row in range(4)]
    lines.insert(place, line)
    path = tmp_path / "t.csv"
    path.write_bytes(b"\n".join([b"a,b", *lines]) + b"\n")
    held = _cells(path, quote="none")
    assert [held["a"].pop(place), held["b"].pop(place)] == cells
    assert held == {"a": list("0123"), "b": ["0", "-1", "-2", "-3"]}


def test_without_quotes_unknown_bytes_stay_in_their_line(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a;b\n\xe4;1\n\x81;2\nx;3\n")
    held = _cells(path, quote=None, delimiter=";", encoding="cp1252")
    assert held == {"a": ["ä", "\ufffd", "x"], "b": ["1", "\ufffd", "3"]}


@pytest.mark.parametrize("block", [1, 7, 1 << 22])
def test_without_quotes_a_line_above_the_limit_is_unreadable(tmp_path, monkeypatch, block):
    monkeypatch.setattr("tacit.sources.blocks._BLOCK", block)
    monkeypatch.setattr("tacit.sources.text.LONGEST", 100)
    path = tmp_path / "t.csv"
    long = b"x" * 200 + b",1\n"
    path.write_bytes(b"a,b\n1,2\n" + long + b"3,4\n")
    held = _cells(path, quote=None)
    if block < 100:  # longer lines than the limit are known only when they do not fit a block
        assert held == {"a": ["1", "\ufffd", "3"], "b": ["2", "\ufffd", "4"]}
    assert [held["a"][0], held["a"][2]] == ["1", "3"]


HINTS = [
    (b"a;b;c\n1;2;3\n", "t.csv", "say --delimiter ';'"),
    (b"a\tb\n1\t2\n", "t.csv", "say --delimiter tab"),
    (b"a|b\n1|2\n", "t.csv", "say --delimiter '|'"),
    (b"a,b\n1,2\n", "t.tsv", "say --delimiter ','"),
    ("a,b\n".encode("utf-16"), "t.csv", "say --encoding utf-16"),
    ("a,b\n".encode("utf-16-le"), "t.csv", "say --encoding utf-16"),
    ("âge,b\n".encode("latin-1"), "t.csv", "--encoding cp1252"),
]


@pytest.mark.parametrize(("data", "name", "words"), HINTS)
def test_a_header_of_another_dialect_says_which_option_to_give(tmp_path, data, name, words):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInput, match=words.replace("|", r"\|")):
        read(tmp_path / name)


def test_a_declared_delimiter_is_believed(tmp_path):
    path = _file(tmp_path / "t.csv", "a;b\n1;2\n")
    assert _cells(path, delimiter=",") == {"a;b": ["1;2"]}


def test_several_files_only_when_asked(tmp_path, capsys):
    for name, rows in (("part1.csv", "1,0\n2,1\n"), ("part2.csv", "3,1\n")):
        _file(tmp_path / name, "x,y\n" + rows)
    with pytest.raises(BadInput, match="no such file; name one file, or --glob for all files"):
        read(tmp_path / "part*.csv")
    source = read(tmp_path / "part*.csv", glob=True)
    assert source.name == "2 files (part1.csv, part2.csv)"
    assert source.count() == 3
    assert read_table(source, ["x"]).to_pydict() == {"x": ["1", "2", "3"]}
    with pytest.raises(BadInput, match="no file matches"):
        read(tmp_path / "q*.csv", glob=True)
    _file(tmp_path / "part3.csv", "x,z\n1,0\n")
    with pytest.raises(BadInput, match=r"part3\.csv and part1\.csv have different columns"):
        read(tmp_path / "part*.csv", glob=True)
    _file(tmp_path / "part3.csv", 'x,y\n1,"0\n')
    with pytest.raises(BadInput, match=r"part3\.csv: the file is not one well-formed"):
        read(tmp_path / "part*.csv", glob=True).check(["x"])
    (tmp_path / "part3.csv").unlink()
    words = ["--label", "y", "--class", "thresholds", "--size", "11", "--epsilon", "1", "--glob"]
    ledger = ["--no-ledger"]
    assert main(["learn", str(tmp_path / "part*.csv"), *words, *ledger]) == 0
    assert "reading 2 files (part1.csv, part2.csv)" in capsys.readouterr().err


def test_other_kinds_of_files_are_named(tmp_path):
    for name in ("t.json", "t", "t.gz", "t.parquet.gz", "t.xls"):
        (tmp_path / name).write_bytes(b"x")
        with pytest.raises(BadInput, match=r"only \.csv, \.tsv"):
            read(tmp_path / name)
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(BadInput, match="is a folder"):
        read(tmp_path / "d.csv")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "t.parquet")
    for declared in ({"delimiter": ";"}, {"encoding": "cp1252"}, {"decimal": ","}, {"quote": None}):
        with pytest.raises(BadInput, match="is for text files"):
            read(tmp_path / "t.parquet", **declared)


def test_commands_take_the_dialect(tmp_path, capsys):
    rows = "".join(f"{i % 11},5;{'ja' if i % 11 > 5 else 'nein'}\n" for i in range(400))
    path = _file(tmp_path / "t.csv", "größe;krank\n" + rows, "cp1252")
    dialect = ["--delimiter", ";", "--decimal", ",", "--encoding", "cp1252"]
    assert main(["schema", "init", str(path), *dialect, "--label", "krank"]) == 0
    assert "größe" in capsys.readouterr().out
    schema = _file(tmp_path / "s.toml", '[columns."größe"]\nkind = "number"\nlow = 0\nhigh = 16\n')
    rule, out = tmp_path / "rule.json", tmp_path / "out.csv"
    words = ["--label", "krank", "--positive", "ja", "--model", "stump", "--epsilon", "50"]
    words += ["--schema", str(schema), "-o", str(rule)]
    ledger = ["--no-ledger"]
    assert main(["learn", str(path), *words, *dialect, *ledger]) == 0
    assert main(["predict", str(rule), str(path), *dialect, "-o", str(out)]) == 0
    _, *answers = out.read_text(encoding="utf-8").splitlines()
    assert len(answers) == 400
    assert len(set(answers)) == 2  # decimal commas were read, so the rule tells sizes apart
    column = ["--columns", "größe:0..15", "--queries", "thresholds", "--epsilon", "50"]
    more = ["-o", str(tmp_path / "syn.csv"), "--no-ledger"]
    assert main(["sanitize", str(path), *column, *dialect, *more]) == 0


def test_a_packed_or_typed_file_that_changes_ends_the_run(tmp_path):
    path = tmp_path / "t.feather"
    pa.feather.write_feather(pa.table({"x": [1, 2]}), path)
    source = read(path)
    source.check(["x"])
    pa.feather.write_feather(pa.table({"x": [1, 2, 3]}), path)
    with pytest.raises(SourceChanged):
        list(source.batches(["x"]))


def test_a_folder_is_read_with_glob_alone(tmp_path):
    folder = tmp_path / "all [1]"
    folder.mkdir()
    for name in ("b", "a"):
        (folder / f"{name}.csv").write_text(f"x,y\n{name},1\n")
    with pytest.raises(BadInput, match=r"all \[1\] is a folder: --glob reads all files"):
        read(folder)
    source = read(folder, glob=True)
    assert source.name == "2 files (a.csv, b.csv)"
    assert source.count() == 2
    (tmp_path / "none").mkdir()
    with pytest.raises(BadInput, match="no file matches"):
        read(tmp_path / "none", glob=True)


def test_no_file_is_read_twice(tmp_path):
    """A pattern that finds a file by two ways, or a link, counted every record in it twice."""
    inner = tmp_path / "in" / "deep"
    inner.mkdir(parents=True)
    _file(inner / "a.csv", "x,y\n1,0\n")
    assert read(tmp_path / "**" / "**" / "*.csv", glob=True).count() == 1
    for link in ("symlink_to", "hardlink_to"):
        getattr(inner / "b.csv", link)(inner / "a.csv")
        with pytest.raises(BadInput, match=r"a\.csv and .*b\.csv are one file"):
            read(inner, glob=True)
        (inner / "b.csv").unlink()


def test_a_column_that_is_asked_for_twice_comes_once(tmp_path):
    """The places of its cells were memory that nobody had written to."""
    source = read(_file(tmp_path / "t.csv", "x,y\n1,2\n"))
    assert [batch.to_pydict() for batch in source.batches(["y", "y"])] == [{"y": ["2"]}]
