"""Exact choice among score levels: the law of the exponential mechanism.

Candidates with equal error share one weight, so a draw over billions of them is a
draw over *levels* (``count * exp(-rate * error)``) followed by a uniform integer.
The level is the cell of the cumulative partition that contains ``U * total`` for one
real uniform ``U``. A float64 pass finds the cell whenever a rigorous error bound
leaves no doubt; otherwise balls decide, keeping the bits of ``U`` already drawn. The
law is exactly the stated one either way: ``levels.proof.md``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tacit.core import ErrorCounts, NumericalDoubt, Rng
from tacit.exact.arrays import Sizes
from tacit.exact.balls import Ball, at, ball
from tacit.exact.lazy import Lazy

_WORD = 64
_DIGIT = 6  # bits of a digit in which errors index tables of powers
_BLOCK = 1 << 12  # weights that are added up before blocks are compared
_FLOAT_REACH = 700  # exp(-700) is still a normal float64
_FLOAT_COUNT = 1 << 900  # larger counts do not fit a float64
_ULP = 2.0**-52
_LARGEST = (1 << 63) - 1

Choice = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Distinct errors, ascending, and how many candidates have each (all positive).

    ``errors`` is an int64 array whose span is below ``2**63``; ``counts`` holds integers of
    any size (an integer array, or an object array of Python integers).
    """

    errors: npt.NDArray[np.int64]
    counts: Sizes

    def __post_init__(self) -> None:
        if len(self.errors) == 0 or len(self.errors) != len(self.counts):
            raise ValueError("levels need one count per error, and at least one")
        if int(self.errors[-1]) - int(self.errors[0]) > _LARGEST:
            raise ValueError("errors must not lie further apart than 2**63")

    def __repr__(self) -> str:
        return "Levels(private)"

    @property
    def total(self) -> int:
        """The number of candidates."""
        return exact_sum(self.counts)


def exact_sum(counts: Sizes) -> int:
    """Sum of non-negative integers without overflow."""
    if counts.dtype == object:
        return int(sum(counts.tolist()))
    # Rounded, but far enough from 2**64 to tell that the sum of the words does not wrap.
    if float(counts.sum(dtype=np.float64)) < 2.0**62:
        return int(counts.sum(dtype=np.uint64))
    words = counts.astype(np.uint64)
    low = int((words & np.uint64(0xFFFFFFFF)).sum(dtype=np.uint64))
    high = int((words >> np.uint64(32)).sum(dtype=np.uint64))
    return (high << 32) + low


@lru_cache(maxsize=256)
def _digit_table(rate: Fraction, place: int) -> npt.NDArray[np.float64]:
    """``exp(-rate * digit * 64**place)`` for each digit, within one part in 2**52."""
    step = rate * (1 << (_DIGIT * place))
    return np.array([near(step * digit) for digit in range(1 << _DIGIT)])


def near(x: Fraction) -> float:
    """``exp(-x)`` within one part in 2**52, or 0 where it is not a normal float."""
    if x > _FLOAT_REACH:
        return 0.0
    for bits in (96, 192, 384, 768):
        with at(bits):
            value = (-ball(x)).exp()
        # ``at`` keeps our threads apart; code that sets flint's precision itself is found here.
        if value.rel_accuracy_bits() >= 80:
            return float(value.mid())
    raise NumericalDoubt("an exponential could not be computed to 80 bits")


def _float_weights(
    offsets: npt.NDArray[np.int64], counts: Sizes, rate: Fraction
) -> tuple[npt.NDArray[np.float64], float]:
    """Weights of levels within float reach, and a bound on their relative error."""
    weights = counts.astype(np.float64)
    rest, place = offsets, 0
    largest = int(offsets[-1])
    while place == 0 or largest >> (_DIGIT * place):
        weights = weights * _digit_table(rate, place)[rest & ((1 << _DIGIT) - 1)]
        rest = rest >> _DIGIT
        place += 1
    return weights, (2 * place + 2) * _ULP


def _margin(total: float, relative: float, beyond: float) -> float:
    """How close to a cell's end a float cannot tell; a proved bound with room to spare."""
    return 4 * total * relative + 2 * beyond


