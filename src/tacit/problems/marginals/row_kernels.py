"""Compiled loops that fill the columns of a synthetic table, from released numbers alone."""

from __future__ import annotations

import numpy as np

from tacit.exact.arrays import Values
from tacit.exact.compiled import compiled

_BITS, _WORD = 11, 63
_GOLDEN = (5**0.5 - 1) / 2


@compiled(nogil=True)
def keys_of(cells: Values, columns: Values, sizes: Values) -> Values:
    """One number a row that sorts rows by these columns, the first of them first."""
    keys = np.zeros(cells.shape[1], np.int64)
    for place in range(columns.shape[0]):
        column, size = cells[columns[place]], sizes[place]
        for row in range(keys.shape[0]):
            keys[row] = keys[row] * size + column[row]
    return keys


@compiled(nogil=True)
def order_by(keys: Values, most: int) -> tuple[Values, Values]:
    """Rows by their keys between 0 and ``most``, equal ones as they stand, and the sorted keys.

    At most ``_BITS`` of a key at a time, as many each time. A key and its row are moved as one
    word where both fit one.
    """
    rows, long, places = keys.shape[0], 0, 0
    while most >> long > 0:
        long += 1
    while rows >> places > 0:
        places += 1
    rounds = max(1, -(-long // _BITS))
    bits = -(-long // rounds)
    if long + places > _WORD:
        return _order_by_long(keys, rounds, bits)
    words, other = np.empty(rows, np.int64), np.empty(rows, np.int64)
    for row in range(rows):
        words[row] = (keys[row] << places) | row
    last = (1 << bits) - 1
    for step in range(rounds):
        shift = places + step * bits
        ends = np.zeros(last + 2, np.int64)
        for i in range(rows):
            ends[((words[i] >> shift) & last) + 1] += 1
        for digit in range(last + 1):
            ends[digit + 1] += ends[digit]
        for i in range(rows):
            word = words[i]
            digit = (word >> shift) & last
            other[ends[digit]] = word
            ends[digit] += 1
        words, other = other, words
    order = np.empty(rows, np.int32)
    for i in range(rows):
        order[i] = words[i] & ((1 << places) - 1)
        words[i] >>= places
    return order, words


@compiled(nogil=True)
def _order_by_long(keys: Values, rounds: int, bits: int) -> tuple[Values, Values]:
    """``order_by`` of keys that leave no room for their rows, in so many rounds of ``bits``."""
    rows, last = keys.shape[0], (1 << bits) - 1
    order, other = np.arange(rows, dtype=np.int32), np.empty(rows, np.int32)
    sorted_keys, other_keys = keys.copy(), np.empty(rows, np.int64)
    for step in range(rounds):
        shift = step * bits
        ends = np.zeros(last + 2, np.int64)
        for i in range(rows):
            ends[((sorted_keys[i] >> shift) & last) + 1] += 1
        for digit in range(last + 1):
            ends[digit + 1] += ends[digit]
        for i in range(rows):
            digit = (sorted_keys[i] >> shift) & last
            place = ends[digit]
            ends[digit] = place + 1
            other[place], other_keys[place] = order[i], sorted_keys[i]
        order, other = other, order
        sorted_keys, other_keys = other_keys, sorted_keys
    return order, sorted_keys


@compiled(nogil=True)
def deal(order: Values, sorted_keys: Values, beside: int, ends: Values, column: Values) -> None:
    """Fill a column along an order of rows: the value at which its group's ends pass a number.

    A row's group is its key over ``beside``; ``ends[group]`` are the sums of its chances. The
    numbers are multiples of the golden ratio, which fill every stretch of rows evenly.
    """
    values = ends.shape[1]
    group, stop = 0, beside
    for i in range(order.shape[0]):
        while sorted_keys[i] >= stop:
            group += 1
            stop += beside
        turned = (i + 0.5) * _GOLDEN
        number = turned - np.floor(turned)
        low, high = 0, values - 1
        while low < high:
            middle = (low + high) // 2
            if ends[group, middle] <= number:
                low = middle + 1
            else:
                high = middle
        column[order[i]] = low


@compiled(nogil=True)
def spread_inside(places: Values, widths: Values) -> Values:
    """For each row a whole step below the width of its place: rows of one place fill it evenly."""
    seen = np.zeros(widths.shape[0], np.int64)
    steps = np.empty(places.shape[0], np.float64)
    for row in range(places.shape[0]):
        place = places[row]
        turned = (seen[place] + 0.5) * _GOLDEN
        seen[place] += 1
        steps[row] = min(np.floor((turned - np.floor(turned)) * widths[place]), widths[place] - 1.0)
    return steps


def warm() -> None:
    """Compile all of them, before anything is charged."""
    cells = np.zeros((2, 3), dtype=np.int32)
    keys = keys_of(cells, np.array([0, 1]), np.array([2, 2]))
    order, sorted_keys = order_by(keys, 3)
    deal(order, sorted_keys, 2, np.ones((2, 2)), cells[1])
    spread_inside(cells[0], np.ones(2))
