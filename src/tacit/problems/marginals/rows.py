"""From a law to rows, without a coin: the same law always gives the same rows.

Columns are filled one after the other. Rows are sorted by the columns that the next one depends
on, then by others, and its values are dealt out along that order so evenly that every stretch of
rows gets nearly the share that the law wants. Drawing each row by itself would add the error of
a sample to every marginal.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from tacit.exact.arrays import Floats
from tacit.problems.marginals.model import Law
from tacit.problems.marginals.row_kernels import deal, keys_of, order_by

Cells = npt.NDArray[np.int32]

_GOLDEN = (5**0.5 - 1) / 2
_BESIDE = 3
_WORD = 1 << 62
_DIGITS = 42  # with 2^21 rows a word


def rows_of(law: Law, rows: int) -> Cells:
    """``rows`` rows in about the shares of ``law``: one row a record, one column a column."""
    order = law.order
    cells = np.zeros((len(order.cells), rows), dtype=np.int32)
    spread = _by_size(_even(rows))
    chances, done = law.chances(), list[int]()
    for step in reversed(range(len(order.steps))):
        column, given = order.steps[step].column, order.steps[step].given
        beside = _beside(order.cells, given, done)
        sizes = np.array([order.cells[c] for c in (*given, *beside)], dtype=np.int64)
        keys = keys_of(cells, np.array([*given, *beside], dtype=np.int64), sizes)
        sorting, sorted_keys = order_by(keys, prod(sizes.tolist()) - 1)
        if given:
            ends = _ends(chances[step].reshape(order.cells[column], -1))
            room = prod(order.cells[c] for c in beside)
            deal(sorting, sorted_keys, room, ends, cells[column])
        else:
            cells[column, sorting[spread]] = _shared_out(chances[step], rows)
        done.append(column)
    across = np.ascontiguousarray(cells.T)
    found = cells.reshape(across.shape)  # its room is free now, and fresh room is slow
    across.take(_mixed(rows), axis=0, out=found, mode="clip")
    return found


def in_mixed_order(cells: Cells) -> Cells:
    """The rows in a fixed order that leaves no column sorted."""
    return cells.take(_mixed(len(cells)), axis=0)


def whole_counts(shares: Floats, rows: int) -> npt.NDArray[np.int64]:
    """Whole counts that sum to ``rows``, each less than one from its share."""
    wanted = shares / shares.sum() * rows
    counts: npt.NDArray[np.int64] = np.floor(wanted).astype(np.int64)
    short = rows - int(counts.sum())
    counts[np.argsort(counts - wanted, kind="stable")[:short]] += 1
    return counts


def _beside(sizes: Sequence[int], given: Sequence[int], done: Sequence[int]) -> list[int]:
    """Columns that rows are sorted by after the given ones: those that were filled last."""
    found, room = [], _WORD // prod(sizes[column] for column in given)
    for column in [column for column in reversed(done) if column not in given][:_BESIDE]:
        room //= sizes[column]
        found += [column] if room else []
    return found


def _even(rows: int) -> npt.NDArray[np.int64]:
    """Leading digits of numbers that fill every stretch evenly: multiples of the golden ratio."""
    places = np.arange(rows, dtype=np.float64)
    return np.asarray((((places + 0.5) * _GOLDEN) % 1.0) * (1 << _DIGITS)).astype(np.int64)


def _ends(chances: Floats) -> Floats:
    """For each group the sums of its chances, one row a group."""
    ends = np.cumsum(chances, axis=0)
    ends /= ends[-1]
    return np.ascontiguousarray(ends.T)


def _shared_out(shares: Floats, rows: int) -> Cells:
    """Each value in whole counts next to its share, one after the other."""
    return np.repeat(np.arange(len(shares), dtype=np.int32), whole_counts(shares, rows))


def _mixed(rows: int) -> npt.NDArray[np.int32]:
    """The places of that order."""
    numbers = np.arange(rows, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    numbers ^= numbers >> np.uint64(29)
    numbers *= np.uint64(0xBF58476D1CE4E5B9)
    numbers ^= numbers >> np.uint64(32)
    return _by_size((numbers >> np.uint64(64 - _DIGITS)).astype(np.int64))


def _by_size(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """Places of the numbers from the least to the greatest, equal ones as they stand."""
    order: npt.NDArray[np.int32] = order_by(numbers, (1 << _DIGITS) - 1)[0]
    return order
