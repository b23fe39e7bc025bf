"""Types of Postgres: what is read cannot fail, and what is not read is named with its type."""

import pyarrow as pa
import pytest
from tests.sources.postgres_cases import REASON
from tests.sources.postgres_server import do, server

from tacit import Accuracy, Ledger, Privacy, Task, learn, sanitize
from tacit.classes import Thresholds
from tacit.cli import main
from tacit.core import BadInput
from tacit.domains.fields import Number
from tacit.domains.integers import Integers
from tacit.domains.schema import Schema
from tacit.sources.files import read_table, table_reading
from tacit.sources.postgres_types import ColumnType

needs_a_server = pytest.mark.skipif(REASON is not None, reason=REASON or "")
TASK = Task(Thresholds(bits=4), privacy=Privacy(1), accuracy=Accuracy("0.2", "0.1"))


def _packed(digits, fraction):
    """The modifier of ``numeric(digits, fraction)``, as the server packs it."""
    return ((digits << 16) | (fraction & 0x7FF)) + 4


@pytest.mark.parametrize(
    ("modifier", "wanted"),
    [
        (_packed(6, 3), pa.decimal128(6, 3)),
        (_packed(38, 38), pa.decimal128(38, 38)),
        (_packed(39, 0), pa.decimal256(39, 0)),
        (_packed(76, 1), pa.decimal256(76, 1)),
        (_packed(77, 1), pa.decimal256(76, 38)),
        (_packed(3, 5), pa.decimal256(76, 38)),  # all digits behind zeros
        (_packed(3, -2), pa.decimal256(76, 38)),  # rounded to hundreds
        (-1, pa.decimal256(76, 38)),
    ],
)
def test_a_numeric_counts_as_the_decimal_that_it_declares(modifier, wanted):
    assert ColumnType("numeric", "numeric", modifier).arrow(pa.string()) == wanted


def test_other_types_are_what_arrives():
    for kind in ("int4", "text", "timestamp", "date"):
        assert ColumnType(kind, kind, -1).read
        assert ColumnType(kind, kind, -1).arrow(pa.int32()) == pa.int32()
    assert ColumnType("int4", "integer", -1).sent('a "b"') == '"a ""b"""'
    for kind in ("point", "jsonb", "time", "interval", "money", "uuid", "_int4"):
        assert not ColumnType(kind, kind, -1).read


@pytest.fixture(scope="module")
def address():
    with server() as where:
        many = "9" * 100_000
        do(
            where,
            "CREATE TABLE wild (x numeric, place point, label int)",
            f"INSERT INTO wild VALUES ('Infinity', NULL, 1), ('-Infinity', NULL, 0), "
            f"({many}.{many[:9000]}, NULL, 1), (-{many}, NULL, 0), (1e-9000, NULL, 0), "
            f"('NaN', NULL, 0), (NULL, NULL, 0), (5.0000, NULL, 1), (1{'0' * 400}, NULL, 1)",
            "CREATE DOMAIN dose AS numeric(6,3)",
            'CREATE TABLE shapes (place point, doses dose, "when" interval)',
            "INSERT INTO shapes VALUES ('(271,828)', 1.5, '3 days')",
        )
        yield where


@needs_a_server
def test_every_numeric_has_a_place(address):
    from tacit.sources.postgres import PostgresTable

    source = PostgresTable(address, table="wild")
    field = Number(low=0, high=10, bins=5, missing="own")
    schema = Schema.of({"x": field})
    reading = table_reading(source, schema=schema)
    table = read_table(source, reading.names)
    top, low = field.cells - 1, field.extra
    placed = schema.coerce(reading.features(table))[:, 0].tolist()
    assert placed == [top, low, top, low, low, 0, 0, low + 2, top]
    for bits, last in ((4, 15), (60, 2**60 - 1), (1000, 2**1000 - 1)):
        found = Integers(bits=bits).coerce(table.column("x"))
        assert found.tolist() == [last, 0, last, 0, 0, 0, 0, 5, last]
    source.close()


@needs_a_server
def test_a_type_that_is_not_read_is_named_before_the_charge(address):
    from tacit.sources.postgres import PostgresTable

    source, ledger = PostgresTable(address, table="wild"), Ledger.memory()
    assert list(source.types) == ["x", "label"]
    assert source.unread == {"place": "point"}
    words = "table 'wild': column 'place' is of type point, which is not read"
    for named in ({"column": "place", "label": "label"}, {"column": "x", "label": "place"}):
        with pytest.raises(BadInput, match=words):
            learn(TASK, source, ledger=ledger, **named)
    with pytest.raises(BadInput, match=words):
        sanitize(source, Thresholds(bits=4), privacy=Privacy(1), column="place", ledger=ledger)
    with pytest.raises(BadInput, match=words):
        table_reading(source, schema=Schema.of({"place": (0, 1)}))
    with pytest.raises(BadInput, match="no column 'nowhere'"):
        learn(TASK, source, ledger=ledger, column="nowhere", label="label")
    assert not ledger.entries
    source.close()
    for query in ("SELECT place FROM wild", "SELECT x FROM wild WHERE place IS NULL"):
        with pytest.raises(BadInput, match=words):
            PostgresTable(address, query=query)
    with pytest.raises(BadInput, match="column 'place' is of type point, which is not read") as no:
        PostgresTable(address, table="shapes")
    assert "271" not in str(no.value)


@needs_a_server
def test_the_command_line_names_types_that_are_not_read(address, tmp_path, capsys):
    schema = tmp_path / "schema.toml"
    schema.write_text('[columns.x]\nkind = "number"\nlow = 0\nhigh = 10\n')
    common = ["learn", address, "--table", "wild", "--schema", str(schema), "--epsilon", "1"]
    for label in ("--label", "--labels"):
        out = str(tmp_path / f"rule{label}.json")
        assert main([*common, label, "place", "--positive", "1", "--no-ledger", "-o", out]) == 2
        assert "column 'place' is of type point, which is not read" in capsys.readouterr().err
    assert main(["schema", "init", address, "--table", "wild", "--label", "place"]) == 2
    assert "column 'place' is of type point, which is not read" in capsys.readouterr().err
    assert main(["schema", "init", address, "--table", "wild", "--label", "label"]) == 0
    said = capsys.readouterr().out
    assert "place is of type point: not read" in said
    assert '[columns."x"]\nkind = "number"' in said


@needs_a_server
def test_a_role_that_may_read_some_columns_reads_these(address):
    from tacit.sources.postgres import PostgresTable

    do(address, "CREATE ROLE reader LOGIN", "GRANT SELECT (x, label) ON wild TO reader")
    do(address, "ALTER TABLE wild ADD COLUMN name text")
    some = address.replace("tacit@", "reader@")
    with pytest.raises(BadInput, match=r"may not read every column.*--query"):
        PostgresTable(some, table="wild")
    source = PostgresTable(some, query="SELECT x, label FROM wild")
    assert source.count() == sum(one.num_rows for one in source.batches(["x", "label"])) == 9
    source.close()
