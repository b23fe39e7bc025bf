"""The most frequent value: selected by its count, on domains of any size, pure."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tacit.core import Claim, Event, Mechanism, Relation, Sampler
from tacit.domains.placing import Sized
from tacit.mechanisms.calibration import spread
from tacit.mechanisms.selection import SELECTORS
from tacit.problems.points.points import PointLandscape
from tacit.tallies.distinct import distinct


@dataclass(frozen=True, slots=True)
class Counts:
    """Minus how often each value of a public domain occurs; 0 for all that do not.

    A substituted record moves one count up and one down; an added one moves one up.
    """

    domain: Sized

    def __call__(self, data: object) -> PointLandscape:
        values, counts = distinct(data, self.domain)
        return PointLandscape(
            values=values, errors=-counts, elsewhere=0, domain_size=self.domain.size
        )

    def spread(self, relation: Relation) -> int:
        return spread(relation)


@dataclass(frozen=True, slots=True, kw_only=True)
class MostFrequent(Mechanism[object, int]):
    """Select a value by how often it occurs; values that do not occur are candidates too.

    Privacy
    -------
    Requires  ``domain`` is public; each record counts for at most one value.
    Ensures   the privacy of the selection at ``epsilon``.
    Proof     Theorem 1 of ``frequent_item.proof.md``.
    Numerics  exact.

    Utility
    -------
    The most frequent value with probability ``1 - beta`` if it leads all others by
    ``tacit.bounds.upper.histograms.frequent_gap``.

    Edge cases
    ----------
    No records: a uniform value of the domain.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="B20",
        locator="Theorem 15",
        statement="selecting by counts is private and returns the most frequent value once it "
        "leads by ln((R-1)(1-beta)/beta) / rate; constants ours",
        proof="problems/points/frequent_item.proof.md",
    )

    domain: Sized
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    selector: str = "exponential"

    def _selection(self) -> Mechanism[object, int]:
        return SELECTORS[self.selector](
            score=Counts(self.domain), epsilon=self.epsilon, relation=self.relation
        )

    def event(self) -> Event:
        return self._selection().event()

    def _release(self, data: object, *, rng: Sampler) -> int:
        return rng.part(self._selection(), data)  # [P1]
