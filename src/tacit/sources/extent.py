"""How far the cells of a workbook's sheet lie apart, seen before a reader makes room for all.

A reader of workbooks holds a sheet as one rectangle. A stray cell in the last corner makes that
17 billion cells, for which no machine has room: the process is ended, by nothing that could be
caught. So the places that cells are written with are looked at first; no value is.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from posixpath import join, normpath

_CHUNK = 1 << 20
_ALWAYS = 1 << 25
"""Cells that a sheet may span however few are written: a gigabyte."""
_SPARSE = 16
"""A sheet may span so many times as many cells as are written in it."""

_CELL = rb"[<:]c(?=[\s>])"
_PLACE = rb"""\s(?:[^>]*?\s)?r\s*=\s*["']"""
_FILLED = rb"[^>]*(?<!/)>(?!\s*</)"
_PLACED = re.compile(_CELL + _PLACE + rb"([A-Za-z]{1,7})(\d{1,10})" + _FILLED)
_PLACED_ROW = re.compile(rb"[<:]row(?=\s)" + _PLACE + rb"(\d{1,10})" + _FILLED)
_ANY_CELL = re.compile(_CELL + rb"[^>]*(?<!/)>")
_OTHERWISE = rb"|:c[\s>]|<c[>\t\r\n]"
_NOT_NEAR = (
    re.compile(rb"""<c (?!r="[A-Za-z]\d{1,6}")""" + _OTHERWISE),
    re.compile(rb"""<c (?!r="[A-Ka-k]?[A-Za-z]\d{1,5}")""" + _OTHERWISE),
)
"""A cell that is not written plainly inside 26 columns and 999,999 rows, or inside 312 and 99,999:
fewer than ``_ALWAYS``. Either is seen several times as fast as every cell's place is read."""
_ROW_END = re.compile(rb"</(?:[\w.-]+:)?row\s*>")
_SHEET = re.compile(rb"""<(?:[\w.-]+:)?sheet\s[^>]*?\w+:id\s*=\s*["']([^"']*)["']""")
_RELATION = re.compile(rb"<(?:[\w.-]+:)?Relationship\s([^>]*)>")
_ATTRIBUTE = re.compile(rb"""\b(Id|Target)\s*=\s*["']([^"']*)["']""")

UNREADABLE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError)
"""What a damaged workbook ends in."""


def spread_out(book: bytes, place: int) -> bool:
    """Whether the sheet at this place of a workbook spans far more cells than are written in it.

    Of a file that is no ``.xlsx`` inside nothing is known; it is left to its reader.
    """
    if not zipfile.is_zipfile(io.BytesIO(book)):
        return False
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        return any(_is_spread_out(parts, name) for name in _sheets(parts, place))


def _is_spread_out(parts: zipfile.ZipFile, name: str) -> bool:
    for far in _NOT_NEAR:
        if all(far.search(text) is None for text in _chunks(parts, name)):
            return False
    return _too_far(_chunks(parts, name))


def _sheets(parts: zipfile.ZipFile, place: int) -> list[str]:
    """The part that holds a sheet, in the order of the workbook; all sheets if it is not found."""
    names = set(parts.namelist())
    every = sorted(name for name in names if name.startswith("xl/worksheets/"))
    try:
        wanted = _SHEET.findall(parts.read("xl/workbook.xml"))[place]
        relations = _RELATION.findall(parts.read("xl/_rels/workbook.xml.rels"))
    except (KeyError, IndexError):
        return every
    told = {one[b"Id"]: one.get(b"Target", b"") for one in map(_attributes, relations) if one}
    target = normpath(join("/xl", told.get(wanted, b"").decode("utf-8", "replace"))).lstrip("/")
    return [target] if target in names else every


def _attributes(relation: bytes) -> dict[bytes, bytes]:
    found = dict(_ATTRIBUTE.findall(relation))
    return found if b"Id" in found else {}


def _chunks(parts: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """A sheet's text, cut between rows."""
    rest = b""
    with parts.open(name) as file:
        while block := file.read(_CHUNK):
            text = rest + block
            before, end, rest = text.rpartition(b"row>")
            yield before + end
    yield rest


def _too_far(chunks: Iterator[bytes]) -> bool:
    rows = columns = bare = written = ended = 0
    for text in chunks:
        placed = _PLACED.findall(text)
        lines = {line for _, line in placed} | set(_PLACED_ROW.findall(text))
        ended += len(_ROW_END.findall(text))
        rows = max(0, rows, ended, *map(int, lines))
        columns = max(0, columns, *map(_number, {letters for letters, _ in placed}))
        many = len(_ANY_CELL.findall(text))
        written += many
        if many > len(placed):  # cells without a place follow the one before them
            bare = max(0, bare, *(len(_ANY_CELL.findall(row)) for row in _ROW_END.split(text)))
    return rows * (columns + bare) > max(_ALWAYS, _SPARSE * written)


def _number(letters: bytes) -> int:
    """A column's number: A is 1, XFD 16384."""
    value = 0
    for letter in letters.upper():
        value = value * 26 + letter - ord("A") + 1
    return value
