"""Marginals of a law that is a product of potentials, by taking away one column after another.

``Law(cliques, sizes)`` plans how; ``marginals(theta, total)`` gives those of all cliques for
potentials ``theta`` (logarithms, one clique after another). All that depends on a column is
multiplied into two arrays, and their sum over it is a product of matrices, or into one and summed.
What is left at the end is the sum of the law over all cells. The marginal of a clique is its
potential times the derivative of that sum by it, over the sum, times the total: it comes from the
same products on the way back. So the cells of a junction tree, which are never made, cost a
multiplication each inside a product of matrices.

All in doubles. Before exponentials are taken, what potentials say of single columns is gathered in
one potential each, so that parts that cancel do so there, and the largest of each row is 0. What
is below the smallest double then counts as 0; ``check`` raises if that could have had any mass.
"""

from __future__ import annotations

import math

import numba
import numpy as np
from elimination_order import Order, cells_of, most_alike

LITTLE = 1e-20  # an array with no larger value is scaled, so that products of such stay above 0


# Products of arrays, and the way back.


@numba.njit(cache=True)
def _level(theta, axes, own):
    """Moves what potentials say of single columns to the first potential that has the column.

    A row of ``axes`` is one axis of a potential: where this starts, cells before, along and after
    the axis, where the column starts in ``own``, and whether the potential is the column's first.
    """
    own[:] = 0.0
    for start, before, length, after, column, _ in axes:
        for v in range(length):
            top = -np.inf
            for i in range(before):
                first = start + (i * length + v) * after
                for j in range(first, first + after):
                    top = max(top, theta[j])
            own[column + v] += top
            for i in range(before):
                first = start + (i * length + v) * after
                for j in range(first, first + after):
                    theta[j] -= top
    for start, before, length, after, column, home in axes:
        if home:
            top = own[column : column + length].max()
            for i in range(before):
                for v in range(length):
                    first = start + (i * length + v) * after
                    for j in range(first, first + after):
                        theta[j] += own[column + v] - top


@numba.njit(cache=True, fastmath={"contract", "nsz"})
def _multiply(values, starts, strides, shape, once):
    """Makes an array the product of three (or adds to it, unless each cell is met ``once``)."""
    depth = len(shape) - 1
    a, b, c, o = starts
    sa, sb, sc, so = strides[depth]
    index = np.zeros(depth + 1, np.int64)
    while True:
        if once:
            for j in range(shape[depth]):
                values[o + so * j] = values[a + sa * j] * values[b + sb * j] * values[c + sc * j]
        elif so:
            for j in range(shape[depth]):
                values[o + so * j] += values[a + sa * j] * values[b + sb * j] * values[c + sc * j]
        else:
            total = 0.0
            for j in range(shape[depth]):
                total += values[a + sa * j] * values[b + sb * j] * values[c + sc * j]
            values[o] += total
        place = depth - 1
        while place >= 0:
            index[place] += 1
            back = index[place] == shape[place]
            by = 1 - shape[place] if back else 1
            a += strides[place, 0] * by
            b += strides[place, 1] * by
            c += strides[place, 2] * by
            o += strides[place, 3] * by
            if not back:
                break
            index[place] = 0
            place -= 1
        if place < 0:
            return


@numba.njit(cache=True, fastmath={"contract", "nsz"})
def _differentiate(values, slopes, starts, strides, shape, once):
    """The slope of each of three arrays: that of their product times the other two.

    Those are added up, except for arrays each cell of which is met ``once``.
    """
    depth = len(shape) - 1
    a, b, c, o = starts
    sa, sb, sc, so = strides[depth]
    once_a, once_b, once_c = once
    index = np.zeros(depth + 1, np.int64)
    while True:
        ta, tb, tc = 0.0, 0.0, 0.0
        for j in range(shape[depth]):
            va, vb, vc = values[a + sa * j], values[b + sb * j], values[c + sc * j]
            by = slopes[o + so * j]
            first, last = by * va, by * vc
            if once_a:
                slopes[a + sa * j] = last * vb
            elif sa:
                slopes[a + sa * j] += last * vb
            else:
                ta += last * vb
            if once_b:
                slopes[b + sb * j] = last * va
            elif sb:
                slopes[b + sb * j] += last * va
            else:
                tb += last * va
            if once_c:
                slopes[c + sc * j] = first * vb
            elif sc:
                slopes[c + sc * j] += first * vb
            else:
                tc += first * vb
        if not (once_a or sa):
            slopes[a] += ta
        if not (once_b or sb):
            slopes[b] += tb
        if not (once_c or sc):
            slopes[c] += tc
        place = depth - 1
        while place >= 0:
            index[place] += 1
            back = index[place] == shape[place]
            by = 1 - shape[place] if back else 1
            a += strides[place, 0] * by
            b += strides[place, 1] * by
            c += strides[place, 2] * by
            o += strides[place, 3] * by
            if not back:
                break
            index[place] = 0
            place -= 1
        if place < 0:
            return


