"""Change one record of a well-formed file to any bytes: what happens to all the others?

    python -m benchmarks.fuzz_intake --files 100000 --schemas 100000

Every file is written in a declared dialect, or as Parquet. After one record has been
replaced, the file must be refused before the charge with the one constant message, or have
all other records as they were and as many records as the new bytes make by themselves (one,
if they are one record). What the bytes make is decided by a reader of its own, in regular
expressions. Anything else, an exception or another message, ends the run with the seed.
"""

from __future__ import annotations

import argparse
import gzip
import random
import re
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.fuzz_schema import Wrong, fuzz_schema
from tacit.accounting import Ledger
from tacit.core import BadInput
from tacit.estimators import StumpClassifier
from tacit.sources.files import read_table
from tacit.sources.opening import read
from tacit.sources.words import not_a_table

UNREADABLE = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True)
class Written:
    """How a file of the fuzz is written."""

    delimiter: str
    quote: str | None
    encoding: str
    end: str
    last_end: bool
    packed: bool
    columns: int

    @property
    def declared(self) -> dict[str, str | None]:
        return {"delimiter": self.delimiter, "quote": self.quote, "encoding": self.encoding}


def draw_dialect(draw: random.Random) -> Written:
    quote = draw.choice(['"', '"', '"', "'", None])
    encodings = ["utf-8"] * 4 + ["latin-1", "cp1252"] + (["utf-16"] if quote else [])
    return Written(
        delimiter=draw.choice(",,,;\t|"),
        quote=quote,
        encoding=draw.choice(encodings),
        end=draw.choice(["\n", "\n", "\r\n"]),
        last_end=draw.random() < 0.8,
        packed=draw.random() < 0.05,
        columns=draw.randrange(1, 5),
    )


def draw_cell(draw: random.Random, how: Written) -> tuple[str, str | None]:
    """A well-formed cell as it is written, and what it says."""
    plain = ["", "0", "17", "-3.5", "x y", "ä", "nan", "1e9", "yes", " ", "#", "\\", "\t"]
    text = draw.choice([one for one in plain if how.delimiter not in one])
    if how.quote is None or draw.random() < 0.7:
        if how.columns == 1 and not text and how.quote is not None:
            text = "0"  # a blank line is no record
        return text, text or None
    inside = draw.choice(["", "a", ",", ";", "\n", "\r\n", "\r", how.quote, "a" + how.quote * 2])
    inside += text
    return how.quote + inside.replace(how.quote, 2 * how.quote) + how.quote, inside or None


def change(draw: random.Random, old: bytes, others: list[bytes], how: Written) -> bytes:
    """Any bytes in the place of a record."""
    marks = [how.delimiter, how.quote or '"', "\n", "\r", "\r\n", "x", "0", "ä", '""', "\0"]
    special = [
        one.encode("utf-16-le" if how.encoding == "utf-16" else how.encoding) for one in marks
    ]
    special += [
        b"\xff",
        b"\x81",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\x00",
        b"\xf4\x90\x80",
    ]
    new = bytearray(draw.choice([old, old, old, draw.choice(others), b""]))
    for _ in range(draw.choice([0, 1, 1, 1, 2, 3, 8])):
        place = draw.randrange(len(new) + 1)
        kind = draw.randrange(5)
        if kind < 3:
            new[place:place] = draw.choice(special)
        elif kind == 3:
            del new[place : place + draw.randrange(1, 4)]
        else:
            new[place:place] = draw.randbytes(draw.randrange(1, 4))
    return bytes(new)


def plain_read(data: bytes, how: Written) -> list[list[str | None]] | None:
    """All records by regular expressions over the decoded text; ``None`` if refused."""
    if how.quote is None:
        return _plain_lines(data, how)
    try:
        text = data.decode(how.encoding)
    except UnicodeDecodeError:
        return None
    quote, mark = re.escape(how.quote), re.escape(how.delimiter)
    quoted = f"{quote}(?:[^{quote}]|{quote}{quote})*{quote}"
    cell = f"(?:{quoted}|[^{mark}{quote}\r\n]*)"
    record = re.compile(f"({cell}(?:{mark}{cell}){{{how.columns - 1}}})(\r\n|\n|\\Z)")
    cells = re.compile(f"(?:^|{mark})({cell})")
    records, place = [], 0
    while place < len(text):
        found = record.match(text, place)
        if found is None or not found[1]:
            return None
        records.append([_said(one, how.quote) for one in cells.findall(found[1])])
        place = found.end()
    return records


def _said(cell: str, quote: str) -> str | None:
    if cell.startswith(quote):
        cell = cell[1:-1].replace(2 * quote, quote)
    return cell or None


