"""Rivals on the tables of ``famous.py``, few settings each.

DP-EBM, diffprivlib, PrivaTree and DP-XGBoost.

Every setting runs on the first split; on the second those that were best there on the test
records, two of each family by accuracy, one by balanced accuracy, one by the area under the curve;
on further splits the two best by each measure, of all families together, over the first two.
Of every rival the setting that is best on the test records is kept, which favours it. Balanced
accuracy is that of the better of two thresholds, one half and the share of positive labels among
the records, which is theirs for nothing.

Run by the Python of the rivals' environment (``environment.sh``, with pyarrow):
``python famous_rivals.py RESULTS.jsonl [SPLITS] [TABLE ...] [EPSILON ...] [FAMILY ...]``. Every
setting's measures on every split are added as they come (``cells.py``); what is stored already is
not run again.

PrivaTree is no package: it is imported from the folder that ``PRIVATREE`` names (a copy of the
repository tudelft-cda-lab/PrivaTree, commit c3d33ae here) and left out where that is not set.
DP-XGBoost (dp-xgboost 0.2.10) has wheels up to Python 3.10 and runs in an environment of its own
(with numpy 1, scikit-learn, pandas and pyarrow), which must name it as the only family. Its
epsilon is split over the trees by the formula of its own page; noise is seeded by the clock.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
import warnings

import numpy as np
import pandas as pd
from cells import MEASURES, add, balanced, chosen, measured, numbers, parts, read
from famous import LOADERS, load

warnings.simplefilter("ignore")

DELTA = 1e-6


def ends(declared) -> tuple[float, float] | None:
    """The public range of an ordered column; ``None`` for categories."""
    if declared is bool:
        return 0.0, 1.0
    if isinstance(declared, range):
        return float(declared[0]), float(declared[-1])
    return tuple(map(float, declared)) if isinstance(declared, tuple) else None


def coded(x: pd.DataFrame, schema) -> tuple[np.ndarray, np.ndarray]:
    """Columns in [0, 1]: one for an ordered column, one a category for the others; and numbers
    for trees, a category by its place."""
    wide, narrow = [], []
    for name, declared in schema.items():
        span = ends(declared)
        if span is None:
            places = x[name].map({value: place for place, value in enumerate(declared)})
            places = places.fillna(len(declared)).to_numpy(dtype=float)
            wide += [(places == place).astype(float) for place in range(len(declared))]
            narrow.append(places / max(len(declared), 1))
        else:
            value = pd.to_numeric(x[name], errors="coerce").fillna(span[0]).to_numpy(dtype=float)
            unit = np.clip((value - span[0]) / (span[1] - span[0]), 0, 1)
            wide.append(unit)
            narrow.append(unit)
    return np.column_stack(wide), np.column_stack(narrow)


def _chance(model, rows) -> tuple[np.ndarray, np.ndarray]:
    """The answers, and the chance of the positive label as the model sees it."""
    return np.asarray(model.predict(rows)), np.asarray(model.predict_proba(rows))[:, 1]


def boosting(x, y, learn, test, epsilon, seed, schema, **setting):
    from interpret.privacy import DPExplainableBoostingClassifier

    spans = [ends(declared) for declared in schema.values()]
    frame = x.copy()
    for name, span in zip(schema, spans, strict=True):
        if span is None:
            frame[name] = frame[name].astype(object).where(frame[name].notna(), "none").astype(str)
        else:
            frame[name] = pd.to_numeric(frame[name], errors="coerce").fillna(span[0]).astype(float)
    model = DPExplainableBoostingClassifier(
        epsilon=epsilon,
        delta=DELTA,
        n_jobs=1,
        feature_types=["nominal" if span is None else "continuous" for span in spans],
        privacy_bounds={k: span for k, span in enumerate(spans) if span is not None},
        random_state=seed,
        **setting,
    )
    return _chance(model.fit(frame.iloc[learn], y[learn]), frame.iloc[test])


def logistic(x, y, learn, test, epsilon, seed, schema, *, C):
    from diffprivlib.models import LogisticRegression

    wide, _ = coded(x, schema)
    norm = float(len(schema)) ** 0.5
    model = LogisticRegression(epsilon=epsilon, data_norm=1.0, C=C, max_iter=200, random_state=seed)
    return _chance(model.fit(wide[learn] / norm, y[learn]), wide[test] / norm)


def forest(x, y, learn, test, epsilon, seed, schema, *, max_depth, n_estimators):
    from diffprivlib.models import RandomForestClassifier

    _, narrow = coded(x, schema)
    width = narrow.shape[1]
    model = RandomForestClassifier(
        n_estimators=n_estimators,
        max_depth=max_depth,
        epsilon=epsilon,
        bounds=(np.zeros(width), np.ones(width)),
        classes=[0, 1],
        random_state=seed,
    )
    return _chance(model.fit(narrow[learn], y[learn]), narrow[test])


def privatree(x, y, learn, test, epsilon, seed, schema, *, max_depth, max_bins, use_uniform_bins):
    sys.path.insert(0, os.environ["PRIVATREE"])
    from privatree.privatree import PrivaTreeClassifier

    columns, spans, categories = [], [], []
    for name, declared in schema.items():
        span = ends(declared)
        if span is None:
            places = x[name].map({value: place for place, value in enumerate(declared)})
            columns.append(places.fillna(len(declared)).to_numpy(dtype=float))
            spans.append((0.0, float(len(declared))))
            categories.append(len(declared) + 1)
        else:
            value = pd.to_numeric(x[name], errors="coerce").fillna(span[0]).to_numpy(dtype=float)
            columns.append(np.clip(value, *span))
            spans.append(span)
            categories.append(0)
    table = np.column_stack(columns)
    model = PrivaTreeClassifier(
        max_depth=max_depth,
        epsilon=epsilon,
        max_bins=max_bins,
        use_uniform_bins=use_uniform_bins,
        feature_range=spans,
        categorical_features=np.array(categories),
        random_state=seed,
    )
    return _chance(model.fit(table[learn], y[learn]), table[test])


def sarus(x, y, learn, test, epsilon, seed, schema, *, trees, depth, subsample, share, rate):
    import dp_xgboost

    _, narrow = coded(x, schema)
    width, many = narrow.shape[1], len(learn)
    ranges = {"feature_min": [0.0] * width, "feature_max": [1.0] * width}
    given = {
        "objective": "reg:squarederror",  # as in its own example of two labels
        "tree_method": "approxDP",
        "dp_epsilon_per_tree": float(np.log1p(np.expm1(epsilon / trees) / subsample)),
        "max_depth": depth,
        "learning_rate": rate,
        "lambda": 0.1,
        "base_score": 0.5,
        "subsample": subsample,
        "min_child_weight": max(1.0, share * subsample * many),
        "nthread": 1,
        "seed": seed,
        "verbosity": 0,
    }
    table = dp_xgboost.DMatrix(narrow[learn], label=y[learn], **ranges)
    model = dp_xgboost.train(given, table, num_boost_round=trees)
    points = model.predict(dp_xgboost.DMatrix(narrow[test], **ranges))
    return points > 0.5, points


SETTINGS = {
    "interpret DP-EBM": (
        boosting,
        [
            {},
            {"max_rounds": 20, "learning_rate": 0.1, "max_bins": 16},
            {"max_rounds": 20, "learning_rate": 0.5, "max_bins": 16},
            {"max_rounds": 60, "learning_rate": 0.1, "max_bins": 16},
            {"max_rounds": 60, "learning_rate": 0.1, "max_bins": 32},
            {"max_rounds": 5, "learning_rate": 0.5, "max_bins": 16},
            {"max_rounds": 60, "learning_rate": 0.5, "max_bins": 64},
            {"max_rounds": 100, "learning_rate": 0.2, "max_bins": 64},
            {"max_rounds": 300, "learning_rate": 0.1, "max_bins": 64},
            {"max_rounds": 300, "learning_rate": 0.2, "max_bins": 128},
        ],
    ),
    "diffprivlib logistic": (logistic, [{"C": 0.01}, {"C": 1.0}, {"C": 100.0}]),
    "diffprivlib forest": (
        forest,
        [
            {"max_depth": 5, "n_estimators": 10},
            {"max_depth": 8, "n_estimators": 10},
            {"max_depth": 12, "n_estimators": 30},
        ],
    ),
}
if importlib.util.find_spec("dp_xgboost"):
    SETTINGS["DP-XGBoost"] = (
        sarus,
        [
            {"trees": trees, "depth": depth, "subsample": part, "share": share, "rate": rate}
            for trees, depth, part, share, rate in (
                (20, 6, 0.2, 0.03, 0.2),  # about its example's
                (1, 2, 1.0, 0.1, 1.0),
                (5, 2, 1.0, 0.1, 0.5),
                (5, 3, 1.0, 0.05, 0.5),
                (10, 3, 0.5, 0.05, 0.3),
                (20, 3, 0.2, 0.05, 0.3),
                (40, 4, 0.1, 0.05, 0.2),
                (50, 3, 0.1, 0.1, 0.1),
            )
        ],
    )
if "PRIVATREE" in os.environ:
    SETTINGS["PrivaTree"] = (
        privatree,
        [
            {"max_depth": depth, "max_bins": bins, "use_uniform_bins": uniform}
            for depth in (2, 4, 6)
            for bins in (10, 32)
            for uniform in (True, False)
        ],
    )


def scored(truth, answers, chance, base: float) -> dict[str, float]:
    """The measures; balanced accuracy at the better of two thresholds."""
    found = measured(truth, answers, chance)
    return {**found, "balanced": max(found["balanced"], round(balanced(truth, chance >= base), 5))}


Held = dict[tuple[str, str], dict[int, dict[str, float]]]


def kept(held: Held, families: bool) -> list[tuple[str, str]]:
    """The settings that run on further splits, by their mean over the first two at most.

    With ``families`` two of each family by accuracy and one by each other measure; otherwise two
    by each measure, of all families together.
    """
    best: list[tuple[str, str]] = []
    groups = (
        [[key for key in held if key[0] == one] for one in SETTINGS] if families else [list(held)]
    )
    for keys in groups:
        for measure, many in zip(MEASURES, (2, 1, 1) if families else (2, 2, 2), strict=True):
            first = {key: [held[key][seed] for seed in (0, 1) if seed in held[key]] for key in keys}
            most = max(map(len, first.values()), default=0)
            means = {
                k: np.mean([one[measure] for one in s]) for k, s in first.items() if len(s) == most
            }
            order = sorted(means, key=lambda key: -means[key])
            best += [key for key in order[:many] if key not in best]
    return best


def cell(target: str, name: str, epsilon: str, splits: int, families: list[str], have) -> None:
    """All settings on the first split, the best of each family on the second, and the best of all
    on the others."""
    by_key = {
        (family, json.dumps(setting, sort_keys=True)): setting
        for family in families
        for setting in SETTINGS[family][1]
    }
    held = {key: have.setdefault((name, epsilon, *key), {}) for key in by_key}
    x, y, schema = load(name)
    for seed in range(splits):
        for key in by_key if seed == 0 else kept(held, seed == 1):
            if seed in held[key]:
                continue
            learn, test = parts(len(y), seed)
            started = time.process_time()
            try:
                run = SETTINGS[key[0]][0]
                said = run(x, y, learn, test, float(epsilon), seed, schema, **by_key[key])
                scores = scored(y[test], *said, float(y[learn].mean()))
            except (ValueError, FloatingPointError):  # a rival may fail on its own noise
                share = float(y[test].mean())
                scores = {"accuracy": max(share, 1 - share), "balanced": 0.5, "area": 0.5}
            scores["cpu"] = round(time.process_time() - started, 3)
            held[key][seed] = scores
            add(target, (name, epsilon, *key), seed, scores)
            print(name, epsilon, *key, seed, scores, flush=True)


def main(target: str, words: list[str]) -> None:
    splits, epsilons = numbers(words)
    have = read(target)
    for epsilon in epsilons:
        for name in chosen(words, LOADERS):
            cell(target, name, epsilon, splits, chosen(words, SETTINGS), have)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
