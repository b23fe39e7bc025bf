"""Decimals, dates and times have the same cells from Postgres as from a Parquet file."""

import decimal
from datetime import date
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.sources.postgres_cases import REASON
from tests.sources.postgres_server import do, server

from tacit.domains import texts
from tacit.domains.dates import Date
from tacit.domains.fields import Boolean, Category, Integer, Number
from tacit.domains.integers import Integers
from tacit.domains.schema import Schema
from tacit.sources.batch_reading import label_numbers, labels_of
from tacit.sources.files import FileSample, read_table, table_reading
from tacit.sources.opening import read

pytestmark = pytest.mark.skipif(REASON is not None, reason=REASON or "")

DAY = 86_400_000_000
FIRST, LAST = -210_866_803_200_000_000, 9_223_371_244_799_999_999
"""4714-11-24 BC, and the end of the year 294246: what is beyond them is sent as these."""
DOSES = ["0", "1.5", "-1.5", "9.999", "10", "10.001", "-999.999", "999.999", "0.000", "-0.001"]
LARGE = [
    2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**100 + 1,
    "9007199254740993.01", "9007199254740992.99", "9007199254740991.50", "18446744073709551615.01", "-0.01", 0, 1, 10,
]  # fmt: skip
ANY = [
    "10.00000000000000000000000000000000000001", "9.99999999999999999999999999999999999999",
    "0.10000000000000000000000000000000000001", "0.1", "-0.1", str(2**100), f"{2**53 + 1}.0000", "1.0", "1", "0.50",
    "12345678901234567890123456789012345678.00000000000000000000000000000000000001",
]  # fmt: skip
TIMES = [
    0, -1, 1, DAY - 1, DAY, DAY + 1, -DAY, -DAY - 1,
    1_704_067_200_000_000, 1_704_067_199_999_999, 1_704_067_200_000_001,  # 2024, and about it
    -62_135_596_800_000_000, -62_135_596_800_000_001,  # the first year, and before it
    253_402_300_799_999_999, 253_402_300_800_000_000,  # the last of four digits, and after it
    -210_000_000_000_000_000, LAST - 1, FIRST + 1,
]  # fmt: skip
DAY_ENDS = (2145042905, -2440588)
DAYS = [0, -1, 1, 19723, 19722, 19724, -719162, -719163, 2932896, 2932897, -2440588, 2145042905]


def _random(generator, count):
    """Decimals of all sizes and scales that fit the widest decimal of Arrow."""
    digits = generator.integers(1, 39, count)
    whole = ["".join(map(str, generator.integers(0, 10, size))) for size in digits]
    scale = generator.integers(0, 39, count)
    return [f"{'-' if generator.random() < 0.3 else ''}{w}." + f"{w[::-1]}0"[:s].ljust(1, "0")
            for w, s in zip(whole, scale, strict=True)]  # fmt: skip


def _padded(values, rows):
    return [*values, *[None] * (rows - len(values))]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The same records in a file and in a server."""
    from tacit.sources.postgres import PostgresTable

    generator = np.random.default_rng(6)
    any_ = [*ANY, *_random(generator, 300)]
    rows = len(any_) + 2  # the last two are special to the server
    columns = {
        "dose": (DOSES, "numeric(6,3)", pa.decimal128(6, 3)),
        "large": (list(map(str, LARGE)), "numeric(40,2)", pa.decimal256(40, 2)),
        "whole": (
            list(map(str, [*DAYS, 10, 10**29, -(10**29)])),
            "numeric(30)",
            pa.decimal128(30, 0),
        ),
        "any": (any_, "numeric", pa.decimal256(76, 38)),
        "ts": (TIMES, "timestamp", pa.timestamp("us")),
        "tz": (TIMES, "timestamptz", pa.timestamp("us", "Europe/Berlin")),
        "day": (DAYS, "date", pa.date32()),
    }
    held, special = {}, {}
    for name, (values, kind, arrow) in columns.items():
        padded = _padded(values, rows)
        if "numeric" in kind:
            held[name] = pa.array([None if v is None else Decimal(v) for v in padded], arrow)
            special[name] = ["'NaN'", "NULL"]
        else:
            ends = DAY_ENDS if kind == "date" else (LAST, FIRST)
            plain = pa.int32() if kind == "date" else pa.int64()
            held[name] = pa.array([*padded[:-2], *ends], plain).cast(arrow)
            special[name] = ["'infinity'", "'-infinity'"]
    path = tmp_path_factory.mktemp("types") / "held.parquet"
    pq.write_table(pa.table(held), path, row_group_size=100)
    with server() as address:
        told = ", ".join(f'"{name}" {kind}' for name, (_, kind, _) in columns.items())
        lines = [
            ", ".join(_sql(columns[n], special[n], place, rows) for n in columns)
            for place in range(rows)
        ]
        do(address, "SET timezone TO 'Asia/Tokyo'", f"CREATE TABLE held ({told})",
           f"INSERT INTO held VALUES {', '.join(f'({line})' for line in lines)}",
           "ALTER DATABASE postgres SET timezone TO 'Asia/Tokyo'")  # fmt: skip
        source = PostgresTable(address, table="held")
        yield read(path), source
        source.close()


def _sql(column, special, place, rows):
    """A cell of the server's table; dates and times as distances, so that no form is parsed."""
    values, kind, _ = column
    if place >= rows - 2:
        return special[place - rows + 2]
    if place >= len(values):
        return "NULL"
    if "numeric" in kind:
        return f"'{values[place]}'"
    if kind == "date":
        return f"date '1970-01-01' + {values[place]}"
    zone = "+00" if kind == "timestamptz" else ""
    ticks = values[place]
    days, rest = divmod(ticks, DAY)
    return f"{kind} '1970-01-01 00:00:00{zone}' + {days} * interval '24 hours' + {rest} * interval '1 microsecond'"


