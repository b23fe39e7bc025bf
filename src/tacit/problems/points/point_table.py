"""From a list of noisy counts to a table of exactly ``n`` rows."""

from __future__ import annotations

import numpy as np

from tacit.domains.integers import Integers
from tacit.mechanisms.stability import Bins
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.points.points import unlisted


def fit(domain: Integers, bins: Bins, *, n: int, cap: int) -> SyntheticTable:
    """A table of ``n`` rows near the listed counts, with at most ``cap`` rows elsewhere.

    Post-processing of released numbers: ``problems/points/point_tables_upper.proof.md`` shows how
    near the table stays to the truth.
    """
    counts = {value: count for value, count in bins if count > 0}
    excess = sum(counts.values()) - n
    if excess > 0:
        _lower(counts, excess)
    elif excess < 0:
        _fill(domain, counts, -excess, cap=cap)
    rows = tuple(sorted((value, count) for value, count in counts.items() if count > 0))
    return SyntheticTable(domain=domain, rows=rows)


def _lower(counts: dict[int, int], excess: int) -> None:
    """Take ``excess`` rows away, from all alike as far as each has any."""
    smallest_first = sorted(counts, key=lambda value: (counts[value], value))
    for done, value in enumerate(smallest_first):
        share = -(-excess // (len(smallest_first) - done))
        taken = min(counts[value], share)
        counts[value] -= taken
        excess -= taken


def _fill(domain: Integers, counts: dict[int, int], rest: int, *, cap: int) -> None:
    """Add ``rest`` rows: to unlisted values, ``cap`` each, spread over the domain."""
    free = domain.size - len(counts)
    used = min(free, -(-rest // cap)) if cap else 0
    listed = np.array(sorted(counts), dtype=object)
    placed = min(rest, used * cap)
    for index in range(used):
        value = unlisted(listed, free * index // used)
        counts[value] = placed * (index + 1) // used - placed * index // used
    rest -= placed
    # With nothing listed the rest goes to all that were filled; with nothing at all, to 0.
    raised = listed.tolist() or sorted(counts) or [0]
    for index, value in enumerate(raised):
        more = rest * (index + 1) // len(raised) - rest * index // len(raised)
        counts[value] = counts.get(value, 0) + more
