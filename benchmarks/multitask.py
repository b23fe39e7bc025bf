"""Several labels of one table under one budget: how many rules are better than one answer for all.

Two tasks at (1, 1e-6): 100 made-up labels (conjunctions of two cuts, 3 % noise, 20 columns, 5000
records), of which rules that beat the majority label by 1 % on fresh records are counted; and
the ten digits of scikit-learn, one label each, by mean balanced accuracy on the held-out quarter,
where a missed digit costs as much as nine false alarms. And labels of one tree's leaves, whose
questions are shared or not. ``python -m benchmarks.multitask [SEEDS]``
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import balanced_accuracy_score

from tacit import Ledger
from tacit.estimators import MultiTaskClassifier, TreeClassifier

DELTA = "1e-6"
COSTS = {"1": 9, "0": 1}


def _fitted(x: Any, y: Any, *, shared: bool | None = None, **more: Any) -> MultiTaskClassifier:
    base = TreeClassifier(epsilon=1, delta=DELTA, ledger=Ledger.memory(1, DELTA), **more)
    return MultiTaskClassifier(base, shared=shared).fit(x, y.astype(int))


def _useful(model: MultiTaskClassifier, x: Any, y: Any) -> int:
    """How many rules are right on 1 % more of these records than the more frequent label."""
    right = (model.predict(x) == y).mean(axis=0)
    majority = np.maximum(y.mean(axis=0), 1 - y.mean(axis=0))
    return int(np.count_nonzero(right - majority > 0.01))


def made_up(seed: int, *, shared: bool | None = None, n: int = 5000, k: int = 100) -> int:
    """Useful rules of ``k`` conjunctions of two cuts each, over columns of their own."""
    rng = np.random.default_rng(seed)
    rules = [(rng.choice(20, 2, replace=False), rng.uniform(0.25, 0.75, 2)) for _ in range(k)]

    def records(rows: int) -> tuple[Any, Any]:
        x = rng.random((rows, 20))
        y = np.stack([(x[:, c[0]] >= t[0]) & (x[:, c[1]] >= t[1]) for c, t in rules], axis=1)
        return x, y ^ (rng.random(y.shape) < 0.03)

    model = _fitted(*records(n), shared=shared, domain=[(0, 1)] * 20, depth=2, bins=16)
    return _useful(model, *records(20000))


def one_tree(seed: int, *, shared: bool | None = None, n: int = 2000, k: int = 100) -> int:
    """Useful rules of ``k`` labels of the four leaves of one tree, 10 % noise."""
    rng = np.random.default_rng(seed)
    marks = rng.random((k, 4)) < 0.5
    marks[marks.all(axis=1) | ~marks.any(axis=1)] = (True, False, False, True)  # none is constant

    def records(rows: int) -> tuple[Any, Any]:
        x = rng.random((rows, 20))
        leaf = np.where(x[:, 3] < 0.5, x[:, 7] < 0.4, 2 + (x[:, 11] < 0.6)).astype(int)
        return x, marks[:, leaf].T ^ (rng.random((rows, k)) < 0.1)

    model = _fitted(*records(n), shared=shared, domain=[(0, 1)] * 20, depth=2, bins=8)
    return _useful(model, *records(20000))


def digits(seed: int, **more: Any) -> float:
    """Mean balanced accuracy over the ten digits, on the held-out quarter."""
    x, digit = load_digits(return_X_y=True)
    y = digit[:, None] == np.arange(10)
    order = np.random.default_rng(seed).permutation(len(x))
    learned, held = order[: 3 * len(x) // 4], order[3 * len(x) // 4 :]
    model = _fitted(x[learned], y[learned], domain=(0, 16), **more)
    found = model.predict(x[held])
    return float(np.mean([balanced_accuracy_score(y[held][:, j], found[:, j]) for j in range(10)]))


def figures(seeds: int) -> Iterator[tuple[str, list[float]]]:
    """Every line, with one figure a seed."""
    each = range(seeds)
    for told, shared in (("defaults", None), ("own questions", False), ("shared ones", True)):
        yield (
            f"100 labels, own columns, n = 5000, {told}, useful rules (80)",
            [made_up(seed, shared=shared) for seed in each],
        )
        yield (
            f"100 labels of one tree, n = 2000, {told}",
            [one_tree(seed, shared=shared) for seed in each],
        )
    for depth, bins in ((1, 4), (2, 4)):
        name = f"digits, costs 9 to 1, {depth} levels, {bins} cells a column (.65)"
        yield name, [digits(seed, depth=depth, bins=bins, costs=COSTS) for seed in each]
    yield "digits, costs 9 to 1, defaults (.65)", [digits(seed, costs=COSTS) for seed in each]
    yield "digits, no costs, defaults", [digits(seed) for seed in each]


def main() -> None:
    """Print every line."""
    told = sys.argv[1:] if __name__ == "__main__" else []
    for name, found in figures(int(told[0]) if told else 3):
        print(f"{name}: {' '.join(f'{one:.3g}' for one in found)}", flush=True)


if __name__ == "__main__":
    main()
