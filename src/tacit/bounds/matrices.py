"""How many 0/1 matrices have a given rank over the field of two elements."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1024)
def by_rank(*, rows: int, columns: int, most: int | None = None) -> tuple[int, ...]:
    """The number of ``rows x columns`` matrices of rank 0, 1, ..., up to ``most``.

    >>> by_rank(rows=2, columns=2)
    (1, 9, 6)
    """
    counts = [1]
    full = min(rows, columns)
    for r in range(full if most is None else min(full, most)):
        # From rank r to r + 1: (2^rows - 2^r)(2^columns - 2^r) / (2^(r+1) - 1) / 2^r.
        step = ((1 << rows) - (1 << r)) * ((1 << columns) - (1 << r))
        counts.append(counts[-1] * step // (((1 << (r + 1)) - 1) << r))
    return tuple(counts)
