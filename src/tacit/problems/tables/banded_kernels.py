"""Compiled weighing of bands of totals: see ``banded_weights.proof.md``.

A weight ``exp(-rate * m) * z`` is kept as ``(m, z)`` with an integer ``m``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.exact.arrays import Values
from tacit.exact.compiled import compiled
from tacit.problems.tables.tree_kernels import plus


@compiled()
def next_band(m: Values, z: Values, band: int, place: int, decay: Values) -> None:
    """Let ``band`` also begin at ``place``, after the band before it with any other label.

    It may go on from the place before only where it can have begun by then.
    """
    values = m.shape[1]
    before_m = np.empty(values, np.int64)
    before_z = np.zeros(values, np.float64)
    for label in range(1, values):
        one, other = m[band - 1, label - 1], z[band - 1, label - 1]
        if label > 1:
            one, other = plus(before_m[label - 1], before_z[label - 1], one, other, decay)
        before_m[label] = one
        before_z[label] = other
    after_m, after_z = 0, 0.0
    for label in range(values - 1, -1, -1):
        if label == values - 1:
            here_m, here_z = before_m[label], before_z[label]
        elif label == 0:
            here_m, here_z = after_m, after_z
        else:
            here_m, here_z = plus(before_m[label], before_z[label], after_m, after_z, decay)
        if band < place:
            here_m, here_z = plus(m[band, label], z[band, label], here_m, here_z, decay)
        m[band, label] = here_m
        z[band, label] = here_z
        if label == values - 1:
            after_m, after_z = m[band - 1, label], z[band - 1, label]
        else:
            after_m, after_z = plus(after_m, after_z, m[band - 1, label], z[band - 1, label], decay)


@compiled()
def band_sum(counts: Values, shares: Values, decay: Values) -> Any:
    """The weight of all ways to cut the totals into bands; ``counts[total, label]``."""
    many, values = counts.shape
    most = min(len(shares), many)
    m = np.zeros((most, values), np.int64)
    z = np.zeros((most, values), np.float64)
    for place in range(many):
        every = counts[place].sum()
        for band in range(min(place, most - 1), 0, -1):
            next_band(m, z, band, place, decay)
        for label in range(values):
            if place == 0:
                z[0, label] = 1.0
            for band in range(min(place + 1, most)):
                m[band, label] += every - counts[place, label]
    total_m, total_z = m[0, 0], shares[0] * z[0, 0]
    for band in range(most):
        for label in range(values):
            if band or label:
                total_m, total_z = plus(
                    total_m, total_z, m[band, label], shares[band] * z[band, label], decay
                )
    return total_m, total_z


@compiled()
def totals_of(levels: Values, joint: Values, weights: Values, counts: Values, least: int) -> None:
    """Count records by their total: ``joint[row, label]`` of them have ``levels[row]``."""
    counts[:] = 0
    for row in range(len(levels)):
        at = -least
        for column in range(len(weights)):
            at += weights[column] * levels[row, column]
        for label in range(joint.shape[1]):  # numba compiles sums of arrays for seconds
            counts[at, label] += joint[row, label]


@compiled()
def group_sums(
    levels: Values,
    joint: Values,
    weights: Values,
    least: Values,
    many: Values,
    shares: Values,
    decay: Values,
    m: Values,
    z: Values,
) -> None:
    """The weight of every total of one set of columns."""
    counts = np.empty((many.max(), joint.shape[1]), np.int64)
    for choice in range(len(weights)):
        here = counts[: many[choice]]
        totals_of(levels, joint, weights[choice], here, least[choice])
        bands = 0
        while bands < shares.shape[1] and shares[choice, bands] > 0:
            bands += 1
        m[choice], z[choice] = band_sum(here, shares[choice, :bands], decay)
