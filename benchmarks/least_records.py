"""How many records a learner turns out to need, beside how many its theorem plans.

For each learner a law that is hard for it; the least share of the planned number at which
it fails no more often than beta in a few hundred runs. Seeds make it repeatable.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks.harness import RESULTS
from tacit import Accuracy, Privacy, Sample, Task
from tacit.checks.testing import seeded
from tacit.classes import OneWaySequences, Parities, Points, Thresholds
from tacit.core import ALGORITHMS

TRIALS = 200
ALPHA, BETA, DELTA = 0.1, 0.1, Fraction(1, 10**6)
MORE = ALPHA * 1.001
World = tuple[Callable[[int, np.random.Generator], Sample], Callable[[Any], float]]


def atoms(points: list[int], masses: list[float], labels: list[int]) -> World:
    """A law on a few points, and the error of a rule under it."""
    cells, weights, truth = np.array(points, dtype=object), np.array(masses), np.array(labels)

    def draw(n: int, generator: np.random.Generator) -> Sample:
        chosen = generator.choice(len(cells), size=n, p=weights)
        return Sample(cells[chosen], truth[chosen])

    return draw, lambda rule: float(weights[rule.predict(cells) != truth].sum())


def uniform_parity(bits: int) -> World:
    chosen = np.ones(bits, dtype=int)

    def draw(n: int, generator: np.random.Generator) -> Sample:
        rows = generator.integers(0, 2, size=(n, bits))
        return Sample(rows, rows @ chosen % 2)

    return draw, lambda rule: 0.5 * (rule.mask != (1 << bits) - 1)


def one_way(concepts: OneWaySequences) -> World:
    # All positives at one step: missing it costs just more than alpha.
    marked = (concepts.record(i, 5) for i in range(concepts.tree.leaves))
    first = next(record for record, label in marked if label)
    return atoms([first, 0], [MORE, 1 - MORE], [1, 0])


SEQUENCES = OneWaySequences(bits=36)
WORLDS: dict[str, tuple[Any, str, World]] = {
    "one-way-sequences": (SEQUENCES, "any", one_way(SEQUENCES)),
    "one-way-sequences-stable": (SEQUENCES, "any", one_way(SEQUENCES)),
    "littlestone-one": (Points(bits=64), "any", atoms([9, 0], [MORE, 1 - MORE], [1, 0])),
    "parity-votes": (Parities(bits=20), "uniform", uniform_parity(20)),
    "parity-elimination": (Parities(bits=20), "uniform", uniform_parity(20)),
    "parity-selection": (Parities(bits=12), "uniform", uniform_parity(12)),
    "empirical-selection": (
        Thresholds(bits=16),
        "any",
        atoms([0, 999, 1000], [1 - 2 * MORE, MORE, MORE], [0, 0, 1]),
    ),
    "resampled-selection": (Points(bits=16), "any", atoms([9, 0], [MORE, 1 - MORE], [1, 0])),
}


def failures(name: str, task: Task, world: World, n: int) -> int:
    """Runs, out of ``TRIALS``, in which the rule errs by more than alpha."""
    draw, error = world
    mechanism = ALGORITHMS[name].built(task, n)
    generator, rng = np.random.default_rng(n), seeded(n)
    rules = (mechanism._release(draw(n, generator), rng=rng) for _ in range(TRIALS))
    return sum(error(rule) > ALPHA for rule in rules)


def least(name: str, task: Task, world: World, planned: int) -> int:
    """By bisection, to about two parts in a hundred."""
    low, high = 1, planned
    while high - low > max(1, planned // 50):
        middle = (low + high) // 2
        if failures(name, task, world, middle) <= BETA * TRIALS:
            high = middle
        else:
            low = middle
    return high


def main() -> None:
    print(f"\n{'learner':<28} {'planned':>8} {'enough':>8} {'failures at the plan':>21}")
    found = []
    for name, (concepts, marginal, world) in WORLDS.items():
        task = Task(
            concepts,
            privacy=Privacy(1, DELTA),
            accuracy=Accuracy(ALPHA, BETA),
            marginal=marginal,
        )
        reason = ALGORITHMS[name].why_not(task)
        if reason:
            print(f"{name:<28} {reason}")
            continue
        planned = ALGORITHMS[name].bound(task).n
        enough = least(name, task, world, planned)
        failed = failures(name, task, world, planned)
        print(f"{name:<28} {planned:>8} {enough:>8} {failed:>14} of {TRIALS}")
        found.append({"learner": name, "planned": planned, "enough": enough, "failed": failed})
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"trials": TRIALS, "alpha": ALPHA, "beta": BETA, "rows": found}, indent=2)
    (RESULTS / "least_records.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
