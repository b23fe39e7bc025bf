"""Compiled loops that work out a law and its marginals, from released numbers alone.

A table is worked through slice by slice: a slice has one value of its first column, which every
part of the table has too. Numbers are multiplied and added in one order on every processor.
"""

from __future__ import annotations

import math

import numpy as np

from tacit.exact.arrays import Values
from tacit.exact.compiled import compiled

_LEAST = 1e-200
"""What is lost where weights with at least this sum are below 1e-308 is nothing beside them."""


@compiled(nogil=True)
def take_away(near: Values, cells: Values, taken: Values) -> float:
    """Take columns away one by one, each time that of the smallest table; the first of equal ones.

    ``near`` says which columns are together with which, and then which later ones each column's
    table has; ``taken`` becomes the order. How many cells all tables have is returned, exact
    below 2^53.
    """
    width, total = near.shape[0], 0.0
    sizes, left = cells.copy(), np.ones(width, np.bool_)
    for one in range(width):
        for other in range(width):
            if near[one, other]:
                sizes[one] *= cells[other]
    for place in range(width):
        column = -1
        for one in range(width):
            if left[one] and (column < 0 or sizes[one] < sizes[column]):
                column = one
        taken[place], left[column] = column, False
        total += sizes[column]
        for one in range(width):
            if near[column, one]:
                near[one, column] = False
                sizes[one] = cells[one]
                for other in range(width):
                    if near[column, other] and other != one:
                        near[one, other] = True
                    if near[one, other]:
                        sizes[one] *= cells[other]
    return total


@compiled(nogil=True)
def offsets_of(sizes: Values, strides: Values, ends: Values, offsets: Values) -> None:
    """Write, for one part after the other, where its runs lie that belong to those of a slice.

    Part ``i`` has the axes between ``ends[i - 1]`` and ``ends[i]``.
    """
    axis, here = 0, offsets
    for end in ends:
        runs = 1
        here[0] = 0
        while axis < end:
            size, stride = sizes[axis], strides[axis]
            for run in range(runs - 1, -1, -1):
                offset = here[run]
                for value in range(size):
                    here[run * size + value] = offset + value * stride
            runs *= size
            axis += 1
        here = here[runs:]


@compiled(nogil=True)
def weights_of(logs: Values, ends: Values, weights: Values) -> None:
    """Write the exponentials of factors that lie one after the other, the largest of each 1.

    By the C library: numpy's differ in the last bit between more processors. Its own do where one
    cannot multiply and add at once.
    """
    first = 0
    for i in range(ends.shape[0]):
        top = logs[first]
        for place in range(first, ends[i]):
            top = max(top, logs[place])
        for place in range(first, ends[i]):
            weights[place] = math.exp(logs[place] - top)
        first = ends[i]


