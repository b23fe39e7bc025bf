"""How a text table is written: declared, never guessed from its records."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.core import BadInput

_ONE_BYTE = frozenset(range(1, 128)) - set(b"\r\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The delimiter and the quote of a text table, each one ASCII character."""

    delimiter: str = ","
    quote: str = '"'

    def __post_init__(self) -> None:
        for name in ("delimiter", "quote"):
            mark = getattr(self, name)
            if len(mark) != 1 or ord(mark) not in _ONE_BYTE:
                raise BadInput(f"{name} must be one ASCII character, such as ; or a tab")
        if self.delimiter == self.quote:
            raise BadInput("delimiter and quote must be different characters")

    @property
    def marks(self) -> tuple[int, int]:
        """The bytes of the delimiter and of the quote."""
        return ord(self.delimiter), ord(self.quote)


class Broken(Exception):
    """A record is not well-formed; where it is broken is not said."""


def split_record(data: bytes, dialect: Dialect) -> tuple[list[bytes], int]:
    """The cells of the first record of ``data`` and how many bytes it takes with its line end.

    Plain and slow, for the header; ``scan.index_records`` reads the records, alike.
    """
    delimiter, quote = (bytes((mark,)) for mark in dialect.marks)
    cells, position = [], 0
    while True:
        if data[position : position + 1] == quote:
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
        else:
            raise Broken


def _quoted(data: bytes, start: int, quote: bytes) -> tuple[bytes, int]:
    """A quoted cell from its first byte on, and where its closing quote has been passed."""
    position = start
    while True:
        position = data.find(quote, position)
        if position < 0:
            raise Broken
        if data[position + 1 : position + 2] != quote:
            return data[start:position].replace(quote * 2, quote), position + 1
        position += 2
