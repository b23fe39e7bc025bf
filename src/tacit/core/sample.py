"""Labelled records on their way to a mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from tacit.core.errors import BadInput
from tacit.core.label_values import LabelValues


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Records ``x`` and labels ``y``, as they came; both are private.

    ``x`` has one row per record; ``y`` has one entry per record, or ``k`` columns; the
    public value ``positive`` marks the label 1, ``negative`` the label 0; where that is ``None``,
    every other value is 0. A value that is neither counts as 0. With more than two label values
    ``values`` holds them, and numbers take the place of 0 and 1.
    Both have the same length; anything else is refused here, before any charge.
    Nothing about them is ever printed, not even how many there are.
    A mechanism maps them into its public domain itself, after the charge.
    """

    x: Any
    y: Any
    positive: Any = 1
    negative: Any = None
    values: LabelValues | None = None

    def __post_init__(self) -> None:
        # numpy would repeat a single label for every record: one record would count as all.
        try:
            aligned = self.y is None or len(self.x) == len(self.y)
        except TypeError:
            aligned = False
        if not aligned:
            raise BadInput("X and y must have one entry per record each, and equally many")

    def __len__(self) -> int:
        return len(self.x)

    def __repr__(self) -> str:
        return "Sample(private)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Sample holds private records and is not pickled; pass a source instead")


def some_records(n: int) -> int:
    """The public number of records, refused before the charge if it is 0."""
    if n == 0:
        raise BadInput("there are no records: the table has 0 rows; nothing was charged")
    return n


def some_persons(number: int) -> int:
    """The public number of persons, refused before the charge if it is 0."""
    if number == 0:
        raise BadInput("there are no persons: no row has an id; nothing was charged")
    return number
