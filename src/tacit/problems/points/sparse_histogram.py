"""Pure histogram over a huge domain: only what stands out is listed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tacit.core import BadInput, Claim, Event, Mechanism, Pure, Relation, Sampler
from tacit.core.numbers import positive, whole
from tacit.domains.integers import Integers
from tacit.exact.balls import ball, certainly_less
from tacit.exact.geometric_tails import at_least
from tacit.mechanisms.calibration import noise_scale
from tacit.mechanisms.stability import Bins
from tacit.problems.points.points import unlisted
from tacit.tallies.distinct import distinct

_MOST_RISEN = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class SparseHistogram(Mechanism[object, Bins]):
    """Pairs ``(value, noisy count)`` of all bins whose noisy count reaches ``threshold``.

    As if every bin of the domain, empty ones included, got independent two-sided
    geometric noise; the empty bins that reach the threshold are drawn directly.

    Privacy
    -------
    Requires  each record counts for one value.
    Ensures   ``epsilon``-DP, for every threshold and any number of records.
    Proof     Theorem 1 of ``sparse_histogram.proof.md``.
    Numerics  exact.

    Edge cases
    ----------
    No records: noise alone, in the few bins where it reaches the threshold.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BalcerVadhan19",
        locator="Section 3",
        statement="the bins of a pure noisy histogram that reach a public threshold can be drawn "
        "without visiting the empty ones; threshold form and constants ours",
        proof="problems/points/sparse_histogram.proof.md",
    )

    domain: Integers
    epsilon: Fraction
    threshold: int
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "threshold", whole(self.threshold, name="threshold", least=1))
        object.__setattr__(self, "relation", Relation.read(self.relation))
        scale = noise_scale(epsilon=self.epsilon, relation=self.relation)
        if not certainly_less(  # [P0]
            lambda: ball(self.domain.size) * at_least(scale, self.threshold),
            lambda: ball(_MOST_RISEN),
        ):
            raise BadInput("threshold is so low that noise alone would fill the list; raise it")

    def event(self) -> Event:
        return Pure(epsilon=self.epsilon, relation=self.relation)

    def _release(self, data: object, *, rng: Sampler) -> Bins:
        scale = noise_scale(epsilon=self.epsilon, relation=self.relation)
        values, counts = distinct(data, self.domain)  # [P1]
        noisy = counts + rng.geometrics(scale, len(counts))  # [P2]
        kept = noisy >= self.threshold
        bins = {
            int(value): int(count)
            for value, count in zip(values[kept].tolist(), noisy[kept].tolist(), strict=True)
        }
        empty = self.domain.size - len(values)
        risen = rng.binomial(empty, lambda: at_least(scale, self.threshold))  # [P3]
        ranks: set[int] = set()
        while len(ranks) < risen:
            ranks.add(rng.below(empty))  # [P4]
        for rank in sorted(ranks):
            bins[unlisted(values, rank)] = self.threshold + _overshoot(rng, scale)  # [P5]
        return tuple(sorted(bins.items()))


def _overshoot(rng: Sampler, scale: Fraction) -> int:
    """How far noise that reaches a threshold goes beyond it: geometric, by memorylessness."""
    extra = 0
    while rng.exp_coin(1 / scale):
        extra += 1
    return extra
