"""Compiled loops, one for each kind of count. Imported only when there is much to count.

Every loop reads cells that were placed in a public domain, so no index can leave its
table; none allocates, raises or holds the interpreter's lock.
"""

from __future__ import annotations

import numpy as np

from tacit.exact.arrays import Values
from tacit.exact.compiled import compiled

# Unsigned throughout: a signed and an unsigned word together would become a float.
_ONE = np.uint64(1)
_SEARCH = 3


@compiled(nogil=True)
def count_leading(values: Values, labels: Values, shift: np.uint64, counts: Values) -> None:
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
    values: Values,
    labels: Values,
    shift: np.uint64,
    index: Values,
    starts: Values,
    lasts: Values,
    kept: Values,
    shifts: Values,
    firsts: Values,
    counts: Values,
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
    values: Values,
    shift: np.uint64,
    index: Values,
    starts: Values,
    lasts: Values,
    kept: Values,
    found: Values,
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
def count_joint(cells: Values, strides: Values, counts: Values) -> None:
    """Count rows of ``cells`` (one row a column) at the sum of ``stride * cell``."""
    columns, rows = cells.shape
    for i in range(rows):
        place = np.int64(0)
        for j in range(columns):
            place += strides[j] * np.int64(cells[j, i])
        counts[place] += 1


@compiled(nogil=True)
def count_kinds(cells: Values, tags: Values, sizes: Values, last: np.int64, counts: Values) -> None:
    """Count rows of ``cells`` (one row a column) by all their cells, then by a tag below ``last``.

    Two neighbours in the batch go to two tables, as in ``count_leading``.
    """
    columns, rows = cells.shape
    for i in range(rows):
        place = np.int64(cells[0, i])
        for j in range(1, columns):
            place = place * sizes[j] + np.int64(cells[j, i])
        counts[i & 1, place * last + np.int64(tags[i])] += 1


@compiled(nogil=True)
def count_runs(keys: Values, values: Values, zeros: Values, ones: Values) -> int:
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
    values: Values,
    inside: Values,
    firsts: Values,
    ends: Values,
    parents: Values,
    stops: Values,
    before: Values,
    until: Values,
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
def count_parts(
    cells: Values, columns: Values, strides: Values, starts: Values, counts: Values
) -> None:
    """Count rows of ``cells`` (one row a column) for many sets of columns, a block at a time.

    Pairs have a loop of their own: one that asks how many columns there are takes three times
    as long.
    """
    rows, parts, ways = cells.shape[1], columns.shape[0], columns.shape[1]
    block = 1 << 13
    for first in range(0, rows, block):
        last = min(rows, first + block)
        for part in range(parts):
            start = starts[part]
            if ways == 2:
                left, right = cells[columns[part, 0]], cells[columns[part, 1]]
                wide, narrow = strides[part, 0], strides[part, 1]
                for i in range(first, last):
                    counts[start + wide * np.int64(left[i]) + narrow * np.int64(right[i])] += 1
                continue
            for i in range(first, last):
                place = start
                for j in range(ways):
                    place += strides[part, j] * np.int64(cells[columns[part, j], i])
                counts[place] += 1


@compiled(nogil=True)
def count_and_take(
    values: Values, labels: Values, shift: np.uint64, kept: Values, counts: Values, keys: Values
) -> int:
    """``count_leading``, and the values of some leading cells with their label as last bit.

    They are written to ``keys``, which is as long as ``values``; returns how many.
    """
    even, odd = counts[0], counts[1]
    rows, taken = values.shape[0], 0
    for i in range(rows):
        cell = values[i] >> shift
        place = (cell << _ONE) | np.uint64(labels[i])
        if i & 1:
            odd[place] += np.uint32(1)
        else:
            even[place] += np.uint32(1)
        keys[taken] = (values[i] << _ONE) | np.uint64(labels[i])
        taken += int(kept[cell])
    return taken


@compiled(nogil=True)
def count_two(values: Values, labels: Values, pair: Values, counts: Values) -> int:
    """Count by label the first value and the first other one; returns how many records these are.

    ``pair`` are the two, equal if there is one only, and ``counts[k]`` the records of value ``k``
    with label 0 and 1. No branch depends on a record, so many are counted at once.
    """
    first, place = values[0], 0
    while place < values.shape[0] and values[place] == first:
        place += 1
    other = first if place == values.shape[0] else values[place]
    some, ones, more, more_ones = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for i in range(values.shape[0]):
        label = np.int64(labels[i])
        here, there = np.int64(values[i] == first), np.int64(values[i] == other)
        some += here
        ones += here & label
        more += there
        more_ones += there & label
    pair[0], pair[1] = first, other
    counts[0, 0], counts[0, 1] = some - ones, ones
    counts[1, 0], counts[1, 1] = more - more_ones, more_ones
    return int(some if first == other else some + more)


