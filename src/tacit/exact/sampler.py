"""The exact sampler: every law of ``tacit.core.Sampler``, drawn from fair bits.

Each method is one function of this package, whose own proof says that it draws that law.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from tacit.core.mechanism import Mechanism
from tacit.core.sampler import CountedStage, ErrorCounts
from tacit.exact.balls import Ball
from tacit.exact.binomial import binomial
from tacit.exact.cells import choose_cell
from tacit.exact.coins import bernoulli, bernoulli_exp
from tacit.exact.flips import flip_level
from tacit.exact.gaussian import discrete_gaussian, discrete_gaussians
from tacit.exact.geometric import two_sided_geometric, two_sided_geometrics
from tacit.exact.indices import uniform_indices
from tacit.exact.levels import choose_level
from tacit.exact.many_coins import bernoullis
from tacit.exact.rising import rising_level
from tacit.exact.stages import draw_exponential, draw_flip

D = TypeVar("D")
V = TypeVar("V")


class ExactSampler(ABC):
    """Draws exactly from the bits that a subclass supplies."""

    __slots__ = ()

    private: ClassVar[bool]
    """Whether the bits are unpredictable."""

    @abstractmethod
    def bits(self, count: int) -> int:
        """A uniform integer in ``[0, 2**count)``."""

    @abstractmethod
    def below(self, bound: int) -> int:
        """A uniform integer in ``[0, bound)``."""

    @abstractmethod
    def bytes(self, count: int) -> bytes:
        """``count`` uniform bytes."""

    def part(self, mechanism: Mechanism[D, V], data: D) -> V:
        """Run ``mechanism`` inside another, which was charged for both."""
        return mechanism._release(data, rng=self)

    def coin(self, p: Fraction) -> bool:
        """True with probability ``p``."""
        return bernoulli(self, p)

    def coins(self, p: Fraction, count: int) -> npt.NDArray[np.bool_]:
        """``count`` booleans, each true with probability ``p``."""
        return bernoullis(self, p, count)

    def exp_coin(self, x: Fraction) -> bool:
        """True with probability ``exp(-x)``, for ``x >= 0``."""
        return bernoulli_exp(self, x)

    def geometric(self, scale: Fraction) -> int:
        """An integer ``z`` with probability proportional to ``exp(-|z| / scale)``."""
        return two_sided_geometric(self, scale)

    def geometrics(self, scale: Fraction, count: int) -> npt.NDArray[np.int64]:
        """``count`` integers with the law of ``geometric``."""
        return two_sided_geometrics(self, scale, count)

    def gaussian(self, variance: Fraction) -> int:
        """An integer ``z`` with probability proportional to ``exp(-z**2 / (2 variance))``."""
        return discrete_gaussian(self, variance)

    def gaussians(self, variance: Fraction, count: int) -> npt.NDArray[np.int64]:
        """``count`` integers with the law of ``gaussian``."""
        return discrete_gaussians(self, variance, count)

    def binomial(self, trials: int, p: Callable[[], Ball]) -> int:
        """How many of ``trials`` coins are heads; ``p()`` is a ball around their chance."""
        return binomial(self, trials, p)

    def indices(self, *, below: int, count: int) -> npt.NDArray[np.int64]:
        """``count`` uniform integers in ``[0, below)``."""
        return uniform_indices(self, below=below, count=count)

    def level(self, levels: ErrorCounts, *, rate: Fraction) -> int:
        """The index of a level, with weight ``count * exp(-rate * error)``."""
        return choose_level(self, levels, rate=rate)

    def flip_level(self, levels: ErrorCounts, *, rate: Fraction) -> int:
        """The index of the level that permute-and-flip's winner has."""
        return flip_level(self, levels, rate=rate)

    def candidate(self, stages: Iterable[CountedStage], *, rate: Fraction) -> int:
        """A candidate with weight ``exp(-rate * error)``; stages are asked for as they matter."""
        return draw_exponential(self, stages, rate=rate)

    def flip_candidate(self, stages: Iterable[CountedStage], *, rate: Fraction) -> int:
        """A candidate by permute-and-flip; stages are asked for as they matter."""
        return draw_flip(self, stages, rate=rate)

    def rising_level(self, count: Callable[[int], int], *, rate: Fraction, top: int) -> int:
        """A level ``t`` with weight ``count(t) * exp(-rate * t)``; beyond ``top``, ``top``."""
        return rising_level(self, count, rate=rate, top=top)

    def cell(
        self,
        weights: npt.NDArray[np.float64],
        *,
        relative: float,
        absolute: float,
        balls: Callable[[], Iterable[Ball]],
    ) -> int:
        """An index with its true weight, which floats know roughly and balls at any precision."""
        return choose_cell(self, weights, relative=relative, absolute=absolute, balls=balls)

    def hash_words(self, *, limbs: int, bits: int, size: int) -> tuple[int, ...]:
        """Uniform words, whatever is hashed to however many bits."""
        del bits, size
        return tuple(self.bits(64) for _ in range(limbs + 1))

    def hash_rows(self, count: int, *, limbs: int, bits: int, size: int) -> npt.NDArray[np.uint64]:
        """Uniform words, whatever is hashed to however many bits."""
        del bits, size
        words = np.frombuffer(self.bytes(8 * count * (limbs + 1)), dtype=np.uint64)
        return words.reshape(count, limbs + 1)
