"""Named classes as explicit tables, and the closed forms that are known for them.

Rows are concepts, columns are points. ``FORMULAS`` has the values of FX14 section 4.1,
corrected: boxes have VC dimension ``2d`` (printed: ``d + 1``), and what is printed as an
equality for the Littlestone dimension of halfspaces is a lower bound (theory 12.4, F5).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.bool_]


def points(size: int) -> Matrix:
    """``c_j(x) = [x = j]`` on ``size`` points."""
    return np.eye(size, dtype=bool)


def thresholds(size: int) -> Matrix:
    """``c_t(x) = [x >= t]`` for ``t = 0..size`` on ``size`` points."""
    return np.asarray(np.arange(size)[None, :] >= np.arange(size + 1)[:, None])


def intervals(size: int) -> Matrix:
    """``[a <= x <= b]`` and the empty interval."""
    at = np.arange(size)
    rows = [(a <= at) & (at <= b) for a in range(size) for b in range(a, size)]
    return np.array([*rows, np.zeros(size, bool)])


def boxes(side: int, dimension: int = 2) -> Matrix:
    """Axis-parallel boxes on a grid, and the empty one."""
    rows = []
    for choice in product(intervals(side)[:-1], repeat=dimension):
        box = choice[0]
        for part in choice[1:]:
            box = np.logical_and.outer(box, part)
        rows.append(box.ravel())
    return np.array([*rows, np.zeros(side**dimension, bool)])


def parities(bits: int) -> Matrix:
    """``c_s(x) = <s, x> mod 2`` over all ``x`` in ``{0,1}**bits``."""
    both = np.array(list(product((0, 1), repeat=bits)))
    return np.asarray(both @ both.T % 2 == 1)


def conjunctions(variables: int) -> Matrix:
    """Monotone conjunctions over ``{0,1}**variables``."""
    both = np.array(list(product((0, 1), repeat=variables)), dtype=bool)
    return np.asarray((~both[:, None, :] | both[None, :, :]).all(axis=2))


def lines(p: int) -> Matrix:
    """``[y = a x + b]`` over ``Z_p**2``, ``p`` prime."""
    x, y = (axis.ravel() for axis in np.mgrid[0:p, 0:p])
    return np.array([(a * x + b - y) % p == 0 for a in range(p) for b in range(p)])


def halfspaces(side: int) -> Matrix:
    """All ways in which a line cuts a ``side`` x ``side`` grid in two.

    Every cut is reached from a line through two grid points by turning it slightly: the
    points on it then fall to one side up to some place along it, to the other beyond.
    """
    x, y = (axis.ravel() for axis in np.mgrid[0:side, 0:side])
    rows = {(False,) * (side * side), (True,) * (side * side)}
    for i, j in combinations(range(side * side), 2):
        above = (x - x[i]) * (y[j] - y[i]) - (y - y[i]) * (x[j] - x[i])
        along = (x - x[i]) * (x[j] - x[i]) + (y - y[i]) * (y[j] - y[i])
        for place in range(int(along.min()), int(along.max()) + 2):
            for side_of, part in product((1, -1), (along >= place, along < place)):
                rows.add(tuple(((side_of * above > 0) | ((above == 0) & part)).tolist()))
    return np.array(sorted(rows))


def balls(side: int) -> Matrix:
    """All ways in which a disc meets a ``side`` x ``side`` grid.

    A disc takes the nearest points of its centre, and the order of distances is constant
    between the bisectors of pairs of points: one centre in each cell between them is tried.
    """
    grid = [(Fraction(a), Fraction(b)) for a in range(side) for b in range(side)]
    rows = {(False,) * len(grid)}
    for centre in _cell_centres(_bisectors(grid)):
        distance = [(a - centre[0]) ** 2 + (b - centre[1]) ** 2 for a, b in grid]
        rows |= {tuple(d <= radius for d in distance) for radius in distance}
    return np.array(sorted(rows))


Line = tuple[Fraction, Fraction, Fraction]


def _bisectors(grid: list[tuple[Fraction, Fraction]]) -> list[Line]:
    """Lines ``a x + b y = c`` of equal distance, each once."""
    found = set()
    for (a, b), (c, d) in combinations(grid, 2):
        line = (2 * (c - a), 2 * (d - b), c * c + d * d - a * a - b * b)
        scale = line[0] or line[1]
        found.add((line[0] / scale, line[1] / scale, line[2] / scale))
    return sorted(found)


def _cell_centres(lines_: list[Line]) -> list[tuple[Fraction, Fraction]]:
    """A point in every cell: each cell has a corner (the lines are not all parallel), and
    around a corner the cells lie between consecutive lines through it.
    """
    corners = {
        ((c * e - b * f) / (a * e - b * d), (a * f - c * d) / (a * e - b * d))
        for (a, b, c), (d, e, f) in combinations(lines_, 2)
        if a * e != b * d
    }
    centres = []
    for x, y in sorted(corners):
        through = [line for line in lines_ if line[0] * x + line[1] * y == line[2]]
        rays = [ray for a, b, _ in through for ray in ((-b, a), (b, -a))]
        rays.sort(key=cmp_to_key(_turn))
        for (p, q), (r, s) in zip(rays, [*rays[1:], rays[0]], strict=True):
            u, v = p + r, q + s
            if not (u or v):  # two opposite rays: turn a quarter
                u, v = -q, p
            step = Fraction(1)
            for a, b, c in lines_:
                gap, speed = a * x + b * y - c, a * u + b * v
                if gap and speed:
                    step = min(step, abs(gap / speed) / 2)
            centres.append((x + step * u, y + step * v))
    return centres


def _turn(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> int:
    """Compare two directions by angle, exactly."""

    def half(ray: tuple[Fraction, Fraction]) -> int:
        return 0 if ray[1] > 0 or (ray[1] == 0 and ray[0] > 0) else 1

    if half(one) != half(other):
        return half(one) - half(other)
    cross = one[0] * other[1] - one[1] * other[0]
    return -1 if cross > 0 else int(cross < 0)


def one_way_sequences(k: int) -> Matrix:
    """The class of B20 on a tree of depth ``k`` with ``k``-bit seeds, on the points that
    some concept labels 1 (elsewhere all concepts are 0, and no dimension changes).
    """
    index = list(product((0, 1), repeat=k))
    label = {(i, s): _sequence(i, s) for i in index for s in index}
    places = sorted({(i, value) for (i, _), (value, bit) in label.items() if bit})
    return np.array([[label[i, s] == (v, 1) for i, v in places] for s in index])


def _sequence(i: tuple[int, ...], seed: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """The right siblings of leaf ``i``, and its label bit (theory section 8)."""
    k, node = len(i), seed
    siblings: list[int] = []
    for bit in i:
        siblings += _hashed("OWS-GGM", (1, *node), k) if bit == 0 else (0,) * k
        node = _hashed("OWS-GGM", (bit, *node), k)
    return tuple(siblings), _hashed("OWS-LBL", node, 1)[0]


def _hashed(name: str, bits: tuple[int, ...], count: int) -> tuple[int, ...]:
    digest = hashlib.shake_128(name.encode() + bytes(bits)).digest(-(-count // 8))
    return tuple(int(b) for b in np.unpackbits(np.frombuffer(digest, np.uint8))[:count])


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A family: its table at a size, and its dimensions where a formula is known.

    A formula takes the arguments of ``table`` and returns ``None`` outside its range.
    """

    title: str
    table: Callable[..., Matrix]
    vc: Callable[..., int | None]
    littlestone: Callable[..., int | None]
    littlestone_at_least: Callable[..., int]
    cite: str