@compiled(nogil=True)
def count_few(values: Values, labels: Values, slots: Values, used: Values, counts: Values) -> int:
    """Count by value and label in a small table that is found by a hash.

    Stops at the first new value for which a quarter of the table is not free any more;
    returns how many records were counted. ``used[-1]`` is how many slots are in use.
    """
    size = np.uint64(slots.shape[0])
    mask, most = size - _ONE, np.int64(slots.shape[0] // 4)
    for i in range(values.shape[0]):
        value = values[i]
        slot = (value * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32) & mask
        while used[slot] and slots[slot] != value:
            slot = (slot + _ONE) & mask
        if not used[slot]:
            if used[size] >= most:
                return i
            used[slot], slots[slot] = 1, value
            used[size] += 1
        counts[i & 1, (slot << _ONE) | np.uint64(labels[i])] += 1
    return len(values)


@compiled(nogil=True)
def take_keys(
    values: Values,
    labels: Values,
    shift: np.uint64,
    index: Values,
    starts: Values,
    lasts: Values,
    sides: Values,
    pivot: np.uint64,
    keys: Values,
) -> tuple[int, int]:
    """Write the values of some spans with their label as last bit: those below ``pivot`` from
    the front of ``keys``, which is as long as ``values``, the others from its end.

    ``sides`` is what ``Spans.sides`` says of each leading cell: most are wholly on one side, and
    a record is then written at both ends and kept at one, since nothing foretells which. Returns
    where the first part ends and where the second begins.
    """
    below, above = 0, values.shape[0]
    for i in range(values.shape[0]):
        value = values[i]
        cell = value >> shift
        side = int(np.int64(sides[cell]))
        if side == _SEARCH:
            low, high = index[cell], index[cell + _ONE]
            while high - low > _ONE:
                middle = (low + high) >> _ONE
                if starts[middle] <= value:
                    low = middle
                else:
                    high = middle
            side = 0
            if starts[low] <= value and value <= lasts[low]:
                side = 1 if value < pivot else 2
        key = (value << _ONE) | np.uint64(labels[i])
        keys[below] = key
        below += side & 1
        keys[above - 1] = key
        above -= side >> 1
    return below, above


@compiled(nogil=True)
def walk_runs(
    keys: Values,
    firsts: Values,
    begins: Values,
    stops: Values,
    errors: Values,
    steps: Values,
    starts: Values,
    sizes: Values,
    walked: Values,
) -> int:
    """Walk through ascending words that end in the label; the error moves by ``steps[label]``.

    Words ``firsts[p]`` to ``firsts[p + 1]`` lie in the run of values from ``begins[p]`` to
    before ``stops[p]``, which begins at ``errors[p]``. Writes start, size and error of each
    run of values with the same records up to it, and returns how many; there is at most one
    more for each ``p`` than there are words. Words wrap around; differences do not mind.
    """
    found = 0
    for p in range(begins.shape[0]):
        start, error = begins[p], errors[p]
        for i in range(firsts[p], firsts[p + 1]):
            value = keys[i] >> _ONE
            if value != start:
                starts[found], sizes[found], walked[found] = start, value - start, error
                found += 1
                start = value
            error += steps[keys[i] & _ONE]
        starts[found], sizes[found], walked[found] = start, stops[p] - start, error
        found += 1
    return found


@compiled(nogil=True)
def largest_by_error(sizes: Values, errors: Values, best: int, greatest: Values) -> None:
    """Raise ``greatest[error - best]`` to the size of each run whose error has a place there.

    No error is below ``best``.
    """
    for i in range(sizes.shape[0]):
        place = errors[i] - best
        if place < greatest.shape[0] and sizes[i] > greatest[place]:
            greatest[place] = sizes[i]


@compiled(nogil=True)
def sort_words(words: Values, spare: Values, ends: Values) -> None:
    """Sort words in place by one byte after another, the last first; as many as ``ends`` has rows.

    ``spare`` is as long as ``words``; ``ends`` has a column a byte's value, all 0. A byte that
    is the same in all words moves none.
    """
    rows = words.shape[0]
    for i in range(rows):
        for place in range(ends.shape[0]):
            ends[place, (words[i] >> np.uint64(8 * place)) & np.uint64(255)] += 1
    here, there = words, spare
    moved = False
    for place in range(ends.shape[0]):
        nexts, shift = ends[place], np.uint64(8 * place)
        before, equal = 0, False
        for byte in range(256):
            many = nexts[byte]
            equal |= many == rows
            nexts[byte] = before
            before += many
        if equal:
            continue
        for i in range(rows):
            byte = (here[i] >> shift) & np.uint64(255)
            there[nexts[byte]] = here[i]
            nexts[byte] += 1
        here, there = there, here
        moved = not moved
    if moved:
        words[:] = spare
