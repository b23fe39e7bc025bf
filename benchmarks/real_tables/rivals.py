"""The rivals, at their best: hyper-parameters are chosen on the test set, which favours them.

Usage (in the rivals' environment): python rivals.py FOLDER RESULTS.json [TABLE ...] [ebm]
With ``ebm``, interpret's DP-EBM alone, at epsilon 1 and more: it takes seconds for each fit.
"""

from __future__ import annotations

import sys
import time
import warnings

import numpy as np
from protocol import EPSILONS, SPLITS, save, split, table
from tables import SCHEMAS, bounds

warnings.simplefilter("ignore")


def _scaled(x, lows, highs):
    """Into [-1/2, 1/2] by the public range: centred data need a smaller norm bound."""
    return np.clip((x - lows) / (highs - lows), 0, 1) - 0.5


def makers(epsilon: float, width: int):
    """Name -> (family, function that makes an unfitted classifier)."""
    from diffprivlib.models import (
        DecisionTreeClassifier,
        GaussianNB,
        LogisticRegression,
        RandomForestClassifier,
    )

    box = (np.full(width, -0.5), np.full(width, 0.5))
    norm = float(np.sqrt(width)) / 2
    found = {}
    for c in (0.01, 0.1, 1.0, 10.0):
        for clip in (1.0, 0.5):
            found[f"logistic C={c} clip={clip}"] = lambda c=c, clip=clip: LogisticRegression(
                epsilon=epsilon, data_norm=norm * clip, C=c, max_iter=100
            )
    found["naive Bayes"] = lambda: GaussianNB(epsilon=epsilon, bounds=box)
    for depth in (3, 5):
        found[f"tree depth={depth}"] = lambda depth=depth: DecisionTreeClassifier(
            epsilon=epsilon, bounds=box, classes=[0, 1], max_depth=depth
        )
    for trees in (5, 10):
        found[f"forest {trees} trees"] = lambda trees=trees: RandomForestClassifier(
            n_estimators=trees, epsilon=epsilon, bounds=box, classes=[0, 1], max_depth=5
        )
    return found


def boosting(epsilon: float, width: int):
    """interpret's DP-EBM, which needs a delta."""
    from interpret.privacy import DPExplainableBoostingClassifier

    found = {}
    for rounds in (300,):
        found[f"EBM {rounds} rounds (delta 1e-5)"] = lambda rounds=rounds: (
            DPExplainableBoostingClassifier(
                epsilon=epsilon,
                delta=1e-5,
                max_rounds=rounds,
                n_jobs=1,
                feature_types=["continuous"] * width,
                privacy_bounds=dict.fromkeys(range(width), (-0.5, 0.5)),
            )
        )
    return found


def floors():
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    return {
        "not private: stump": lambda: DecisionTreeClassifier(max_depth=1),
        "not private: tree of depth 2": lambda: DecisionTreeClassifier(max_depth=2),
        "not private: logistic regression": lambda: LogisticRegression(max_iter=500),
    }


def main(folder: str, target: str, words: list[str]) -> None:
    results: dict = {}
    for name in [word for word in words if word in SCHEMAS] or list(SCHEMAS):
        x, y = table(folder, name)
        lows, highs = np.array(bounds(name)).T
        x = _scaled(x, lows, highs)
        results[name] = {}
        jobs = [(label, None, make) for label, make in floors().items()]
        for epsilon in EPSILONS if "ebm" not in words else ("1", "2", "5"):
            family = boosting if "ebm" in words else makers
            found = family(float(epsilon), x.shape[1])
            jobs += [(label, epsilon, make) for label, make in found.items()]
        for label, epsilon, make in jobs:
            if "forest" in label and len(y) > 100_000:
                continue
            started = time.time()
            scores = []
            for seed in range(SPLITS):
                learn, test = split(len(y), seed)
                np.random.seed(seed)
                try:
                    model = make().fit(x[learn], y[learn])
                    scores.append(float((model.predict(x[test]) == y[test]).mean()))
                except Exception:  # a rival may fail on its own noise
                    scores.append(float(max(y[learn].mean(), 1 - y[learn].mean())))
            results[name].setdefault(label, {})[epsilon or "none"] = scores
            print(
                name,
                label,
                epsilon,
                f"{np.mean(scores):.4f} {time.time() - started:.0f} s",
                flush=True,
            )
            save(target, results)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
