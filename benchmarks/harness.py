"""Timing, and tables of ratios."""

from __future__ import annotations

import gc
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median

import numpy as np
import numpy.typing as npt

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Row:
    """One piece of work beside its floor, in seconds; ``target`` is the ratio we want."""

    work: str
    floor: str
    seconds: float
    floor_seconds: float
    target: float | None = None

    @property
    def ratio(self) -> float:
        return self.seconds / self.floor_seconds


def best_of(work: Callable[[], object], *, times: int = 5) -> float:
    """The least wall time of a few runs, after one that warms caches and compilers."""
    work()
    best = float("inf")
    for _ in range(times):
        gc.collect()
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


_SORT = """
import sys
import numpy as np
from benchmarks.harness import best_of
values = np.load(sys.argv[1])
print(best_of(lambda: np.sort(values), times=3))
"""


def vector_features() -> list[str]:
    """What numpy found of the vector instructions that it has loops for."""
    found: list[str] = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    return found


def fastest_sort(values: npt.NDArray[np.int64]) -> tuple[str, float]:
    """The seconds of ``np.sort``, with AVX-512 or without, whichever is faster here; its name.

    On some processors numpy's sort with AVX-512 takes five times as long as the one without:
    a ratio to that would flatter us.
    """
    took = {"np.sort": best_of(lambda: np.sort(values), times=2)}
    wide = [name for name in vector_features() if name.startswith(("AVX512", "X86_V4"))]
    if wide:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "values.npy"
            np.save(path, values)
            without = os.environ | {"NPY_DISABLE_CPU_FEATURES": " ".join(wide)}
            words = [sys.executable, "-c", _SORT, str(path)]
            done = subprocess.run(words, check=True, capture_output=True, env=without)
        took["np.sort without AVX-512"] = float(done.stdout)
    return min(took.items(), key=lambda one: one[1])


def in_turns(
    works: Mapping[str, Callable[[], object]], *, rounds: int = 5, warm: int = 2
) -> dict[str, float]:
    """The median wall time of each work; all of them run in every round, after a few in vain.

    For servers, which grow faster by and by, and whose tables are tidied while one looks: what
    runs first would be put at a disadvantage, and so would what always follows a work that leaves
    much to tidy up. So the order is another one in each round.
    """
    seen: dict[str, list[float]] = {name: [] for name in works}
    order, chance = list(works), Random(0)
    for turn in range(warm + rounds):
        chance.shuffle(order)
        for name in order:
            work = works[name]
            gc.collect()
            start = time.perf_counter()
            work()
            if turn >= warm:
                seen[name].append(time.perf_counter() - start)
    return {name: median(taken) for name, taken in seen.items()}


def report(title: str, rows: list[Row]) -> None:
    """Print a table and keep the figures as JSON under ``benchmarks/results``."""
    print(f"\n{title} (numpy's vector features: {' '.join(vector_features()) or 'none'})")
    print(f"{'work':<52} {'seconds':>9} {'floor':>9} {'ratio':>7} {'target':>7}")
    for row in rows:
        target = "" if row.target is None else f"{row.target:g}"
        reached = "" if row.target is None else (" ok" if row.ratio <= row.target else " MISSED")
        line = f"{row.work:<52} {row.seconds:9.4f} {row.floor_seconds:9.4f} {row.ratio:7.2f}"
        print(f"{line} {target:>7}{reached}   (floor: {row.floor})")
    RESULTS.mkdir(exist_ok=True)
    name = title.lower().replace(" ", "_").replace(",", "")
    record = {
        "title": title,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "vector features": vector_features(),
        "rows": [asdict(row) | {"ratio": row.ratio} for row in rows],
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
