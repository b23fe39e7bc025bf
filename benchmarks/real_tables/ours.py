"""Our classifiers with their defaults; nothing is tuned per table.

Usage: python ours.py FOLDER RESULTS.json [MODEL ...] [TABLE ...] [add-remove] [DRAWS]

The score of a split is the mean over several fits, for one fit's draw is noisy: 20, or 5 on tables
of more than 10,000 rows, or as many as ``DRAWS`` says, one on the long ones.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from protocol import EPSILONS, SPLITS, save, split, table
from tables import SCHEMAS

from tacit import Ledger
from tacit.estimators import tables as estimators

DRAWS, DRAWS_OF_LONG_TABLES, LONG = 20, 5, 10_000

MODELS = {
    "tree": "TreeClassifier",
    "halfspace": "ScoreClassifier",
    "stump": "StumpClassifier",
    "conjunction": "ConjunctionClassifier",
    "rule": "BestRuleClassifier",
}


def main(folder: str, target: str, words: list[str]) -> None:
    relation = "add-remove" if "add-remove" in words else "replace-one"
    models = [word for word in words if word in MODELS] or ["tree", "rule"]
    names = [word for word in words if word in SCHEMAS] or list(SCHEMAS)
    given = next((int(word) for word in words if word.isdigit()), None)
    draws = (DRAWS, DRAWS_OF_LONG_TABLES) if given is None else (given, 1)
    results: dict = {}
    for name in names:
        x, y = table(folder, name)
        results[name] = {}
        for model in models:
            for epsilon in EPSILONS:
                started = time.time()
                scores = []
                for seed in range(SPLITS):
                    learn, test = split(len(y), seed)
                    right = []
                    for _ in range(draws[len(y) > LONG]):
                        rule = getattr(estimators, MODELS[model])(
                            domain=SCHEMAS[name],
                            epsilon=epsilon,
                            ledger=Ledger.memory(epsilon=epsilon),
                            relation=relation,
                        ).fit(x[learn], y[learn])
                        right.append(float((rule.predict(x[test]) == y[test]).mean()))
                    scores.append(float(np.mean(right)))
                key = model if relation == "replace-one" else f"{model}, {relation}"
                results[name].setdefault(key, {})[epsilon] = scores
                took = time.time() - started
                print(name, model, epsilon, f"{np.mean(scores):.4f} {took:.0f} s", flush=True)
                save(target, results)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
