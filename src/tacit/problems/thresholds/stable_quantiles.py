"""Private quantiles through popular prefixes: records that hardly depend on the domain."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise
from typing import ClassVar

import numpy as np

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Approximate,
    BadInput,
    Claim,
    Condition,
    Event,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
)
from tacit.core.numbers import whole
from tacit.core.tiny import DELTA, RARE, divided
from tacit.domains.integers import MOST_BITS, Integers
from tacit.exact.arrays import Placed
from tacit.mechanisms.stable_prefix import StablePrefix
from tacit.problems.finite.reasons import TABLES_NEED
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.thresholds import threshold_tables_upper as threshold_tables
from tacit.problems.thresholds.quantile_table import cut_table, places_among_equals
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.problems.thresholds.tiny_thresholds import on_threshold_queries
from tacit.tallies.distinct import distinct, features

_PLACES = threshold_tables.PLACE_BITS


@dataclass(frozen=True, slots=True, kw_only=True)
class StableQuantiles(Mechanism[Sample, SyntheticTable]):
    """``2**depth - 1`` cuts, each an interior point of the middle ``window`` records of a part.

    Equal records are numbered, so that no two are equal; a part with fewer than ``window``
    records is padded with its own ends.

    Privacy
    -------
    Requires  the number of records is public and below ``2**64``.
    Ensures   ``(2 depth epsilon', 2 depth delta')``-DP under ``REPLACE_ONE``, with the
              ``epsilon'`` and ``delta'`` of ``inner``.
    Proof     Theorem 1 of ``stable_quantiles.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.thresholds.threshold_tables_upper.stable_quantiles``.

    Edge cases
    ----------
    A part without records, or without room: any of its values.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Theorem 1 of stable_quantiles.proof.md",
        statement="interior points of the middle records of parts are private: a window of fixed "
        "size changes by one record when one is added or removed",
        proof="problems/thresholds/stable_quantiles.proof.md",
    )

    domain: Integers
    depth: int
    window: int
    inner: StablePrefix

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", whole(self.depth, name="depth", least=1))
        object.__setattr__(self, "window", whole(self.window, name="window", least=1))
        if self.inner.domain.size != self.domain.size << _PLACES:
            raise BadInput("the inner interior point must be over values and positions together")
        if self.inner.relation is not Relation.REPLACE_ONE:
            raise BadInput("the inner interior point must be private under REPLACE_ONE")

    def event(self) -> Event:
        inner = self.inner.event()
        assert isinstance(inner, Approximate)
        calls = 2 * self.depth
        return Approximate(
            epsilon=calls * inner.epsilon,
            delta=calls * inner.delta,
            relation=Relation.REPLACE_ONE,
        )

    def _release(self, data: Sample, *, rng: Sampler) -> SyntheticTable:
        found, counts = distinct(features(data), self.domain)
        firsts = np.array([int(value) << _PLACES for value in found.tolist()], dtype=object)
        keys = np.repeat(firsts, counts) + places_among_equals(counts)  # [P1]
        bounds = [0, self.inner.domain.size]
        for _ in range(self.depth):
            cuts = [self._cut(keys, low, high, rng=rng) for low, high in pairwise(bounds)]
            bounds = [*chain.from_iterable(zip(bounds[:-1], cuts, strict=True)), bounds[-1]]
        values = [cut >> _PLACES for cut in bounds[1:-1]]
        return cut_table(self.domain, values, n=len(keys))  # [P4]

    def _cut(self, keys: Placed, low: int, high: int, *, rng: Sampler) -> int:
        if high <= low:
            return low
        first, last = (int(np.searchsorted(keys, bound)) for bound in (low, high))
        start = (last - first) // 2 - self.window // 2
        # [P2] The part's records, with its ends repeated for ever on either side.
        chosen = [low] * min(self.window, max(0, -start))
        chosen += keys[first + max(0, start) : min(last, first + start + self.window)].tolist()
        chosen += [high - 1] * (self.window - len(chosen))
        found = rng.part(self.inner, np.array(chosen, dtype=object))  # [P3]
        return min(max(found, low), high - 1)


def _bound(task: Task) -> SampleBound:
    return threshold_tables.stable_quantiles(
        bits=task.concept_class.domain.bits,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
    )


def _mechanism(task: Task, bound: SampleBound, size: Size) -> StableQuantiles:
    if size.n >= 1 << _PLACES:
        raise BadInput("positions are counted in 64 bits; there are too many records")
    choices, domain = bound.choices, task.concept_class.domain
    names = ("epsilon_length", "epsilon_prefix", "epsilon_side", "delta", "low", "high")
    inner = StablePrefix(
        domain=Integers(size=domain.size << _PLACES), **{name: choices[name] for name in names}
    )
    return StableQuantiles(
        domain=domain, depth=choices["depth"], window=choices["window"], inner=inner
    )


def _tiny(entry: Algorithm) -> Tiny:
    def make(epsilon: Fraction) -> StableQuantiles:
        inner = StablePrefix(
            domain=Integers(size=2 << 64),
            epsilon_length=epsilon / 2,
            epsilon_prefix=epsilon,
            epsilon_side=epsilon / 2,
            delta=RARE,
            low=4,
            high=24,
        )
        return StableQuantiles(domain=Integers(size=2), depth=1, window=24, inner=inner)

    return on_threshold_queries(entry, delta=DELTA).exactly(
        make, records=(0, 1), n=24, only=divided(0, 1, n=24, at=(24, 18, 13, 12))
    )


STABLE_QUANTILES = ALGORITHMS.add(
    Algorithm(
        name="stable-quantile-thresholds",
        summary="interior points of the middle records of parts: for very long values",
        applies=Applies(
            proper=True,
            goal="sanitize",
            placed=True,
            relations=(Relation.REPLACE_ONE,),
            because=TABLES_NEED,
            classes=(Thresholds,),
            delta=True,
            further=(
                Condition(
                    f"at most {MOST_BITS} bits of values and positions",
                    lambda task: task.concept_class.domain.bits + _PLACES <= MOST_BITS,
                ),
            ),
        ),
        claim=threshold_tables.STABLE_QUANTILES,
        bound=_bound,
        build=_mechanism,
        tiny=_tiny,
    )
)
