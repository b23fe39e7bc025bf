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

from tacit.problems.marginals.model import Floats, Law

Cells = npt.NDArray[np.int32]

_GOLDEN = (5**0.5 - 1) / 2
_BESIDE = 3
_AT_ONCE = 1 << 18
_WORD = 1 << 62


def rows_of(law: Law, rows: int) -> Cells:
    """``rows`` rows in about the shares of ``law``: one row a record, one column a column."""
    order = law.order
    cells = np.zeros((rows, len(order.cells)), dtype=np.int32)
    done: list[int] = []
    for step in reversed(range(len(order.steps))):
        column, given = order.steps[step].column, order.steps[step].given
        sorting = _sorted(cells, order.cells, given, done)
        if given:
            group = _group(cells[sorting], [(c, order.cells[c]) for c in given])
            chances = law.chances[step].reshape(order.cells[column], -1)
            cells[sorting, column] = _dealt(chances, group)
        else:
            cells[sorting, column] = _shared_out(law.chances[step], rows)
        done.append(column)
    return cells[_mixed(rows)]


def whole_counts(shares: Floats, rows: int) -> npt.NDArray[np.int64]:
    """Whole counts that sum to ``rows``, each less than one from its share."""
    wanted = shares / shares.sum() * rows
    counts: npt.NDArray[np.int64] = np.floor(wanted).astype(np.int64)
    short = rows - int(counts.sum())
    counts[np.argsort(counts - wanted, kind="stable")[:short]] += 1
    return counts


def _sorted(
    cells: Cells, sizes: Sequence[int], given: Sequence[int], done: Sequence[int]
) -> npt.NDArray[np.int64]:
    """The order of rows by the given columns, then by those that were filled last."""
    keys, room = list(given), _WORD // prod(sizes[column] for column in given)
    for column in [column for column in reversed(done) if column not in given][:_BESIDE]:
        room //= sizes[column]
        keys += [column] if room else []
    place = _group(cells, [(column, sizes[column]) for column in keys])
    return np.argsort(place, kind="stable")


def _group(cells: Cells, columns: Sequence[tuple[int, int]]) -> npt.NDArray[np.int64]:
    place = np.zeros(len(cells), dtype=np.int64)
    for column, size in columns:
        place = place * size + cells[:, column]
    return place


def _even(rows: int, first: int = 0) -> Floats:
    """Numbers between 0 and 1 that fill every stretch evenly: multiples of the golden ratio."""
    places = np.arange(first, first + rows, dtype=np.float64)
    return np.asarray(((places + 0.5) * _GOLDEN) % 1.0, dtype=np.float64)


def _dealt(chances: Floats, group: npt.NDArray[np.int64]) -> Cells:
    """For each row the value at which its group's chances pass the row's number."""
    ends = np.cumsum(chances, axis=0)
    ends /= ends[-1]
    dealt = np.empty(len(group), dtype=np.int32)
    for first in range(0, len(group), _AT_ONCE):
        here = group[first : first + _AT_ONCE]
        passed = ends[:-1, here] <= _even(len(here), first)
        dealt[first : first + len(here)] = passed.sum(axis=0)
    return dealt


def _shared_out(shares: Floats, rows: int) -> Cells:
    """Each value in whole counts next to its share, spread over the rows."""
    values = np.repeat(np.arange(len(shares), dtype=np.int32), whole_counts(shares, rows))
    dealt = np.empty(rows, dtype=np.int32)
    dealt[np.argsort(_even(rows), kind="stable")] = values
    return dealt


def _mixed(rows: int) -> npt.NDArray[np.int64]:
    """A fixed order that leaves no column sorted."""
    numbers = np.arange(rows, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    numbers ^= numbers >> np.uint64(29)
    numbers *= np.uint64(0xBF58476D1CE4E5B9)
    return np.argsort(numbers ^ (numbers >> np.uint64(32)), kind="stable")
