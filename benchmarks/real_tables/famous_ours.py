"""Ours with defaults on the tables of ``famous.py`` and the splits of ``famous_rivals.py``.

``python famous_ours.py RESULTS.json [SPLITS] [TABLE ...] [EPSILON ...]`` stores accuracy, balanced
accuracy and area under the curve of every line on every split, as means over four draws (one on
tables of more than 10,000 rows); what is stored already is not run again. The lines are the
default, the default with a delta of 1e-6, the default with ``costs="balanced"`` and the default
with rates (a fifth of epsilon counts them), which alone has an area under the curve of its own.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from famous import LOADERS, load
from rates import auc

from tacit import Ledger
from tacit.estimators import BestRuleClassifier, RatedClassifier

EPSILONS = ("0.01", "0.05", "0.1", "0.5", "1", "2", "5")
DELTA = "1e-6"
LONG = 10_000


def lines(schema: Any, epsilon: str, rows: int) -> dict[str, Any]:
    """A model for every line; a delta changes nothing where boosting never pays."""

    def best(**more: Any) -> BestRuleClassifier:
        return BestRuleClassifier(domain=schema, epsilon=epsilon, ledger=Ledger.memory(), **more)

    made: dict[str, Any] = {
        "default": best(),
        "balanced": best(costs="balanced"),
        "rated": RatedClassifier(best()),
    }
    if rows > LONG:
        made["delta"] = best(delta=DELTA)
    return made


def balanced(truth: Any, answers: Any) -> float:
    """The mean of the shares of both labels that are answered rightly."""
    right = answers == truth
    return float(np.mean([right[truth == label].mean() for label in (0, 1)]))


def parts(rows: int, seed: int) -> tuple[Any, Any]:
    """80 of 100 records to learn from, as in ``famous_rivals.py``."""
    order = np.random.default_rng(seed).permutation(rows)
    return order[: rows * 4 // 5], order[rows * 4 // 5 :]


def scored(model: Any, x: Any, y: Any, seed: int) -> list[float]:
    """Accuracy, balanced accuracy and area under the curve of one fit."""
    learn, test = parts(len(y), seed)
    model.fit(x.iloc[learn], y[learn])
    answers, asked = model.predict(x.iloc[test]), x.iloc[test]
    rated = isinstance(model, RatedClassifier)
    chance = model.predict_proba(asked)[:, 1] if rated else answers
    truth = y[test]
    return [float((answers == truth).mean()), balanced(truth, answers), auc(truth, chance)]


def main(target: str, words: list[str]) -> None:
    path = Path(target)
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    numbers = [word for word in words if word.replace(".", "").isdigit()]
    splits, epsilons = int(numbers[0]) if numbers else 3, numbers[1:] or EPSILONS
    for epsilon in epsilons:
        for name in [word for word in words if word in LOADERS] or list(LOADERS):
            x, y, schema = load(name)
            for line in lines(schema, epsilon, len(y)):
                held = found.setdefault(name, {}).setdefault(epsilon, {}).setdefault(line, [])
                started = time.time()
                for seed in range(len(held), splits):
                    draws = 1 if len(y) > LONG else 4
                    made = [lines(schema, epsilon, len(y))[line] for _ in range(draws)]
                    scores = [scored(model, x, y, seed) for model in made]
                    held.append(np.mean(scores, axis=0).tolist())
                    path.write_text(json.dumps(found), encoding="utf-8")
                told = " ".join(f"{score:.4f}" for score in np.mean(held, axis=0))
                print(name, epsilon, line, told, f"{time.time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