class Array:
    """Where the values over some columns lie, in the order of ``axes``."""

    def __init__(self, axes, sizes, start):
        self.axes, self.start = tuple(axes), start
        self.shape = tuple(sizes[a] for a in axes)
        self.size = math.prod(self.shape)

    def stride(self, column):
        """How far apart neighbours along a column are; 0 if it is none of the array's."""
        if column not in self.axes:
            return 0
        return math.prod(self.shape[self.axes.index(column) + 1 :])

    def of(self, pool, shape=None):
        """The array itself."""
        return pool[self.start : self.start + self.size].reshape(shape or self.shape)


class Product:
    """Makes an array from at most three: their product, summed over the columns it has not."""

    def __init__(self, arrays, out, one, sizes):
        self.out, self.arrays = out, arrays
        every = [*arrays, *[one] * (3 - len(arrays)), out]
        largest = max(every, key=lambda array: array.size)  # is passed as it lies
        columns = {a for array in arrays for a in array.axes}
        columns = sorted(columns, key=lambda a: (-largest.stride(a), a))
        columns = columns or [None]
        whole = cells_of([a for a in columns if a], sizes)

        def cost(column):
            steps = [array.stride(column) for array in every]
            return 4 / sizes[column] + sum(0.1 if s < 2 else 0.6 for s in steps)

        if columns != [None]:
            inner = min(columns, key=cost)
            columns = [a for a in columns if a != inner] + [inner]
        shape = [sizes[a] if a else 1 for a in columns]
        strides = [[array.stride(a) for array in every] for a in columns]
        for place in range(len(shape) - 1, 0, -1):  # columns that lie alike everywhere are one
            if all(
                s == t * shape[place] for s, t in zip(*strides[place - 1 : place + 1], strict=True)
            ):
                shape[place - 1] *= shape.pop(place)
                strides.pop(place - 1)
        self.once = np.array([array.size == whole and array is not one for array in every])
        self.starts = np.array([array.start for array in every])
        self.shape, self.strides = np.array(shape), np.array(strides)

    def bind(self, values, slopes):
        """Says where all arrays and their slopes are."""
        self.values, self.slopes = values, slopes
        self.sums = [] if self.once[3] else [self.out.of(values)]
        arrays = zip(self.arrays, self.once[:3], strict=False)
        self.added = [one.of(slopes) for one, once in arrays if not once]

    def forward(self):
        for one in self.sums:
            one.fill(0)
        _multiply(self.values, self.starts, self.strides, self.shape, self.once[3])

    def backward(self):
        for one in self.added:
            one.fill(0)
        where = self.starts, self.strides, self.shape
        _differentiate(self.values, self.slopes, *where, self.once[:3])


class Matrices:
    """Makes an array from two: their product, summed over columns that both have and it has not."""

    def __init__(self, left, right, out, lengths):
        self.left, self.right, self.out = left, right, out
        both, first, second, gone = lengths
        self.shapes = (both, first, gone), (both, second, gone), (both, first, second)

    def bind(self, values, slopes):
        """Says where all arrays and their slopes are."""
        arrays = list(zip((self.left, self.right, self.out), self.shapes, strict=True))
        self.a, self.b, self.c = (one.of(values, shape) for one, shape in arrays)
        self.of_a, self.of_b, self.of_c = (one.of(slopes, shape) for one, shape in arrays)

    def forward(self):
        np.matmul(self.a, self.b.transpose(0, 2, 1), out=self.c)

    def backward(self):
        np.matmul(self.of_c, self.b, out=self.of_a)
        np.matmul(self.of_c.transpose(0, 2, 1), self.a, out=self.of_b)


