"""Robust minimum: a value with at least ``low`` records up to it and at most ``high`` below."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tacit.core import MECHANISMS, BadInput, Claim, Event, Mechanism, Relation, Sampler, Tiny
from tacit.core.numbers import whole
from tacit.domains.integers import Integers
from tacit.exact.landscape import Landscape
from tacit.exact.stages import Staged
from tacit.mechanisms.interior_point import SPREAD_OUT
from tacit.mechanisms.ranks import Ranks, by_rank, staged_by_rank
from tacit.mechanisms.score import StagedScore
from tacit.mechanisms.selection import SELECTORS


@dataclass(frozen=True, slots=True)
class RankWindow(StagedScore):
    """Minus ``min(#{x <= r} - low, high - #{x < r})``: at most 0 where ``r`` is a solution.

    One more or one less record moves the two terms by at most 1, in opposite directions,
    and a substituted record moves each by at most 1: the spread is 2 for every relation.
    """

    domain: Integers
    low: int
    high: int

    def __call__(self, data: object) -> Landscape:
        return by_rank(self.domain.coerce(data), size=self.domain.size, error=self._outside)

    def staged(self, data: object) -> Staged | None:
        return staged_by_rank(
            data, self.domain, lambda below, at_most, _: self._outside(below, at_most)
        )

    def _outside(self, below: Ranks, at_most: Ranks) -> Ranks:
        return -np.minimum(at_most - self.low, self.high - below)

    def spread(self, relation: Relation) -> int:  # noqa: ARG002 - the same for all
        return 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustMinimum(Mechanism[object, int]):
    """Select ``r`` with ``#{x <= r} >= low`` and ``#{x < r} <= high``; ranks are public.

    The second inequality is strict in ``x < r``: with ties the definition as printed
    (B20 Definition 12) has no solution. Ranks are absolute numbers, so that records may
    enter or leave the data (be selected or not) between neighbours.

    Privacy
    -------
    Requires  ``domain``, ``low`` and ``high`` are public.
    Ensures   the privacy of the selection at ``epsilon``, also when the number of records
              differs by one between neighbours.
    Proof     Theorem 1 of ``robust_minimum.proof.md``.
    Numerics  exact.

    Utility
    -------
    Right with probability ``1 - beta`` on at least ``(low + high + 1) // 2`` records if
    ``high - low`` is at least ``tacit.problems.thresholds.interior_point_upper.rank_window``.

    Edge cases
    ----------
    Fewer records than ``low``: large values are preferred; no records: uniform.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="B20",
        locator="Theorem 13",
        statement="selecting by min(#{x <= r} - low, high - #{x < r}) is private and finds a "
        "robust minimum once high - low >= 2 ln((R-1)(1-beta)/beta) / rate; Definition 12 "
        "corrected, constants ours",
        proof="mechanisms/robust_minimum.proof.md",
    )

    domain: Integers
    low: int
    high: int
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    selector: str = "exponential"

    def __post_init__(self) -> None:
        low = whole(self.low, name="low", least=1)
        if whole(self.high, name="high", least=1) < low:
            raise BadInput("high must be at least low")

    def _selection(self) -> Mechanism[object, int]:
        return SELECTORS[self.selector](
            score=RankWindow(self.domain, self.low, self.high),
            epsilon=self.epsilon,
            relation=self.relation,
        )

    def event(self) -> Event:
        return self._selection().event()

    def _release(self, data: object, *, rng: Sampler) -> int:
        return rng.part(self._selection(), data)  # [P1]


MECHANISMS.add(
    Tiny(
        name="RobustMinimum",
        make=lambda e: RobustMinimum(domain=Integers(size=4), low=1, high=3, epsilon=e),
        records=range(4),
        n=4,
        sampled=lambda e: RobustMinimum(domain=Integers(bits=16), low=2, high=6, epsilon=e),
        pairs=(SPREAD_OUT,),
    )
)
