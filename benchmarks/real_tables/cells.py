"""Results by cell: one line of JSON for a table, an epsilon, a method, a setting and a split.

Files are only added to, so a run carries on where the last one stopped. The same splits, draws and
measures serve ours (``famous_ours.py``) and the rivals (``famous_rivals.py``), which run in an
environment of their own: nothing here needs more than numpy and scipy.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from rates import auc

EPSILONS = ("0.1", "1", "0.5", "0.05", "5", "0.01")
LONG, MIDDLE = 10_000, 2_000
MEASURES = ("accuracy", "balanced", "area")
Key = tuple[str, str, str, str]  # table, epsilon, method, setting


def draws(rows: int) -> int:
    """Fits a split: one draw is noisy on a small table."""
    return 1 if rows > LONG else 2 if rows > MIDDLE else 4


def parts(rows: int, seed: int) -> tuple[Any, Any]:
    """80 of 100 records to learn from, the others to test on; a permutation per seed."""
    order = np.random.default_rng(seed).permutation(rows)
    return order[: rows * 4 // 5], order[rows * 4 // 5 :]


def balanced(truth: Any, answers: Any) -> float:
    """The mean of the shares of both labels that are answered rightly.

    >>> balanced([0, 0, 0, 1], [0, 0, 1, 1])
    0.8333333333333333
    """
    labels = np.asarray(truth, dtype=bool)
    right = np.asarray(answers, dtype=bool) == labels
    return float(np.mean([right[labels == label].mean() for label in (False, True)]))


def measured(truth: Any, answers: Any, chance: Any) -> dict[str, float]:
    """Accuracy, balanced accuracy and area under the curve."""
    right = float((np.asarray(answers) == np.asarray(truth)).mean())
    both = (right, balanced(truth, answers), auc(truth, chance))
    return {name: round(value, 5) for name, value in zip(MEASURES, both, strict=True)}


def add(path: str, key: Key, split: int, scores: dict[str, float]) -> None:
    """One more line at the end of the file."""
    table, epsilon, method, setting = key
    line = {"table": table, "epsilon": epsilon, "method": method, "setting": setting}
    with Path(path).open("a", encoding="utf-8") as out:
        out.write(json.dumps({**line, "split": split, **scores}) + "\n")


def read(*paths: str) -> dict[Key, dict[int, dict[str, float]]]:
    """Every key's scores by split; a line written later counts."""
    found: dict[Key, dict[int, dict[str, float]]] = {}
    for path in paths:
        if not Path(path).exists():
            continue
        for text in Path(path).read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            key = (line["table"], line["epsilon"], line["method"], line["setting"])
            scores = {k: v for k, v in line.items() if isinstance(v, float)}
            found.setdefault(key, {})[line["split"]] = scores
    return found


def chosen(words: list[str], known: Any) -> list[str]:
    """The words that are known names, or all of those."""
    return [word for word in words if word in known] or list(known)


def numbers(words: list[str]) -> tuple[int, list[str]]:
    """Splits (the first number) and epsilons (the others) of a command line."""
    given = [word for word in words if word.replace(".", "").isdigit()]
    return int(given[0]) if given else 3, given[1:] or list(EPSILONS)
