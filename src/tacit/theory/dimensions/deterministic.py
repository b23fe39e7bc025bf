"""Deterministic representation dimension: the fewest hypotheses, by exhaustive search.

By minimax, ``H`` represents the class to within ``alpha`` exactly if for every concept some
mixture over ``H`` mislabels every point with probability at most ``alpha``. Write ``s``
hypotheses as a column (an ``s``-bit number) for every point. For a concept ``f`` the column
of ``x`` says which hypotheses are right at ``x``: it is the column itself if ``f(x) = 1``,
its complement otherwise. So a set of right-columns is *jointly good* if some mixture gives
each of them at least ``1 - alpha``, and the search assigns columns to points so that the
right-columns of each concept stay jointly good. Whether a set is jointly good is a small
game, solved exactly once up to renaming hypotheses and remembered.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from tacit.theory.dimensions.games import Mix, solve
from tacit.theory.dimensions.incidence import Bits, Incidence
from tacit.theory.dimensions.measured import Clock, OutOfTime
from tacit.theory.dimensions.witnesses import NoRepresentation, Representation

LARGEST = 7
"""More hypotheses than this are not searched exhaustively: ``2**s`` columns, ``s!`` renamings."""

_CELLS, _FEW = 2000, 10
"""Tables with more cells than the first are cut down to this many points."""


class Columns:
    """Which sets of right-columns of ``size`` hypotheses are jointly good, for one ``alpha``.

    ``good`` holds, for each mixture met so far, the set of columns it gives ``1 - alpha``;
    ``bad`` sets that no mixture serves. Both are closed under renaming hypotheses, so a
    question is mostly settled by looking for a superset or a subset. A set that such a look
    left open is in neither, nor is any renaming of it: what is added is always new. ``rules``
    are the bad sets as they were found, each with the law of points that defeats every
    hypothesis.
    """

    def __init__(self, *, alpha: Fraction, size: int, clock: Clock) -> None:
        self.alpha, self.size, self.clock = alpha, size, clock
        self.count = 1 << size
        self.words = -(-self.count // 64)
        self.good = np.zeros((0, self.words), np.uint64)
        self.bad = np.zeros((0, self.words), np.uint64)
        self.rules: list[tuple[tuple[int, ...], tuple[Fraction, ...]]] = []
        self._allowed: dict[Bits, Bits] = {}
        columns = np.arange(self.count)
        self._renamings = np.array(
            [
                sum((columns >> i & 1) << order[i] for i in range(size))
                for order in permutations(range(size))
            ]
        )

    def allowed(self, have: Bits) -> Bits:
        """The columns that may join ``have``, itself jointly good."""
        while have not in self._allowed:
            words = self._pack(have)
            yes = _union(self.good[(self.good & words == words).all(axis=1)])
            rest = self.bad & ~words
            no = _union(rest[np.bitwise_count(rest).sum(axis=1) == 1])
            unknown = (1 << self.count) - 1 & ~yes & ~no
            if unknown:
                self._settle(have | (unknown & -unknown))
            else:
                self._allowed[have] = yes
        return self._allowed[have]

    def _settle(self, have: Bits) -> None:
        """Solve one game and remember what it says about many sets."""
        self.clock.check()
        error, _, mix = self._game(have)
        if error <= self.alpha:
            right = [sum(mix[i] for i in range(self.size) if c >> i & 1) for c in range(self.count)]
            served = sum(1 << c for c in range(self.count) if right[c] >= 1 - self.alpha)
            self.good = np.vstack([self.good, self._images(served)])
            return
        for c in _members(have):
            fewer = have ^ (1 << c)
            if fewer and self._game(fewer)[0] > self.alpha:
                have = fewer
        self.rules.append((tuple(_members(have)), self._game(have)[1]))
        self.bad = np.vstack([self.bad, self._images(have)])

    def _game(self, have: Bits) -> tuple[Fraction, Mix, Mix]:
        """Error, law of columns and mixture of hypotheses, when both sides play best."""
        return solve([[1 - (c >> i & 1) for i in range(self.size)] for c in _members(have)])

    def _images(self, have: Bits) -> NDArray[np.uint64]:
        """The set under every renaming of the hypotheses, each once."""
        places = self._renamings[:, _members(have)]
        images = np.zeros((len(places), self.words), np.uint64)
        for column in places.T:
            bit = np.uint64(1) << (column % 64).astype(np.uint64)
            images[np.arange(len(places)), column // 64] |= bit
        return np.unique(images, axis=0)

    def _pack(self, have: Bits) -> NDArray[np.uint64]:
        return np.frombuffer(have.to_bytes(8 * self.words, "little"), np.uint64)


def _union(sets: NDArray[np.uint64]) -> Bits:
    return int.from_bytes(np.bitwise_or.reduce(sets, axis=0).tobytes(), "little")


def _members(bits: Bits) -> list[int]:
    return [i for i in range(bits.bit_length()) if bits >> i & 1]


class Assignment:
    """Depth-first search for columns, one point after another.

    Symmetry: hypotheses are listed in decreasing lexicographic order, and so are the
    columns of points whose exchange leaves the class unchanged (reading hypothesis 0
    first). Both may be asked for at once: the largest matrix of an orbit has both.
    """

    def __init__(self, table: Incidence, *, alpha: Fraction, size: int, clock: Clock) -> None:
        self.table, self.size, self.clock = table, size, clock
        self.known = Columns(alpha=alpha, size=size, clock=clock)
        self.full = (1 << size) - 1
        self.whole = len(table.distinct) * len(table.cuts) <= _CELLS
        self.order = table.cuts if self.whole else table.telling(_FEW)
        self.before = _twins(table, self.order, clock)
        first = {tuple(table.label(f, x) for x in self.order): f for f in table.distinct}
        self.concepts = tuple(sorted(first.values()))
        self._turned: dict[Bits, Bits] = {}
        self._sorted: dict[tuple[int, ...], Bits] = {}

    def search(self) -> tuple[int, ...] | None:
        """Columns in the order of ``self.order``, or ``None`` if there are none."""
        return self._extend((), (0,) * len(self.concepts), (self.size,))

    def _extend(
        self, columns: tuple[int, ...], have: tuple[Bits, ...], groups: tuple[int, ...]
    ) -> tuple[int, ...] | None:
        at = len(columns)
        if at == len(self.order):
            return columns
        self.clock.check()
        choices = [self._choices(x, have) for x in self.order[at:]]
        if not all(choices):
            return None
        options = choices[0] & self._canonical(groups)
        twin = self.before[at]
        ceiling = self.full if twin is None else self._key(columns[twin])
        for column in sorted(_members(options), key=self._balance):
            if self._key(column) > ceiling:
                continue
            x = self.order[at]
            after = tuple(
                V | 1 << (column if self.table.label(f, x) else self.full ^ column)
                for f, V in zip(self.concepts, have, strict=True)
            )
            found = self._extend((*columns, column), after, _refine(groups, column))
            if found is not None:
                return found
        return None

    def _choices(self, x: int, have: tuple[Bits, ...]) -> Bits:
        """Columns for ``x`` that keep every concept's right-columns jointly good."""
        options = (1 << (1 << self.size)) - 1
        for f, V in zip(self.concepts, have, strict=True):
            allowed = self.known.allowed(V)
            options &= allowed if self.table.label(f, x) else self._turn(allowed)
            if not options:
                break
        return options

    def _turn(self, columns: Bits) -> Bits:
        """The complements of these columns."""
        if columns not in self._turned:
            self._turned[columns] = sum(1 << (self.full ^ c) for c in _members(columns))
        return self._turned[columns]

    def _canonical(self, groups: tuple[int, ...]) -> Bits:
        """Columns whose ones come first among hypotheses that are equal so far."""
        if groups not in self._sorted:
            self._sorted[groups] = sum(
                1 << c for c in range(1 << self.size) if _is_sorted(c, groups)
            )
        return self._sorted[groups]

    def _key(self, column: int) -> int:
        return int(f"{column:0{self.size}b}"[::-1], 2)

    def _balance(self, column: int) -> int:
        return abs(2 * column.bit_count() - self.size)


