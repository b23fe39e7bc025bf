"""Synthetic tables: time and memory on 10^7 records, error beside plain MWEM and beside mbi.

Set ``TACIT_MBI_PYTHON`` to a Python that has ``mbi`` to include it; it needs packages of its own.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from fractions import Fraction
from itertools import combinations

import numpy as np

from benchmarks.harness import RESULTS, Row, best_of, report
from tacit.classes import Table, Thresholds
from tacit.core import ALGORITHMS, Accuracy, Privacy, Sample, Task
from tacit.exact.entropy import SYSTEM
from tacit.problems.finite.multiplicative_weights import WeightedTable
from tacit.problems.finite.queries import queries_of

ROWS = 10**7
ACCURACY = Accuracy("0.1", "0.05")
LIMIT = 30.0

THRESHOLDS = (
    ("blr-thresholds", Privacy(1)),
    ("tree-thresholds", Privacy(1)),
    ("gaussian-tree-thresholds", Privacy(1, Fraction(1, 10**6))),
)


def _records(rows: int) -> np.ndarray:
    """Incomes, say: a lognormal law spread over 64 bits, with a heavy value in it."""
    generator = np.random.default_rng(0)
    x = np.minimum(np.exp(generator.normal(30, 4, rows)), 2.0**63).astype(np.uint64)
    x[::7] = 12345
    return x


def _sup_error(table, x: np.ndarray) -> float:
    data = np.sort(x)
    values = np.array([value for value, _ in table.rows], dtype=np.uint64)
    counts = np.cumsum([0, *(count for _, count in table.rows)])
    worst = 0.0
    for side in ("left", "right"):
        asked = np.concatenate([data, values])
        truth = np.searchsorted(data, asked, side=side) / len(x)
        answer = counts[np.searchsorted(values, asked, side=side)] / len(table)
        worst = max(worst, float(np.abs(truth - answer).max()))
    return worst


def one_release(name: str) -> dict[str, float]:
    """Run in a process of its own, so that its peak memory is its own."""
    privacy = dict(THRESHOLDS)[name]
    task = Task(Thresholds(bits=64), privacy=privacy, accuracy=ACCURACY, goal="sanitize")
    algorithm = ALGORITHMS[name]
    x = _records(ROWS)
    mechanism = algorithm.built(task, ROWS)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    table = mechanism._release(Sample(x, None), rng=SYSTEM)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "seconds": seconds,
        "more_mb": (after - before) / 1024,
        "data_mb": x.nbytes / 2**20,
        "error": _sup_error(table, x),
        "rows": len(table.rows),
        "planned": algorithm.bound(task).n,
    }


def thresholds() -> None:
    x = _records(ROWS)
    floor = best_of(lambda: np.sort(x), times=2)
    rows, facts = [], {}
    for name, _ in THRESHOLDS:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.sanitizers", name],
            check=True,
            capture_output=True,
            text=True,
        )
        facts[name] = json.loads(done.stdout)
        rows.append(
            Row(
                f"{name}, 1e7 64-bit records",
                "np.sort",
                facts[name]["seconds"],
                floor,
                LIMIT / floor,
            )
        )
    report("Sanitizers thresholds of 64 bits", rows)
    print(f"{'':<28} {'more MB':>8} {'data MB':>8} {'sup error':>10} {'rows':>7} {'planned n':>10}")
    for name, fact in facts.items():
        print(
            f"{name:<28} {fact['more_mb']:8.0f} {fact['data_mb']:8.0f} {fact['error']:10.5f} "
            f"{fact['rows']:7} {fact['planned']:10}"
        )
    (RESULTS / "sanitizers_memory.json").write_text(json.dumps(facts, indent=2) + "\n")


BITS, EPSILON, REPEATS = 8, 1, 5


def _digits() -> np.ndarray:
    """Eight pixels of the handwritten digits, dark or not: real records of eight bits."""
    from sklearn.datasets import load_digits

    pixels = load_digits().data[:, [10, 18, 21, 26, 34, 43, 50, 58]] > 7
    return pixels @ (1 << np.arange(BITS))


def _marginals() -> Table:
    """Every cell of every marginal of two bits."""
    values = np.arange(1 << BITS)
    rows = [
        ((values >> i & 1) == a) & ((values >> j & 1) == b)
        for i, j in combinations(range(BITS), 2)
        for a in (0, 1)
        for b in (0, 1)
    ]
    return Table(np.array(rows))


def _plain_mwem(x, concepts, *, rounds: int, generator) -> np.ndarray:
    """Hardt, Ligett and McSherry as one would write it: floats, step 1/2, average."""
    queries, n = queries_of(concepts), len(x)
    truth = queries.totals(np.bincount(x, minlength=concepts.domain.size)) / n
    step = EPSILON / (2 * rounds)
    weights = np.full(concepts.domain.size, 1 / concepts.domain.size)
    average = np.zeros_like(weights)
    for _ in range(rounds):
        score = n * np.abs(queries.totals(weights) - truth)
        chance = np.exp(step * (score - score.max()) / 2)
        query = generator.choice(len(chance), p=chance / chance.sum())
        measured = truth[query] + generator.laplace(scale=1 / step) / n
        row = queries.row(query)
        weights = weights * np.exp(row * (measured - weights[row].sum()) / 2)
        weights /= weights.sum()
        average += weights
    return average / rounds


def _shares(table, size: int) -> np.ndarray:
    made = np.zeros(size)
    for value, count in table.rows:
        made[value] = count / len(table)
    return made


def _finite(concepts, n: int, rounds: int) -> dict[str, object]:
    task = Task(concepts, privacy=Privacy(EPSILON), accuracy=ACCURACY, goal="sanitize")
    found = {
        "Tacit weights, step 4": WeightedTable(
            concepts=concepts, rounds=rounds, rows=max(n, 10**5), epsilon=EPSILON
        )
    }
    for name in ("fitted-histogram",):
        entry = next((a for a in ALGORITHMS if a.name == name), None)
        if entry is not None:
            found[f"Tacit {name}"] = entry.built(task, n)
    return found


def marginals() -> None:
    concepts, size = _marginals(), 1 << BITS
    queries, digits = queries_of(concepts), _digits()
    generator = np.random.default_rng(1)
    print("\nLargest and mean error on all 2-way marginals of 8 bits (digits), epsilon 1")
    record = {}
    for n in (len(digits), 100_000):
        x = digits if n == len(digits) else generator.choice(digits, n)
        truth = queries.totals(np.bincount(x, minlength=size)) / n

        def errors(shares, truth=truth):
            gap = np.abs(queries.totals(shares) - truth)
            return float(gap.max()), float(gap.mean())

        found: dict[str, list[tuple[float, float]]] = {}
        for rounds in (10, 30):
            mechanisms = _finite(concepts, n, rounds)
            for _ in range(REPEATS):
                plain = _plain_mwem(x, concepts, rounds=rounds, generator=generator)
                found.setdefault(f"plain MWEM, {rounds} rounds", []).append(errors(plain))
                for name, mechanism in mechanisms.items():
                    key = f"{name}, {rounds} rounds" if "weights" in name else name
                    table = mechanism._release(Sample(x, None), rng=SYSTEM)
                    found.setdefault(key, []).append(errors(_shares(table, size)))
        for shares in _mbi(x):
            found.setdefault("mbi, all marginals, Laplace", []).append(errors(np.array(shares)))
        print(f"n = {n}")
        for name, pairs in sorted(found.items()):
            largest, mean = np.mean(pairs, axis=0)
            print(f"  {name:<34} {largest:8.4f} {mean:8.4f}")
            record[f"{name}, n={n}"] = {"largest": largest, "mean": mean}
    (RESULTS / "sanitizers_marginals.json").write_text(json.dumps(record, indent=2) + "\n")


_MBI = """
import json, sys, warnings
warnings.simplefilter("ignore")
import numpy as np, jax
jax.config.update("jax_enable_x64", True)
import mbi
from itertools import combinations
given = json.load(sys.stdin)
bits, x, epsilon = given["bits"], np.array(given["x"]), given["epsilon"]
names = [f"b{i}" for i in range(bits)]
domain = mbi.Domain(names, [2] * bits)
pairs = list(combinations(range(bits), 2))
generator = np.random.default_rng(2)
out = []
for _ in range(given["repeats"]):
    measured = []
    for i, j in pairs:
        counts = np.bincount((x >> i & 1) * 2 + (x >> j & 1), minlength=4)
        # A substitution moves two cells of every marginal by one.
        noisy = counts + generator.laplace(scale=2 * len(pairs) / epsilon, size=4)
        measured.append(mbi.LinearMeasurement(noisy, (names[i], names[j]), stddev=1.0))
    model = mbi.estimation.MirrorDescent().estimate(
        domain, measured, known_total=float(len(x))
    )
    full = np.asarray(model.project(tuple(names)).datavector(flatten=False))
    shares = full.transpose(*reversed(range(bits))).ravel() / full.sum()
    out.append(shares.tolist())
json.dump(out, sys.stdout)
"""


def _mbi(x: np.ndarray) -> list[list[float]]:
    python = os.environ.get("TACIT_MBI_PYTHON")
    if not python:
        return []
    given = {"bits": BITS, "x": x.tolist(), "epsilon": EPSILON, "repeats": REPEATS}
    done = subprocess.run(
        [python, "-c", _MBI], input=json.dumps(given), capture_output=True, text=True, check=False
    )
    if done.returncode:
        print("  mbi did not run:", done.stderr.strip().splitlines()[-1:])
        return []
    return json.loads(done.stdout.strip().splitlines()[-1])


def main() -> None:
    thresholds()
    marginals()


if __name__ == "__main__":
    print(json.dumps(one_release(sys.argv[1])))
