"""Stability histogram: the values that occur often, with noisy counts; any domain."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tacit.core import MECHANISMS, Approximate, Claim, Event, Mechanism, Relation, Sampler, Tiny
from tacit.core.numbers import positive, probability
from tacit.core.tiny import RARE
from tacit.domains.integers import Integers
from tacit.domains.placing import Placing
from tacit.mechanisms.calibration import noise_scale, release_threshold
from tacit.tallies.distinct import OfLabels, distinct

_PROOF = "mechanisms/stability.proof.md"

Bins = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StabilityHistogram(Mechanism[object, Bins]):
    """Release ``(value, noisy count)`` of the values that occur often, ascending by value.

    Privacy
    -------
    Requires  each record counts for at most one value.
    Ensures   ``(epsilon, delta)``-DP, whatever the number of records.
    Proof     Theorem 1 of ``stability.proof.md``.
    Numerics  exact; the threshold is rounded up.

    Utility
    -------
    A value that occurs ``tacit.bounds.upper.histograms.stable_count`` times is released
    with probability ``1 - beta``.

    Edge cases
    ----------
    No records, or no frequent value: no pairs.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="B20",
        locator="Theorem 15",
        statement="occurring values whose count plus geometric noise of scale 2/epsilon reaches "
        "1 + (2/epsilon) ln(1/(delta(1+e^(-epsilon/2)))) are (epsilon, delta)-private; "
        "constants ours",
        proof=_PROOF,
    )

    domain: Placing | OfLabels
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
        return noise_scale(epsilon=self.epsilon, relation=self.relation)

    @property
    def threshold(self) -> int:
        """The least noisy count that is released."""
        return release_threshold(epsilon=self.epsilon, delta=self.delta, relation=self.relation)

    def event(self) -> Event:
        return Approximate(epsilon=self.epsilon, delta=self.delta, relation=self.relation)

    def _release(self, data: object, *, rng: Sampler) -> Bins:
        values, counts = distinct(data, self.domain)  # [P1]
        noisy = counts + rng.geometrics(self.scale, len(counts))  # [P2]
        kept = noisy >= self.threshold  # [P3]
        pairs = zip(values[kept].tolist(), noisy[kept].tolist(), strict=True)
        return tuple((int(value), int(count)) for value, count in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class StableMostFrequent(Mechanism[object, int | None]):
    """Release the top value of a stability histogram, or ``None`` if it is empty.

    Privacy
    -------
    Requires  as ``StabilityHistogram``.
    Ensures   ``(epsilon, delta)``-DP.
    Proof     Theorem 2 of ``stability.proof.md``.
    Numerics  exact.

    Edge cases
    ----------
    Equal noisy counts: the least value.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="B20",
        locator="Theorem 15",
        statement="the top of a stability histogram is (epsilon, delta)-private and is the most "
        "frequent value once that occurs, and leads, often enough; constants ours",
        proof=_PROOF,
    )

    histogram: StabilityHistogram

    def event(self) -> Event:
        return self.histogram.event()

    def _release(self, data: object, *, rng: Sampler) -> int | None:
        pairs = rng.part(self.histogram, data)
        return max(pairs, key=lambda pair: (pair[1], -pair[0]), default=(None, 0))[0]


TWELVE = ((0,) * 12, (0,) * 11 + (1,))
"""Twelve records of one kind, and one of them changed."""


def tiny_histogram(epsilon: Fraction) -> StabilityHistogram:
    """A histogram of two values."""
    return StabilityHistogram(domain=Integers(size=2), epsilon=epsilon, delta=RARE)


# As many records as it takes for either value to be released, or not, one record further.
MECHANISMS.add(
    Tiny(name="StabilityHistogram", make=tiny_histogram, records=(0, 1), n=30, pairs=(TWELVE,))
)
MECHANISMS.add(
    Tiny(
        name="StableMostFrequent",
        make=lambda e: StableMostFrequent(histogram=tiny_histogram(e)),
        records=(0, 1),
        n=40,
        pairs=(TWELVE,),
    )
)
