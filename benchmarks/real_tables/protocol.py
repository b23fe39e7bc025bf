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


def save(path: str, results: dict) -> None:
    Path(path).write_text(json.dumps(results, indent=1), encoding="utf-8")
