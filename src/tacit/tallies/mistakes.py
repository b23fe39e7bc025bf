"""Count the mistakes of every listed concept, or of every concept by the values that occur."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.source import Batch
from tacit.core.tally import Settles, Streamed
from tacit.domains.placing import Placing
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat, Landscape
from tacit.tallies.placed import Part, placed

Errors = npt.NDArray[np.int64]
_AT_ONCE = 1 << 18
"""So many records are counted at once: a class may take long for one record as for many."""


class AddsUp(ABC):
    """A class that lists the mistakes of the same concepts whatever the records are.

    So the mistakes on two sets of records are the sums of those on each.
    """

    __slots__ = ()

    @abstractmethod
    def landscape(self, x: Any, y: npt.NDArray[np.bool_]) -> Flat:
        """The mistakes of every concept."""


class ByValue(ABC):
    """A class whose mistakes follow from how many records of each label every value has."""

    __slots__ = ()

    @abstractmethod
    def by_value(self, values: Placed, zeros: Errors, ones: Errors) -> Landscape:
        """The mistakes of every concept: ``zeros`` and ``ones`` of the ascending ``values``."""


@dataclass(slots=True, eq=False)
class Mistaken:
    """Errors that were added up, and placed records that wait to be counted."""

    errors: Errors | None = None
    parts: list[Part] = field(default_factory=list)
    waiting: int = 0

    def __repr__(self) -> str:
        return "Mistaken(private)"


@dataclass(frozen=True, slots=True)
class ListedMistakes(Settles[Mistaken]):
    """How many records each concept of a listed class gets wrong; few records are held."""

    concepts: AddsUp
    domain: Placing

    def zero(self) -> Mistaken:
        return Mistaken()

    def add(self, counter: Mistaken, batch: Batch) -> Mistaken:
        labels = np.asarray(batch.column(1), dtype=bool)
        part = self.domain.coerce(batch.column(0)), labels
        return self._counted(counter, [part], None)

    def merge(self, left: Mistaken, right: Mistaken) -> Mistaken:
        return self._counted(left, right.parts, right.errors)

    def _counted(self, counter: Mistaken, parts: list[Part], errors: Errors | None) -> Mistaken:
        if errors is not None:
            counter.errors = errors if counter.errors is None else counter.errors + errors
        counter.parts += parts
        counter.waiting += sum(len(labels) for _, labels in parts)
        return counter if counter.waiting < _AT_ONCE else self.finished(counter)

    def finished(self, counter: Mistaken) -> Mistaken:
        """The counter with nothing that waits."""
        if not counter.parts:
            return counter
        cells, labels = zip(*counter.parts, strict=True)
        found = self.concepts.landscape(np.concatenate(cells), np.concatenate(labels)).errors
        return Mistaken(found if counter.errors is None else counter.errors + found)


def listed_mistakes(data: Streamed, concepts: AddsUp, domain: Placing) -> Flat:
    """The mistakes of every concept on records that come in batches."""
    tally = ListedMistakes(concepts, domain)
    errors = tally.finished(data.fold(tally)).errors
    if errors is None:  # no batch shows what the columns look like
        return concepts.landscape(*placed(data, domain))
    return Flat(errors=errors)
