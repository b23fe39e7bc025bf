"""A uniform real number of which only the bits that matter are ever drawn."""

from __future__ import annotations

import flint

from tacit.core import Rng
from tacit.exact.balls import Ball


class Lazy:
    """``U`` uniform on [0, 1], known to lie in ``[prefix, prefix + 1] / 2**length``.

    More bits are appended, never redrawn, so any answer that is a function of the
    real number ``U`` keeps its exact law however often the precision is raised.
    """

    __slots__ = ("_rng", "length", "prefix")

    def __init__(self, rng: Rng, *, prefix: int = 0, length: int = 0) -> None:
        self._rng = rng
        self.prefix = prefix
        self.length = length

    def extend(self, length: int) -> None:
        """Draw bits until at least ``length`` are known."""
        missing = length - self.length
        if missing > 0:
            self.prefix = (self.prefix << missing) | self._rng.bits(missing)
            self.length = length

    def ball(self) -> Ball:
        """A ball that contains ``U``, at the working precision."""
        middle = flint.arb((2 * self.prefix + 1, -self.length - 1))
        radius = flint.arb((1, -self.length - 1))
        return flint.arb(middle, radius)