def _plain_lines(data: bytes, how: Written) -> list[list[str | None]]:
    lines = data.split(b"\n")
    ended = [line.removesuffix(b"\r") for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    records: list[list[str | None]] = []
    for line in ended:
        try:
            cells = line.decode(how.encoding).split(how.delimiter)
        except UnicodeDecodeError:
            cells = []
        fits = len(cells) == how.columns
        records.append([one or None for one in cells] if fits else [UNREADABLE] * how.columns)
    return records


def _read(path: Path, how: Written) -> list[list[str | None]] | None:
    """All records by the way in; ``None`` if refused with the constant message."""
    try:
        source = read(path, **how.declared)  # type: ignore[arg-type]
        names = list(source.types)
        source.check(names)
    except BadInput as refused:
        if str(refused) != str(not_a_table(path.name)):
            raise Wrong(f"another message: {refused}") from None
        return None
    table = read_table(source, names)
    if table.num_rows != source.count():
        raise Wrong("the number of records that is read is not the number that is said")
    columns = [column.to_pylist() for column in table.columns]
    return [list(row) for row in zip(*columns, strict=True)]


def fuzz_text(draw: random.Random, folder: Path) -> str:
    """One changed record of one text file; what became of it."""
    how = draw_dialect(draw)
    rows = draw.randrange(1, 10)
    cells = [[draw_cell(draw, how) for _ in range(how.columns)] for _ in range(rows)]
    lines = [how.delimiter.join(cell for cell, _ in row) for row in cells]
    said = [[told for _, told in row] for row in cells]
    names = how.delimiter.join(f"c{place}" for place in range(how.columns))
    wide = how.encoding == "utf-16"
    code = "utf-16-le" if wide else how.encoding
    header = (b"\xff\xfe" if wide else b"") + (names + how.end).encode(code)
    end = how.end.encode(code)
    records = [line.encode(code) for line in lines]

    def whole(parts: list[bytes]) -> bytes:
        body = end.join(parts) + (end if how.last_end else b"")
        return header + body

    # Without quotes, the last line without a line end must not be empty to be there.
    if how.quote is None and not how.last_end and not records[-1]:
        records[-1], said[-1] = b"0", ["0"]
    path = folder / ("t.csv.gz" if how.packed else "t.csv")

    def put(data: bytes) -> None:
        path.write_bytes(gzip.compress(data, 1) if how.packed else data)

    put(whole(records))
    if _read(path, how) != said:
        raise Wrong("a well-formed file was not read as written")
    place = draw.randrange(rows)
    slim = Written(**{**vars(how), "encoding": code})
    new = change(draw, records[place], records, how)
    changed = [*records[:place], new, *records[place + 1 :]]
    put(whole(changed))
    held = _read(path, how)
    expected = plain_read(whole(changed)[len(header) :], slim)
    if held != expected:
        raise Wrong(f"read {held}, expected {expected}")
    alone = plain_read(new, slim) if new else []
    one = alone is not None and len(alone) == 1 and not new.endswith("\r\n".encode(code)[-1:])
    if held is None:
        if one:
            raise Wrong("a file of well-formed records was refused")
        return "refused"
    after = rows - place - 1
    if held[:place] != said[:place] or (after and held[-after:] != said[place + 1 :]):
        raise Wrong("another record was moved")
    if one and len(held) != rows:
        raise Wrong("one record for one changed the number of records")
    return "one record" if len(held) == rows else "several records or none"


TYPES = {
    "int": (pa.int64(), [0, 1, None, -(2**63), 2**63 - 1, 2**53 + 1]),
    "float": (pa.float64(), [0.5, None, float("nan"), float("inf"), -0.0, 1e308]),
    "text": (pa.string(), ["a", "", None, "\0", "ä" * 50, "7", "\ud7ff"]),
    "words": (pa.dictionary(pa.int8(), pa.string()), ["a", "b", None]),
    "bool": (pa.bool_(), [True, False, None]),
    "moment": (pa.timestamp("us"), [0, None, 2**62, -(2**62)]),
    "day": (pa.date32(), [19844, None, 2**31 - 1, -(2**31)]),
    "list": (pa.list_(pa.int64()), [[1], [], None, [None, 2]]),
}


def _table(columns: list[str], rows: list[list[object]]) -> pa.Table:
    arrays = {}
    for place, name in enumerate(columns):
        kind = TYPES[name][0]
        values = [row[place] for row in rows]
        if pa.types.is_temporal(kind):
            ticks = pa.int64() if name == "moment" else pa.int32()
            arrays[name] = pa.array(values, ticks).cast(kind)
        elif pa.types.is_dictionary(kind):
            arrays[name] = pa.array(values, pa.string()).dictionary_encode()
        else:
            arrays[name] = pa.array(values, kind)
    return pa.table(arrays)


def _bits(column: pa.ChunkedArray) -> list[object]:
    """A column to compare by: not a number equals itself, and no date is out of range."""
    whole = column.combine_chunks()
    if pa.types.is_floating(whole.type) or pa.types.is_temporal(whole.type):
        whole = whole.view(pa.int32() if whole.type.bit_width == 32 else pa.int64())
    held: list[object] = whole.to_pylist()
    return held


def fuzz_parquet(draw: random.Random, folder: Path) -> str:
    """One changed record, or some changed bytes, of one Parquet file."""
    columns = draw.sample(sorted(TYPES), draw.randrange(1, 5))
    rows = [[draw.choice(TYPES[name][1]) for name in columns] for _ in range(draw.randrange(1, 9))]
    path = folder / "t.parquet"
    options = {"row_group_size": draw.choice([1, 3, 100]), "use_dictionary": draw.random() < 0.5}
    options["compression"] = draw.choice(["none", "snappy", "zstd"])
    place = draw.randrange(len(rows))
    tables = []
    for new in (rows[place], [draw.choice(TYPES[name][1]) for name in columns]):
        pq.write_table(_table(columns, [*rows[:place], new, *rows[place + 1 :]]), path, **options)
        source = read(path)
        source.check(columns)
        held = read_table(source, columns)
        if not source.count() == held.num_rows == len(rows):
            raise Wrong("one record for one changed the number of records")
        tables.append(pa.concat_tables([held.slice(0, place), held.slice(place + 1)]))
    if [_bits(one) for one in tables[0].columns] != [_bits(one) for one in tables[1].columns]:
        raise Wrong("another record was moved")
    data = bytearray(path.read_bytes())
    for _ in range(draw.choice([1, 1, 4, 20])):
        data[draw.randrange(len(data))] = draw.randrange(256)
    path.write_bytes(data[: draw.choice([len(data), len(data), draw.randrange(len(data))])])
    try:
        source = read(path)
        names = list(source.types)
        source.check(names)
    except BadInput as refused:
        known = ("must have names", str(not_a_table(path.name)))
        if not any(words in str(refused) for words in known):
            raise Wrong(f"another message: {refused}") from None
        return "refused"
    if read_table(source, names).num_rows != source.count():
        raise Wrong("the number of records that is read is not the number that is said")
    return "one record"


def fuzz_charge(draw: random.Random, folder: Path) -> str:
    """One changed record on the whole way to a release: refused before the charge, or not."""
    rows = [f"n,{place},{place % 2}".encode() for place in range(20)]
    how = Written(",", draw.choice(['"', None]), "utf-8", "\n", True, packed=False, columns=3)
    place = draw.randrange(20)
    rows[place] = change(draw, rows[place], rows, how)
    path = folder / "t.csv"
    path.write_bytes(b"\n".join([b"note,age,y", *rows]) + b"\n")
    ledger = Ledger.memory(epsilon=1)
    try:
        source = read(path, quote=how.quote)
        StumpClassifier(domain={"age": (0, 20)}, ledger=ledger).fit_file(source, label="y")
    except BadInput as refused:
        if ledger.entries or str(refused) != str(not_a_table(path.name)):
            raise Wrong(f"refused after the charge, or in other words: {refused}") from None
        return "refused"
    if len(ledger.entries) != 1:
        raise Wrong("a release was not charged once")
    return "one record"


KINDS = {"text": fuzz_text, "parquet": fuzz_parquet, "charge": fuzz_charge, "schema": fuzz_schema}


def run(kind: str, numbers: range) -> Counter[str]:
    """Make and read the files of these numbers; the outcomes, counted."""
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            try:
                outcomes[KINDS[kind](random.Random(f"{kind} {number}"), Path(folder))] += 1
            except Exception as wrong:
                raise Wrong(f"{kind} {number}: {type(wrong).__name__}: {wrong}") from wrong
    return outcomes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--schemas", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first file")
    given = parser.parse_args()
    shares = {"charge": given.files // 100, "parquet": given.files // 10}
    shares["text"] = given.files - sum(shares.values())
    shares["schema"] = given.schemas
    for kind, many in shares.items():
        started = time.monotonic()
        outcomes = run(kind, range(given.first, given.first + many))
        words = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
        print(f"{kind}: {many} files in {time.monotonic() - started:.0f} s: {words}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
