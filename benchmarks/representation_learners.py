"""Learners of BBKN13 and FX14: least records beside planned ones, and speed of short rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks.harness import RESULTS, Row, best_of, report
from tacit import Accuracy, Privacy, Sample, Task
from tacit.checks.testing import seeded
from tacit.classes import Points, Thresholds
from tacit.core import ALGORITHMS
from tacit.domains.integers import Integers
from tacit.problems.formulas.k_term_dnf import KTermDnf
from tacit.problems.lines.lines import Lines
from tacit.problems.points.constant_sample import HashedSet
from tacit.problems.points.pseudorandom import PseudorandomPoints

MORE = 0.1 * 1.001
World = tuple[Callable[[int, np.random.Generator], Sample], Callable[[Any], float]]


def atoms(points: list[int], masses: list[float], labels: list[int]) -> World:
    """A law on a few points, and the error of a rule under it."""
    cells, weights, truth = np.array(points, dtype=object), np.array(masses), np.array(labels)

    def draw(n: int, generator: np.random.Generator) -> Sample:
        chosen = generator.choice(len(cells), size=n, p=weights)
        return Sample(cells[chosen], truth[chosen])

    return draw, lambda rule: float(weights[rule.predict(cells) != truth].sum())


TRIALS = 40
"""Fewer than elsewhere: some of these learners see tens of thousands of records a run."""

HIDDEN = PseudorandomPoints(bits=64, seed_bits=10)
CUTS = Thresholds(bits=10, orientation="INTERVAL")
SECRET = int(HIDDEN.image[3])
POINT = atoms([77, 78], [MORE, 1 - MORE], [1, 0])
CUT = atoms([0, 299, 300], [1 - 2 * MORE, MORE, MORE], [1, 1, 0])
PRIME = 10007


def _line() -> World:
    on = [x * PRIME + (3 * x + 5) % PRIME for x in range(30)]
    off = [x * PRIME + (3 * x + 6) % PRIME for x in range(1, 9)]
    return atoms([*on, *off], [MORE / 30] * 30 + [(1 - MORE) / 8] * 8, [1] * 30 + [0] * 8)


def _formula() -> World:
    rows = list(range(16))
    labels = [int(x >= 12 or x & 3 == 2) for x in rows]
    masses = [MORE / sum(labels) if y else (1 - MORE) / (16 - sum(labels)) for y in labels]
    return atoms(rows, masses, labels)


CASES: dict[str, tuple[Any, World]] = {
    "constant-points": (Points(bits=64), POINT),
    "random-sets": (Points(bits=8), POINT),
    "plane-lines": (Points(bits=64), POINT),
    "protocol-equality": (Points(bits=64), POINT),
    "heavy-to-proper": (Points(bits=12), POINT),
    "pseudorandom-points": (HIDDEN, atoms([SECRET, 78], [MORE, 1 - MORE], [1, 0])),
    "pseudorandom-points-efficient": (HIDDEN, atoms([SECRET, 78], [MORE, 1 - MORE], [1, 0])),
    "independent-noise": (CUTS, CUT),
    "noise-reconstruction": (CUTS, CUT),
    "interval-switch": (CUTS, CUT),
    "protocol-greater-than": (CUTS, CUT),
    "k-cnf": (KTermDnf(columns=4, terms=2), _formula()),
    "lines": (Lines(size=PRIME), _line()),
}


def failures(name: str, task: Task, world: World, n: int) -> int:
    draw, error = world
    mechanism = ALGORITHMS[name].built(task, n)
    generator, rng = np.random.default_rng(n), seeded(n)
    rules = (mechanism._release(draw(n, generator), rng=rng) for _ in range(TRIALS))
    return sum(error(rule) > task.accuracy.alpha for rule in rules)


def least(name: str, task: Task, world: World, planned: int) -> int:
    """By bisection, to about three parts in a hundred."""
    low, high = 1, planned
    while high - low > max(1, planned // 32):
        middle = (low + high) // 2
        enough = failures(name, task, world, middle) <= task.accuracy.beta * TRIALS
        low, high = (low, middle) if enough else (middle, high)
    return high


def records() -> None:
    print(f"\n{'learner':<30} {'printed':>9} {'planned':>8} {'enough':>8} {'failures':>9}")
    found = []
    for name, (concepts, world) in CASES.items():
        entry = ALGORITHMS[name]
        task = Task(
            concepts,
            privacy=Privacy(1, Fraction(1, 10**6) if name == "lines" else 0),
            accuracy=Accuracy(0.1, 0.1),
            output="proper" if entry.proper else "improper",
        )
        bound = entry.bound(task)
        enough = least(name, task, world, bound.n)
        failed = failures(name, task, world, bound.n)
        print(
            f"{name:<30} {bound.printed or '':>9} {bound.n:>8} {enough:>8} {failed:>9}", flush=True
        )
        row = {"learner": name, "printed": bound.printed, "planned": bound.n}
        found.append(row | {"enough": enough, "failed": failed})
    text = json.dumps({"trials": TRIALS, "rows": found}, indent=2)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "representation_learners.json").write_text(text + "\n", encoding="utf-8")


def speed() -> None:
    rng = seeded("speed")
    values = np.frombuffer(rng.bytes(8 * 10**6), dtype=np.uint64)
    rule = HashedSet(6)(Integers(bits=64), 5, rng=rng)
    floor = best_of(lambda: np.sort(values), times=3)
    predict = best_of(lambda: rule.predict(values), times=3)
    rows = [Row("predict 1e6 64-bit values by a short rule", "np.sort", predict, floor)]
    task = Task(
        Points(bits=64), privacy=Privacy(1), accuracy=Accuracy(0.1, 0.05), output="improper"
    )
    mechanism = ALGORITHMS["constant-points"].built(task, len(values))
    sample = Sample(values, values == values[0])
    learn = best_of(lambda: mechanism._release(sample, rng=rng), times=3)
    rows.append(Row("constant-points, 1e6 records", "np.sort", learn, floor))
    report("short rules", rows)


def main() -> None:
    speed()
    records()


if __name__ == "__main__":
    main()
