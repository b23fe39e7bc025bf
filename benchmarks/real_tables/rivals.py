"""The rivals, at their best: hyper-parameters are chosen on the test sets, which favours them.

Usage (in the rivals' environment): python rivals.py FOLDER RESULTS.json [WORD ...]
A word is a table, an epsilon, a family (``families.py``) or ``seconds=20``: the time for each
table, epsilon and family (0: no search). RESULTS.json is added to; what is in it already is
replaced only if the new search finds better on the splits.

The search: random settings are tried on a few splits, the better ones on more, the best on all
20 (successive halving); the best settings of the other epsilons are tried at this one too.
The chosen setting is then run again with new noise: a maximum over many noisy runs flatters.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from families import FAMILIES, affordable
from protocol import EPSILONS, SPLITS, save, split, table
from tables import SCHEMAS, bounds

warnings.simplefilter("ignore")

SECONDS = 20.0
STAGES = ((4, 400), (10, 20), (SPLITS, 5))  # splits; how many settings, the best of the last stage


def _unit(x, name: str):
    """Into [0, 1] by the public range."""
    lows, highs = np.array(bounds(name)).T
    return np.clip((x - lows) / (highs - lows), 0, 1)


class Search:
    """One table, one family, one epsilon."""

    def __init__(self, unit, y, family: str, epsilon: float) -> None:
        self.unit, self.y, self.epsilon = unit, y, epsilon
        self.choices, self.run = FAMILIES[family]
        self.scores: dict[str, list[float]] = {}

    def score(self, setting: str, seed: int, noise: int) -> float:
        learn, test = split(len(self.y), seed)
        try:
            with np.errstate(all="ignore"):
                found = self.run(
                    *(self.unit, self.y, learn, test, self.epsilon, noise), **json.loads(setting)
                )
        except ValueError:  # a rival may fail on its own noise: the larger label instead
            found = int(2 * self.y[learn].sum() > len(learn))
        return float((found == self.y[test]).mean())

    def more(self, setting: str, splits: int) -> None:
        have = self.scores.setdefault(setting, [])
        have += [self.score(setting, seed, seed) for seed in range(len(have), splits)]

    def again(self, setting: str) -> list[float]:
        """The same setting and splits with new noise, which the search has not seen."""
        return [self.score(setting, seed, 1000 + seed) for seed in range(SPLITS)]

    def settings(self, known: list[str], rng):
        yield from known
        total = int(np.prod([len(set(v)) for v in self.choices.values()]))
        for _ in range(4 * total):
            one = {k: v[int(rng.integers(len(v)))] for k, v in self.choices.items()}
            text = json.dumps(one, sort_keys=True)
            if text not in self.scores and affordable(one, self.unit.shape[1]):
                yield text

    def best(self, known: list[str], seconds: float, rng) -> tuple[str, list[float]]:
        started = time.time()
        ranked = self.settings(known, rng)
        for stage, (splits, most) in enumerate(STAGES):
            until = started + seconds * (0.5, 0.75, 1.0)[stage]
            for place, setting in enumerate(ranked):
                if place == most or (place and time.time() > until):
                    break
                self.more(setting, splits)
            done = [s for s, scores in self.scores.items() if len(scores) >= splits]
            ranked = sorted(done, key=lambda s: -np.mean(self.scores[s]))
        return ranked[0], self.scores[ranked[0]]


def floors():
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    return {
        "not private: stump": lambda: DecisionTreeClassifier(max_depth=1),
        "not private: tree of depth 2": lambda: DecisionTreeClassifier(max_depth=2),
        "not private: logistic regression": lambda: LogisticRegression(max_iter=500),
    }


def floor_scores(unit, y, make) -> list[float]:
    parts = (split(len(y), seed) for seed in range(SPLITS))
    return [float((make().fit(unit[a], y[a]).predict(unit[b]) == y[b]).mean()) for a, b in parts]


def improve(cell: dict, epsilon: str, search: Search, seconds: float) -> None:
    """Search once more; keep what is better on the splits, and draw the kept one again."""
    known = [json.dumps(v["which"], sort_keys=True) for v in cell.values()]
    rng = np.random.default_rng()
    which, scores = search.best(list(dict.fromkeys(known)), seconds, rng)
    held = cell.get(epsilon, {"scores": [0.0], "tried": 0})
    tried = held["tried"] + len(search.scores)
    if np.mean(scores) > np.mean(held["scores"]):
        held = {"which": json.loads(which), "scores": scores, "again": search.again(which)}
    cell[epsilon] = {**held, "tried": tried}


def main(folder: str, target: str, words: list[str]) -> None:
    path = Path(target)
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    chosen = [float(word.removeprefix("seconds=")) for word in words if "seconds=" in word]
    seconds = chosen[-1] if chosen else SECONDS
    epsilons = [word for word in words if word.replace(".", "").isdigit()] or EPSILONS
    families = [word for word in words if word in FAMILIES] or list(FAMILIES)
    for name in [word for word in words if word in SCHEMAS] or list(SCHEMAS):
        x, y = table(folder, name)
        unit = _unit(x, name)
        held = results.setdefault(name, {})
        for label, make in floors().items():
            if label not in held:
                held[label] = {"none": {"scores": floor_scores(unit, y, make)}}
        for epsilon in epsilons:
            for family in families:
                started = time.time()
                cell = held.setdefault(family, {})
                search = Search(unit, y, family, float(epsilon))
                if seconds:
                    improve(cell, epsilon, search, seconds)
                elif "again" not in cell[epsilon]:
                    setting = json.dumps(cell[epsilon]["which"], sort_keys=True)
                    cell[epsilon]["again"] = search.again(setting)
                one, took = cell[epsilon], time.time() - started
                means = f"{np.mean(one['scores']):.4f} again {np.mean(one['again']):.4f}"
                print(name, epsilon, family, means, one["which"], f"{took:.0f} s", flush=True)
                save(target, results)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
