"""How many of very many rare coins come up heads, exactly.

By inverting the distribution function with a lazy uniform: meant for a small expected
number, whatever the number of coins (2^1000 is ordinary). ``binomial.proof.md``.
"""

from __future__ import annotations

from collections.abc import Callable

from tacit.core import BadInput, NumericalDoubt, Rng
from tacit.exact.balls import Ball, at, ball
from tacit.exact.lazy import Lazy

_MOST_BITS = 1 << 14


def binomial(rng: Rng, trials: int, p: Callable[[], Ball]) -> int:
    """Heads among ``trials`` coins of probability ``p()``, a ball at any working precision.

    Takes time in the answer, not in ``trials``.
    """
    if trials < 0:
        raise BadInput("the number of coins must be at least 0")
    if trials == 0:
        return 0
    lazy, bits = Lazy(rng), 128
    while bits <= _MOST_BITS:
        lazy.extend(bits)
        with at(2 * bits + trials.bit_length()):
            heads = _cell(lazy.ball(), trials, p(), bits)
        if heads is not None:
            return heads
        bits *= 2
    raise NumericalDoubt("a binomial draw could not be settled")


def _cell(u: Ball, trials: int, p: Ball, bits: int) -> int | None:
    """The number whose cell of the distribution function certainly holds ``u``."""
    odds = p / (1 - p)
    mass = (ball(trials) * (-p).log1p()).exp()
    start, end = ball(0), mass
    for heads in range(trials + 1):
        if u < end:
            return heads if heads == 0 or u > start else None
        if not u > end or mass < ball(1) / ball(1 << (2 * bits)):
            return None
        mass = mass * odds * (trials - heads) / (heads + 1)
        start, end = end, end + mass
    return None
