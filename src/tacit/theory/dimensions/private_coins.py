"""One-way protocols with private coins.

With ``s`` messages the holder of ``f`` sends ``m`` with chance ``A[f][m]`` and the holder of
``x`` answers 1 with chance ``B[m][x]``: the class must be approximated by the product
``A B`` to within the error. This is not convex, so the search gives an interval.

Whether one bit is enough is decided exactly (``one_bit``).

From above: a deterministic representation (then ``B`` is 0/1: FX14 Theorem 8), or ``A`` and
``B`` improved in turn. From below: public coins; a set of concepts that points split in every
way (``s`` points of a simplex span ``s - 1`` dimensions, and by Radon's theorem some split of
``s + 1`` of them is not cut by a hyperplane); or no representation at twice the error
(FX14 Theorem 8: rounding ``B`` at most doubles the error).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

from tacit.exact.arrays import Values
from tacit.theory.dimensions import deterministic, one_bit, public_coins
from tacit.theory.dimensions.games import solve
from tacit.theory.dimensions.incidence import Incidence
from tacit.theory.dimensions.measured import Clock, OutOfTime, Progress
from tacit.theory.dimensions.witnesses import (
    NoRepresentation,
    PrivateProtocol,
    RadonSet,
    Representation,
    Witness,
)

_ROUNDS = 60
_RADON_TRIES = 20_000
_WRITTEN_OUT = 256
"""The protocol that names the concept is not written out for more concepts than this."""


def search(
    table: Incidence, *, error: Fraction, clock: Clock, progress: Progress
) -> public_coins.Found:
    """Least and most bits, and the witnesses for both."""
    half = Clock(clock.left / 2)
    least, _, witnesses = public_coins.search(table, error=error, clock=half, progress=progress)
    lower: Witness | None = witnesses[1] if len(witnesses) > 1 else None
    if 2 * error < 1:
        if least == 1:
            short = one_bit.settle(table, error)
            if isinstance(short, PrivateProtocol):
                return 1, 1, (short,) if lower is None else (short, lower)
            if short is not None:
                least, lower = 2, short
        radon = radon_set(table)
        if radon is not None and (len(radon.concepts) - 1).bit_length() > least:
            least, lower = (len(radon.concepts) - 1).bit_length(), radon
    most = (len(table.distinct) - 1).bit_length()
    bits = least
    upper: PrivateProtocol | None = None
    try:
        while bits < most:
            upper = protocol(table, error=error, bits=bits, clock=clock)
            if upper is not None:
                break
            if bits == least:
                refuted = _refuted(table, error=error, bits=bits, clock=clock)
                if refuted is not None:
                    least, lower = bits + 1, refuted
                    progress(f"R_private >= {least}")
            bits += 1
    except OutOfTime:
        pass
    if upper is None and len(table.distinct) <= _WRITTEN_OUT:
        upper = from_representation(deterministic.itself(table, alpha=error))
    most = most if upper is None else upper.bits
    return least, most, tuple(found for found in (upper, lower) if found is not None)


def _refuted(
    table: Incidence, *, error: Fraction, bits: int, clock: Clock
) -> NoRepresentation | None:
    if 2 * error >= 1 or 1 << bits > deterministic.LARGEST:
        return None
    found = deterministic.find(table, alpha=2 * error, size=1 << bits, clock=clock)
    return found if isinstance(found, NoRepresentation) else None


def from_representation(representation: Representation) -> PrivateProtocol:
    """FX14 Theorem 8: name a hypothesis drawn from the concept's mixture."""
    return PrivateProtocol(
        digest=representation.digest,
        error=representation.alpha,
        bits=(len(representation.hypotheses) - 1).bit_length(),
        alice=representation.mixtures,
        bob=tuple(tuple(Fraction(b) for b in row) for row in representation.hypotheses),
    )


