"""Exact private selection against numpy without exactness, and against OpenDP."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from benchmarks.harness import Row, best_of, report
from tacit.classes import Thresholds
from tacit.core import Sample
from tacit.exact.entropy import SYSTEM
from tacit.exact.landscape import Flat
from tacit.mechanisms.selection import Exponential, PermuteAndFlip
from tacit.problems.finite.finite_class import FiniteClassLearner

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


def thresholds() -> list[Row]:
    generator = np.random.default_rng(0)
    x = generator.integers(0, 2**32, ROWS)
    y = x >= 3 * 2**30
    sample = Sample(x, y)
    wide = FiniteClassLearner(concept_class=Thresholds(bits=32), epsilon=Fraction(1))
    sort = best_of(lambda: np.sort(x), times=3)
    rows = [
        Row(
            "exact threshold, 1e7 int64, 32-bit domain",
            "np.sort",
            best_of(lambda: wide._release(sample, rng=SYSTEM), times=3),
            sort,
            2.5,
        ),
        Row(
            "plain numpy threshold, not exact",
            "np.sort",
            best_of(lambda: _plain_threshold(x, y, generator), times=2),
            sort,
        ),
    ]
    flipped = Sample(x, np.where(generator.random(ROWS) < 0.3, ~y, y))
    rows.append(
        Row(
            "the same with 30 % wrong labels",
            "np.sort",
            best_of(lambda: wide._release(flipped, rng=SYSTEM), times=3),
            sort,
            2.5,
        )
    )
    narrow = FiniteClassLearner(concept_class=Thresholds(bits=16), epsilon=Fraction(1))
    x16 = generator.integers(0, 2**16, ROWS)
    small = Sample(x16, x16 >= 40000)
    rows.append(
        Row(
            "exact threshold, 1e7 int64, 16-bit domain",
            "np.bincount",
            best_of(lambda: narrow._release(small, rng=SYSTEM)),
            best_of(lambda: np.bincount(x16, minlength=1 << 16)),
            2.0,
        )
    )
    return rows


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
            target = 3.0 if kind is Exponential else None
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
