"""Cases that several tests share: The certified error of a synthetic table holds as often as it says, at the stated numbers."""

import numpy as np

from tacit.domains import Schema
from tacit.queries import Marginals
from tacit.tallies.parts import counts_of_cells

SCHEMA = Schema.of({"a": range(3), "b": range(4), "c": bool}).declared_complete()


def made_up(n, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, n)
    b = (a + (rng.random(n) < 0.2)) % 4
    return np.stack([a, b, rng.random(n) < 0.3], axis=1).astype(np.int32)


def true_error(cells, table, ways):
    queries = Marginals(SCHEMA, ways=ways)
    here, there = (counts_of_cells(one, SCHEMA, queries.parts) for one in (cells, table))
    return max(
        0.5 * np.abs(here[part] / len(cells) - there[part] / len(table)).sum()
        for part in queries.parts
    )
