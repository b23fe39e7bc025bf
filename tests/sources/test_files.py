"""A named file is read whole and alone, or refused before anything is charged."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.tools.long import long_ones

from tacit import Ledger
from tacit.cli import main
from tacit.core import BadInput, SourceChanged
from tacit.domains.schema import Schema
from tacit.estimators import StumpClassifier
from tacit.sources import read as open_file
from tacit.sources.files import FileSample, TableSample, read_table
from tacit.sources.text import TextFile

GOOD = [f"ok,{place},{place % 2}" for place in range(200)]

BROKEN = {
    "quote in an unused column": ('"open quote,5,1', 100),
    "quote in a label, first": ('ok,0,"1', 0),
    "quote in a label, middle": ('ok,0,"1', 50),
    "quote in a label, last": ('ok,0,"1', 199),
    "quote inside a cell": ('o"k,5,1', 7),
    "text after a quote": ('"ok"y,5,1', 7),
    "quote alone": ('"', 7),
    "cell too many": ("ok,5,1,1", 7),
    "cell too few": ("ok,5", 7),
    "blank line": ("", 7),
    "not utf-8": (b"\xff,5,1", 7),
    "lone carriage return": ("o\rk,5,1", 7),
}


def _table(path, rows, *, header="note,age,y"):
    lines = [row if isinstance(row, bytes) else row.encode() for row in rows]
    path.write_bytes(b"\n".join([header.encode(), *lines]) + b"\n")
    return path


def _sample(path, **columns):
    return TableSample(open_file(path), schema=Schema.of(columns), label="y", positive=1)


def _learn(path, ledger, *more):
    schema = path.with_suffix(".toml")
    schema.write_text('[columns.age]\nkind = "number"\nlow = 0\nhigh = 200\n')
    words = ["--label", "y", "--model", "stump", "--epsilon", "1"]
    return main(
        ["learn", str(path), "--schema", str(schema), *words, "--ledger", str(ledger), *more]
    )


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_record_refuses_the_file_with_one_message_and_no_charge(tmp_path, case, capsys):
    row, place = BROKEN[case]
    path = _table(tmp_path / "t.csv", [*GOOD[:place], row, *GOOD[place + 1 :]])
    ledger = Ledger.memory(epsilon=1)
    domain = {"age": (0, 200)}
    with pytest.raises(BadInput) as refused:
        StumpClassifier(domain=domain, ledger=ledger, epsilon=1).fit_file(path, label="y")
    assert str(refused.value) == (
        "t.csv: the file is not one well-formed table; it was refused as a whole and nothing "
        "was charged. `tacit doctor` tells its owner where; --delimiter, --quote and --encoding "
        "declare how it is written"
    )
    assert ledger.would_allow(StumpClassifier(domain=domain)._event(np.zeros((200, 1))))
    Ledger.open(tmp_path / "b.db", 1)
    assert _learn(path, tmp_path / "b.db") == 2
    assert str(refused.value) in capsys.readouterr().err


@pytest.mark.parametrize("note", ["", '"a,b"', '"two\nlines"', '"say ""x"""', "ä", '""', " "])
def test_a_well_formed_record_leaves_the_others(tmp_path, note):
    rows = [*GOOD[:100], f"{note},5,1", *GOOD[101:]]
    sample = _sample(_table(tmp_path / "t.csv", rows), age=(0, 200))
    ages = sample.x.column("age").to_pylist()
    assert len(sample) == len(ages) == len(sample.y) == 200
    assert ages[:100] + ages[101:] == [str(place) for place in range(200) if place != 100]
    assert ages[100] == "5"


def test_cells_are_read_as_written(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b'\xef\xbb\xbfa,"b ""c"""\r\n"x,""y""\r\nz",\n 1 ,""')
    table = read_table(open_file(path), ["a", 'b "c"'])
    assert table.to_pydict() == {"a": ['x,"y"\r\nz', " 1 "], 'b "c"': [None, None]}


