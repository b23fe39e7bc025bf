"""A sampler that follows laws: every draw is a choice among outcomes of stated weight.

It stands where the exact sampler stands (``tacit.core.Sampler``) and is passed to a
mechanism in its place. The samplers of ``tacit.exact`` are proved and tested to have
these laws.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import numpy.typing as npt

from tacit.checks.audit import lazy_noise
from tacit.core import CountedStage, ErrorCounts, Sampler, TacitError
from tacit.exact.arrays import Values
from tacit.exact.balls import Ball, at, ball

Pairs = list[tuple[int, int]]

MOST_WAYS = 1 << 12
_MOST_FLIPPED = 300
_WORD = 64


class NoLaw(TacitError):
    """The exact law of this mechanism is not known, or has too many branches to follow."""


class LawSampler(ABC):
    """All draws as branches; a subclass says which branch is taken.

    ``faint``   outcomes less likely than this may be left out.
    ``lazily``  whether arrays of noise stay open until somebody looks at a number.
    """

    private = False
    faint: Fraction
    lazily: bool

    @abstractmethod
    def choose(self, weights: Callable[[], Sequence[Ball]]) -> int:
        """The number of a branch; the weights add up to at most 1."""

    @abstractmethod
    def public_coins(self) -> Sampler:
        """The same coins in every branch and for every data set, if they are public."""

    def below(self, bound: int) -> int:
        if bound == 1:
            return 0
        if bound > MOST_WAYS:
            raise NoLaw(f"a uniform draw among {bound} has too many branches to follow")
        return self.choose(lambda: [ball(1) / bound] * bound)

    def bits(self, count: int) -> int:
        return self.below(1 << count) if count > 0 else 0

    def bytes(self, count: int) -> bytes:
        raise NoLaw(f"{count} raw bytes are drawn by a sampler whose law is not listed")

    def level(self, levels: ErrorCounts, *, rate: Fraction) -> int:
        return self.choose(lambda: _weighed(_pairs(levels), rate))

    def flip_level(self, levels: ErrorCounts, *, rate: Fraction) -> int:
        return self.choose(lambda: _flipped(_pairs(levels), rate))

    def candidate(self, stages: Iterable[CountedStage], *, rate: Fraction) -> int:
        return self._member(stages, lambda pairs: _weighed(pairs, rate))

    def flip_candidate(self, stages: Iterable[CountedStage], *, rate: Fraction) -> int:
        return self._member(stages, lambda pairs: _flipped(pairs, rate))

    def _member(
        self, stages: Iterable[CountedStage], weigh: Callable[[Pairs], Sequence[Ball]]
    ) -> int:
        """All stages are read: how far the exact sampler reads decides nothing."""
        listed = [stage.listed for stage in stages]
        cells = [(part, pair) for part in listed for pair in _pairs(part.levels())]
        place = self.choose(lambda: weigh([pair for _, pair in cells]))
        part, (error, count) = cells[place]
        return part.member(error, self.below(count))

    def geometric(self, scale: Fraction) -> Any:
        """Noise that is settled only as far as it is looked at: it passes for a number."""
        return lazy_noise.geometric(self, scale)

    def geometrics(self, scale: Fraction, count: int) -> Values:
        drawn = [lazy_noise.geometric(self, scale) for _ in range(count)]
        if self.lazily:
            return np.array(drawn, dtype=object)
        return np.array([int(noise) for noise in drawn], dtype=np.int64)

    def gaussian(self, variance: Fraction) -> Any:
        """Noise that is settled only as far as it is looked at: it passes for a number."""
        return lazy_noise.gaussian(self, variance)

    def gaussians(self, variance: Fraction, count: int) -> npt.NDArray[np.int64]:
        return np.array([int(self.gaussian(variance)) for _ in range(count)], dtype=np.int64)

    def coin(self, p: Fraction) -> bool:
        if p in (0, 1):
            return p == 1
        return self.choose(lambda: [ball(1 - p), ball(p)]) == 1

    def coins(self, p: Fraction, count: int) -> npt.NDArray[np.bool_]:
        return np.array([self.coin(p) for _ in range(count)], dtype=bool)

    def exp_coin(self, x: Fraction) -> bool:
        return x == 0 or self.choose(lambda: [1 - (-ball(x)).exp(), (-ball(x)).exp()]) == 1

    def binomial(self, trials: int, p: Callable[[], Ball]) -> int:
        if trials > MOST_WAYS:
            raise NoLaw(f"{trials} coins have too many branches to follow")

        def weights() -> list[Ball]:
            heads = p()
            ways = [ball(int(flint.fmpz.bin_uiui(trials, k))) for k in range(trials + 1)]
            return [count * heads**k * (1 - heads) ** (trials - k) for k, count in enumerate(ways)]

        return self.choose(weights)

    def cell(
        self,
        weights: npt.NDArray[np.float64],
        *,
        relative: float,
        absolute: float,
        balls: Callable[[], Iterable[Ball]],
    ) -> int:
        del weights, relative, absolute
        return self.choose(lambda: _shares(list(balls())))

    def rising_level(self, count: Callable[[int], int], *, rate: Fraction, top: int) -> int:
        if top > MOST_WAYS:
            raise NoLaw(f"{top} levels have too many branches to follow")

        def weights() -> list[Ball]:
            step = (-ball(rate)).exp()
            below = [count(level) * step**level for level in range(top)]
            # Levels beyond the top count as the top: a geometric series.
            return _shares([*below, count(top) * step**top / (1 - step)])

        return self.choose(weights)

    def indices(self, *, below: int, count: int) -> npt.NDArray[np.int64]:
        return np.array([self.below(below) for _ in range(count)], dtype=np.int64)

    def hash_words(self, *, limbs: int, bits: int, size: int) -> tuple[int, ...]:
        if size > 2 or 1 << (2 * bits) > MOST_WAYS:
            return self.public_coins().hash_words(limbs=limbs, bits=bits, size=size)
        return self._buckets(bits)

    def hash_rows(self, count: int, *, limbs: int, bits: int, size: int) -> npt.NDArray[np.uint64]:
        if size > 2 or 1 << (2 * bits * count) > MOST_WAYS:
            return self.public_coins().hash_rows(count, limbs=limbs, bits=bits, size=size)
        return np.array([self._buckets(bits) for _ in range(count)], dtype=np.uint64)

    def _buckets(self, bits: int) -> tuple[int, int]:
        """A multiplier and an offset that stand for all with their top ``bits`` bits.

        On the values 0 and 1 a hash is its two buckets, ``offset`` and ``offset +
        multiplier`` cut to their top bits. Both are uniform and independent, whatever the
        lower bits; and where an offset is moved so that a value falls into bucket 0, the
        other value's bucket is uniform still. Given the buckets, all that is left of the
        hash is independent of the records, so that it tells nothing more.
        """
        pair = self.below(1 << (2 * bits))
        return (pair >> bits) << (_WORD - bits), (pair & ((1 << bits) - 1)) << (_WORD - bits)


def _shares(weights: list[Ball]) -> list[Ball]:
    total = sum(weights, ball(0))
    return [weight / total for weight in weights]


def _pairs(levels: ErrorCounts) -> Pairs:
    counts = (int(count) for count in levels.counts.tolist())
    return list(zip(levels.errors.tolist(), counts, strict=True))


def _weighed(pairs: Pairs, rate: Fraction) -> list[Ball]:
    least = min(error for error, _ in pairs)
    return _shares([count * (-ball(rate) * (error - least)).exp() for error, count in pairs])


def _flipped(pairs: Pairs, rate: Fraction) -> list[Ball]:
    """``P = p * integral over s of prod (1 - p_o s)`` over the other candidates' coins."""
    if sum(count for _, count in pairs) > _MOST_FLIPPED:
        raise NoLaw("permute-and-flip among this many candidates is not written out")
    least = min(error for error, _ in pairs)
    with at(4 * _MOST_FLIPPED):
        heads = [(-ball(rate) * (error - least)).exp() for error, _ in pairs]
        weights = []
        for own, (_, members) in enumerate(pairs):
            product = flint.arb_poly([1])
            for other, (_, count) in enumerate(pairs):
                product *= flint.arb_poly([1, -heads[other]]) ** (count - (other == own))
            weights.append(members * heads[own] * product.integral()(ball(1)))
    return weights
