"""Private selection: the exponential mechanism and permute-and-flip, exactly sampled."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from tacit.core import Claim, Event, Mechanism, Pure, Relation, Sampler, Selection
from tacit.core.numbers import positive
from tacit.exact.levels import Levels
from tacit.exact.stages import Stage, in_stages
from tacit.mechanisms.score import Score, StagedScore

D = TypeVar("D")

_PROOF = "mechanisms/selection.proof.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Select(Mechanism[D, int]):
    """The shape that both selections share: levels first, then a uniform member."""

    score: Score[D] = field(repr=False)
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "relation", Relation.read(self.relation))

    @property
    def rate(self) -> Fraction:
        """The exponent per unit of error."""
        return self.epsilon / self.score.spread(self.relation)

    @abstractmethod
    def _level(self, levels: Levels, *, rng: Sampler) -> int:
        """Draw a level by the mechanism's own law."""

    @abstractmethod
    def _staged(self, stages: Iterator[Stage], *, rng: Sampler) -> int:
        """Draw a candidate by the same law, counting only where it can matter."""

    def streams(self, n: int | None) -> bool:
        return isinstance(self.score, StagedScore) and self.score.streams(n)

    def _release(self, data: D, *, rng: Sampler) -> int:
        staged = self.score.staged(data) if isinstance(self.score, StagedScore) else None
        if staged is None:
            landscape = self.score(data)  # [P1]
            staged = in_stages(landscape)
        if staged is not None:
            return self._staged(staged.stages(self.rate), rng=rng)  # [P4]
        levels = landscape.levels()
        index = self._level(levels, rng=rng)  # [P2]
        rank = rng.below(int(levels.counts[index]))  # [P3]
        return landscape.member(int(levels.errors[index]), rank)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Exponential(_Select[D]):
    """Pick a candidate with probability proportional to ``exp(-rate * error)``.

    Privacy
    -------
    Requires  between neighbours under ``relation`` all errors move by amounts in one
              interval of length ``w = score.spread(relation)``; ``rate = epsilon / w``.
    Ensures   ``epsilon``-bounded range, hence ``epsilon``-DP and ``epsilon**2/8``-zCDP.
    Proof     Theorem 1 of ``selection.proof.md``.
    Numerics  exact: floats decide only where a proved bound leaves no doubt.

    Edge cases
    ----------
    Equal errors give the uniform law. A lone candidate is returned and charged.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="McSherryTalwar07",
        locator="Theorem 6",
        statement="drawing with weight exp(-epsilon error / w) is epsilon-bounded-range "
        "when errors move within an interval of length w between neighbours",
        proof=_PROOF,
    )

    def event(self) -> Event:
        return Selection(epsilon=self.epsilon, relation=self.relation)

    def _level(self, levels: Levels, *, rng: Sampler) -> int:
        return rng.level(levels, rate=self.rate)

    def _staged(self, stages: Iterator[Stage], *, rng: Sampler) -> int:
        return rng.candidate(stages, rate=self.rate)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PermuteAndFlip(_Select[D]):
    """Visit candidates in random order; take the first that wins its coin.

    The coin of a candidate is heads with probability ``exp(-rate * (error - least))``.
    Never worse in expectation than ``Exponential`` at the same ``epsilon``, by up to a
    factor 2; but it has no bounded range, so it composes less cheaply.

    Privacy
    -------
    Requires  as ``Exponential``.
    Ensures   ``epsilon``-DP.
    Proof     Theorem 2 of ``selection.proof.md``.
    Numerics  exact: balls decide.

    Edge cases
    ----------
    As ``Exponential``.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="McKennaSheldon20",
        locator="Theorem 1",
        statement="permute-and-flip at rate epsilon / w is epsilon-DP when errors move within "
        "an interval of length w between neighbours",
        proof=_PROOF,
    )

    def event(self) -> Event:
        return Pure(epsilon=self.epsilon, relation=self.relation)

    def _level(self, levels: Levels, *, rng: Sampler) -> int:
        return rng.flip_level(levels, rate=self.rate)

    def _staged(self, stages: Iterator[Stage], *, rng: Sampler) -> int:
        return rng.flip_candidate(stages, rate=self.rate)


SELECTORS: dict[str, type[_Select[Any]]] = {
    "exponential": Exponential,
    "permute-and-flip": PermuteAndFlip,
}
"""The selections by the name that bounds and learners use."""
