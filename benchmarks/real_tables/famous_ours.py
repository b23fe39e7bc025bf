"""Ours with defaults on the tables of ``famous.py``, and single kinds beside the default.

``python famous_ours.py RESULTS.jsonl [SPLITS] [TABLE ...] [EPSILON ...] [LINE ...]`` adds accuracy,
balanced accuracy, area under the curve and processor seconds a fit for every line and split
(``cells.py``), as means over some draws; what is stored already is not run again.

Lines: the default; with a delta of 1e-6 (tables of more than 10,000 rows: elsewhere boosting never
pays and it changes nothing); with ``costs="balanced"``, whose order of records (``ranking``) costs
nothing more; both for one record more or fewer, which is what most rivals protect; with rates (a
fifth of epsilon counts them), and with rates and balanced costs; the default's balanced answers
(``predict_balanced``, other than its answers only where it adds up trees, so run only where public
numbers let it: Adult, randhie and credit_cards at 5, KDD Census and mortgages at 1 and 5);
``BoostedTreesClassifier``, whose
points rank records and whose ``predict_balanced`` answers them (a delta of 1e-6 by default, as
DP-EBM has here); ``AdditiveClassifier``, points of all columns, with the same measures and pure
epsilon; and the single kinds that the default is compared with: a tree, a stump, a
score, and the majority label, which no draw finds for less than nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from cells import LONG, add, balanced, chosen, draws, measured, numbers, parts, read
from famous import LOADERS, load

from tacit import Ledger
from tacit.estimators import (
    AdditiveClassifier,
    BestRuleClassifier,
    BoostedTreesClassifier,
    RatedClassifier,
    ScoreClassifier,
    StumpClassifier,
    TreeClassifier,
)

DELTA = "1e-6"
Make = Callable[[Any, str], Any]


def _of(kind: Any, **more: Any) -> Make:
    return lambda schema, epsilon: kind(
        domain=schema, epsilon=epsilon, ledger=Ledger.memory(), **more
    )


LINES: dict[str, Make] = {
    "default": _of(BestRuleClassifier),
    "answered": _of(BestRuleClassifier),
    "delta": _of(BestRuleClassifier, delta=DELTA),
    "balanced": _of(BestRuleClassifier, costs="balanced"),
    "fewer": _of(BestRuleClassifier, relation="add-remove"),
    "fewer balanced": _of(BestRuleClassifier, relation="add-remove", costs="balanced"),
    "rated": lambda s, e: RatedClassifier(_of(BestRuleClassifier)(s, e)),
    "ranked": lambda s, e: RatedClassifier(_of(BestRuleClassifier, costs="balanced")(s, e)),
    "boosted": _of(BoostedTreesClassifier),
    "additive": _of(AdditiveClassifier),
    "tree": _of(TreeClassifier),
    "stump": _of(StumpClassifier),
    "score": _of(ScoreClassifier, bins=16),
}


def scored(model: Any, x: Any, y: Any, seed: int, *, answered: bool = False) -> dict[str, float]:
    """The measures and the processor seconds of one fit."""
    learn, test = parts(len(y), seed)
    started, wall = time.process_time(), time.perf_counter()
    model.fit(x.iloc[learn], y[learn])
    took, waited = time.process_time() - started, time.perf_counter() - wall
    answers = model.predict(x.iloc[test])
    summed = isinstance(model, AdditiveClassifier | BoostedTreesClassifier)
    rated = summed or isinstance(model, RatedClassifier)
    chance = model.predict_proba(x.iloc[test])[:, 1] if rated else model.ranking(x.iloc[test])
    found = {**measured(y[test], answers, chance), "cpu": took, "wall": waited}
    if answered or summed:
        found["balanced"] = round(balanced(y[test], model.predict_balanced(x.iloc[test])), 5)
    if isinstance(model, BoostedTreesClassifier):
        found["trees"] = float(len(model.rule_.trees))  # public numbers say how many
    return found


def majority(y: Any, seed: int) -> dict[str, float]:
    """The label that is more frequent among the records to learn from."""
    learn, test = parts(len(y), seed)
    answer = np.full(len(test), int(y[learn].mean() > 0.5))
    return measured(y[test], answer, answer)


def cell(target: str, name: str, epsilon: str, line: str, splits: int, have: Any) -> None:
    key = (name, epsilon, line, "")
    missing = [seed for seed in range(splits) if seed not in have.get(key, {})]
    if not missing:
        return
    x, y, schema = load(name)
    if line == "delta" and len(y) <= LONG:
        return
    for seed in missing:
        if line == "majority":
            add(target, key, seed, majority(y, seed))
            continue
        try:
            runs = [
                scored(LINES[line](schema, epsilon), x, y, seed, answered=line == "answered")
                for _ in range(draws(len(y)))
            ]
        except ValueError as refused:  # a kind that is not for this table
            print(name, epsilon, line, refused, flush=True)
            return
        means = {k: round(float(np.mean([one[k] for one in runs])), 5) for k in runs[0]}
        means |= {k: round(float(np.min([one[k] for one in runs])), 3) for k in ("cpu", "wall")}
        add(target, key, seed, means)
        print(name, epsilon, line, seed, means, flush=True)


def main(target: str, words: list[str]) -> None:
    splits, epsilons = numbers(words)
    have = read(target)
    for line in chosen(words, ["majority", *LINES]):
        for epsilon in epsilons:
            for name in chosen(words, LOADERS):
                cell(target, name, epsilon, line, splits, have)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
