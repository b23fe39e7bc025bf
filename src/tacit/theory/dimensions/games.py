"""Zero-sum matrix games, solved exactly.

Small games are solved by the simplex method on whole numbers (fraction-free pivots), so
that no rounding ever decides. Large ones go to HiGHS first, and its answer only selects the
few rows and columns whose game is then solved exactly; the caller checks the rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

Number = int | Fraction
Mix = tuple[Fraction, ...]
_PATIENCE = 200
"""Pivots by steepest column before Bland's rule, which cannot cycle, takes over."""


def solve(payoff: Sequence[Sequence[Number]]) -> tuple[Fraction, Mix, Mix]:
    """Value and optimal mixtures of the game in which rows want much and columns little.

    Returns ``(v, p, q)`` with ``sum_j payoff[i][j] q[j] <= v`` for every row ``i`` and
    ``sum_i p[i] payoff[i][j] >= v`` for every column ``j``, exactly.

    >>> solve([[1, 0], [0, 1]])[0]
    Fraction(1, 2)
    """
    scale = math.lcm(*(Fraction(value).denominator for row in payoff for value in row))
    whole = [[int(value * scale) for value in row] for row in payoff]
    shift = 1 - min(min(row) for row in whole)
    rows, columns = len(whole), len(whole[0])
    # maximise sum(y) subject to (payoff + shift) y <= 1, y >= 0; slack basis to start with
    tableau = [
        [value + shift for value in row] + [int(i == k) for k in range(rows)] + [1]
        for i, row in enumerate(whole)
    ]
    cost = [-1] * columns + [0] * (rows + 1)
    basis = list(range(columns, columns + rows))
    last = 1
    for step in range(100_000):
        column = _entering(cost[:-1], step)
        if column is None:
            break
        row = _leaving(tableau, basis, column)
        pivot = tableau[row][column]
        old = tableau[row]
        for i, line in enumerate(tableau):
            if i != row:
                tableau[i] = _eliminate(line, old, line[column], pivot, last)
        cost = _eliminate(cost, old, cost[column], pivot, last)
        last = pivot
        basis[row] = column
    total = Fraction(cost[-1], last)
    y = [Fraction(0)] * (columns + rows)
    for i, at in enumerate(basis):
        y[at] = Fraction(tableau[i][-1], last)
    q = tuple(value / total for value in y[:columns])
    p = tuple(Fraction(value, last) / total for value in cost[columns:-1])
    return (1 / total - shift) / scale, p, q


def _entering(cost: list[int], step: int) -> int | None:
    if step < _PATIENCE:
        best = min(range(len(cost)), key=cost.__getitem__)
        return best if cost[best] < 0 else None
    return next((j for j, value in enumerate(cost) if value < 0), None)


def _leaving(tableau: list[list[int]], basis: list[int], column: int) -> int:
    """Smallest ratio, then smallest basic index; the program is bounded, so one exists."""
    best = -1
    for i, line in enumerate(tableau):
        if line[column] > 0:
            if best >= 0:
                other = tableau[best]
                gap = line[-1] * other[column] - other[-1] * line[column]
            if best < 0 or gap < 0 or (gap == 0 and basis[i] < basis[best]):
                best = i
    return best


def _eliminate(
    line: list[int], pivot_line: list[int], factor: int, pivot: int, last: int
) -> list[int]:
    if factor == 0:
        return [value * pivot // last for value in line]
    return [(a * pivot - factor * b) // last for a, b in zip(line, pivot_line, strict=True)]


def solve_large(payoff: object) -> tuple[Fraction, Mix, Mix]:
    """As ``solve``, for an integer array with many rows and columns.

    HiGHS names the strategies that are worth playing; their small game is solved exactly,
    and any row or column that beats its solution joins until none does.
    """
    array = np.asarray(payoff)
    _, p, q = floating(array)
    rows = [int(i) for i in np.flatnonzero(p > 1e-9)] or [0]
    columns = [int(j) for j in np.flatnonzero(q > 1e-9)] or [0]
    while True:
        value, p_small, q_small = solve([[int(array[i, j]) for j in columns] for i in rows])
        scores = _weighted(array[:, columns], q_small)
        costs = _weighted(array[rows, :].T, p_small)
        best, cheapest = max(scores), min(costs)
        if best <= value <= cheapest:
            p_wide = _spread(p_small, rows, array.shape[0])
            return value, p_wide, _spread(q_small, columns, array.shape[1])
        if best > value:
            rows.append(scores.index(best))
        if cheapest < value:
            columns.append(costs.index(cheapest))


def _weighted(array: Any, mix: Mix) -> list[Fraction]:
    """``array @ mix``, exactly."""
    scale = math.lcm(*(weight.denominator for weight in mix))
    weights = np.array([int(weight * scale) for weight in mix], dtype=object)
    return [Fraction(int(total), scale) for total in array.astype(object) @ weights]


def _spread(mix: Mix, places: Any, size: int) -> Mix:
    wide = [Fraction(0)] * size
    for place, value in zip(places, mix, strict=True):
        wide[int(place)] = value
    return tuple(wide)


def floating(array: Any) -> tuple[float, Any, Any]:
    """Value and mixtures in floating point: good for choosing, never for deciding."""
    from scipy.optimize import linprog

    rows, columns = array.shape
    result = linprog(
        np.r_[np.zeros(columns), 1.0],
        A_ub=np.c_[array, -np.ones(rows)],
        b_ub=np.zeros(rows),
        A_eq=np.r_[np.ones(columns), 0.0][None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * columns + [(None, None)],
        method="highs-ds",
    )
    return float(result.fun), -result.ineqlin.marginals, result.x[:-1]


def rounded(mix: Any) -> Mix:
    """A rational mixture near a floating one."""
    whole = [round(max(float(weight), 0.0) * 10**6) for weight in mix]
    return tuple(Fraction(weight, sum(whole)) for weight in whole)


def columns_within(array: object, *, bound: Fraction) -> tuple[object, Mix | None]:
    """Rows' best mixture (floating), and a mixture of columns that keeps every row at or
    below ``bound``, exactly, if there is one.

    The usual step of column generation: cheap unless the value is within rounding of the
    bound, when the game is solved exactly.
    """
    value, p, q = floating(array)
    if value > float(bound) + 1e-7:
        return p, None
    near = rounded(q)
    if max(_weighted(array, near)) <= bound:
        return p, near
    exact_value, p_exact, q_exact = solve_large(array)
    return np.array([float(w) for w in p_exact]), q_exact if exact_value <= bound else None
