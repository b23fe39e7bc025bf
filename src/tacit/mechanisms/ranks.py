"""Scores of all values of a linear order that depend on ranks alone, grouped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import Sample
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Grouped
from tacit.exact.stages import Staged
from tacit.tallies.counters import counter_of
from tacit.tallies.ordered import Ordered
from tacit.tallies.scores import RankErrors

Ranks = npt.NDArray[np.int64]
_MANY_ROWS, _MANY_WIDE_ROWS = 1 << 20, 1 << 17


def by_rank(cells: Placed, *, size: int, error: Callable[[Ranks, Ranks], Ranks]) -> Grouped:
    """The landscape of ``error(below, at_most)`` over ``0, ..., size - 1``.

    For a value ``r``, ``below`` counts the records ``x < r`` and ``at_most`` those
    ``x <= r``. The two differ on values that occur and agree in the gaps between them,
    so every occurring value is a group of its own and every open gap is one.
    """
    values, counts = np.unique(cells, return_counts=True)
    groups = 2 * len(values) + 1
    at_most = np.zeros(groups, dtype=np.int64)
    below = np.zeros(groups, dtype=np.int64)
    at_most[1::2] = at_most[2::2] = below[2::2] = np.cumsum(counts)
    below[1::2] = at_most[1::2] - counts
    # Without a record the only gap is the whole domain, which may not fit a word.
    kind: npt.DTypeLike = np.uint64 if len(values) and values.dtype != object else object
    one = 1 if kind is object else np.uint64(1)
    starts = np.zeros(groups, dtype=kind)
    starts[1::2] = values
    starts[2::2] = values + one
    sizes = np.ones(groups, dtype=kind)
    sizes[0] = values[0] if len(values) else size
    sizes[2:-1:2] = values[1:] - values[:-1] - one
    if len(values):
        sizes[-1] = size - 1 - int(values[-1])
    return Grouped(errors=error(below, at_most), sizes=sizes, starts=starts)


def staged_by_rank(
    data: Any, domain: Integers, error: Callable[[Ranks, Ranks, int], Ranks]
) -> Staged | None:
    """As ``by_rank`` for many records, counted in a few passes; ``None`` for few.

    ``error(below, at_most, n)`` never falls in ``below`` and never rises in ``at_most``.
    """
    if len(data) < (_MANY_ROWS if domain.fits_a_word else _MANY_WIDE_ROWS):
        return None
    counter = counter_of(Sample(data, None), domain, labelled=False)
    return Ordered(counter, RankErrors(error))
