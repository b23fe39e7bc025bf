"""Tests of ``tacit.theory.dimensions.embedded``."""

from itertools import permutations

from tests.theory.dimensions.dimensions_brute_force_cases import SMALL

from tacit.theory.dimensions import (
    thresholds_within,
    verify,
)


def brute_thresholds(rows):
    best = 0
    for k in range(1, min(len(rows), len(rows[0])) + 1):
        for concepts in permutations(rows, k):
            if any(
                all(concepts[i][x] == (i <= j) for i in range(k) for j, x in enumerate(points))
                for points in permutations(range(len(rows[0])), k)
            ):
                best = k
                break
    return best


def test_embedded_thresholds():
    for rows in SMALL[::3]:
        if len(rows) <= 5:
            found = thresholds_within(rows)
            assert found.value == brute_thresholds(rows)
            assert verify(found.witness, rows)