@compiled(nogil=True)
def piece(
    values: Values, offsets: Values, part: Values, value: int, many: int
) -> tuple[Values, Values, int]:
    """The slice of a part, where its runs lie there for so many cells, and how long they are."""
    start, width, run, begin = part[0], part[1], part[2], part[3]
    first = start + value * width
    return values[first : first + width], offsets[begin : begin + many // run], run


@compiled(nogil=True)
def repeat(table: Values, have: int, wanted: int) -> None:
    """Repeat each of the first cells so often in a row that there are as many as wanted."""
    times = wanted // have
    for i in range(have - 1, -1, -1):
        value = table[i]
        row = table[i * times : (i + 1) * times]
        for j in range(times):
            row[j] = value


@compiled(nogil=True)
def multiply(table: Values, part: Values, offsets: Values, run: int) -> None:
    """Multiply a slice by the cells of a part that belong there."""
    if run == 1:
        for i in range(offsets.shape[0]):
            table[i] *= part[offsets[i]]
        return
    for i in range(offsets.shape[0]):
        row, other = table[i * run : (i + 1) * run], part[offsets[i] : offsets[i] + run]
        for j in range(run):
            row[j] *= other[j]


@compiled(nogil=True)
def extend(table: Values, part: Values, offsets: Values, run: int) -> None:
    """Put in the place of each of the first cells its product with a run of a part."""
    for i in range(offsets.shape[0] - 1, -1, -1):
        value = table[i]
        row, other = table[i * run : (i + 1) * run], part[offsets[i] : offsets[i] + run]
        for j in range(run):
            row[j] = value * other[j]


@compiled(nogil=True)
def add(table: Values, part: Values, offsets: Values, run: int) -> None:
    """Add to a slice the cells of a part that belong there."""
    for i in range(offsets.shape[0]):
        row, other = table[i * run : (i + 1) * run], part[offsets[i] : offsets[i] + run]
        for j in range(run):
            row[j] += other[j]


@compiled(nogil=True)
def collect(part: Values, table: Values, offsets: Values, run: int) -> None:
    """Add the cells of a slice to those of a part that they belong to."""
    if run == 1:
        for i in range(offsets.shape[0]):
            part[offsets[i]] += table[i]
        return
    for i in range(offsets.shape[0]):
        row, other = table[i * run : (i + 1) * run], part[offsets[i] : offsets[i] + run]
        for j in range(run):
            other[j] += row[j]


@compiled(nogil=True)
def shorten(table: Values, have: int, wanted: int, found: Values) -> None:
    """Write sums of so many neighbours that as many cells are left as wanted."""
    times = have // wanted
    for i in range(wanted):
        row = table[i * times : (i + 1) * times]
        total = 0.0
        for j in range(times):
            total += row[j]
        found[i] = total


@compiled(nogil=True)
def join(
    values: Values,
    tables: Values,
    sums: Values,
    steps: Values,
    levels: Values,
    parts: Values,
    offsets: Values,
    logs: np.bool_,
) -> bool:
    """Work out the weights of all tables and their sums over the first column, step by step.

    ``values`` are the weights of factors, or their logarithms; what a step tells a later one is
    written behind them. False if a weight may have been lost.
    """
    for s in range(steps.shape[0]):
        first, size, rest = steps[s, 0], steps[s, 1], steps[s, 2]
        slot, inside = steps[s, 3], steps[s, 4]
        message, total = values[slot : slot + rest], sums[inside : inside + rest]
        total[:] = -np.inf if logs else 0.0
        for value in range(size):
            table = tables[first + value * rest : first + (value + 1) * rest]
            table[0] = 0.0 if logs else 1.0
            have = 1
            for one in range(steps[s, 5], steps[s, 6]):
                many, part, last = levels[one, 0], levels[one, 1], levels[one, 2]
                if many > have and not logs and part < last and many == have * parts[part, 2]:
                    source, runs, run = piece(values, offsets, parts[part], value, many)
                    extend(table, source, runs, run)
                    part += 1
                elif many > have:
                    repeat(table, have, many)
                have = many
                for p in range(part, last):
                    source, runs, run = piece(values, offsets, parts[p], value, many)
                    if logs:
                        add(table, source, runs, run)
                    else:
                        multiply(table, source, runs, run)
            if logs:
                for i in range(rest):
                    total[i] = max(total[i], table[i])
            else:
                for i in range(rest):
                    total[i] += table[i]
        if logs:
            message[:] = total
            total[:] = 0.0
            for value in range(size):
                table = tables[first + value * rest : first + (value + 1) * rest]
                for i in range(rest):
                    weight = math.exp(table[i] - message[i])
                    table[i] = weight
                    total[i] += weight
            for i in range(rest):
                message[i] += math.log(total[i])
        else:
            top = 0.0
            for i in range(rest):
                if not total[i] >= _LEAST:
                    return False
                top = max(top, total[i])
            for i in range(rest):
                message[i] = total[i] / top
    return True


@compiled(nogil=True)
def spread(
    marginals: Values,
    tables: Values,
    sums: Values,
    steps: Values,
    levels: Values,
    parts: Values,
    offsets: Values,
) -> None:
    """Turn weights to joint laws, the last step first, and read off those of all parts.

    ``marginals`` lie as ``values`` did. Of ``sums`` nothing is kept.
    """
    marginals[:] = 0.0
    low = np.empty(sums.shape[0])
    for s in range(steps.shape[0] - 1, -1, -1):
        first, size, rest = steps[s, 0], steps[s, 1], steps[s, 2]
        slot, inside = steps[s, 3], steps[s, 4]
        share, given = sums[inside : inside + rest], marginals[slot : slot + rest]
        if rest == 1:  # nothing is given, or columns of one cell
            given[0] = 1.0
        for i in range(rest):
            share[i] = given[i] / share[i]
        for value in range(size):
            table = tables[first + value * rest : first + (value + 1) * rest]
            for i in range(rest):
                table[i] *= share[i]
            have = rest
            for one in range(steps[s, 6] - 1, steps[s, 5] - 1, -1):
                many, part, last = levels[one, 0], levels[one, 1], levels[one, 2]
                if many < have:
                    shorten(table, have, many, low)
                    have, table = many, low
                for p in range(part, last):
                    target, runs, run = piece(marginals, offsets, parts[p], value, many)
                    collect(target, table, runs, run)
