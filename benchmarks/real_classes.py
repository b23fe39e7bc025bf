"""Covers of real-valued classes: counting mistakes against bare products, and planned
records against those that suffice in simulation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.harness import Row, best_of, report
from tacit.checks.testing import seeded
from tacit.classes import Halfspaces, RealBoxes, RealIntervals, RealThresholds
from tacit.core import ALGORITHMS, Accuracy, Privacy, Sample, Task
from tacit.domains import uniform_cube, uniform_sphere

TRIALS = 200
BETA = 0.1


def _products(x: np.ndarray, normals: np.ndarray) -> None:
    """The same products in the same blocks, and nothing else."""
    buffer = np.empty((255, 256))
    for first in range(0, len(normals), 256):
        columns = np.ascontiguousarray(normals[first : first + 256].T)
        for start in range(0, len(x), 255):
            block = x[start : start + 255]
            np.matmul(block, columns, out=buffer[: len(block), : columns.shape[1]])


def _halfspaces(dimension: int, rows: int, cells: int) -> Row:
    generator = np.random.default_rng(0)
    halfspaces = Halfspaces(columns=dimension)
    x = halfspaces.domain.coerce(generator.normal(size=(rows, dimension)))
    y = generator.random(rows) < 0.5
    cover = halfspaces.cover(cells)
    normals = np.column_stack([cover.normals(0, cover.size), np.ones(cover.size)])
    records = np.column_stack([x, np.ones(rows)])
    return Row(
        f"mistakes of {cover.size} halfspaces in R^{dimension}, {rows} records",
        "bare matrix products",
        best_of(lambda: cover.landscape(x, y), times=3),
        best_of(lambda: _products(records, normals), times=3),
        2.5,
    )


def _boxes(rows: int) -> Row:
    generator = np.random.default_rng(0)
    boxes = RealBoxes(columns=2)
    x, y = generator.random((rows, 2)), generator.random(rows) < 0.5
    cover = boxes.cover(60)
    return Row(
        f"mistakes of {cover.size} boxes, {rows} records",
        "one np.sort of a column",
        best_of(lambda: cover.landscape(x, y), times=3),
        best_of(lambda: np.sort(x[:, 0]), times=3),
    )


@dataclass(frozen=True)
class Hard:
    """A task, a law within its assumptions, and the true error of a rule."""

    name: str
    algorithm: str
    task: Task
    draw: Callable[[int, np.random.Generator], np.ndarray]
    label: Callable[[np.ndarray], np.ndarray]
    error: Callable[[Any], float]


def _task(concepts: Any, alpha: float, relation: str = "replace-one", **more: Any) -> Task:
    return Task(
        concepts,
        privacy=Privacy(1, relation=relation),
        accuracy=Accuracy(alpha, BETA),
        **more,
    )


def _clumped(n: int, generator: np.random.Generator) -> np.ndarray:
    # Density 6 around 0.37, the rest far away: all wrong thresholds err by little more than 0.1.
    u = generator.random(n)
    near = 0.37 + (u - 0.5) / 6
    far = np.where(u < 0.5, u / 6, 1 - (1 - u) / 6)
    return np.where(np.abs(u - 0.5) < 0.11, near, far)[:, None]


def _mass_below(value: float) -> float:
    points = [0, 0.39 / 6, 0.37 - 0.11 / 6, 0.37 + 0.11 / 6, 1 - 0.39 / 6, 1]
    return float(np.interp(value, points, [0, 0.39, 0.39, 0.61, 0.61, 1]))


def _interval_error(rule: Any) -> float:
    low, high = rule.sides[0] if rule.sides else (0.4, 0.4)
    both = max(0.0, min(high, 0.7) - max(low, 0.4))
    return (high - low) + 0.3 - 2 * both


def _angle(normal: tuple[int, ...], target: np.ndarray) -> float:
    w = np.array(normal, dtype=float)
    return float(np.arccos(np.clip(w @ target / np.linalg.norm(w), -1, 1)) / np.pi)


def _cases() -> list[Hard]:
    corner = np.array([1.0, 1 / 3, 1 / 3]) / np.linalg.norm([1.0, 1 / 3, 1 / 3])
    line = {
        "draw": _clumped,
        "label": lambda x: x[:, 0] >= 0.37,
        "error": lambda rule: abs(_mass_below(rule.cut) - 0.5),
    }
    return [
        Hard(
            name="thresholds, kappa 6",
            algorithm="public-reference-realizable",
            task=_task(RealThresholds(), 0.1, marginal=uniform_cube(kappa=6)),
            **line,
        ),
        Hard(
            name="thresholds, labels private",
            algorithm="label-private-cover",
            task=_task(RealThresholds(), 0.1, "label"),
            **line,
        ),
        Hard(
            name="intervals, uniform",
            algorithm="public-reference-realizable",
            task=_task(RealIntervals(), 0.1, marginal=uniform_cube()),
            draw=lambda n, generator: generator.random((n, 1)),
            label=lambda x: (x[:, 0] >= 0.4) & (x[:, 0] < 0.7),
            error=_interval_error,
        ),
        Hard(
            name="halfspaces in R^3, uniform",
            algorithm="public-reference-realizable",
            task=_task(Halfspaces(columns=3), 0.1, marginal=uniform_sphere(columns=3)),
            draw=lambda n, generator: generator.normal(size=(n, 3)),
            label=lambda x: x @ corner >= 0,
            error=lambda rule: _angle(rule.normal, corner),
        ),
    ]


def _fails(case: Hard, mechanism: Any, n: int) -> bool:
    generator, rng = np.random.default_rng(7), seeded(7)
    alpha = float(case.task.accuracy.alpha)
    failed = 0
    for _ in range(TRIALS):
        x = case.draw(n, generator)
        failed += case.error(mechanism._release(Sample(x, case.label(x)), rng=rng)) > alpha
    return failed > BETA * TRIALS


def _records() -> None:
    print(
        f"\nRecords at epsilon 1, beta {BETA}: planned, printed, and least in {TRIALS} simulations"
    )
    for case in _cases():
        algorithm = ALGORITHMS[case.algorithm]
        bound = algorithm.bound(case.task)
        mechanism = algorithm.built(case.task, bound.n)
        low, high = 1, bound.n
        while high - low > max(1, high // 40):
            middle = (low + high) // 2
            low, high = (middle, high) if _fails(case, mechanism, middle) else (low, middle)
        print(f"{case.name:<32} planned {bound.n:>6} printed {bound.printed!s:>7} least {high:>6}")


def main() -> None:
    report(
        "Mistakes of real-valued covers",
        [_halfspaces(3, 10_000, 40), _halfspaces(5, 10_000, 8), _boxes(1_000_000)],
    )
    _records()


if __name__ == "__main__":
    main()
