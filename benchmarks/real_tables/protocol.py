"""What every method is given: the same 20 splits and the same epsilons."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

EPSILONS = ("0.05", "0.1", "0.5", "1", "2", "5")
SPLITS = 20


def split(rows: int, seed: int):
    """Three quarters to learn from, one quarter to test on; a permutation per seed."""
    order = np.random.default_rng(seed).permutation(rows)
    cut = rows * 3 // 4
    return order[:cut], order[cut:]


def table(folder: str, name: str):
    with np.load(Path(folder) / f"{name}.npz") as held:
        return held["X"], held["y"]


def merged(paths: list[str]) -> dict:
    """Results of several files: table -> method -> epsilon -> scores; later files win."""
    out: dict = {}
    for path in paths:
        for name, methods in json.loads(Path(path).read_text(encoding="utf-8")).items():
            for method, scores in methods.items():
                out.setdefault(name, {}).setdefault(method, {}).update(scores)
    return out


def save(path: str, results: dict) -> None:
    Path(path).write_text(json.dumps(results, indent=1), encoding="utf-8")