def test_records_longer_than_a_block_are_read(tmp_path, monkeypatch):
    rows = [f'"{"x" * 5000}\n{place}",{place}' for place in range(50)]
    path = _table(tmp_path / "t.csv", rows, header="a,b")
    monkeypatch.setattr("tacit.sources.blocks._BLOCK", 100)
    monkeypatch.setattr("tacit.sources.text._ROWS", 7)
    table = read_table(open_file(path), ["b", "a"])
    assert table.column("b").to_pylist() == [str(place) for place in range(50)]
    assert table.column("a").to_pylist()[3] == "x" * 5000 + "\n3"


@pytest.mark.parametrize("rest", long_ones([0, 1, 2], 0, 1))
def test_a_record_above_the_limit_is_refused_wherever_it_stands(tmp_path, monkeypatch, rest):
    from tacit.sources import scan

    monkeypatch.setattr("tacit.sources.text._ROWS", 3)
    monkeypatch.setattr("tacit.sources.blocks._BLOCK", 1 << 24)  # it is looked at anew at each
    long = "x" * (scan.LONGEST - 3)  # with its delimiter, one more cell and the line end
    path = _table(tmp_path / "t.csv", ["a,b"] * rest + [long + ",1"], header="a,b")
    assert open_file(path).count() == rest + 1
    path = _table(tmp_path / "u.csv", ["a,b"] * rest + [long + "x,1"], header="a,b")
    with pytest.raises(BadInput):
        open_file(path).count()


