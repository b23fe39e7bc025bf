"""Where a file is not well-formed, for its owner alone: lines and reasons, no cell.

What is found here depends on single records. It is shown by ``tacit doctor``, never by a
command that releases something.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tacit.core import BadInput, Source
from tacit.sources.dialect import Broken, split_record
from tacit.sources.several import SeveralFiles
from tacit.sources.sheet import SheetFile
from tacit.sources.text import TextFile

MOST = 20
"""Findings that are told at most."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a file: private."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def diagnose(source: Source) -> list[Finding]:
    """What keeps a source from being one well-formed table; at most ``MOST`` findings."""
    found: list[Finding] = []
    for finding in _all(source):
        found.append(finding)
        if len(found) == MOST:
            break
    return found


def _all(source: Source) -> Iterator[Finding]:
    if isinstance(source, SeveralFiles):
        for part in source.parts:
            for one in _all(part):
                yield Finding(f"{part.name}, {one.where}", one.what)
    elif isinstance(source, TextFile):
        yield from _of_text(source)
    elif isinstance(source, SheetFile):
        for number in source.bad_rows():
            yield Finding(f"row {number}", "the row is empty, or has a cell beside the columns")
    else:
        for name in source.types:
            try:
                source.check((name,))
            except BadInput:
                yield Finding(f"column {name!r}", "cannot be decoded")


def _of_text(source: TextFile) -> Iterator[Finding]:
    """Read on after every bad record from its next line, as if it were not there."""
    line, rest = 2, b""
    try:
        for block, final in source.raw():
            data = rest + block
            while data:
                good, used = _good_until(data, source, final=final)
                yield from _bad_letters(data[:used], line)
                line += data.count(b"\n", 0, used)
                data = data[used:]
                if good or (b"\n" not in data and not final):
                    break  # what is left needs more bytes
                yield Finding(f"line {line}", _reason(data, source))
                end = data.find(b"\n") + 1 or len(data)
                line += 1
                data = data[end:]
            rest = data
    except Broken as wrong:
        yield Finding(f"line {line} or later", wrong.what)


def _good_until(data: bytes, source: TextFile, *, final: bool) -> tuple[bool, int]:
    """Whether the beginning of ``data`` is well-formed, and up to which byte."""
    from tacit.sources.scan import COMPLETE, index_records

    fields = len(source.types)
    slots, start = np.full(fields, -1, dtype=np.int64), 0
    spans, flags = np.empty((1 << 12, 0, 2), dtype=np.int64), np.empty((1 << 12, 1), dtype=np.bool_)
    if source.dialect.quote is None:
        return _good_lines(data, source, final=final)
    while True:
        part = np.frombuffer(data[start:], dtype=np.uint8)
        state, found, used = index_records(part, final, source.dialect.marks, slots, spans, flags)
        start += used
        if state != COMPLETE or not found:
            return state == COMPLETE, start


def _good_lines(data: bytes, source: TextFile, *, final: bool) -> tuple[bool, int]:
    """The same without quotes: up to the first line with another number of cells."""
    mark, cells, start = source.dialect.delimiter.encode(), len(source.types), 0
    while start < len(data):
        end = data.find(b"\n", start)
        if end < 0 and not final:
            break
        end = len(data) if end < 0 else end
        if data.count(mark, start, end) + 1 != cells:
            return False, start
        start = end + 1
    return True, min(start, len(data))


def _bad_letters(data: bytes, line: int) -> Iterator[Finding]:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        for place, one in enumerate(data.split(b"\n")):
            try:
                one.decode("utf-8")
            except UnicodeDecodeError:
                yield Finding(
                    f"line {line + place}",
                    "the text is not UTF-8; --encoding declares another, such as cp1252",
                )


def _reason(data: bytes, source: TextFile) -> str:
    """Why the first record of ``data`` is not well-formed."""
    cells = len(source.types)
    try:
        held, used = split_record(data, source.dialect)
    except Broken as wrong:
        return wrong.what
    if not data[:used].strip(b"\r\n"):
        return "the line is blank"
    if len(held) != cells:
        return f"the record has {len(held)} cells, and the header {cells}"
    return "the record is too long"