def _log2(value: int) -> int:
    return value.bit_length() - 1


def _unknown(*_: object) -> None:
    return None


def _nothing(*_: object) -> int:
    return 0


FORMULAS: dict[str, Named] = {
    "points": Named(
        title="points",
        table=points,
        vc=lambda n: min(n - 1, 1),
        littlestone=lambda n: min(n - 1, 1),
        littlestone_at_least=_nothing,
        cite="folklore",
    ),
    "thresholds": Named(
        title="thresholds",
        table=thresholds,
        vc=lambda n: min(n, 1),
        littlestone=lambda n: _log2(n + 1),
        littlestone_at_least=_nothing,
        cite="FX14 section 4.1, item 1",
    ),
    "intervals": Named(
        title="intervals",
        table=intervals,
        vc=lambda n: min(n, 2),
        littlestone=_unknown,
        littlestone_at_least=_log2,
        cite="FX14 section 4.1, item 2 (one dimension)",
    ),
    "boxes": Named(
        title="boxes on a grid",
        table=boxes,
        vc=lambda side, d=2: 2 * d if side >= 3 else None,
        littlestone=_unknown,
        littlestone_at_least=lambda side, d=2: d * _log2(side),
        cite="FX14 section 4.1, item 2, with VC = 2d",
    ),
    "halfspaces": Named(
        title="halfplanes on a grid",
        table=halfspaces,
        vc=lambda side: 3 if side >= 2 else None,
        littlestone=_unknown,
        littlestone_at_least=_log2,
        cite="FX14 section 4.1, item 3 (d = 2), as a lower bound",
    ),
    "balls": Named(
        title="discs on a grid",
        table=balls,
        vc=lambda side: 3 if side >= 3 else None,
        littlestone=_unknown,
        littlestone_at_least=_nothing,
        cite="FX14 section 4.1, item 4",
    ),
    "lines": Named(
        title="lines over Z_p",
        table=lines,
        vc=lambda _: 2,
        littlestone=lambda _: 2,
        littlestone_at_least=_nothing,
        cite="FX14 section 4.2",
    ),
    "parities": Named(
        title="parities",
        table=parities,
        vc=lambda d: d,
        littlestone=lambda d: d,
        littlestone_at_least=_nothing,
        cite="2**d concepts shatter the unit vectors",
    ),
    "conjunctions": Named(
        title="monotone conjunctions",
        table=conjunctions,
        vc=lambda d: d,
        littlestone=lambda d: d,
        littlestone_at_least=_nothing,
        cite="2**d concepts shatter the vectors with one zero",
    ),
    "one_way_sequences": Named(
        title="one-way sequences",
        table=one_way_sequences,
        vc=_unknown,
        littlestone=_unknown,
        littlestone_at_least=_nothing,
        cite="B20 section 3",
    ),
}