def upper_weight(levels: ErrorCounts, rate: Fraction, *, least: int) -> float:
    """A number not below the sum of ``count * exp(-rate * (error - least))``.

    Errors must not lie below ``least``. May be infinite.
    """
    if levels.counts.dtype == object and max(levels.counts.tolist()) > _FLOAT_COUNT:
        return math.inf
    offsets = levels.errors - least
    head = int(np.searchsorted(offsets, min(int(_FLOAT_REACH / rate), _LARGEST), side="right"))
    weight = float(exact_sum(levels.counts[head:])) * 1e-304
    if head:
        weights, relative = _float_weights(offsets[:head], levels.counts[:head], rate)
        weight += float(weights.sum()) * (1 + relative + 2 * head * _ULP)
    return weight * (1 + 8 * _ULP)


def _float_choice(
    levels: ErrorCounts, rate: Fraction, words: npt.NDArray[np.uint64], *, rest: float = 0.0
) -> Choice:
    """For each 64-bit prefix of a uniform: its level, or -1 where a float cannot tell.

    ``rest`` bounds the weight of further candidates, which come after the last level.
    """
    offsets = levels.errors - levels.errors[0]
    reach = min(int(_FLOAT_REACH / rate), _LARGEST)
    head = int(np.searchsorted(offsets, reach, side="right"))
    if levels.counts.dtype == object and max(levels.counts.tolist()) > _FLOAT_COUNT:
        return np.full(len(words), -1)
    weights, relative = _float_weights(offsets[:head], levels.counts[:head], rate)
    blocks = np.add.reduceat(weights, np.arange(0, head, _BLOCK))
    ends = np.cumsum(blocks)
    total = float(ends[-1])
    # exp(-700) < 1e-304: what the levels beyond float reach can weigh altogether.
    beyond = float(exact_sum(levels.counts[head:])) * 1e-304 + rest
    additions = min(head, _BLOCK) + len(blocks)
    margin = _margin(total, relative + additions * _ULP, beyond)
    target = words.astype(np.float64) * (2.0**-_WORD * total)
    block = np.minimum(np.searchsorted(ends, target, side="right"), len(ends) - 1)
    chosen = np.full(len(words), -1)
    for index in np.unique(block).tolist():
        here = np.flatnonzero(block == index)
        start = float(ends[index - 1]) if index else 0.0
        first = index * _BLOCK
        cells = start + np.cumsum(weights[first : min(first + _BLOCK, head)])
        inside = np.minimum(np.searchsorted(cells, target[here], side="right"), len(cells) - 1)
        floor = np.concatenate(([start], cells))[inside]
        # Below the very first cell there is nothing to be confused with.
        clear_below = (target[here] - margin > floor) | (first + inside == 0)
        sure = clear_below & (target[here] + margin < cells[inside])
        chosen[here[sure]] = first + inside[sure]
    return chosen


def _ball_weights(levels: ErrorCounts, rate: Fraction) -> Iterator[Ball]:
    """Every level's weight relative to the least error, at the working precision."""
    least = int(levels.errors[0])
    step = ball(rate)
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        yield ball(int(count)) * (-step * (error - least)).exp()


def settle(levels: ErrorCounts, rate: Fraction, lazy: Lazy) -> int:
    """The level that contains ``U * total``, decided by balls alone."""
    bits = max(128, lazy.length)
    while True:
        lazy.extend(bits)
        with at(bits + 64):
            total = sum(_ball_weights(levels, rate), ball(0))
            index = cell_of(lazy.ball() * total, _ball_weights(levels, rate))
        if index is not None:
            return index
        bits *= 2


def cell_of(target: Ball, weights: Iterator[Ball]) -> int | None:
    """The index whose cumulative cell certainly contains ``target``, or ``None`` in doubt."""
    end = ball(0)
    for index, weight in enumerate(weights):
        start, end = end, end + weight
        if target < end:
            return index if index == 0 or target > start else None
        if not target > end:
            return None
    return None


def choose_level(rng: Rng, levels: ErrorCounts, *, rate: Fraction) -> int:
    """Draw the index of a level with probability ``∝ count * exp(-rate * error)``."""
    return int(choose_levels(rng, levels, rate=rate, draws=1)[0])


def choose_levels(rng: Rng, levels: ErrorCounts, *, rate: Fraction, draws: int) -> Choice:
    """``draws`` independent indices, each with the law of ``choose_level``."""
    words = np.frombuffer(rng.bytes(8 * draws), dtype=np.uint64)
    chosen = _float_choice(levels, rate, words)
    for index in np.flatnonzero(chosen < 0).tolist():
        lazy = Lazy(rng, prefix=int(words[index]), length=_WORD)
        chosen[index] = settle(levels, rate, lazy)
    return chosen
