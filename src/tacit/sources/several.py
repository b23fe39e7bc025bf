"""Several files as one table: the same columns in each, their names and number public."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tacit.core import BadInput, Batch, Source
from tacit.core.source import KnowsRequired
from tacit.sources.beginning import ReadsSome
from tacit.sources.shares import OneAtATime, Shared
from tacit.sources.spelling import Spelled, Use


class SeveralFiles(ReadsSome, Shared):
    """The records of several sources of the same columns and types, one after the other."""

    def __init__(self, parts: Sequence[Source]) -> None:
        self._parts = tuple(parts)
        first = self._parts[0]
        for part in self._parts[1:]:
            if dict(part.types) != dict(first.types):
                raise BadInput(
                    f"{part.name} and {first.name} have different columns or types; several "
                    "files must have the same"
                )

    @property
    def parts(self) -> tuple[Source, ...]:
        """The single files."""
        return self._parts

    @property
    def kept_in(self) -> tuple[object, ...]:
        """The single files."""
        return self._parts

    @property
    def name(self) -> str:
        """How many files there are, and their names."""
        return f"{len(self._parts)} files ({', '.join(part.name for part in self._parts)})"

    @property
    def types(self) -> dict[str, object]:
        """The columns and their types, in the order of the first file."""
        return dict(self._parts[0].types)

    @property
    def required(self) -> frozenset[str]:
        """The columns that can hold a missing value in none of the files."""
        known = [p.required if isinstance(p, KnowsRequired) else frozenset() for p in self._parts]
        return frozenset.intersection(*known)

    def used(self, uses: dict[str, Use]) -> SeveralFiles:
        """The same files, the cells of these columns for this use."""
        return SeveralFiles([p.used(uses) if isinstance(p, Spelled) else p for p in self._parts])

    def check(self, columns: Sequence[str]) -> None:
        """Refuse the whole if one file is not well-formed."""
        for part in self._parts:
            part.check(columns)

    def count(self) -> int:
        """How many records there are in all files together."""
        return sum(part.count() for part in self._parts)

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns, file after file."""
        for part in self._parts:
            yield from part.batches(columns)

    def shares(self, columns: Sequence[str], parts: int) -> list[Iterator[Batch]]:
        """These columns, a file for whoever has none."""
        files = OneAtATime(iter(self._parts))

        def taken() -> Iterator[Batch]:
            for file in files:
                yield from file.batches(columns)

        return [taken() for _ in range(min(parts, len(self._parts)))]

    def some(self, columns: Sequence[str]) -> Iterator[Batch]:
        """Some records of at most four of the files."""
        step = -(-len(self._parts) // 4)
        for part in self._parts[::step]:
            if isinstance(part, ReadsSome):
                yield from part.some(columns)
