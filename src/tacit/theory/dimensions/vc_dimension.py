"""VC dimension by exhaustive search, with the shattered set as witness.

The search asks, for ``k = 1, 2, ...``, whether some ``k`` points are shattered. It adds
points one by one and keeps the cells (concepts with equal labels so far); a point is
worth adding only if it splits every cell into parts of at least ``2**(k - depth - 1)``
concepts, and a point that fails this once fails for every larger set. Time is
``|C|**O(log |C|)`` in the worst case, which is believed necessary (Manurangsi and
Rubinstein 2017).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.theory.dimensions.incidence import Incidence, read
from tacit.theory.dimensions.measured import Clock, Measured, OutOfTime, Progress, silent
from tacit.theory.dimensions.witnesses import ShatteredSet

_BUDGET = 20_000_000
"""Cell tests between two looks at the clock: about half a second."""


def vc(
    concept_class: object, *, time_limit: float | None = None, progress: Progress = silent
) -> Measured:
    """The largest number of points on which all labellings occur; -1 for the empty class.

    The witness proves the lower side. The upper side is by counting (``2**k``
    concepts are needed) or by exhaustion, as ``upper_by`` says. When ``time_limit``
    seconds run out the result is an interval.

    >>> vc([[0, 0], [0, 1], [1, 0], [1, 1]]).value
    2
    """
    clock = Clock(time_limit)
    table = read(concept_class)
    counting = len(table.distinct).bit_length() - 1
    shattered: tuple[int, ...] = ()
    most, upper_by = counting, "counting"
    try:
        for k in range(1, counting + 1):
            found = _shattered(table, k, clock)
            if found is None:
                most, upper_by = k - 1, "search"
                break
            shattered = found
            progress(f"VC >= {k}")
    except OutOfTime:
        pass
    return Measured(
        quantity="VC",
        least=-1 if counting < 0 else len(shattered),
        most=most,
        unit="points",
        witnesses=() if counting < 0 else (_witness(table, shattered),),
        seconds=clock.seconds,
        upper_by=upper_by,
    )


def _witness(table: Incidence, points: tuple[int, ...]) -> ShatteredSet:
    patterns = {
        sum(table.label(f, x) << i for i, x in enumerate(points)): f for f in range(table.concepts)
    }
    witnesses = tuple(patterns[b] for b in range(1 << len(points)))
    return ShatteredSet(digest=table.digest, points=points, witnesses=witnesses)


def _shattered(table: Incidence, k: int, clock: Clock) -> tuple[int, ...] | None:
    """Some ``k`` shattered points, or ``None`` if there are none."""
    from tacit.theory.dimensions.vc_kernel import extend

    points = table.cuts
    columns = _words([table.columns[x] for x in points], table.concepts)
    alive = sum(1 << f for f in table.distinct)

    def search(chosen: tuple[int, ...], candidates: NDArray[np.int64]) -> tuple[int, ...] | None:
        clock.check()
        cells = _words(_cells(chosen), table.concepts)
        status, found = extend(cells, columns, candidates, len(chosen), k, _BUDGET)
        if status == 1:
            return (*chosen, *(int(i) for i in found))
        if status == 0:
            return None
        for at, i in enumerate(candidates):  # the budget ran out: the same, branch by branch
            deeper = search((*chosen, int(i)), candidates[at + 1 :])
            if deeper is not None:
                return deeper
        return None

    def _cells(chosen: tuple[int, ...]) -> list[int]:
        cells = [alive]
        for i in chosen:
            column = table.columns[points[i]]
            cells = [part for cell in cells for part in (cell & column, cell & ~column)]
        return cells

    found = search((), np.arange(len(points), dtype=np.int64))
    return None if found is None else tuple(points[i] for i in found)


def _words(sets: list[int], size: int) -> NDArray[np.uint64]:
    width = -(-max(size, 1) // 64)
    data = b"".join(bits.to_bytes(8 * width, "little") for bits in sets)
    return np.frombuffer(data, dtype=np.uint64).reshape(len(sets), width)
