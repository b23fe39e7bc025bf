"""Exact choice among weighted cells, when the weights are known as error-bounded floats.

The answer is the cell of the cumulative partition that contains ``U * total`` for one real
uniform ``U``. Floats find it whenever their proved error leaves no doubt; otherwise balls
decide, keeping the bits of ``U`` already drawn: ``cells.proof.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tacit.core import Rng
from tacit.exact.balls import Ball, at, ball
from tacit.exact.lazy import Lazy
from tacit.exact.levels import cell_of, near

ULP = 2.0**-52  # the spacing of float64 at 1
_WORD = 64
_REACH = 700  # a table ends where it falls below exp(-_REACH)
_FINE = 10  # bits of the finer of two tables of powers
BEYOND = 1e-304
"""More than ``exp(-700)``: what an entry left out of a decay table can weigh."""


@lru_cache(maxsize=16)
def _kept(rate: Fraction) -> list[npt.NDArray[np.float64]]:
    """Where the longest table of a rate is kept, once it was made: a shorter one is its start."""
    del rate
    return []


@lru_cache(maxsize=64)
def decay_table(rate: Fraction, longest: int) -> npt.NDArray[np.float64]:
    """``exp(-rate * j)`` for ``j = 0, 1, ...``, each within two parts in ``2**52``.

    The table ends after ``longest`` or where the values fall below ``exp(-700)``. A factor
    that was not computed to 80 bits raises ``NumericalDoubt``, and no table is kept.
    """
    last = min(longest, int(_REACH / rate))
    kept = _kept(rate)
    table = kept[0] if kept else None
    if table is None or len(table) <= last:
        table = _decays(rate, last)
        kept[:] = [table]
    return table[: last + 1]


def _decays(rate: Fraction, last: int) -> npt.NDArray[np.float64]:
    fine = [near(rate * j) for j in range(min(last + 1, 1 << _FINE))]
    far = [near(rate * (j << _FINE)) for j in range((last >> _FINE) + 1)]
    table = np.outer(far, fine).ravel()[: last + 1]
    table.setflags(write=False)
    return table


def choose_cell(
    rng: Rng,
    weights: npt.NDArray[np.float64],
    *,
    relative: float,
    absolute: float,
    balls: Callable[[], Iterable[Ball]],
) -> int:
    """Draw an index with probability proportional to its true weight.

    Requires ``abs(weights[i] - true[i]) <= relative * true[i] + absolute``, and that
    ``balls()`` yields balls around the true weights, in the same order and on one common
    scale, which shrink as the working precision grows.
    """
    lazy = Lazy(rng)
    lazy.extend(_WORD)
    ends = np.cumsum(weights)
    total = float(ends[-1])
    margin = 4 * (total * (relative + (len(ends) + 4) * ULP) + len(ends) * absolute)
    target = float(lazy.prefix) * 2.0**-_WORD * total
    index = min(int(np.searchsorted(ends, target, side="right")), len(ends) - 1)
    floor = float(ends[index - 1]) if index else -np.inf
    if np.isfinite(margin) and floor + margin < target < float(ends[index]) - margin:
        return index
    return _settle(lazy, balls)


def _settle(lazy: Lazy, balls: Callable[[], Iterable[Ball]]) -> int:
    """The cell that contains ``U * total``, decided by balls alone."""
    bits = 128
    while True:
        lazy.extend(bits)
        with at(bits + 64):
            weights = list(balls())
            index = cell_of(lazy.ball() * sum(weights, ball(0)), iter(weights))
        if index is not None:
            return index
        bits *= 2
