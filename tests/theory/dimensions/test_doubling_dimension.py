"""Tests of ``tacit.theory.dimensions.doubling_dimension``."""

from itertools import combinations

from tests.theory.dimensions.dimensions_brute_force_cases import SMALL

from tacit.theory.dimensions import (
    doubling,
    verify,
)


def brute_doubling(rows):
    size = len(rows)
    apart = [[sum(a != b for a, b in zip(f, g, strict=True)) for g in rows] for f in rows]
    worst = 1
    for radius in range(1, 2 * len(rows[0]) + 1):
        halves = [{f for f in range(size) if 2 * apart[f][g] <= radius} for g in range(size)]
        for z in range(size):
            ball = {f for f in range(size) if apart[z][f] <= radius}
            worst = max(
                worst,
                next(
                    k
                    for k in range(1, size + 1)
                    if any(ball <= set().union(*some) for some in combinations(halves, k))
                ),
            )
    return worst


def test_doubling():
    open_ = 0
    for rows in SMALL[::2]:
        found = doubling(rows)
        assert found.least <= brute_doubling(rows) <= found.most
        open_ += not found.decided
        assert all(verify(witness, rows) for witness in found.witnesses)
    assert open_ <= len(SMALL) // 40  # the dual program rarely leaves a gap
