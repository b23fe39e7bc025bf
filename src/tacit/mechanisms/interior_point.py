"""Interior point: a value between the least and the greatest record, pure."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tacit.core import MECHANISMS, Claim, Event, Mechanism, Relation, Sampler, Tiny
from tacit.domains.integers import Integers
from tacit.exact.landscape import Landscape
from tacit.exact.stages import Staged
from tacit.mechanisms.calibration import spread
from tacit.mechanisms.ranks import Ranks, by_rank, staged_by_rank
from tacit.mechanisms.score import StagedScore
from tacit.mechanisms.selection import SELECTORS


def _thinner(below: Ranks, at_most: Ranks, n: int) -> Ranks:
    return -np.minimum(at_most, n - below)


@dataclass(frozen=True, slots=True)
class Depth(StagedScore):
    """Minus how many records lie on the thinner side of a value, itself included.

    A substituted record moves each depth by -1, 0 or 1; an added one by 0 or 1.
    """

    domain: Integers

    def __call__(self, data: object) -> Landscape:
        cells = self.domain.coerce(data)
        return by_rank(
            cells,
            size=self.domain.size,
            error=lambda below, at_most: _thinner(below, at_most, len(cells)),
        )

    def staged(self, data: object) -> Staged | None:
        return staged_by_rank(data, self.domain, _thinner)

    def spread(self, relation: Relation) -> int:
        return spread(relation)


@dataclass(frozen=True, slots=True, kw_only=True)
class InteriorPoint(Mechanism[object, int]):
    """Select a value of the domain by how many records lie on either side of it.

    Privacy
    -------
    Requires  ``domain`` is public and linearly ordered.
    Ensures   the privacy of the selection at ``epsilon``.
    Proof     Theorem 1 of ``interior_point.proof.md``.
    Numerics  exact.

    Utility
    -------
    Between the least and the greatest record with probability ``1 - beta`` on every data
    set of at least ``tacit.problems.thresholds.interior_point_upper.pure`` records.

    Edge cases
    ----------
    No records: a uniform value of the domain. One record works like many.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="B20",
        locator="Theorem 13",
        statement="selecting by min(#{x <= r}, #{x >= r}) is private and finds an interior point "
        "of 2h - 1 records, h = ln((R-1)(1-beta)/beta) / rate; constants ours",
        proof="mechanisms/interior_point.proof.md",
    )

    domain: Integers
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    selector: str = "exponential"

    def _selection(self) -> Mechanism[object, int]:
        return SELECTORS[self.selector](
            score=Depth(self.domain), epsilon=self.epsilon, relation=self.relation
        )

    def event(self) -> Event:
        return self._selection().event()

    def _release(self, data: object, *, rng: Sampler) -> int:
        return rng.part(self._selection(), data)  # [P1]


SPREAD_OUT = (tuple(range(100, 108)), (*range(100, 107), 60000))
"""Eight values side by side, and one of them moved far away."""

MECHANISMS.add(
    Tiny(
        name="InteriorPoint",
        make=lambda e: InteriorPoint(domain=Integers(size=4), epsilon=e),
        records=range(4),
        n=4,
        sampled=lambda e: InteriorPoint(domain=Integers(bits=16), epsilon=e),
        pairs=(SPREAD_OUT,),
    )
)
