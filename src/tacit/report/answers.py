"""Draw the answers that a synthetic table gives: public, like the table itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tacit.core import BadInput

_POINTS = 400


def answers_frame(table: Any, queries: Any) -> list[dict[str, float]]:
    """Released answers of up to 400 queries, spread evenly over the class."""
    size = queries.domain.size
    if queries.name == "points":
        asked = [value for value, _ in table.rows][:_POINTS]
    else:
        asked = sorted({size * i // _POINTS for i in range(_POINTS + 1)})
    return [
        {
            "query": float(value + table.low),
            "answer": float(table.answer(queries.hypothesis(value))),
        }
        for value in asked
    ]


def answers_chart(table: Any, queries: Any, *, truth: Any = None) -> Any:
    """An Altair chart of released answers; ``truth`` (records, not private) is drawn beside.

    Pass ``truth`` only for data that may be seen: the chart then shows exact answers.
    """
    import altair as alt

    rows = [row | {"series": "released"} for row in answers_frame(table, queries)]
    if truth is not None:
        cells = queries.domain.coerce(truth)
        for row in list(rows):
            rule = queries.hypothesis(int(row["query"]) - table.low)
            exact = float(np.mean(rule.predict(cells))) if len(cells) else 0.0
            rows.append({"query": row["query"], "answer": exact, "series": "exact (not private)"})
    base = alt.Chart(alt.Data(values=rows), width=560, height=320, title="Released answers")
    drawn = base.mark_point() if queries.name == "points" else base.mark_line()
    return drawn.encode(
        x=alt.X("query:Q", title=table.column),
        y=alt.Y("answer:Q", title="fraction of records"),
        color=alt.Color("series:N", title=None),
    )


def save_chart(chart: Any, path: Path) -> None:
    """Write a chart as .html (works without a network), .svg or .png."""
    import vl_convert as vlc

    spec = chart.to_dict()
    match path.suffix:
        case ".html":
            path.write_text(vlc.vegalite_to_html(spec, bundle=True), encoding="utf-8")
        case ".svg":
            path.write_text(vlc.vegalite_to_svg(spec), encoding="utf-8")
        case ".png":
            path.write_bytes(vlc.vegalite_to_png(spec, scale=2))
        case _:
            raise BadInput("a chart is written as .html, .svg or .png")
