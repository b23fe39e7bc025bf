"""Draw the results: ``python plot.py FIGURE.svg RESULTS.json [MORE.json ...]``."""

from __future__ import annotations

import sys

import altair as alt
import numpy as np
import pandas as pd
from protocol import EPSILONS, merged
from report import OURS, best
from tables import SCHEMAS

LINES = {
    "ours, defaults": "#d1495b",
    "diffprivlib or DP-EBM, tuned on the test sets": "#00798c",
    "built on OpenDP, tuned on the test sets": "#edae49",
    "logistic, not private": "#8d96a3",
}


def rows(name: str, methods: dict) -> list[tuple[str, float, str, float]]:
    mine, shipped, built, floor = LINES
    out = []
    for epsilon in EPSILONS:
        found = {mine: methods.get(OURS["replace"], {}).get(epsilon)}
        top = best(methods, epsilon, "shipped")
        found[shipped] = None if top is None else top[1]
        opendp = {k: v for k, v in methods.items() if k.startswith("opendp")}
        top = best(opendp, epsilon, "all")
        found[built] = None if top is None else top[1]
        logistic = methods.get("not private: logistic regression")
        found[floor] = None if logistic is None else logistic["none"]["scores"]
        out += [
            (name, float(epsilon), line, float(np.mean(scores)))
            for line, scores in found.items()
            if scores is not None
        ]
    return out


def panel(name: str, frame: pd.DataFrame) -> alt.Chart:
    order = list(LINES)
    low, high = frame["accuracy"].min(), frame["accuracy"].max()
    margin = max(0.01, (high - low) / 10)  # a table without differences shall look so
    return (
        alt.Chart(frame, title=name)
        .mark_line(point=True)
        .encode(
            x=alt.X(
                "epsilon",
                scale=alt.Scale(type="log", domain=[0.04, 6]),
                axis=alt.Axis(values=[float(e) for e in EPSILONS], format="~g"),
                title="epsilon",
            ),
            y=alt.Y(
                "accuracy",
                scale=alt.Scale(domain=[low - margin, high + margin], nice=False),
                axis=alt.Axis(format=".3f", tickCount=5),
                title="mean test accuracy",
            ),
            color=alt.Color(
                "method",
                title=None,
                sort=order,
                scale=alt.Scale(domain=order, range=list(LINES.values())),
                legend=alt.Legend(orient="top", labelLimit=400, columns=2),
            ),
            strokeDash=alt.StrokeDash("method", title=None, sort=order, legend=None),
        )
        .properties(width=230, height=150)
    )


def main(figure: str, paths: list[str]) -> None:
    results = merged(paths)
    columns = ["table", "epsilon", "method", "accuracy"]
    panels = [
        panel(name, pd.DataFrame(rows(name, results[name]), columns=columns))
        for name in SCHEMAS
        if name in results
    ]
    alt.concat(*panels, columns=3).save(figure)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
