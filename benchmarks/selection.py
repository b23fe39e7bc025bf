"""Exact private selection against numpy without exactness, and against OpenDP."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from benchmarks.harness import Row, best_of, fastest_sort, report
from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.classes import Thresholds
from tacit.exact.entropy import SYSTEM
from tacit.exact.landscape import Flat
from tacit.mechanisms.selection import Exponential, PermuteAndFlip

ROWS = 10**7


class _Listed:
    """Scores that are already there."""

    def spread(self, relation: object) -> int:
        del relation
        return 2

    def __call__(self, data: np.ndarray) -> Flat:
        return Flat(errors=data)


def _plain_threshold(x: np.ndarray, y: np.ndarray, generator: np.random.Generator) -> int:
    """What one would write with numpy and no care for exactness."""
    order = np.argsort(x)
    values, labels = x[order], y[order]
    errors = np.concatenate(([0], np.cumsum(np.where(labels, 1, -1)))) + (~labels).sum()
    edges = np.concatenate(([-1], values, [2**32]))
    weights = np.diff(edges) * np.exp(-0.5 * (errors - errors.min()))
    cumulative = np.cumsum(weights)
    gap = np.searchsorted(cumulative, generator.random() * cumulative[-1])
    return int(edges[gap] + 1 + generator.integers(edges[gap + 1] - edges[gap]))


def _learns(bits: int, x: np.ndarray, y: np.ndarray) -> Callable[[], object]:
    """The whole call: plan known, ledger in memory, labels as integers."""
    task = Task(Thresholds(bits=bits), privacy=Privacy("0.1"), accuracy=Accuracy("0.01", "0.05"))
    ledger = Ledger.memory()
    return lambda: learn(task, (x, y), ledger=ledger)


def thresholds() -> list[Row]:
    """``learn`` on 1e7 records, beside a sort and beside one bare count of the same array.

    The targets for sorting are for a machine whose numpy sorts fast, with AVX-512 or AVX2,
    whichever is faster there; the bare count shows what no method can go below.
    """
    generator = np.random.default_rng(0)
    x = generator.integers(0, 2**32, ROWS)
    right = (x >= 3 * 2**30).astype(np.int64)
    noisy = np.where(generator.random(ROWS) < 0.3, 1 - right, right)
    one = generator.integers(0, 2**16, ROWS) + 2**31
    two = np.where(generator.random(ROWS) < 0.5, 5, 2**31)
    rising = np.sort(x)
    wide = generator.integers(0, 2**63, ROWS) * 2 + 1
    cases = [
        ("32 bits", 32, x, right, 0.6),
        ("30 % wrong labels", 32, x, noisy, 0.6),
        ("all values in one block", 32, one, (one >= 2**31 + 9999).astype(np.int64), 1.0),
        ("two values", 32, two, (two > 5).astype(np.int64), 1.0),
        ("sorted", 32, rising, (rising >= 2**31).astype(np.int64), 1.0),
        ("64 bits", 64, wide.view(np.uint64), (wide < 0).astype(np.int64), 1.0),
    ]
    rows = []
    for name, bits, values, labels, target in cases:
        seconds = best_of(_learns(bits, values, labels), times=3)
        floor, sort = fastest_sort(values)
        rows.append(Row(f"learn a threshold, 1e7, {name}", floor, seconds, sort, target))
        if name in ("32 bits", "30 % wrong labels"):
            count = best_of(lambda: np.bincount(values >> 16), times=3)  # noqa: B023
            rows.append(Row(f"learn a threshold, 1e7, {name}", "np.bincount", seconds, count))
    rows += _flat(x, generator)
    plain = best_of(lambda: _plain_threshold(x, right == 1, generator), times=1)
    floor, sort = fastest_sort(x)
    rows.append(Row("plain numpy threshold, not exact", floor, plain, sort))
    return [*rows, _wide_threshold()]


def _flat(x: np.ndarray, generator: np.random.Generator) -> list[Row]:
    """Labels that have nothing to do with the value.

    How many values can matter depends on how the errors happen to wander, so labels are drawn
    several times. With labels that change from value to value all values matter.
    """
    drawn = [generator.integers(0, 2, ROWS) for _ in range(7)]
    took = sorted(best_of(_learns(32, x, labels), times=3) for labels in drawn)
    turns = np.empty(ROWS, dtype=np.int64)
    turns[np.argsort(x)] = np.arange(ROWS) % 2
    every = best_of(_learns(32, x, turns), times=3)
    floor, sort = fastest_sort(x)
    name = "learn a threshold, 1e7, "
    return [
        Row(f"{name}random labels, median of 7", floor, took[3], sort, 1.5),
        Row(f"{name}random labels, slowest of 7", floor, took[-1], sort),
        Row(f"{name}labels by turns", floor, every, sort),
    ]


def _wide_threshold() -> Row:
    """Strings of 1000 bits, beside hashing each of them once."""
    rng = np.random.default_rng(2)
    words = [int.from_bytes(rng.bytes(125), "big") for _ in range(10**6)]
    x = np.array(words, dtype=object)
    y = np.array([word >> 999 for word in words], dtype=np.int64)
    seconds = best_of(_learns(1000, x, y), times=2)
    floor = best_of(lambda: [hash(word) for word in words], times=3)
    return Row("learn a threshold, 1e6 strings of 1000 bits", "hash each once", seconds, floor, 3.0)


def scores() -> list[Row]:
    generator = np.random.default_rng(1)
    rows = []
    for name, errors in (
        ("random scores below 1e6", generator.integers(0, 10**6, ROWS)),
        ("random scores below 100", generator.integers(0, 100, ROWS)),
        ("all scores different", generator.permutation(ROWS)),
    ):
        floats = errors.astype(np.float64)
        floor = best_of(lambda: np.cumsum(np.exp(-0.5 * (floats - floats.min()))), times=3)  # noqa: B023
        for kind in (Exponential, PermuteAndFlip):
            chooser = kind(score=_Listed(), epsilon=Fraction(1))
            seconds = best_of(lambda: chooser._release(errors, rng=SYSTEM), times=3)  # noqa: B023
            target = 2.0
            rows.append(
                Row(f"{kind.__name__}, 1e7 {name}", "np.exp + np.cumsum", seconds, floor, target)
            )
    return rows


def opendp() -> list[Row]:
    """OpenDP's noisy max on the same scores, where it is installed."""
    try:
        import opendp.prelude as dp
    except ImportError:
        print("opendp is not installed; its row is left out")
        return []
    dp.enable_features("contrib", "honest-but-curious")
    generator = np.random.default_rng(1)
    count = 10**6
    errors = generator.integers(0, 10**6, count)
    floats = errors.astype(np.float64)
    floor = best_of(lambda: np.cumsum(np.exp(-0.5 * (floats - floats.min()))), times=3)
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
    noisy_max = dp.m.make_noisy_max(*space, dp.max_divergence(), scale=2.0)
    listed = (-floats).tolist()
    ours = Exponential(score=_Listed(), epsilon=Fraction(1))
    return [
        Row(
            "OpenDP noisy max, 1e6 scores",
            "np.exp + np.cumsum",
            best_of(lambda: noisy_max(listed), times=2),
            floor,
        ),
        Row(
            "Tacit exponential, 1e6 scores",
            "np.exp + np.cumsum",
            best_of(lambda: ours._release(errors, rng=SYSTEM), times=3),
            floor,
            3.0,
        ),
    ]


def main() -> None:
    report("Thresholds", thresholds())
    report("Selection", scores())
    report("Selection beside OpenDP", opendp())


if __name__ == "__main__":
    main()
