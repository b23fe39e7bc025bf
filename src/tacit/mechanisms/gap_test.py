"""Gap test: the best candidate, if it leads by enough (A_dist, corrected)."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, TypeVar

from tacit.core import Approximate, Claim, Event, Mechanism, Relation, Sampler
from tacit.core.numbers import positive, probability
from tacit.exact.geometric_tails import reach
from tacit.exact.landscape import Landscape
from tacit.mechanisms.score import Score

D = TypeVar("D")


def leader(landscape: Landscape) -> tuple[int, int]:
    """A best candidate and by how much its error is below that of every other one.

    A lone candidate leads by nothing; ties lead by 0.
    """
    levels = landscape.levels()
    best = int(levels.errors[0])
    tied = int(levels.counts[0]) > 1 or len(levels.errors) == 1
    return landscape.member(best, 0), 0 if tied else int(levels.errors[1]) - best


@dataclass(frozen=True, slots=True, kw_only=True)
class GapTest(Mechanism[D, int | None]):
    """Release the best candidate if its lead plus noise reaches a threshold, else ``None``.

    With spread ``w`` the lead can move by ``w`` between neighbours (2 for counts under
    substitution), so the noise has scale ``w / epsilon`` and the threshold is
    ``w + (w / epsilon) ln(1 / (delta (1 + exp(-epsilon / w))))``. The algorithm as printed
    takes 1 for ``w`` in both and is not private: ``tacit.checks.attacks.faulty``.

    Privacy
    -------
    Requires  ``score.spread(relation)`` is true of the score; *all* candidates of a public
              set are in the landscape, not only those that occur.
    Ensures   ``(epsilon, delta)``-DP.
    Proof     Theorem 1 of ``gap_test.proof.md``.
    Numerics  exact; the threshold is rounded up.

    Utility
    -------
    The best candidate with probability ``1 - beta`` if it leads by
    ``tacit.bounds.upper.histograms.winning_gap``.

    Edge cases
    ----------
    A tie, or a lone candidate: the lead is 0, so almost always ``None``.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Proposition 22",
        statement="releasing the best candidate when its lead plus geometric noise of scale "
        "2/epsilon reaches 2 + (2/epsilon) ln(1/(delta(1+e^(-epsilon/2)))) is "
        "(epsilon, delta)-private; sensitivity and constants corrected",
        proof="mechanisms/gap_test.proof.md",
    )

    score: Score[D] = field(repr=False)
    epsilon: Fraction
    delta: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "delta", probability(self.delta, name="delta"))
        object.__setattr__(self, "relation", Relation.read(self.relation))

    @property
    def scale(self) -> Fraction:
        """The scale of the noise."""
        return self.score.spread(self.relation) / self.epsilon

    @property
    def threshold(self) -> int:
        """The least noisy lead that is believed."""
        return self.score.spread(self.relation) + reach(self.scale, self.delta)

    def event(self) -> Event:
        return Approximate(epsilon=self.epsilon, delta=self.delta, relation=self.relation)

    def _release(self, data: D, *, rng: Sampler) -> int | None:
        best, lead = leader(self.score(data))  # [P1]
        noisy = lead + rng.geometric(self.scale)  # [P2]
        return best if noisy >= self.threshold else None  # [P3]
