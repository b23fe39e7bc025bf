"""Rare labels: balanced accuracy without costs, with costs by label, and with balanced ones.

``python costs.py [TABLE ...]``, by default Census-Income (6 % positive); a quarter is held out.
"""

from __future__ import annotations

import sys
import time

import famous
import numpy as np

from tacit import Ledger
from tacit.estimators import BestRuleClassifier

SPLITS, EPSILONS = 3, (0.1, 1)


def main(names: list[str]) -> None:
    """Print one line a table, epsilon and kind of costs."""
    for name in names or ["kdd"]:
        frame, labels, schema = famous.load(name)
        odds = round((1 - labels.mean()) / labels.mean())
        for epsilon in EPSILONS:
            for costs in (None, {"1": min(100, max(1, odds))}, "balanced"):
                scores, seconds = [], []
                for split in range(SPLITS):
                    order = np.random.default_rng(split).permutation(len(labels))
                    held, used = np.split(order, [len(order) // 4])
                    model = BestRuleClassifier(
                        domain=schema, epsilon=epsilon, costs=costs, ledger=Ledger.memory()
                    )
                    began = time.perf_counter()
                    model.fit(frame.iloc[used], labels[used])
                    seconds.append(time.perf_counter() - began)
                    said, true = model.predict(frame.iloc[held]), labels[held]
                    recalls = [np.mean(said[true == value] == value) for value in (0, 1)]
                    scores.append((np.mean(recalls), np.mean(said == true)))
                balanced, accuracy = np.mean(scores, axis=0)
                print(
                    f"{name} epsilon {epsilon:g} costs {costs}: balanced accuracy {balanced:.3f}, "
                    f"accuracy {accuracy:.3f}, {np.mean(seconds):.1f} s",
                    flush=True,
                )


if __name__ == "__main__":
    main(sys.argv[1:])
