"""Synthetic tables by MST, with a learner that knows no privacy on top.

Three steps, since SmartNoise lives in an environment of its own (``../synthetic/environment.sh``):

``RIVALS/bin/python famous_synthetic.py cells FOLDER TABLE EPSILON SPLIT`` writes the records to
learn from as cells (16 for each ordered column, by its public range; a category by its place),
the label last; ``SMARTNOISE/bin/python famous_synthetic.py make FOLDER TABLE EPSILON SPLIT METHOD``
has MST (or AIM) make as many rows; ``RIVALS/bin/python famous_synthetic.py score FOLDER TABLE
EPSILON SPLIT METHOD RESULTS.jsonl`` learns from these by scikit-learn's gradient boosting (the
better of two settings on the test records, which favours it) and adds a line a setting.
Epsilon is the synthesizer's, with a delta of 1e-6, for one record more or fewer.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

_CELLS = 16
_SETTINGS = ({"max_iter": 30, "max_depth": 3}, {"max_iter": 100, "max_depth": None})


def placed(name: str):
    """All records as cells, how many cells each column has, and the labels."""
    from famous import load
    from famous_rivals import ends

    x, y, schema = load(name)
    columns, sizes = [], []
    for column, declared in schema.items():
        span = ends(declared)
        if span is None:
            places = x[column].map({value: place for place, value in enumerate(declared)})
            columns.append(places.fillna(len(declared)).to_numpy(dtype=np.int64))
            sizes.append(len(declared) + 1)
        else:
            many = min(_CELLS, len(declared) if isinstance(declared, range) else _CELLS)
            value = x[column].astype(float).fillna(span[0]).to_numpy()
            unit = np.clip((value - span[0]) / (span[1] - span[0]), 0, 1)
            columns.append(np.minimum((unit * many).astype(np.int64), many - 1))
            sizes.append(many)
    return np.column_stack(columns), sizes, y.astype(np.int64)


def files(folder: str, name: str, epsilon: str, split: str, method: str = "") -> tuple[Path, Path]:
    made = Path(folder) / f"{name}-{method}-{epsilon}-{split}.npz"
    return Path(folder) / f"{name}-{split}.npz", made


def cells(folder: str, name: str, epsilon: str, split: str) -> None:
    from cells import parts

    x, sizes, y = placed(name)
    learn, _ = parts(len(y), int(split))
    given, _ = files(folder, name, epsilon, split)
    given.parent.mkdir(exist_ok=True)
    np.savez(given, cells=np.column_stack([x, y])[learn], sizes=[*sizes, 2])


def make(folder: str, name: str, epsilon: str, split: str, method: str) -> None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "synthetic"))
    from rivals import fitted

    given, target = files(folder, name, epsilon, split, method)
    held = np.load(given)
    rows, sizes = held["cells"], held["sizes"].tolist()
    started = time.process_time()
    model, names, back, _ = fitted(method, rows, sizes, float(epsilon), int(split))
    made = back(model.synthetic_data(rows=len(rows), method="sample"))
    table = np.asarray(made.df[names], dtype=np.int64)
    np.savez(target, cells=table, cpu=time.process_time() - started)


def score(folder: str, name: str, epsilon: str, split: str, method: str, results: str) -> None:
    from cells import add, parts
    from famous_rivals import scored
    from sklearn.ensemble import HistGradientBoostingClassifier

    _, target = files(folder, name, epsilon, split, method)
    held = np.load(target)
    x, _, y = placed(name)
    _, test = parts(len(y), int(split))
    rows, labels = held["cells"][:, :-1], held["cells"][:, -1]
    for setting in _SETTINGS:
        if len(set(labels.tolist())) > 1:
            model = HistGradientBoostingClassifier(random_state=0, **setting).fit(rows, labels)
            said, chance = model.predict(x[test]), model.predict_proba(x[test])[:, 1]
        else:
            said = chance = np.full(len(test), labels[0])
        found = scored(y[test], said, chance, float(labels.mean()))
        found["cpu"] = round(float(held["cpu"]), 3)
        key = (name, epsilon, f"{method.upper()} and boosting", json.dumps(setting, sort_keys=True))
        add(results, key, int(split), found)
        print(*key, split, found, flush=True)


if __name__ == "__main__":
    {"cells": cells, "make": make, "score": score}[sys.argv[1]](*sys.argv[2:])
