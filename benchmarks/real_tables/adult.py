"""Adult, accuracy against epsilon, all methods: the figure of the README.

``python adult.py FIGURE.svg TABLE.json OURS.jsonl RIVALS.jsonl`` draws the lines of
``famous_ours.py`` and ``famous_rivals.py`` (run both with epsilon 2 as well) and writes the means
over two splits that were drawn. Of every rival the setting that is best on the test records is
shown: of these runs or of those that TABLE.json holds already, which also has gradient boosting of
scikit-learn without privacy.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from cells import read

EPSILONS = ("0.01", "0.05", "0.1", "0.5", "1", "2", "5")
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
OURS = {"default": PURE, "delta": WITH_DELTA}
SPLITS = 2


def drawn(found: dict[Any, Any], stored: dict[str, dict[str, float]]) -> dict[str, Any]:
    """The mean of every line at every epsilon; of a rival the best setting of all runs.

    ``stored`` are the means that were drawn before: of rivals they stay where they are better, of
    ours they go.
    """
    table = {line: dict(means) for line, means in stored.items() if line not in OURS.values()}
    for (name, epsilon, method, _), scores in found.items():
        line = {**OURS, **RIVALS}.get(method)
        if name != "adult" or epsilon not in EPSILONS or line is None or len(scores) < SPLITS:
            continue
        mean = float(np.mean([scores[seed]["accuracy"] for seed in range(SPLITS)]))
        kept = table.setdefault(line, {})
        kept[epsilon] = round(max(kept.get(epsilon, 0.0), mean), 5)
    return {line: {e: table[line][e] for e in EPSILONS} for line in COLOURS}


def draw(figure: str, table: str, *paths: str) -> None:
    """Write the figure and the numbers in it."""
    stored = json.loads(Path(table).read_text(encoding="utf-8"))
    means = drawn(read(*paths), stored)
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
    draw(*sys.argv[1:])
