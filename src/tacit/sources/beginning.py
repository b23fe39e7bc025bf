"""Sources of which some records are read at once, to guess what all of them will need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from tacit.core.source import Batch

SOME_ROWS = 1 << 15
"""About so many records say enough."""


class ReadsSome(ABC):
    """A source that reads some of its records much faster than all of them."""

    @abstractmethod
    def some(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns of some of the records, any; asked after the charge only."""