def protocol(
    table: Incidence, *, error: Fraction, bits: int, clock: Clock
) -> PrivateProtocol | None:
    """A protocol of that many bits, if one is found."""
    size = 1 << bits
    start: Representation | None = None
    if size <= deterministic.LARGEST:
        for alpha in (error, (1 + 2 * error) / 4, (1 + error) / 3):
            if 2 * alpha >= 1:
                break
            found = deterministic.find(table, alpha=alpha, size=size, clock=clock)
            if isinstance(found, Representation):
                if alpha == error:
                    return from_representation(found)
                start = found
                break
    elif size < len(table.distinct):
        smaller = _smaller(table, error=error, size=size, clock=clock)
        return None if smaller is None else from_representation(smaller)
    return None if start is None else _improve(table, start, error=error, bits=bits, clock=clock)


def _smaller(
    table: Incidence, *, error: Fraction, size: int, clock: Clock
) -> Representation | None:
    found = deterministic.find(
        table, alpha=error, size=min(size, deterministic.LARGEST), clock=clock
    )
    return found if isinstance(found, Representation) else None


def _improve(
    table: Incidence, start: Representation, *, error: Fraction, bits: int, clock: Clock
) -> PrivateProtocol | None:
    """Improve messages and answers in turn, in floating point; then make the result exact."""
    labels = table.matrix.astype(float)
    bob = np.array(start.hypotheses, dtype=float)
    reached = 1.0
    for _ in range(_ROUNDS):
        clock.check()
        alice = np.array([_nearest(bob.T, row, mixture=True)[0] for row in labels])
        answers = [_nearest(alice, column, mixture=False) for column in labels.T]
        bob = np.array([answer for answer, _ in answers]).T
        now = max(distance for _, distance in answers)
        if now <= float(error) + 1e-9 or now > reached - 1e-6:
            break
        reached = now
    return exact_protocol(table, bob, error=error, bits=bits)


def exact_protocol(
    table: Incidence, bob: Values, *, error: Fraction, bits: int
) -> PrivateProtocol | None:
    """The exact protocol with answers near ``bob``, if its error is small enough."""
    for denominator in (12, 60, 1000, 10**6):
        answers = [
            [
                min(
                    max(Fraction(float(b)).limit_denominator(denominator), Fraction(0)), Fraction(1)
                )
                for b in row
            ]
            for row in bob
        ]
        alice = {}
        for f in table.distinct:
            wrong = [
                [row[x] if not table.label(f, x) else 1 - row[x] for row in answers]
                for x in range(table.points)
            ]
            value, _, mixture = solve(wrong)
            if value > error:
                break
            alice[table.rows[f]] = mixture
        else:
            return PrivateProtocol(
                digest=table.digest,
                error=error,
                bits=bits,
                alice=tuple(alice[row] for row in table.rows),
                bob=tuple(map(tuple, answers)),
            )
    return None


def _nearest(matrix: Values, target: Values, *, mixture: bool) -> tuple[Values, float]:
    """``y`` in the unit cube (or the simplex) with ``matrix @ y`` closest to ``target``."""
    from scipy.optimize import linprog

    rows, columns = matrix.shape
    slack = -np.ones((rows, 1))
    result = linprog(
        np.r_[np.zeros(columns), 1.0],
        A_ub=np.r_[np.c_[matrix, slack], np.c_[-matrix, slack]],
        b_ub=np.r_[target, -target],
        A_eq=np.r_[np.ones(columns), 0.0][None, :] if mixture else None,
        b_eq=[1.0] if mixture else None,
        bounds=[(0, 1)] * columns + [(0, None)],
        method="highs",
    )
    return result.x[:-1], float(result.x[-1])


def radon_set(table: Incidence) -> RadonSet | None:
    """Many concepts that points split in every way, up to exchanging the two sides."""
    best: RadonSet | None = None
    tries = 0
    columns = [table.columns[x] for x in table.cuts]
    for size in range(2, 8):
        for concepts in combinations(table.distinct, size):
            tries += 1
            if tries > _RADON_TRIES:
                return best
            top = 1 << (size - 1)
            point: dict[int, int] = {}
            for x, column in zip(table.cuts, columns, strict=True):
                split = sum((column >> f & 1) << i for i, f in enumerate(concepts))
                point.setdefault(split if not split & top else 2 * top - 1 - split, x)
            if all(split in point for split in range(1, top)):
                best = RadonSet(
                    digest=table.digest,
                    concepts=concepts,
                    points=tuple(point[split] for split in range(1, top)),
                )
                break
        else:
            return best
    return best
