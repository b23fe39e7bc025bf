"""Labelled records on their way to a mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Records ``x`` and labels ``y``, as they came; both are private.

    ``x`` has one row per record; ``y`` has one entry per record, or ``k`` columns; the
    public value ``positive`` marks the label 1.
    Nothing about them is ever printed, not even how many there are.
    A mechanism maps them into its public domain itself, after the charge.
    """

    x: Any
    y: Any
    positive: Any = 1

    def __len__(self) -> int:
        return len(self.x)

    def __repr__(self) -> str:
        return "Sample(private)"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a Sample holds private records and is not pickled; pass a source instead")
