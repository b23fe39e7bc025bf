"""How long a tree takes: 30 columns of 64 cells and 1e5 rows; 10 columns and 1e7 rows.

The second is compared, in the same run, with one pass that computes the pairwise histograms
from the same table: placing the values and counting pairs, with the package's own kernels,
and with numpy's histogram2d for one pair, times the number of pairs.
"""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np

from tacit.classes.trees import Trees
from tacit.core import Sample
from tacit.domains.schema import Schema
from tacit.exact.entropy import SYSTEM
from tacit.learners.tree_weights import Weigher
from tacit.learners.trees import TreeLearner


def table(rows: int, width: int):
    rng = np.random.default_rng(0)
    x = rng.random((rows, width))
    return x, (x[:, 0] + x[:, 3] * x[:, 5] > 0.8)


def timed(work) -> float:
    """The least of three runs, after one that compiles."""
    work()
    taken = []
    for _ in range(3):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return min(taken)


def main() -> None:
    for rows, width, bins in ((10**5, 30, 64), (10**7, 10, 16)):
        x, y = table(rows, width)
        schema = Schema.of([(0, 1)] * width, bins=bins)
        trees = Trees(schema, 2)
        learner = TreeLearner(trees=trees, epsilon=Fraction(1, 2))
        weigher = Weigher(trees, learner.rate)
        whole = timed(lambda learner=learner, x=x, y=y: learner._release(Sample(x, y), rng=SYSTEM))
        scan = timed(lambda w=weigher, s=schema, x=x, y=y: w.root(s.coerce(x), y))
        started = time.perf_counter()
        np.histogram2d(x[: 10**5, 0], x[: 10**5, 1], bins=bins)
        pairs = width * (width - 1) // 2
        numpy_all = (time.perf_counter() - started) * (rows / 10**5) * pairs
        print(
            f"{rows} rows, {width} columns x {bins} cells, depth 2: {whole:.2f} s; one pass of "
            f"pairwise histograms {scan:.2f} s (ratio {whole / scan:.2f}); numpy's histogram2d "
            f"of every pair, estimated: {numpy_all:.1f} s"
        )


if __name__ == "__main__":
    main()
