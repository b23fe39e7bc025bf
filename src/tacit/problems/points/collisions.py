r"""Hash collisions of all sizes at once, instead of one cut at ``rho``.

The least collision mass ``R`` of ``k`` hashes into ``M`` cells exceeds ``r`` with probability at
most ``T(r) = min(1, (M r)^-k)``, and given it selection fails with probability at most
``F(R) = min(1, (kM-1) shrink(R)^n)``, which grows with ``R``. So failure is at most
``F(r_1) + sum_i (F(r_{i+1}) - F(r_i)) T(r_i)`` for every grid ``r_1 = 1/M < r_2 < ...``
(``hashed_upper.proof.md``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from tacit.bounds.search import least
from tacit.bounds.upper.selection import agnostic_factor, realizable_factor
from tacit.exact.balls import Ball, ball, certainly_less

_STEP = Fraction(9, 8)  # masses are tried in steps of an eighth
_FASTER = (Fraction(1), Fraction(23, 20), Fraction(27, 20))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """``2**bits`` cells, ``hashes`` of them, selected from at ``rate``; enough from ``n`` on."""

    bits: int
    hashes: int
    rate: Fraction
    n: int


def sharpen(
    start: Table, *, alpha: Fraction, beta: Fraction, most_rate: Fraction, setting: str
) -> Table:
    """A table near ``start`` that needs no more records: proposed by floats, then certified."""
    best, proposed = start, float(start.n)
    for bits, hashes, faster in product(
        range(max(1, start.bits - 2), start.bits + 1),
        range(max(1, start.hashes - 3), start.hashes + 1),
        _FASTER,
    ):
        rate = min(most_rate, faster * start.rate)
        trial = Table(bits=bits, hashes=hashes, rate=rate, n=int(proposed))
        n = _estimate(trial, alpha=float(alpha), beta=float(beta), setting=setting)
        if n < proposed:
            best, proposed = trial, n
    if best is start:
        return start

    def enough(n: int) -> bool:
        return certainly_less(
            lambda: _failure(best, alpha=alpha, setting=setting, n=n), lambda: ball(beta)
        )

    # The float is right to a record or two; the search stays below the proved start.
    low = max(0, int(proposed) - 3)
    n = low + least(lambda extra: enough(low + extra), most=start.n - low)
    if n >= start.n:
        return start
    return Table(bits=best.bits, hashes=best.hashes, rate=best.rate, n=n)


def _masses(cells: int, alpha: Fraction) -> Iterator[Fraction]:
    mass = Fraction(1, cells)
    while mass < alpha:
        yield mass
        mass *= _STEP


def _failure(table: Table, *, alpha: Fraction, setting: str, n: int) -> Ball:
    # Not below the failure probability, whatever the domain and the distribution.
    cells = 1 << table.bits
    factor = _factor(setting, alpha=alpha, rate=table.rate)
    one, wrong = ball(1), table.hashes * cells - 1
    total, before, chance = ball(0), ball(0), one
    for mass in _masses(cells, alpha):
        failing = (wrong * factor(mass) ** n).min(one)
        total += (failing - before) * chance
        before, chance = failing, ball(Fraction(1, cells) / mass) ** table.hashes
    return total + (one - before) * chance


def _factor(setting: str, *, alpha: Fraction, rate: Fraction) -> Callable[[Fraction], Ball]:
    if setting == "realizable":
        return lambda mass: realizable_factor(alpha=alpha, rho=mass, rate=rate)
    return lambda mass: agnostic_factor(gain=alpha - mass, rate=rate)


def _estimate(table: Table, *, alpha: float, beta: float, setting: str) -> float:
    # The same sum in floats, bisected over real n.
    cells, rate = 2.0**table.bits, float(table.rate)
    steps = max(1, int(np.log(max(alpha * cells, 1.0)) / np.log(9 / 8)) + 1)
    mass = 1.125 ** np.arange(steps) / cells
    if setting == "realizable":
        shrink = alpha * np.expm1(-rate) + mass * np.expm1(rate)
    else:
        gain = alpha - mass
        shrink = (1 + gain) / 2 * np.exp(-rate) + (1 - gain) / 2 * np.exp(rate) - 1
    speed, wrong = np.log1p(shrink), np.log(table.hashes * cells - 1)
    chance = np.concatenate([[1.0], (1 / (mass * cells)) ** table.hashes])

    def fails(n: float) -> float:
        failing = np.exp(np.minimum(0.0, wrong + n * speed))
        return float(np.dot(np.diff(failing, prepend=0.0, append=1.0), chance))

    low, high = 0.0, float(table.n)
    if fails(high) > beta:
        return float("inf")
    while high - low > 0.5:
        middle = (low + high) / 2
        low, high = (low, middle) if fails(middle) <= beta else (middle, high)
    return high
