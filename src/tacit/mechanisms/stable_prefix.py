"""Interior point through a popular prefix: records grow with ``ln`` of the bits only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tacit.core import (
    MECHANISMS,
    Approximate,
    BadInput,
    Claim,
    Event,
    Mechanism,
    Relation,
    Sampler,
    Tiny,
)
from tacit.core.numbers import positive, probability, whole
from tacit.core.tiny import RARE
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.mechanisms.calibration import noise_scale
from tacit.mechanisms.interior_point import SPREAD_OUT
from tacit.mechanisms.selection import Exponential
from tacit.mechanisms.stability import StabilityHistogram, StableMostFrequent


def shared_prefixes(cells: Placed, bits: int) -> npt.NDArray[np.int64]:
    """How many leading bits each of the ascending ``cells`` shares with the next one."""
    if cells.dtype == object:
        pairs = zip(cells[:-1].tolist(), cells[1:].tolist(), strict=True)
        lengths = [bits - int(a ^ b).bit_length() for a, b in pairs]
        return np.array(lengths, dtype=np.int64)
    differ = cells[:-1] ^ cells[1:]
    # frexp gives the bit length exactly where a float holds the number exactly.
    high = np.frexp((differ >> np.uint64(32)).astype(np.float64))[1]
    low = np.frexp((differ & np.uint64(0xFFFFFFFF)).astype(np.float64))[1]
    return bits - np.where(high > 0, high + 32, low).astype(np.int64)


def popularity(cells: Placed, bits: int) -> npt.NDArray[np.int64]:
    """``Q(z)`` for ``z = 0, ..., bits``: how many records share a ``z``-bit prefix, at most."""
    counts = np.zeros(bits + 1, dtype=np.int64)
    if len(cells) == 0:
        return counts
    shared = shared_prefixes(np.sort(cells), bits)
    top = 0
    # Q changes only just above a length that occurs.
    for length in [*np.unique(shared).tolist(), bits]:
        breaks = np.flatnonzero(shared < length)
        ends = np.concatenate(([-1], breaks, [len(cells) - 1]))
        counts[top : length + 1] = np.diff(ends).max()
        top = length + 1
    return counts


@dataclass(frozen=True, slots=True)
class PrefixLength:
    """Minus ``min(Q(z) - low, high - Q(z))`` for every length ``z``; at full length ``low - Q``.

    ``Q`` moves by at most 1 between neighbours, all one way if a record is added, but the
    two terms move against each other: the spread is 2 for every relation.
    """

    bits: int
    low: int
    high: int

    def __call__(self, data: Placed) -> Flat:
        counts = popularity(data, self.bits)
        worth = np.minimum(counts - self.low, self.high - counts)
        worth[-1] = counts[-1] - self.low
        return Flat(errors=-worth)

    def spread(self, relation: Relation) -> int:  # noqa: ARG002 - the same for all
        return 2


@dataclass(frozen=True, slots=True, kw_only=True)
class StablePrefix(Mechanism[object, int]):
    """Choose a prefix length, then a prefix that many records share, then a side of it.

    1. A length ``z`` at which the most popular prefix is shared by more than ``low`` and
       fewer than ``high`` records (at full length: by more than ``low``).
    2. The top prefix of that length in a stability histogram; without one, a fixed value.
    3. That prefix followed by zeros if more records lie to its left, else by ones.

    Privacy
    -------
    Requires  ``domain`` and all parameters are public.
    Ensures   ``(length + prefix + side, delta)``-DP in the three ``epsilon`` parts.
    Proof     Theorem 1 of ``stable_prefix.proof.md``.
    Numerics  exact.

    Utility
    -------
    Interior with probability ``1 - beta`` on every data set of
    ``tacit.problems.thresholds.interior_point_upper.stable_prefix`` records, whose ``choices``
    are the parameters here.

    Edge cases
    ----------
    A domain that is no power of two is padded to one, and the answer is clamped into it.
    No records: the middle of the domain.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="B20",
        locator="Theorem 13",
        statement="an interior point is found (epsilon, delta)-privately from "
        "O((ln(d/beta) + ln(1/delta))/epsilon) records of d bits, in place of the log-star "
        "algorithm that the paper cites; constants ours",
        proof="mechanisms/stable_prefix.proof.md",
    )

    domain: Integers
    epsilon_length: Fraction
    epsilon_prefix: Fraction
    epsilon_side: Fraction
    delta: Fraction
    low: int
    high: int
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        for part in ("epsilon_length", "epsilon_prefix", "epsilon_side"):
            object.__setattr__(self, part, positive(getattr(self, part), name=part))
        object.__setattr__(self, "delta", probability(self.delta, name="delta"))
        object.__setattr__(self, "relation", Relation.read(self.relation))
        if whole(self.high, name="high", least=0) < whole(self.low, name="low", least=0):
            raise BadInput("high must be at least low")

    @property
    def bits(self) -> int:
        """How many bits a value has."""
        return max(1, (int(self.domain.size) - 1).bit_length())

    def event(self) -> Event:
        epsilon = self.epsilon_length + self.epsilon_prefix + self.epsilon_side
        return Approximate(epsilon=epsilon, delta=self.delta, relation=self.relation)

    def _length(self) -> Exponential[Placed]:
        score = PrefixLength(self.bits, self.low, self.high)
        return Exponential(score=score, epsilon=self.epsilon_length, relation=self.relation)

    def _prefix(self, length: int) -> StableMostFrequent:
        histogram = StabilityHistogram(
            domain=Integers(size=1 << length),
            epsilon=self.epsilon_prefix,
            delta=self.delta,
            relation=self.relation,
        )
        return StableMostFrequent(histogram=histogram)

    def _release(self, data: object, *, rng: Sampler) -> int:
        cells = self.domain.coerce(data)
        length = rng.part(self._length(), cells)  # [P1]
        spare, top = self.bits - length, int(self.domain.size) - 1
        prefix = rng.part(self._prefix(length), _cut(cells, spare))  # [P2]
        if prefix is None:
            return top // 2
        first, last = prefix << spare, ((prefix + 1) << spare) - 1
        if spare == 0:
            return min(first, top)
        left = np.count_nonzero(_below(cells, first))
        right = len(cells) - np.count_nonzero(_below(cells, last + 1))
        scale = noise_scale(epsilon=self.epsilon_side, relation=self.relation)
        lean = int(left - right) + rng.geometric(scale)  # [P3]
        return min(first if lean >= 0 else last, top)


