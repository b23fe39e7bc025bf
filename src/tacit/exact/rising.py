"""Draw a level of a rising count: ``T`` with weight ``count(T) * exp(-rate * T)``, exactly.

Meant for counts that cost something to compute and of which only few matter. An envelope
of blocks is refined where the weight lies; a draw from it is accepted or rejected by an
exact coin, so the envelope decides the time and never the law: ``rising.proof.md``.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from tacit.core import BadInput, Rng
from tacit.exact.balls import Ball, at, ball
from tacit.exact.coins import bernoulli_exp
from tacit.exact.lazy import Lazy
from tacit.exact.levels import cell_of

_MOST_BLOCKS = 1 << 12
_NEGLIGIBLE = 40.0  # nats by which a rest is lighter that is left in one block


def rising_level(rng: Rng, count: Callable[[int], int], *, rate: Fraction, top: int) -> int:
    """A level ``T >= 0`` with probability proportional to ``count(T) * exp(-rate * T)``.

    ``count`` never falls, is constant from ``top`` on and positive there; a level beyond
    ``top`` is returned as ``top``.
    """
    if rate <= 0 or top < 0:
        raise BadInput("a rising count needs a positive rate and a top of at least 0")
    known: dict[int, int] = {}

    def at_level(level: int) -> int:
        if level not in known:
            known[level] = count(level)
        return known[level]

    blocks = _envelope(at_level, rate=float(rate), top=top)
    uppers = [at_level(top), *(_upper(at_level, a, b) for a, b in blocks)]
    while True:
        index = _block(rng, uppers, blocks, rate=rate, top=top)  # [R1]
        if index == 0:
            return top
        start, end = blocks[index - 1]
        level = start + _offset(rng, end - start, rate=rate)  # [R2]
        if rng.below(uppers[index]) < at_level(level):  # [R3]
            return level


def _upper(count: Callable[[int], int], start: int, end: int) -> int:
    """A number that no count of the block exceeds."""
    return count(start) if end == start + 1 else count(end)


def _offset(rng: Rng, length: int, *, rate: Fraction) -> int:
    """``i < length`` with weight ``exp(-rate * i)``: a geometric number modulo ``length``."""
    if length == 1:
        return 0
    heads = 0
    while bernoulli_exp(rng, rate):
        heads += 1
    return heads % length


def _block(
    rng: Rng, uppers: list[int], blocks: list[tuple[int, int]], *, rate: Fraction, top: int
) -> int:
    """0 for the levels from ``top`` on, else one more than the index of a block."""

    def weights() -> Iterator[Ball]:
        step = ball(rate)
        yield ball(uppers[0]) * (-step * top).exp()
        for upper, (start, end) in zip(uppers[1:], blocks, strict=True):
            yield ball(upper) * (-step * start).exp() * -((-step * (end - start)).expm1())

    lazy, bits = Lazy(rng), 128
    while True:
        lazy.extend(bits)
        with at(bits + 64):
            total = sum(weights(), ball(0))
            index = cell_of(lazy.ball() * total, weights())
        if index is not None:
            return index
        bits *= 2


def _envelope(count: Callable[[int], int], *, rate: float, top: int) -> list[tuple[int, int]]:
    """Blocks ``[start, end)`` that cover the levels below ``top`` whose count is not 0.

    They grow from below, because counts of high levels may cost much, until all that is
    above cannot matter; then they are split, largest doubt first, until at least half of
    what they promise is certainly there.
    """
    tail = math.log(count(top)) - rate * top
    blocks = [_Block.of(0, min(1, top), count, rate)] if top else []
    while blocks and (end := blocks[-1].end) < top:
        sure = max(block.low for block in blocks)
        rest = _log_weight(end, top, count(top), rate)
        if rest < sure - _NEGLIGIBLE:
            blocks.append(_Block(doubt=-rest, high=rest, low=-math.inf, start=end, end=top))
            break
        blocks.append(_Block.of(end, min(top, end + 1 + end // 4), count, rate))
    heapq.heapify(blocks)
    while blocks and len(blocks) < _MOST_BLOCKS:
        widest = blocks[0]
        peak = max(tail, *(block.high for block in blocks))
        doubt = sum(math.exp(-block.doubt - peak) for block in blocks)
        total = sum(math.exp(block.high - peak) for block in blocks) + math.exp(tail - peak)
        if 2 * doubt <= total or widest.end == widest.start + 1:
            break
        middle = (widest.start + widest.end) // 2
        heapq.heapreplace(blocks, _Block.of(widest.start, middle, count, rate))
        heapq.heappush(blocks, _Block.of(middle, widest.end, count, rate))
    spans = sorted((block.start, block.end) for block in blocks)
    return [(start, end) for start, end in spans if _upper(count, start, end) > 0]


@dataclass(frozen=True, slots=True, order=True)
class _Block:
    """Logarithms of what a block weighs at most and at least; ``doubt`` is minus that of the
    difference, so that the most doubtful block sorts first.
    """

    doubt: float
    high: float
    low: float
    start: int
    end: int

    @classmethod
    def of(cls, start: int, end: int, count: Callable[[int], int], rate: float) -> _Block:
        high = _log_weight(start, end, _upper(count, start, end), rate)
        low = _log_weight(start, end, count(start), rate)
        gap = -math.expm1(low - high) if high > low else 0.0
        doubt = -(high + math.log(gap)) if gap > 0 else math.inf
        return cls(doubt=doubt, high=high, low=low, start=start, end=end)


def _log_weight(start: int, end: int, number: int, rate: float) -> float:
    share = -math.expm1(-rate * (end - start))
    if number == 0 or share <= 0:
        return -math.inf
    return math.log(number) - rate * start + math.log(share)
