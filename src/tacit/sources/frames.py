"""A frame in memory as a source: pandas, polars or Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tacit.core import BadInput
from tacit.domains.schema import column_names, frame_column, row_count
from tacit.sources.types import frame_types


@dataclass(frozen=True, slots=True, eq=False)
class FrameBatch:
    """All records of a frame; its columns are what the frame's own library makes of them."""

    frame: object
    names: tuple[str, ...]

    def __repr__(self) -> str:
        return "FrameBatch(private)"

    @property
    def num_rows(self) -> int:
        return row_count(self.frame)

    def column(self, i: int | str) -> Any:
        """One column, by place or by name."""
        return frame_column(self.frame, self.names[i] if isinstance(i, int) else i)


class FrameTable:
    """The records of a frame; nothing is copied, and every value is read by itself later."""

    def __init__(self, frame: object) -> None:
        names = column_names(frame)
        if names is None:
            raise BadInput("a frame of pandas, polars or Arrow is needed")
        if len(set(names)) != len(names):
            raise BadInput("the columns of the data must have names, each a different one")
        self._frame, self._names = frame, names

    @property
    def kept_in(self) -> tuple[object, ...]:
        """The frame."""
        return (self._frame,)

    @property
    def name(self) -> str:
        """What messages call a frame."""
        return "data"

    @cached_property
    def types(self) -> dict[str, object]:
        """The columns and their Arrow types; ``None`` where Arrow has no type for one."""
        known = frame_types(self._frame)
        return {name: known.get(name) for name in self._names}

    def check(self, columns: Sequence[str]) -> None:
        """Nothing to look at: a frame is one table."""

    def count(self) -> int:
        """How many records there are."""
        return row_count(self._frame)

    def batches(self, columns: Sequence[str]) -> Iterator[FrameBatch]:
        """All records at once."""
        yield FrameBatch(self._frame, tuple(columns))

    def __repr__(self) -> str:
        return "FrameTable(private)"
