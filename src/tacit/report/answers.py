"""Draw the answers that a synthetic table gives: public, like the table itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tacit.core import BadInput
from tacit.core.concept import Numbered, first_number
from tacit.problems.finite.synthetic import SyntheticTable

_POINTS = 400  # queries that are asked of a table at the most
KINDS = (".html", ".svg", ".png")


def asked_of(table: SyntheticTable, queries: Numbered) -> list[int]:
    """Up to 400 queries, spread evenly over the class; for points, the most frequent values."""
    if queries.name == "points":
        often = sorted(table.rows, key=lambda row: (-row[1], row[0]))[:_POINTS]
        return sorted(value for value, _ in often)
    first = first_number(queries)
    last = first + (queries.size or 0) - 1
    return sorted({first + (last - first) * i // _POINTS for i in range(_POINTS + 1)})


def answers(table: SyntheticTable, queries: Numbered) -> dict[int, float]:
    """The table's answer to each of ``asked_of``."""
    return {
        query: float(table.answer(queries.hypothesis(query))) for query in asked_of(table, queries)
    }


def answers_chart(table: SyntheticTable, queries: Numbered, *, truth: object = None) -> object:
    """An Altair chart of released answers; ``truth`` (records, not private) is drawn beside.

    Pass ``truth`` only for data that may be seen: the chart then shows exact answers.
    """
    import altair as alt

    released = answers(table, queries)
    rows = [_row(table, query, answer, "released") for query, answer in released.items()]
    if truth is not None:
        cells = queries.domain.coerce(truth)
        for query in released:
            hits = queries.hypothesis(query).predict(cells)
            exact = float(np.mean(hits)) if len(cells) else 0.0
            rows.append(_row(table, query, exact, "exact (not private)"))
    base = alt.Chart(alt.Data(values=rows), width=560, height=320, title="Released answers")
    drawn = base.mark_line() if queries.name == "thresholds" else base.mark_point()
    named = queries.name in ("points", "thresholds")
    return drawn.encode(
        x=alt.X("query:Q", title=table.column if named else "query"),
        y=alt.Y("answer:Q", title="fraction of records"),
        color=alt.Color("series:N", title=None),
    )


def _row(table: SyntheticTable, query: int, answer: float, series: str) -> dict[str, object]:
    return {"query": float(query + table.low), "answer": answer, "series": series}


def chart_file(path: Path) -> Path:
    """A path that a chart can be written to; checked before anything is charged."""
    if path.suffix not in KINDS:
        raise BadInput("a chart is written as .html, .svg or .png")
    return path


def save_chart(chart: Any, path: Path) -> None:
    """Write a chart as .html (works without a network), .svg or .png, whole or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(drawn_chart(chart, chart_file(path).suffix))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def drawn_chart(chart: Any, suffix: str) -> bytes:
    """A chart as the content of a file with this ending."""
    import vl_convert as vlc

    spec = chart.to_dict()
    match suffix:
        case ".html":
            page: str = vlc.vegalite_to_html(spec, bundle=True)
            return page.encode()
        case ".svg":
            picture: str = vlc.vegalite_to_svg(spec)
            return picture.encode()
        case _:
            pixels: bytes = vlc.vegalite_to_png(spec, scale=2)
            return pixels
