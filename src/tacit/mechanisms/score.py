"""What a selection needs to know about its candidates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from tacit.core import Relation, Sample
from tacit.core.tally import Streamed
from tacit.exact.landscape import Landscape
from tacit.exact.stages import Staged
from tacit.mechanisms.calibration import spread
from tacit.tallies.distinct import distinct_labelled, fits_a_table
from tacit.tallies.mistakes import AddsUp, ByValue, listed_mistakes
from tacit.tallies.ordered import Counted
from tacit.tallies.placed import placed

D = TypeVar("D", contravariant=True)


class Score(Protocol[D]):
    """Integer errors (lower is better) over a public set of candidates.

    On every data set the errors fit int64 and lie less than ``2**63`` apart.
    """

    def __call__(self, data: D) -> Landscape: ...

    def spread(self, relation: Relation) -> int:
        """A positive length ``w`` such that, between neighbours, all candidates' errors move
        by amounts that lie in one interval of length ``w``.
        """
        ...


class StagedScore(ABC):
    """A score that can also be counted where it matters, without listing every candidate."""

    __slots__ = ()

    @abstractmethod
    def staged(self, data: Any) -> Staged | None:
        """The same errors by stages; ``None`` where listing them is quicker."""

    def streams(self, n: int | None) -> bool:  # noqa: ARG002 - most hold any number
        """Whether so many streamed records are counted and not held; ``None``: any number."""
        return False


@dataclass(frozen=True, slots=True)
class Mistakes(StagedScore):
    """Count how many records each concept of a class gets wrong.

    A substituted record, or a flipped label, moves each count by -1, 0 or 1; an added
    record moves each by 0 or 1.
    """

    concept_class: Any

    def staged(self, data: Sample) -> Staged | None:
        known = self.concept_class
        return known.counted(data) if isinstance(known, Counted) else None

    def streams(self, n: int | None) -> bool:
        known, domain = self.concept_class, self.concept_class.domain
        if isinstance(known, AddsUp) or (isinstance(known, Counted) and known.streams(n)):
            return True
        return isinstance(known, ByValue) and fits_a_table(n, domain.size)

    def __call__(self, data: Sample | Streamed) -> Landscape:
        known, domain = self.concept_class, self.concept_class.domain
        if isinstance(data, Streamed) and isinstance(known, AddsUp):
            return listed_mistakes(data, known, domain)
        if isinstance(data, Streamed) and isinstance(known, ByValue):
            return known.by_value(*distinct_labelled(data, domain))
        landscape: Landscape = known.landscape(*placed(data, domain))
        return landscape

    def spread(self, relation: Relation) -> int:
        """2 where a record is replaced or a label flipped, 1 where one comes or goes."""
        return spread(relation)
