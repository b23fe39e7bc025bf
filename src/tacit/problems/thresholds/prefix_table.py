"""From noisy prefix counts to a table of exactly ``n`` rows: post-processing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.domains.integers import Integers
from tacit.problems.finite.synthetic import SyntheticTable


def monotone(prefixes: npt.NDArray[np.int64], *, n: int) -> npt.NDArray[np.int64]:
    """The noisy counts made ascending, within ``0, ..., n``.

    Half way between the running maximum from the left and the running minimum from the
    right: no further from an ascending truth than the worst of the noisy counts.
    """
    clipped = np.clip(prefixes, 0, n)
    rising = np.maximum.accumulate(clipped)
    falling = np.minimum.accumulate(clipped[::-1])[::-1]
    return np.asarray((rising + falling) // 2)


def spread(
    domain: Integers, starts: list[int], prefixes: npt.NDArray[np.int64], *, n: int
) -> SyntheticTable:
    """A table of ``n`` rows with about ``prefixes[i]`` rows below ``starts[i]``.

    ``starts`` ascend from 0. The rows of a block stand half at its first value and half at
    its last one, which leaves every threshold inside within half the block.
    """
    levels = monotone(prefixes, n=n)
    levels[0] = 0
    rows = np.diff(np.append(levels, n)).tolist()
    ends = [*starts[1:], domain.size]
    placed = []
    for start, end, count in zip(starts, ends, rows, strict=True):
        if end == start + 1 or count == 1:
            placed.append((start, count))
        else:
            placed += [(start, count - count // 2), (end - 1, count // 2)]
    return SyntheticTable(domain=domain, rows=tuple(pair for pair in placed if pair[1]))