@pytest.mark.parametrize("name", ["people[1]", "people*", "people?", "a=1"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_name_with_a_pattern_is_that_file_alone(tmp_path, name, kind):
    def write(path, values):
        if kind == "csv":
            return _table(path, [str(value) for value in values], header="x")
        pq.write_table(pa.table({"x": values}), path)
        return path

    write(tmp_path / f"people1.{kind}", [7, 7, 7, 7])
    named = write(tmp_path / f"{name}.{kind}", [1, 2, 3])
    assert FileSample(open_file(named), columns=("x",), exact=False).x.tolist() == [1, 2, 3]


def test_a_folder_named_like_a_column_changes_no_label(tmp_path):
    folder = tmp_path / "sick=1"
    folder.mkdir()
    pq.write_table(pa.table({"x": [1, 2, 3], "sick": [0, 1, 0]}), folder / "p.parquet")
    sample = FileSample(
        open_file(folder / "p.parquet"), columns=("x",), labels=("sick",), exact=False
    )
    assert sample.y.tolist() == [False, True, False]


@pytest.mark.parametrize("name", ["Age", "age"])
def test_names_that_differ_by_case_are_two_columns(tmp_path, name):
    pq.write_table(pa.table({"Age": [1, 1], "age": [2, 2]}), tmp_path / "t.parquet")
    sample = FileSample(open_file(tmp_path / "t.parquet"), columns=(name,), exact=False)
    assert sample.x.tolist() == {"Age": [1, 1], "age": [2, 2]}[name]
    with pytest.raises(BadInput, match="no column 'AGE'"):
        FileSample(open_file(tmp_path / "t.parquet"), columns=("AGE",), exact=False)


def test_names_are_compared_exactly_in_a_csv_file_too(tmp_path):
    path = _table(tmp_path / "t.csv", ["1,2"], header="Age,age")
    assert FileSample(open_file(path), columns=("age",), exact=True).x.tolist() == ["2"]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_that_changes_after_the_check_ends_the_run(tmp_path, kind):
    path = tmp_path / f"t.{kind}"

    def write(rows):
        if kind == "csv":
            return _table(path, ["1,1"] * rows, header="x,y")
        return pq.write_table(pa.table({"x": [1] * rows, "y": [1] * rows}), path)

    write(3)
    sample = FileSample(open_file(path), columns=("x",), labels=("y",), exact=False)
    write(4)
    with pytest.raises(SourceChanged, match="changed"):
        _ = sample.x
    path.unlink()
    with pytest.raises(SourceChanged, match="opened"):
        _ = sample.x


def test_features_and_labels_come_from_one_scan(tmp_path, monkeypatch):
    path = _table(tmp_path / "t.csv", GOOD)
    sample = _sample(path, note=("ok", "no"), age=(0, 200))
    passes = []
    source = sample._source
    read = source.batches
    monkeypatch.setattr(source, "batches", lambda names: passes.append(names) or read(names))
    assert len(sample.y) == len(sample.x) == len(sample) == 200
    assert passes == [["note", "age", "y"]]


def test_text_that_is_not_utf8_in_a_parquet_file_refuses_it(tmp_path):
    raw = pa.array([b"a", b"\xff\xfe", b"c"])
    text = pa.StringArray.from_buffers(3, *raw.buffers()[1:])
    pq.write_table(pa.table({"x": text, "y": [1, 0, 1]}), tmp_path / "t.parquet")
    with pytest.raises(BadInput, match="not one well-formed table"):
        _sample(tmp_path / "t.parquet", x=("a", "b"))
    assert FileSample(
        open_file(tmp_path / "t.parquet"), columns=("y",), exact=False
    ).x.tolist() == [1, 0, 1]


def test_a_dictionary_column_has_the_type_of_its_values(tmp_path):
    table = pa.table({"x": pa.array(["a", None, "b"]).dictionary_encode()})
    pq.write_table(table, tmp_path / "t.parquet")
    source = open_file(tmp_path / "t.parquet")
    assert source.types == {"x": pa.string()}
    assert read_table(source, ["x"]).column("x").to_pylist() == ["a", None, "b"]


@pytest.mark.parametrize("header", ["", "a,a", '"a', "\n", ",", 'a,"b', 'a"b,c', '"a"b,c'])
def test_the_first_line_must_name_the_columns(tmp_path, header):
    """A quote that is left open in it does not make names of the records."""
    path = tmp_path / "t.csv"
    path.write_text(header + '\n1,"2"\n')
    with pytest.raises(BadInput, match="first line must name"):
        open_file(path)


class Rows:
    """How many records there are."""

    def zero(self):
        return 0

    def add(self, counter, batch):
        return counter + batch.num_rows

    def merge(self, left, right):
        return left + right


def test_a_short_text_file_is_read_once(tmp_path, monkeypatch):
    path = tmp_path / "short.csv"
    path.write_text("x,other,y\n" + "".join(f"{k},a,{k % 2}\n" for k in range(1000)))
    opened, passes = TextFile._records, []
    monkeypatch.setattr(
        TextFile,
        "_records",
        lambda self, names, part: passes.append(names) or opened(self, names, part),
    )
    source = open_file(path)
    sample = FileSample(source, columns=("x",), labels=("y",), exact=False)
    assert [sample.fold(Rows()) for _ in range(3)] == [1000] * 3
    assert len(sample) == 1000
    assert passes == [("x", "y")]
    assert [b.column("other")[0].as_py() for b in source.batches(["other"])] == ["a"]
    assert len(passes) == 2
    path.write_text("x,other,y\n" + "".join(f"{k},a,{k % 2}\n" for k in range(999)))
    with pytest.raises(SourceChanged):
        sample.fold(Rows())


def test_a_long_text_file_is_read_again_and_never_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("tacit.sources.kept._MOST", 100)
    path = tmp_path / "long.csv"
    path.write_text("x,y\n" + "".join(f"{k},{k % 2}\n" for k in range(1000)))
    source = open_file(path)
    sample = FileSample(source, columns=("x",), labels=("y",), exact=False)
    assert not source._kept.has(["x"])
    assert sample.fold(Rows()) == 1000
    assert sample.x.tolist() == list(range(1000))
