"""Where records are: what is public about them, and one way to read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable


class Batch(Protocol):
    """An Arrow record batch, as far as ``core`` needs to know it."""

    @property
    def num_rows(self) -> int:
        """How many records the batch holds; private where the number of records is."""
        ...

    def column(self, i: int | str) -> object:
        """One column, by place or by name, as an Arrow array."""
        ...


@runtime_checkable
class Source(Protocol):
    """Records in some order, all passes over the same ones.

    ``name``, ``types`` and whether ``check`` refuses are public. ``count`` is asked before
    the charge only where the number of records is public; ``batches`` only after it.
    """

    @property
    def name(self) -> str:
        """What messages call the source: public."""
        ...

    @property
    def types(self) -> Mapping[str, object]:
        """The columns and their Arrow types; ``None`` for a column that has no type."""
        ...

    def check(self, columns: Sequence[str]) -> None:
        """Refuse, with one constant message, what cannot be read as one table.

        Called before the charge: afterwards ``batches`` fails only if the records changed.
        """
        ...

    def count(self) -> int:
        """How many records there are."""
        ...

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns in one pass, every record once, in the source's own order.

        Every pass sees the same records. Raises ``SourceChanged`` if they changed.
        """
        ...


@runtime_checkable
class Kept(Protocol):
    """Records that can say where they are kept, so that two inputs can be told apart."""

    @property
    def kept_in(self) -> tuple[object, ...]:
        """What holds them: paths, frames, arrays, other sources; text names a table elsewhere."""
        ...


@runtime_checkable
class KnowsRequired(Protocol):
    """A source whose types also say where nothing can be missing: Parquet, Postgres."""

    @property
    def required(self) -> frozenset[str]:
        """The columns whose type forbids missing values: public, and kept by the engine."""
        ...


@runtime_checkable
class Filters(Protocol):
    """A source that may show only those of its rows that meet public conditions."""

    @property
    def filtered(self) -> bool:
        """Whether it does; replacing a row may then change how many there are."""
        ...


@runtime_checkable
class LeavesOut(Protocol):
    """A source that may have columns which are not read: they are not among its types."""

    @property
    def unread(self) -> Mapping[str, str]:
        """These columns and what their engine calls their types: public."""
        ...
