"""The bytes of a text file as blocks of UTF-8, whatever it is written and packed in."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from tacit.sources.dialect import Broken, Dialect

_BLOCK = 1 << 20
_ESCAPE = "surrogateescape"
MARK = b"\xef\xbb\xbf"


def first_line(file: BinaryIO, dialect: Dialect, *, packed: bool, longest: int) -> bytes:
    """The first line of the file in UTF-8, with its line end; no byte after it is looked at.

    Raises ``Broken`` if it is longer, or not written in the declared encoding.
    """
    stream: BinaryIO | gzip.GzipFile = gzip.GzipFile(fileobj=file) if packed else file
    decoder = codecs.getincrementaldecoder(dialect.encoding)("strict")
    line = ""
    try:
        while not line.endswith("\n") and len(line) <= longest and (byte := stream.read(1)):
            line += decoder.decode(byte)
        if len(line) > longest:
            raise Broken("the first line is too long")
        return line.encode("utf-8")
    except (OSError, EOFError, zlib.error):
        raise Broken("the file is not a whole gzip file") from None


def utf8_blocks(file: BinaryIO, dialect: Dialect, *, packed: bool) -> Iterator[bytes]:
    """The file block by block, without a byte order mark; raises ``Broken``.

    Without quotes a byte that the encoding does not know becomes one that is not UTF-8, so
    that only its own line is unreadable. UTF-8 itself is handed on and checked later.
    """
    first = True
    for block in _decoded(_unpacked(file, packed=packed), dialect):
        if block:
            yield block.removeprefix(MARK) if first else block
            first = False


def bytes_of(file: BinaryIO, part: range) -> Iterator[bytes]:
    """These bytes of the file, block by block."""
    file.seek(part.start)
    left = len(part)
    while left and (block := file.read(min(_BLOCK, left))):
        yield block
        left -= len(block)


def at_least(blocks: Iterator[bytes], size: int) -> bytes:
    """The next blocks, of so many bytes in all or more; nothing after the last one.

    A record that has not ended is read again from its first byte: with as much again, each byte
    is read a few times only.
    """
    taken: list[bytes] = []
    for block in blocks:
        taken.append(block)
        size -= len(block)
        if size <= 0:
            break
    return b"".join(taken)


def _unpacked(file: BinaryIO, *, packed: bool) -> Iterator[bytes]:
    if not packed:
        while block := file.read(_BLOCK):
            yield block
        return
    try:
        with gzip.GzipFile(fileobj=file) as inside:
            while block := inside.read(_BLOCK):
                yield block
    except (OSError, EOFError, zlib.error):
        raise Broken("the file is not a whole gzip file") from None


def _decoded(blocks: Iterator[bytes], dialect: Dialect) -> Iterator[bytes]:
    if dialect.encoding == "utf-8":
        yield from blocks
        return
    strict = dialect.quote is not None
    decoder = codecs.getincrementaldecoder(dialect.encoding)("strict" if strict else _ESCAPE)
    odd = "strict" if strict else "surrogatepass"
    try:
        for block in blocks:
            yield decoder.decode(block).encode("utf-8", odd)
        yield decoder.decode(b"", final=True).encode("utf-8", odd)
    except UnicodeError:
        raise Broken(f"the file is not written in {dialect.encoding}") from None
