"""The first line of a text table: it names the columns, and it is public."""

from __future__ import annotations

from typing import BinaryIO

from tacit.core import BadInput
from tacit.sources.blocks import MARK, first_line
from tacit.sources.dialect import Broken, Dialect, split_record
from tacit.sources.words import not_a_table

_LONGEST = 1 << 20
_OTHERS = {";": "';'", "\t": "tab", "|": "'|'", ",": "','"}
_QUOTES = {'"': "'\"'", "'": '"\'"'}
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_header(
    file: BinaryIO, dialect: Dialect, *, packed: bool, name: str, declared: bool
) -> tuple[list[str], int]:
    """The column names, and how many bytes of UTF-8 they take after a byte order mark.

    Only the first line is looked at, whatever quotes stand in it: what follows is private. A
    line that looks like another dialect is refused with the option to give, unless the
    delimiter was ``declared``.
    """
    try:
        line = first_line(file, dialect, packed=packed, longest=_LONGEST).removeprefix(MARK)
    except Broken:
        raise not_a_table(name) from None
    except UnicodeDecodeError:
        file.seek(0)
        if file.read(2) in _UTF16:
            raise _looks_like_utf16(name) from None
        raise BadInput(
            f"{name}: the first line is not {dialect.encoding.upper()}; declare its encoding, such "
            "as --encoding cp1252"
        ) from None
    if b"\0" in line:
        raise _looks_like_utf16(name)
    try:
        cells, used = split_record(line, dialect)
    except Broken:
        cells, used = [], 0
    lone = b"\r" in line.removesuffix(b"\n").removesuffix(b"\r")
    if lone and (dialect.quote is None or not cells):
        # Where CR alone ends lines, all records stand in the first one.
        raise BadInput(f"{name}: a carriage return stands in the first line; lines must end in LF")
    names = [cell.decode("utf-8") for cell in cells]
    if not any(names) or len(set(names)) != len(names) or used != len(line):
        raise BadInput(f"{name}: the first line must name the columns, each differently")
    if not declared and len(names) == 1:
        _refuse_other_delimiters(names[0], dialect, name=name)
    _refuse_other_quotes(names, dialect, name=name)
    return names, used


def _looks_like_utf16(name: str) -> BadInput:
    return BadInput(f"{name}: the first line looks like UTF-16; say --encoding utf-16")


def _refuse_other_delimiters(header: str, dialect: Dialect, *, name: str) -> None:
    """Refuse a header of one name that has other delimiters in it."""
    own = _OTHERS[dialect.delimiter]
    for mark, shown in _OTHERS.items():
        if mark in header:
            comma = ", and --decimal ',' if numbers are written 1,5" if mark == ";" else ""
            raise BadInput(
                f"{name}: the first line has no {own} between names, but has {shown}: say "
                f"--delimiter {shown}{comma}; or --delimiter {own} if this is one column"
            )


def _refuse_other_quotes(names: list[str], dialect: Dialect, *, name: str) -> None:
    """Refuse a header whose names all stand in quotes that were not declared."""
    for mark, shown in _QUOTES.items():
        quoted = all(len(one) > 1 and one[0] == one[-1] == mark for one in names)
        if quoted and dialect.quote is not None and mark != dialect.quote:
            raise BadInput(
                f"{name}: every name in the first line stands between {shown}: say --quote "
                f"{shown}, or --quote none if they are part of the names"
            )
