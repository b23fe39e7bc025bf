"""Compiled loops, one for each kind of count. Imported only when there is much to count.

Every loop reads cells that were placed in a public domain, so no index can leave its
table; none allocates, raises or holds the interpreter's lock.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.exact.compiled import compiled

# Unsigned throughout: a signed and an unsigned word together would become a float.
_ONE = np.uint64(1)


@compiled(nogil=True)
def count_leading(values: Any, labels: Any, shift: Any, counts: Any) -> None:
    """Count by the bits above ``shift`` and by label.

    Two neighbours in the batch go to two tables: equal cells in a row would otherwise wait
    for each other.
    """
    even, odd = counts[0], counts[1]
    rows = values.shape[0]
    for i in range(0, rows - 1, 2):
        even[((values[i] >> shift) << _ONE) | np.uint64(labels[i])] += np.uint32(1)
        odd[((values[i + 1] >> shift) << _ONE) | np.uint64(labels[i + 1])] += np.uint32(1)
    if rows & 1:
        even[((values[rows - 1] >> shift) << _ONE) | np.uint64(labels[rows - 1])] += np.uint32(1)


@compiled(nogil=True)
def count_inside(
    values: Any,
    labels: Any,
    shift: Any,
    index: Any,
    starts: Any,
    lasts: Any,
    kept: Any,
    shifts: Any,
    firsts: Any,
    counts: Any,
) -> None:
    """Count the values of some spans by their next bits and by label."""
    if starts.shape[0] == 1:
        start, length, fine = starts[0], lasts[0] - starts[0], shifts[0]
        for i in range(values.shape[0]):
            offset = values[i] - start
            if offset <= length:
                counts[((offset >> fine) << _ONE) | np.uint64(labels[i])] += np.uint32(1)
        return
    for i in range(values.shape[0]):
        value = values[i]
        cell = value >> shift
        if kept[cell] == 0:
            continue
        low, high = index[cell], index[cell + _ONE]
        while high - low > _ONE:
            middle = (low + high) >> _ONE
            if starts[middle] <= value:
                low = middle
            else:
                high = middle
        if starts[low] <= value and value <= lasts[low]:
            child = firsts[low] + ((value - starts[low]) >> shifts[low])
            counts[(child << _ONE) | np.uint64(labels[i])] += np.uint32(1)


@compiled(nogil=True)
def find_inside(
    values: Any, shift: Any, index: Any, starts: Any, lasts: Any, kept: Any, found: Any
) -> int:
    """Write the positions of the values of some spans to ``found``; returns how many."""
    count = 0
    for i in range(values.shape[0]):
        value = values[i]
        cell = value >> shift
        if kept[cell] == 0:
            continue
        low, high = index[cell], index[cell + _ONE]
        while high - low > _ONE:
            middle = (low + high) >> _ONE
            if starts[middle] <= value:
                low = middle
            else:
                high = middle
        if starts[low] <= value and value <= lasts[low]:
            found[count] = i
            count += 1
    return count


@compiled(nogil=True)
def count_joint(cells: Any, strides: Any, counts: Any) -> None:
    """Count rows of ``cells`` (one row a column) at the sum of ``stride * cell``."""
    columns, rows = cells.shape
    for i in range(rows):
        place = np.int64(0)
        for j in range(columns):
            place += strides[j] * np.int64(cells[j, i])
        counts[place] += 1


@compiled(nogil=True)
def count_runs(keys: Any, values: Any, zeros: Any, ones: Any) -> int:
    """List the distinct values of ascending words whose last bit is the label, and count both.

    The three tables are as long as ``keys``; how many places of them are used is returned.
    """
    last = 0
    for i in range(keys.shape[0]):
        value = keys[i] >> _ONE
        if i == 0:
            values[0] = value
        elif value != values[last]:
            last += 1
            values[last] = value
        if keys[i] & _ONE:
            ones[last] += 1
        else:
            zeros[last] += 1
    return last + 1 if keys.shape[0] else 0


@compiled(nogil=True)
def before_and_until(
    values: Any,
    inside: Any,
    firsts: Any,
    ends: Any,
    parents: Any,
    stops: Any,
    before: Any,
    until: Any,
) -> None:
    """Give each value the records below it, and how many values there are until the next one.

    Value ``i`` belongs to the parent ``p`` with ``firsts[p] <= i < ends[p]``; the last value of
    a parent goes on until the parent's stop (words wrap around; differences do not mind).
    """
    for p in range(firsts.shape[0]):
        zeros, ones = parents[0, p], parents[1, p]
        for i in range(firsts[p], ends[p]):
            before[0, i], before[1, i] = zeros, ones
            zeros += inside[0, i]
            ones += inside[1, i]
            stop = stops[p] if i + 1 == ends[p] else values[i + 1]
            until[i] = stop - values[i]


@compiled(nogil=True)
def count_parts(cells: Any, columns: Any, strides: Any, starts: Any, counts: Any) -> None:
    """Count rows of ``cells`` (one row a column) for many sets of columns, a block at a time."""
    rows, parts, ways = cells.shape[1], columns.shape[0], columns.shape[1]
    block = 1 << 13
    for first in range(0, rows, block):
        last = min(rows, first + block)
        for part in range(parts):
            start = starts[part]
            for i in range(first, last):
                place = start
                for j in range(ways):
                    place += strides[part, j] * np.int64(cells[columns[part, j], i])
                counts[place] += 1