class Law:
    """The law that potentials on cliques say.

    A potential's array is that of its exponentials. ``kept`` columns are not taken away.
    """

    def __init__(self, cliques, sizes, kept=()):
        self.cliques, self.sizes = cliques, sizes
        lengths = [cells_of(one, sizes) for one in cliques]
        self.starts = np.cumsum([0, *lengths])[:-1]
        self.lengths, self.length = np.array(lengths), sum(lengths)
        order = Order([frozenset(one) for one in cliques], sizes, kept)
        self._own, self._axes = np.empty(sum(sizes.values())), self._columns()
        self._when = {a: i for i, gone in enumerate(order.steps) for a in gone}
        self._used, self._operations, self._ends = self.length, [], []
        self._one = self._new(())
        arrays = [Array(one, sizes, i) for one, i in zip(cliques, self.starts, strict=True)]
        for gone in order.steps:
            bucket = [one for one in arrays if gone & set(one.axes)]
            arrays = [one for one in arrays if not gone & set(one.axes)]
            made = self._take_away(gone, bucket, order)
            (arrays if made.axes else self._ends).append(made)
        self._left, self.nanoseconds = arrays, order.nanoseconds
        self._values, self._slopes = np.empty(self._used), np.zeros(self._used)
        self._one.of(self._values).fill(1)
        for one in self._operations:
            one.bind(self._values, self._slopes)

    def _columns(self):
        """What ``_level`` asks of each axis of each potential."""
        first = dict(zip(self.sizes, np.cumsum([0, *self.sizes.values()]), strict=False))
        found, known = [], set()
        for clique, start in zip(self.cliques, self.starts, strict=True):
            shape = [self.sizes[a] for a in clique]
            for i, a in enumerate(clique):
                parts = math.prod(shape[:i]), shape[i], math.prod(shape[i + 1 :])
                found.append((start, *parts, first[a], a not in known))
                known.add(a)
        return np.array(found, dtype=np.int64)

    def _new(self, axes):
        made = Array(axes, self.sizes, self._used)
        self._used += made.size
        return made

    def _ordered(self, columns):
        """Last what is taken away first."""
        late = len(self._when)
        return tuple(sorted(columns, key=lambda a: (-self._when.get(a, late), self.sizes[a], a)))

    def _take_away(self, gone, bucket, order):
        scopes = [frozenset(one.axes) for one in bucket]
        _, parts = order.split(scopes, gone)
        in_left = [bool(parts) and any(s <= group for group in parts[0]) for s in scopes]
        left = [array for array, inside in zip(bucket, in_left, strict=True) if inside]
        right = [array for array, inside in zip(bucket, in_left, strict=True) if not inside]
        one, two = ({a for array in some for a in array.axes} for some in (left, right))
        if not gone <= one & two:  # nothing to multiply with, or a column is in one part only
            out = self._new(self._ordered((one | two) - gone))
            self._multiply(bucket, out)
            return out
        parts = [self._ordered(some) for some in ((one & two) - gone, one - two, two - one, gone)]
        both, first, second, away = parts
        left = self._operand(left, both + first + away)
        right = self._operand(right, both + second + away)
        out = self._new(both + first + second)
        lengths = [cells_of(some, self.sizes) for some in parts]
        self._operations.append(Matrices(left, right, out, lengths))
        return out

    def _operand(self, arrays, axes):
        if len(arrays) == 1 and arrays[0].axes == axes:
            return arrays[0]
        out = self._new(axes)
        self._multiply(arrays, out)
        return out

    def _multiply(self, arrays, out):
        """The small ones two at a time, as ``Order`` counts on, and the rest at once."""
        arrays = list(arrays)
        whole = cells_of({a for one in arrays for a in one.axes}, self.sizes)
        while len(arrays) > 1:
            cells, i, j = most_alike([frozenset(one.axes) for one in arrays], self.sizes)
            if len(arrays) <= 3 and cells * 2 > whole:
                break
            arrays.append(self._pair(arrays.pop(i), arrays.pop(j)))
        self._operations.append(Product(arrays, out, self._one, self.sizes))

    def _pair(self, one, other):
        out = self._new(self._ordered({*one.axes, *other.axes}))
        self._operations.append(Product([one, other], out, self._one, self.sizes))
        return out

    def forward(self, theta):
        """Takes the columns away."""
        psi = self._values[: self.length]
        psi[:] = theta
        _level(psi, self._axes, self._own)
        np.exp(psi, out=psi)
        self._scales = []
        for one in self._operations:
            one.forward()
            values = one.out.of(self._values)
            top = values.max()
            self._scales.append(1 / top if top < LITTLE else 1)
            if top < LITTLE:
                values /= top

    def marginals(self, theta, total):
        """Of every clique, one after another; each sums to the total."""
        self.forward(theta)
        self._one.of(self._slopes).fill(0)
        for end in self._ends:
            end.of(self._slopes)[...] = total / end.of(self._values)
        for one, scale in zip(self._operations[::-1], self._scales[::-1], strict=True):
            if scale != 1:
                one.out.of(self._slopes)[...] *= scale
            one.backward()
        return self._values[: self.length] * self._slopes[: self.length]

    def check(self, theta, total):
        """Raises unless values too small for a double would have had no mass."""
        self.marginals(theta, total)
        if not self._slopes.max() < total * 1e280:
            raise FloatingPointError("the potentials left the range of doubles")

    def joint(self, kept):
        """The law of the kept columns, after ``forward``."""
        places = {a: i for i, a in enumerate(kept)}
        given = [(one.of(self._values), [places[a] for a in one.axes]) for one in self._left]
        found = np.einsum(*(part for pair in given for part in pair), list(range(len(kept))))
        return found / found.sum()

    def rows(self, given, some, column):
        """After ``forward``: the kept law at rows of the given columns, by a further column.

        Each row is a multiple of that column's law given the others.
        """
        place = {a: some[:, i, None] for i, a in enumerate(given)}
        place[column] = np.arange(self.sizes[column])
        found = np.ones((len(some), self.sizes[column]))
        for one in self._left:
            found *= one.of(self._values)[tuple(place[a] for a in one.axes)]
        return found
