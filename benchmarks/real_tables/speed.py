"""How long a tree takes: 30 columns of 64 cells and 1e5 rows; 10 columns and 1e7 rows.

It is compared, in the same run and turn by turn, with one pass that computes the pairwise
histograms: with the package's own kernels, once from the same table (placing the values,
then counting pairs) and once, the stricter reading, from cells that are placed already; and
with numpy's histogram2d for one pair, times the number of pairs. Figures are medians over
the turns, and ratios are medians of the ratios within a turn.
"""

from __future__ import annotations

import time
from fractions import Fraction
from functools import partial

import numpy as np

from tacit.core import Sample
from tacit.domains.schema import Schema
from tacit.exact.entropy import SYSTEM
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.tree_weights import Rows, Weigher
from tacit.problems.tables.trees import Trees


def table(rows: int, width: int):
    rng = np.random.default_rng(0)
    x = rng.random((rows, width))
    return x, (x[:, 0] + x[:, 3] * x[:, 5] > 0.8)


def turns(works, repeats: int = 9):
    """Seconds of each work in each turn, after one turn that compiles."""
    taken = []
    for turn in range(repeats + 1):
        row = []
        for work in works:
            started = time.perf_counter()
            work()
            row.append(time.perf_counter() - started)
        if turn:
            taken.append(row)
    return np.array(taken)


def main() -> None:
    for rows, width, bins in ((10**5, 30, 64), (10**7, 10, 16)):
        x, y = table(rows, width)
        schema = Schema.of([(0, 1)] * width, bins=bins)
        trees = Trees(schema, depth=2)
        learner = TreeLearner(trees=trees, epsilon=Fraction(1, 2))
        weigher = Weigher(trees, learner.rate)
        placed = Rows(np.ascontiguousarray(schema.coerce(x).T), y.astype(np.int64))
        works = (
            partial(learner._release, Sample(x, y), rng=SYSTEM),
            partial(weigher.read, x, y),
            partial(weigher.node, placed, 2),
        )
        taken = turns(works)
        whole, scan, count = np.median(taken, axis=0)
        looser, stricter = (np.median(taken[:, 0] / taken[:, i]) for i in (1, 2))
        started = time.perf_counter()
        np.histogram2d(x[: 10**5, 0], x[: 10**5, 1], bins=bins)
        pairs = width * (width - 1) // 2
        numpy_all = (time.perf_counter() - started) * (rows / 10**5) * pairs
        print(
            f"{rows} rows, {width} columns x {bins} cells, depth 2: {whole:.2f} s; placing and "
            f"counting pairs {scan:.2f} s (ratio {looser:.2f}); counting pairs alone {count:.2f} s "
            f"(ratio {stricter:.2f}); numpy's histogram2d of every pair, estimated: "
            f"{numpy_all:.1f} s"
        )


if __name__ == "__main__":
    main()
