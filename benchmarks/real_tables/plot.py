"""Draw the results: ``python plot.py FIGURE.svg OURS.json [RIVALS.json ...]``."""

from __future__ import annotations

import sys
from pathlib import Path

import altair as alt
import numpy as np
import pandas as pd
from protocol import EPSILONS
from report import merged

OURS, RIVAL, FLOOR = "ours, defaults", "best rival, tuned on the test sets", "logistic, not private"


def main(figure: str, paths: list[str]) -> None:
    ours = merged([path for path in paths if Path(path).name.startswith("ours")])
    rivals = merged([path for path in paths if not Path(path).name.startswith("ours")])
    rows = []
    for name, methods in ours.items():
        for epsilon in EPSILONS:
            mine = methods["rule"].get(epsilon)
            if mine is not None:
                rows.append((name, float(epsilon), OURS, np.mean(mine)))
            theirs = [np.mean(v[epsilon]) for v in rivals.get(name, {}).values() if epsilon in v]
            if theirs:
                rows.append((name, float(epsilon), RIVAL, max(theirs)))
            floor = rivals.get(name, {}).get("not private: logistic regression")
            if floor:
                rows.append((name, float(epsilon), FLOOR, np.mean(floor["none"])))
    frame = pd.DataFrame(rows, columns=["table", "epsilon", "method", "accuracy"])
    chart = (
        alt.Chart(frame)
        .mark_line(point=True)
        .encode(
            x=alt.X("epsilon", scale=alt.Scale(type="log"), title="epsilon"),
            y=alt.Y("accuracy", scale=alt.Scale(zero=False), title="mean test accuracy"),
            color=alt.Color("method", title=None, legend=alt.Legend(orient="top")),
            strokeDash=alt.StrokeDash("method", title=None),
        )
        .properties(width=230, height=150)
        .facet(alt.Facet("table", title=None), columns=3)
        .resolve_scale(y="independent")
    )
    chart.save(figure)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