def _is_sorted(column: int, groups: tuple[int, ...]) -> bool:
    for width in groups:
        part = column & ((1 << width) - 1)
        if part & (part + 1):
            return False
        column >>= width
    return True


def _refine(groups: tuple[int, ...], column: int) -> tuple[int, ...]:
    finer = []
    for width in groups:
        ones = (column & ((1 << width) - 1)).bit_count()
        finer += [part for part in (ones, width - ones) if part]
        column >>= width
    return tuple(finer)


def _twins(table: Incidence, order: tuple[int, ...], clock: Clock) -> tuple[int | None, ...]:
    """For each place in ``order``, the latest earlier place that it may be exchanged with."""
    rows = {tuple(table.label(f, x) for x in order) for f in table.distinct}

    def exchangeable(a: int, b: int) -> bool:
        clock.check()
        swapped = set()
        for row in rows:
            cells = list(row)
            cells[a], cells[b] = cells[b], cells[a]
            swapped.add(tuple(cells))
        return swapped == rows

    return tuple(
        next((a for a in range(b - 1, -1, -1) if exchangeable(a, b)), None)
        for b in range(len(order))
    )


def find(
    table: Incidence, *, alpha: Fraction, size: int, clock: Clock
) -> Representation | NoRepresentation:
    """A representation by ``size`` hypotheses, or the proof that there is none.

    Of a large table only a few points are looked at, which can only give the second.
    """
    search = Assignment(table, alpha=alpha, size=size, clock=clock)
    columns = search.search()
    if columns is not None and not search.whole:
        raise OutOfTime  # a few points can be represented: that says nothing about all
    if columns is None:
        return NoRepresentation(
            digest=table.digest,
            alpha=alpha,
            size=size,
            order=search.order,
            columns=tuple(rule for rule, _ in search.known.rules),
            weights=tuple(weights for _, weights in search.known.rules),
        )
    everything = (1 << table.concepts) - 1
    placed = {0: 0, everything: search.full}
    for x, column in zip(search.order, columns, strict=True):
        placed[table.columns[x]] = column
        placed[everything ^ table.columns[x]] = search.full ^ column
    column_of = [placed[column] for column in table.columns]
    hypotheses = tuple(tuple(c >> i & 1 for c in column_of) for i in range(size))
    return mixed(table, alpha=alpha, hypotheses=hypotheses)