def _cut(cells: Placed, spare: int) -> Placed:
    if cells.dtype == object or spare >= 64:
        return np.array([int(cell) >> spare for cell in cells.tolist()], dtype=object)
    words: Placed = cells >> np.uint64(spare)
    return words


def _below(cells: Placed, bound: int) -> npt.NDArray[np.bool_]:
    if cells.dtype != object and bound >= 1 << 64:
        return np.ones(len(cells), dtype=bool)
    return np.asarray(cells < (bound if cells.dtype == object else np.uint64(bound)), dtype=bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class StableRobustMinimum(Mechanism[object, int]):
    """Select an interior point of the records number ``low`` to ``high`` in ascending order.

    Records that are missing up to ``high`` count as the top of the domain, so that the
    window always has ``high - low + 1`` members, and neighbours' windows differ in at
    most one of them, whether a record is substituted, added or removed.

    Privacy
    -------
    Requires  ``low`` and ``high`` are public; ``inner.relation`` is ``REPLACE_ONE``.
    Ensures   the privacy of ``inner``, under any relation.
    Proof     Theorem 2 of ``stable_prefix.proof.md``.
    Numerics  exact.

    Edge cases
    ----------
    Fewer records than ``low``: the top of the domain, most likely.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="B20",
        locator="Theorem 13",
        statement="a robust minimum is an interior point of the records of absolute rank low "
        "to high, padded at the top; (epsilon, delta)-private under every relation",
        proof="mechanisms/stable_prefix.proof.md",
    )

    inner: StablePrefix
    low: int
    high: int
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        low = whole(self.low, name="low", least=1)
        if whole(self.high, name="high", least=1) < low:
            raise BadInput("high must be at least low")
        if self.inner.relation is not Relation.REPLACE_ONE:
            raise BadInput("the inner interior point must be private under REPLACE_ONE")
        object.__setattr__(self, "relation", Relation.read(self.relation))

    def event(self) -> Event:
        inner = self.inner
        epsilon = inner.epsilon_length + inner.epsilon_prefix + inner.epsilon_side
        return Approximate(epsilon=epsilon, delta=inner.delta, relation=self.relation)

    def _release(self, data: object, *, rng: Sampler) -> int:
        domain = self.inner.domain
        cells = np.sort(domain.coerce(data))[self.low - 1 : self.high]  # [P4]
        missing = self.high - self.low + 1 - len(cells)
        padding = np.full(missing, domain.size - 1, dtype=cells.dtype)
        return rng.part(self.inner, np.concatenate((cells, padding)))


def _tiny(domain: Integers, *, low: int, high: int) -> Callable[[Fraction], StablePrefix]:
    return lambda e: StablePrefix(
        domain=domain,
        epsilon_length=e / 4,
        epsilon_prefix=e / 2,
        epsilon_side=e / 4,
        delta=RARE,
        low=low,
        high=high,
    )


_SMALL = _tiny(Integers(size=4), low=4, high=36)
_LARGE = _tiny(Integers(bits=16), low=1, high=4)

MECHANISMS.add(
    Tiny(
        name="StablePrefix",
        make=_SMALL,
        records=(1, 2),
        n=40,
        sampled=_LARGE,
        pairs=(SPREAD_OUT,),
    )
)
MECHANISMS.add(
    Tiny(
        name="StableRobustMinimum",
        make=lambda e: StableRobustMinimum(inner=_SMALL(e), low=1, high=40),
        records=(1, 2),
        n=40,
        sampled=lambda e: StableRobustMinimum(inner=_LARGE(e), low=1, high=3),
        pairs=(SPREAD_OUT,),
    )
)
