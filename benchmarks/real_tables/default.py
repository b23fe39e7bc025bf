"""The default against single kinds of rules, on tables that had no part in making it.

``python default.py RESULTS.json [SPLITS] [TABLE ...]`` runs ``BestRuleClassifier`` and three
single kinds with their defaults on the tables of ``famous.py`` (80 of 100 records to learn from),
and prints for each table and epsilon the accuracy of each, the majority label's, and how far the
default is from the best single kind, with the 95 % interval of the paired difference.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
from famous import LOADERS, load

from tacit import Ledger
from tacit.estimators import (
    BestRuleClassifier,
    ScoreClassifier,
    StumpClassifier,
    TreeClassifier,
)

EPSILONS = ("0.05", "0.1", "0.5", "1")
KINDS = {
    "default": BestRuleClassifier,
    "tree": TreeClassifier,
    "stump": StumpClassifier,
    "score": ScoreClassifier,
}
DRAWS = 4


def cell(name: str, epsilon: str, splits: int) -> dict[str, list[float]]:
    """Accuracies by kind, one entry a split: the mean over some draws."""
    x, y, schema = load(name)
    found: dict[str, list[float]] = {}
    for seed in range(splits):
        order = np.random.default_rng(seed).permutation(len(y))
        cut = len(y) * 4 // 5
        learn, test = order[:cut], order[cut:]
        positive = y[test].mean()
        found.setdefault("majority", []).append(float(max(positive, 1 - positive)))
        for kind, make in KINDS.items():
            right = []
            for _ in range(DRAWS):
                model = make(domain=schema, epsilon=epsilon, ledger=Ledger.memory())
                if kind == "score":
                    model.set_params(bins=16)
                try:
                    model.fit(x.iloc[learn], y[learn])
                except ValueError:
                    break
                right.append(float((model.predict(x.iloc[test]) == y[test]).mean()))
            if right:
                found.setdefault(kind, []).append(float(np.mean(right)))
    return found


def line(found: dict[str, list[float]]) -> str:
    """All means, and the default minus the best single kind with its interval."""
    means = {kind: float(np.mean(scores)) for kind, scores in found.items()}
    best = max((k for k in means if k not in ("default", "majority")), key=lambda k: means[k])
    gap = np.array(found["default"]) - np.array(found[best])
    within = 1.96 * gap.std(ddof=1) / len(gap) ** 0.5 if len(gap) > 1 else float("nan")
    told = " ".join(f"{kind} {mean:.3f}" for kind, mean in means.items())
    return f"{told}; default - {best} = {gap.mean():+.3f} +- {within:.3f}"


def main(target: str, words: list[str]) -> None:
    splits = int(words[0]) if words and words[0].isdecimal() else 5
    names = [word for word in words if word in LOADERS] or list(LOADERS)
    results: dict[str, dict[str, dict[str, list[float]]]] = {}
    for name in names:
        for epsilon in EPSILONS:
            started = time.time()
            found = cell(name, epsilon, splits)
            results.setdefault(name, {})[epsilon] = found
            print(f"{name} {epsilon}: {line(found)} ({time.time() - started:.0f} s)", flush=True)
            Path(target).write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