def mixed(
    table: Incidence, *, alpha: Fraction, hypotheses: tuple[tuple[int, ...], ...]
) -> Representation:
    """The witness that these hypotheses represent the class; the caller knows they do."""
    mixtures = {f: error_game(table, concept=f, hypotheses=hypotheses)[2] for f in table.distinct}
    of_row = {table.rows[f]: mixture for f, mixture in mixtures.items()}
    return Representation(
        digest=table.digest,
        alpha=alpha,
        hypotheses=hypotheses,
        mixtures=tuple(of_row[row] for row in table.rows),
    )


def itself(table: Incidence, *, alpha: Fraction) -> Representation:
    """The class represents itself, with no error at all."""
    place = {table.rows[f]: i for i, f in enumerate(table.distinct)}
    units = [tuple(Fraction(int(i == j)) for j in range(len(place))) for i in range(len(place))]
    return Representation(
        digest=table.digest,
        alpha=alpha,
        hypotheses=tuple(tuple(map(int, table.matrix[f])) for f in table.distinct),
        mixtures=tuple(units[place[row]] for row in table.rows),
    )


def error_game(
    table: Incidence, *, concept: int, hypotheses: tuple[tuple[int, ...], ...]
) -> tuple[Fraction, Mix, Mix]:
    """Error of the best mixture at its worst point, the worst law of points, the mixture."""
    place: dict[tuple[int, ...], int] = {}
    for x in range(table.points):
        place.setdefault(tuple(h[x] ^ table.label(concept, x) for h in hypotheses), x)
    error, law, mixture = solve(list(place))
    wide = [Fraction(0)] * table.points
    for x, weight in zip(place.values(), law, strict=True):
        wide[x] = weight
    return error, tuple(wide), mixture
