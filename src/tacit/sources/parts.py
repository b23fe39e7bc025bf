"""Where a text file may be cut, so that several threads read it at once."""

from __future__ import annotations

from typing import BinaryIO

_FAR = 1 << 16
"""A line end is looked for within so many bytes."""


def cut(file: BinaryIO, whole: range, parts: int) -> tuple[range, ...]:
    """Cut the bytes ``whole`` of a file into at most so many parts, each cut after a line feed.

    That a record ends there is a guess, as the line feed may stand inside quotes. It is right if
    and only if the part before can be read as whole records to its last byte: Theorem 4 of
    ``scan.proof.md``.
    """
    starts = [whole.start]
    for part in range(1, parts):
        near = whole.start + len(whole) * part // parts
        file.seek(near)
        line = file.read(_FAR).find(b"\n") + 1
        if line and starts[-1] < near + line < whole.stop:
            starts.append(near + line)
    return tuple(map(range, starts, (*starts[1:], whole.stop)))
