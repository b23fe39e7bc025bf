"""What a record may be, publicly."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class Domain(Protocol):
    """A public set of records, with a place for every value whatever it is.

    ``width``   how many columns a record has.
    ``size``    how many different records there are, or ``None`` if infinitely many.
    ``coerce``  places values, each record by itself; total.
    """

    @property
    def width(self) -> int: ...
    @property
    def size(self) -> int | None: ...
    def describe(self) -> str: ...
    def coerce(self, values: object, /) -> object: ...
