"""Share a budget among parts so that a cost is least, in whole units."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations


def best_shares(
    cost: Callable[[tuple[int, ...]], float], *, parts: int, units: int = 96
) -> tuple[int, ...]:
    """Positive whole shares that sum to ``units``, with ``cost`` least among their neighbours.

    A plan's parameters come from public numbers only, so a float may rank them: a worse
    choice costs records, never privacy.

    >>> best_shares(lambda s: 1 / s[0] + 4 / s[1], parts=2, units=30)
    (10, 20)
    """
    shares = [units // parts] * parts
    shares[0] += units - sum(shares)
    best = cost(tuple(shares))
    step = units // (2 * parts)
    while step:
        better = True
        while better:
            better = False
            for giver, taker in permutations(range(parts), 2):
                if shares[giver] <= step:
                    continue
                moved = shares.copy()
                moved[giver] -= step
                moved[taker] += step
                price = cost(tuple(moved))
                if price < best:
                    shares, best, better = moved, price, True
        step //= 2
    return tuple(shares)
