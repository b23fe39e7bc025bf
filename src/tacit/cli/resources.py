"""Options for what a command may use of the machine, and a word on what it is doing."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from threading import Event, Thread
from typing import Annotated, TextIO

import typer

from tacit.cli.groups import Panel
from tacit.core import BadInput, Relation
from tacit.core.resources import Resources, resources, using

_UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 1 << 10, "MIB": 1 << 20}
_UNITS |= {"GIB": 1 << 30}
_QUIET_SECONDS, _EVERY = 1.0, 0.25


def read_bytes(text: str) -> int:
    """How many bytes ``500MB`` means."""
    found = re.fullmatch(r"(\d{1,15})\s*([A-Za-z]*)", text.strip())
    if found is None or found[2].upper() not in _UNITS:
        raise BadInput("--memory-limit takes a number of bytes such as 500MB or 2GiB")
    return int(found[1]) * _UNITS[found[2].upper()]


class Progress:
    """Says on a terminal, after a second, for how long a command has been reading.

    Where the number of records is public, also which part of them was read in this pass.
    """

    def __init__(self, words: str, *, counted: bool, out: TextIO) -> None:
        self._words, self._counted, self._out = words, counted, out
        self._all = self._read = 0
        self._started, self._done = time.monotonic(), Event()
        self._shown = False
        self._thread = Thread(target=self._show, daemon=True)

    def begin(self, rows: int) -> None:
        """A pass over so many records begins."""
        self._all, self._read = rows, 0

    def read(self, rows: int) -> None:
        """So many more records have been read; threads may lose a few of these."""
        self._read += rows

    def line(self) -> str:
        """What is shown now: no number of records, and nothing about what is left."""
        seconds = int(time.monotonic() - self._started)
        part = ""
        if self._counted and self._all:
            part = f"{min(100, 100 * self._read // self._all)} % of the records, "
        return f"{self._words}: {part}{seconds} s"

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        if self._shown:
            self._write("")

    def _show(self) -> None:
        wait = _QUIET_SECONDS
        while not self._done.wait(wait):
            self._shown, wait = True, _EVERY
            self._write(self.line())

    def _write(self, line: str) -> None:
        """Show a line; a terminal that has gone away ends no release that was paid for."""
        with suppress(OSError, ValueError):
            self._out.write(f"\r\x1b[K{line}")
            self._out.flush()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a command may use of the machine."""

    threads: Annotated[
        int | None, typer.Option(help="At most so many; default: every processor.")
    ] = None
    memory_limit: Annotated[
        str | None,
        typer.Option(
            help="For records that are held, such as 500MB; an algorithm that must hold more is "
            "refused before the charge."
        ),
    ] = None
    passes: Annotated[
        str | None,
        typer.Option(
            help="fixed: read the records as often whatever they hold; they are then sorted in "
            "memory."
        ),
    ] = None

    def held(self) -> AbstractContextManager[None]:
        """Hold what runs inside to these limits."""
        if self.passes not in (None, "fixed"):
            raise BadInput("--passes takes fixed; by default as many are made as are needed")
        memory = None if self.memory_limit is None else read_bytes(self.memory_limit)
        limits = Resources(self.threads, memory, self.passes == "fixed")
        if self.threads is not None:
            import pyarrow as pa

            pa.set_cpu_count(self.threads)
        return using(limits)


LimitOptions = Annotated[Limits, Panel("What it may use")]


@contextmanager
def watched(words: str, *, relation: str, unit: str | None) -> Iterator[None]:
    """Tell on a terminal how far what runs inside has come, and how much of the records where
    their number is public: where persons are protected, how many rows they have is not.
    """
    if not sys.stderr.isatty():
        yield
        return
    counted = Relation.read(relation).size_is_public and unit is None
    with (
        Progress(words, counted=counted, out=sys.stderr) as progress,
        using(replace(resources(), watch=progress)),
    ):
        yield
