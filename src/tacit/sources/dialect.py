"""How a text table is written: declared, never guessed from its records."""

from __future__ import annotations

import codecs
import importlib
from dataclasses import dataclass

from tacit.core import BadInput

_MARKS = frozenset(map(chr, range(1, 128))) - set("\r\n")
_NAMES = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
_WIDE = ("utf-16", "utf-16-le", "utf-16-be")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The delimiter, the quote, the decimal mark and the encoding of a text table.

    With a quote the dialect is strict (RFC 4180): a cell may stand in quotes, and a file that
    is not well-formed is refused. With ``quote=None`` it is total: one line is one record,
    quotes are letters, and a line that does not fit is a record of unreadable cells.
    """

    delimiter: str = ","
    quote: str | None = '"'
    decimal: str = "."
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        object.__setattr__(self, "delimiter", _NAMES.get(self.delimiter, self.delimiter))
        if self.quote == "none":
            object.__setattr__(self, "quote", None)
        if self.delimiter not in _MARKS:
            raise BadInput("delimiter must be one ASCII character, such as ; or tab")
        if self.quote is not None and self.quote not in _MARKS:
            raise BadInput("quote must be one ASCII character, or none")
        if self.decimal not in (".", ","):
            raise BadInput("decimal must be . or ,")
        if self.delimiter == self.quote:
            raise BadInput("delimiter and quote must be different characters")
        if self.quote is None and self.delimiter == self.decimal:
            raise BadInput("without quotes the delimiter and the decimal mark must differ")
        object.__setattr__(self, "encoding", _encoding(self.encoding))
        if self.quote is None and self.encoding in _WIDE:
            raise BadInput("UTF-16 needs a quote: without one, lines are told apart by bytes")

    @property
    def marks(self) -> tuple[int, int]:
        """The bytes of the delimiter and of the quote; without a quote, a line end twice."""
        return ord(self.delimiter), ord("\n" if self.quote is None else self.quote)


def _encoding(name: str) -> str:
    """Python's name of an encoding whose characters are one byte each, of UTF-8 or UTF-16."""
    try:
        known = codecs.lookup(name).name
    except (LookupError, TypeError, ValueError):
        known = ""
    if known in ("utf-8", "utf-8-sig"):
        return "utf-8"
    if known in (*_WIDE, "ascii", "iso8859-1") or (known and _has_table(known)):
        return known
    raise BadInput(
        f"encoding {name!r} is not one of utf-8, utf-16 and those of one byte a character, such "
        "as latin-1 and cp1252"
    )


def _has_table(name: str) -> bool:
    """Whether Python reads an encoding by a table of single bytes."""
    try:
        module = importlib.import_module(f"encodings.{name.replace('-', '_')}")
    except ImportError:
        return False
    return isinstance(vars(module).get("decoding_table"), str)


class Broken(Exception):
    """A record is not well-formed; ``what`` and where are for the owner of the file alone."""

    def __init__(self, what: str = "") -> None:
        super().__init__("not well-formed")
        self.what = what


def split_record(data: bytes, dialect: Dialect) -> tuple[list[bytes], int]:
    """The cells of the first record of ``data`` and how many bytes it takes with its line end.

    Plain and slow, for the header and for the owner's questions; ``scan.index_records`` reads
    the records, alike.
    """
    if dialect.quote is None:
        line, end, _ = data.partition(b"\n")
        text = line.removesuffix(b"\r") if end else line
        return text.split(dialect.delimiter.encode()), len(line) + len(end)
    delimiter, quote = (bytes((mark,)) for mark in dialect.marks)
    cells, position = [], 0
    while True:
        quoted = data[position : position + 1] == quote
        if quoted:
            cell, position = _quoted(data, position + 1, quote)
        else:
            stops = (data.find(mark, position) for mark in (delimiter, quote, b"\n", b"\r"))
            stop = min((one for one in stops if one >= 0), default=len(data))
            cell, position = data[position:stop], stop
        cells.append(cell)
        rest = data[position : position + 2]
        if rest[:1] == delimiter:
            position += 1
        elif rest == b"\r\n":
            return cells, position + 2
        elif rest[:1] in (b"\n", b""):
            return cells, position + len(rest[:1])
        elif quoted:
            raise Broken("something follows a closing quote")
        elif rest[:1] == quote:
            raise Broken("a quote stands inside a cell that does not begin with one")
        else:
            raise Broken("a carriage return stands without a line feed")


def _quoted(data: bytes, start: int, quote: bytes) -> tuple[bytes, int]:
    """A quoted cell from its first byte on, and where its closing quote has been passed."""
    position = start
    while True:
        position = data.find(quote, position)
        if position < 0:
            raise Broken("a quote is opened and never closed")
        if data[position + 1 : position + 2] != quote:
            return data[start:position].replace(quote * 2, quote), position + 1
        position += 2
