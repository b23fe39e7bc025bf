"""One file as it was when first looked at: every pass reads the same bytes, or the run ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from tacit.core import BadInput, SourceChanged

_PATTERN = set("*?[")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A path, and what the file there was when this object was made."""

    path: Path
    _print: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.path.is_file():
            what = "is a folder" if self.path.is_dir() else "there is no such file"
            several = ", or --glob for all files that match" if _PATTERN & set(self.name) else ""
            raise BadInput(f"{self.name}: {what}; name one file{several}")
        try:
            object.__setattr__(self, "_print", _fingerprint(os.stat(self.path)))
        except OSError:
            raise BadInput(f"{self.name}: the file cannot be opened") from None

    @property
    def name(self) -> str:
        """The file's name, as messages show it."""
        return self.path.name

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        return self._print[2]

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """The file, open for reading; refused if it changed before or during the reading."""
        try:
            file = self.path.open("rb")
        except OSError:
            raise SourceChanged(f"{self.name} can no longer be opened") from None
        with file:
            self._compare(file)
            yield file
            self._compare(file)

    def _compare(self, file: BinaryIO) -> None:
        if _fingerprint(os.fstat(file.fileno())) != self._print:
            raise SourceChanged(f"{self.name} changed while it was read; run it again")


def _fingerprint(stat: os.stat_result) -> tuple[int, ...]:
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns
