"""Points hidden among all points by a pseudorandom generator (BBKN13 section 6)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.core.numbers import whole
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.problems.points.points import PointRule
from tacit.problems.points.some_points import SomePoints
from tacit.tallies.mistakes import AddsUp

_MOST_SEED_BITS = 20
"""Up to this many seed bits the class can be listed: the inefficient learner's world."""


def stretch(seed: int, *, seed_bits: int, bits: int) -> int:
    """The generator: ``bits`` bits of SHAKE-256 of the seed, taken to be pseudorandom."""
    label = f"tacit.pseudorandom-points:{seed_bits}:{bits}:{seed}".encode()
    size = (bits + 7) // 8
    stream = hashlib.shake_256(label).digest(size)
    return int.from_bytes(stream, "big") >> (8 * size - bits)


@lru_cache(maxsize=8)
def _image(seed_bits: int, bits: int) -> Placed:
    """Every value that the generator takes, ascending."""
    values = {stretch(seed, seed_bits=seed_bits, bits=bits) for seed in range(1 << seed_bits)}
    kind: npt.DTypeLike = np.uint64 if bits <= 64 else object
    return np.array(sorted(values), dtype=kind)


@dataclass(frozen=True, slots=True)
class PseudorandomPoints(AddsUp):
    """Point functions ``x = G(seed)`` over ``bits``-bit numbers, for short seeds only.

    Whoever can go through all seeds learns inside the class with few records. Whoever
    cannot, and cannot break the generator, must treat it as the class of all points.
    """

    bits: int
    seed_bits: int
    name: ClassVar[str] = "pseudorandom-points"
    vc: ClassVar[int] = 1
    littlestone: ClassVar[int] = 1

    def __init__(self, *, bits: int, seed_bits: int) -> None:
        object.__setattr__(self, "bits", whole(bits, name="bits", least=2))
        object.__setattr__(self, "seed_bits", whole(seed_bits, name="seed_bits", least=1))
        if self.seed_bits >= self.bits:
            raise BadInput("seed_bits must be smaller than bits: a generator stretches")
        if self.seed_bits > _MOST_SEED_BITS:
            raise BadInput(f"seed_bits must be at most {_MOST_SEED_BITS}")

    @property
    def domain(self) -> Integers:
        """The public values that records have."""
        return Integers(bits=self.bits)

    @property
    def image(self) -> Placed:
        """The points of the class, ascending; takes time ``2**seed_bits`` once."""
        return _image(self.seed_bits, self.bits)

    @property
    def size(self) -> int:
        """How many concepts there are; ``None`` if infinitely many."""
        return len(self.image)

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(bits=8, seed_bits=4)

    def describe(self) -> str:
        """The class in a few words."""
        return f"points x = G(seed), {self.seed_bits}-bit seeds, over {self.domain.describe()}"

    def hypothesis(self, candidate: int) -> PointRule:
        """The rule of one point of the class."""
        return SomePoints(self.domain, self.image).hypothesis(candidate)

    def landscape(self, x: Placed, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every point of the class."""
        return SomePoints(self.domain, self.image).landscape(x, y)
