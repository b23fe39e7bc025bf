"""Adult, accuracy against epsilon, all methods: the figure of the README.

``python adult.py run OURS.json [SPLITS]`` learns with Tacit on the splits of
``famous_rivals.py`` (one draw a split; what is stored already is not run again), and
``python adult.py draw FIGURE.svg TABLE.json OURS.json RIVALS.json`` draws both and writes the
means that were drawn. Of every rival the setting that is best on the test records is shown.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from famous import load

EPSILONS = ("0.01", "0.05", "0.1", "0.5", "1", "2", "5")
DELTA = "1e-6"
COLOURS = {
    "Tacit, default, no delta": "#d1495b",
    "Tacit, default, delta 1e-6": "#8f2d56",
    "DP-EBM, delta 1e-6, tuned": "#00798c",
    "PrivaTree, tuned": "#edae49",
    "diffprivlib, best of two": "#66a182",
    "boosting without privacy": "#8d96a3",
}
PURE, WITH_DELTA, EBM, PRIVATREE, DIFFPRIVLIB, FLOOR = COLOURS
RIVALS = {
    "interpret DP-EBM": EBM,
    "PrivaTree": PRIVATREE,
    "diffprivlib logistic": DIFFPRIVLIB,
    "diffprivlib forest": DIFFPRIVLIB,
}


def parts(rows: int, seed: int) -> tuple[Any, Any]:
    """80 of 100 records to learn from, as in ``famous_rivals.py``."""
    order = np.random.default_rng(seed).permutation(rows)
    return order[: rows * 4 // 5], order[rows * 4 // 5 :]


def methods() -> dict[str, Callable[[Any, str], Any]]:
    """Our lines: a model for a schema and an epsilon."""
    from tacit import Ledger
    from tacit.estimators import BestRuleClassifier

    def model(schema: Any, epsilon: str, delta: str) -> Any:
        return BestRuleClassifier(
            domain=schema, epsilon=epsilon, delta=delta, ledger=Ledger.memory()
        )

    return {PURE: lambda s, e: model(s, e, "0"), WITH_DELTA: lambda s, e: model(s, e, DELTA)}


def run(target: str, splits: int) -> None:
    """Learn on every split and store the accuracies as they come."""
    path = Path(target)
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    x, y, schema = load("adult")
    for name, make in methods().items():
        for epsilon in EPSILONS:
            held = found.setdefault(name, {}).setdefault(epsilon, [])
            for seed in range(len(held), splits):
                learn, test = parts(len(y), seed)
                model = make(schema, epsilon).fit(x.iloc[learn], y[learn])
                held.append(float((model.predict(x.iloc[test]) == y[test]).mean()))
                path.write_text(json.dumps(found, indent=1), encoding="utf-8")
            print(name, epsilon, held, flush=True)
    found[FLOOR] = {"none": [not_private(x, y, seed) for seed in range(splits)]}
    path.write_text(json.dumps(found, indent=1), encoding="utf-8")


def not_private(x: pd.DataFrame, y: Any, seed: int) -> float:
    """Gradient boosting of scikit-learn with its defaults on the same split."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    learn, test = parts(len(y), seed)
    coded = x.apply(
        lambda column: column if column.dtype.kind in "if" else column.astype("category")
    )
    model = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=seed)
    return float(model.fit(coded.iloc[learn], y[learn]).score(coded.iloc[test], y[test]))


def drawn(ours: dict[str, Any], rivals: dict[str, Any]) -> dict[str, dict[str, float]]:
    """The mean of every line at every epsilon; of a rival its best setting."""
    table: dict[str, dict[str, float]] = {}
    for name in (PURE, WITH_DELTA):
        table[name] = {e: float(np.mean(s)) for e, s in ours[name].items() if s}
    for epsilon, families in rivals["adult"].items():
        for family, line in RIVALS.items():
            settings = list(families.get(family, {}).values())
            most = max(map(len, settings), default=0)
            means = [float(np.mean([one[0] for one in s])) for s in settings if len(s) == most]
            if means:
                held = table.setdefault(line, {})
                held[epsilon] = max(held.get(epsilon, 0.0), *means)
    level = float(np.mean(ours[FLOOR]["none"]))
    table[FLOOR] = dict.fromkeys(EPSILONS, level)
    return table


def draw(figure: str, table: str, ours: str, rivals: str) -> None:
    """Write the figure and the numbers in it."""
    means = drawn(*(json.loads(Path(p).read_text(encoding="utf-8")) for p in (ours, rivals)))
    Path(table).write_text(json.dumps(means, indent=1) + "\n", encoding="utf-8")
    rows = [
        (float(epsilon), name, mean)
        for name, line in means.items()
        for epsilon, mean in line.items()
    ]
    frame = pd.DataFrame(rows, columns=["epsilon", "method", "accuracy"])
    order = list(COLOURS)
    alt.Chart(frame).mark_line(point=True).encode(
        x=alt.X(
            "epsilon",
            scale=alt.Scale(type="log", domain=[0.009, 6]),
            axis=alt.Axis(values=[float(e) for e in EPSILONS], format="~g"),
            title="epsilon (smaller is more private)",
        ),
        y=alt.Y(
            "accuracy",
            scale=alt.Scale(domain=[0.74, 0.88], clamp=True),
            axis=alt.Axis(format=".2f"),
            title="accuracy on fresh records",
        ),
        color=alt.Color(
            "method",
            title=None,
            sort=order,
            scale=alt.Scale(domain=order, range=list(COLOURS.values())),
            legend=alt.Legend(orient="right", labelLimit=400),
        ),
        strokeDash=alt.StrokeDash("method", title=None, sort=order, legend=None),
    ).properties(width=520, height=300, title="Adult: 39,073 records to learn from").save(figure)


if __name__ == "__main__":
    if sys.argv[1] == "run":
        run(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 3)
    else:
        draw(*sys.argv[2:6])