def test_the_public_types_are_those_of_the_file(both):
    file, table = both
    assert list(file.types) == list(table.types)
    for name in ("dose", "large", "whole", "any", "ts", "day"):
        assert table.types[name] == file.types[name]
    assert str(table.types["tz"]) == "timestamp[us, tz=UTC]"


FIELDS = {
    "number": Number(low=-10, high=10, bins=8),
    "cuts": Number(low=-1e20, high=1e20, edges=(-1, 0.1, 10, 2**53, 2**64)),
    "integer": Integer(low=0, high=10),
    "category": Category(values=("10", 1.5, 0.1, 2**64, "yes")),
    "truth": Boolean(),
    "own": Number(low=0, high=10, bins=4, missing="own"),
}


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("column", ["dose", "large", "whole", "any"])
@pytest.mark.parametrize("field", FIELDS)
def test_decimals_have_the_cells_of_the_file(both, field, column, quick, monkeypatch):
    monkeypatch.setattr(texts, "_LOADED", [])
    if quick:
        texts.prepare()
    file, table = _cells(both, Schema.of({column: FIELDS[field]}))
    assert len(np.unique(file)) > 1
    assert (file == table).all()


DATES = {
    "days": Date(low=date(2023, 12, 30), high=date(2024, 1, 5), unit="days"),
    "epoch": Date(low=date(1969, 12, 30), high=date(1970, 1, 3), unit="days", missing="own"),
    "years": Date(low=date(1, 1, 1), high=date(9999, 12, 31), bins=32),
    "category": Category(
        values=("2024-01-01", "1970-01-01", "1969-12-31", "2024-01-01 00:00:00.000001")
    ),
}


@pytest.mark.parametrize("column", ["ts", "tz", "day"])
@pytest.mark.parametrize("field", DATES)
def test_dates_and_times_have_the_cells_of_the_file(both, field, column):
    file, table = _cells(both, Schema.of({column: DATES[field]}))
    assert len(np.unique(file)) > 1
    assert (file == table).all()
    if field != "category":  # infinite ones are beyond every other
        assert table[-2:].tolist() == [DATES[field].cells - 1, DATES[field].extra]


def _cells(both, schema):
    """The cells of one column, from each of the two."""
    out = []
    for source in both:
        reading = table_reading(source, schema=schema)
        out.append(schema.coerce(reading.features(read_table(source, reading.names)))[:, 0])
    return out


@pytest.mark.parametrize("bits", [4, 20, 53, 54, 64, 130])
@pytest.mark.parametrize("column", ["dose", "large", "whole", "any"])
def test_decimals_are_the_same_whole_numbers(both, column, bits):
    domain = Integers(bits=bits)
    samples = [FileSample(one, columns=(column,), exact=bits > 53) for one in both]
    file, table = (domain.coerce(one.x).tolist() for one in samples)
    assert file == table
    if column == "large":
        assert {min(max(0, one), domain.size - 1) for one in LARGE if type(one) is int} <= set(file)


@pytest.mark.parametrize("wanted", [10, "10.0", 1.5, 2**53 + 1, "0.1"])
@pytest.mark.parametrize("column", ["dose", "large", "any"])
def test_decimals_are_the_same_labels(both, column, wanted):
    file, table = (read_table(one, [column]).column(column) for one in both)
    assert (labels_of(file, wanted) == labels_of(table, wanted)).all()
    values = (0, wanted, 1)
    assert (label_numbers(file, values) == label_numbers(table, values)).all()


def test_a_decimal_context_of_the_user_plays_no_part(both):
    with decimal.localcontext(prec=3):
        file, table = _cells(both, Schema.of({"any": FIELDS["cuts"]}))
    assert (file == table).all()
