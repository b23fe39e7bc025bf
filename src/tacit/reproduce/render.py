"""A reproduction for readers: Markdown, CSV, and a picture where one was asked for."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.core import BadInput

if TYPE_CHECKING:
    from tacit.reproduce.experiment import Experiment, Row, Value
    from tacit.reproduce.runner import Outcome


def table(columns: tuple[str, ...], rows: tuple[Row, ...]) -> str:
    """A Markdown table; numbers stand to the right, and what is not there is a dash."""
    if not rows:
        return "No part is finished yet.\n"
    right = {
        name: all(isinstance(row.get(name), int | float | None) for row in rows) for name in columns
    }
    lines = ["| " + " | ".join(columns) + " |"]
    lines.append("|" + "|".join("---:" if right[name] else "---" for name in columns) + "|")
    lines += ["| " + " | ".join(_cell(row.get(name)) for name in columns) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _cell(value: Value) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else value.replace("|", "\\|")


def markdown(outcome: Outcome, *, pictures: str | None = ".") -> str:
    """The statement, what we change in it, the table, the picture in the folder ``pictures`` if
    there is one, and the command that makes it again.
    """
    entry = outcome.experiment
    drawn = f"![{entry.title}]({pictures}/{entry.name}.svg)\n\n" if entry.chart and pictures else ""
    missing = "".join(f"\nMissing: {key}\n" for key in outcome.missing)
    return (
        f"## {entry.title}\n\n{entry.says}\n\n*What differs here.* {entry.changed}\n\n"
        f"{table(entry.columns, outcome.rows)}{missing}\n{drawn}"
        f"`tacit reproduce {entry.name} --{outcome.effort.name}`\n"
    )


def as_csv(outcome: Outcome) -> str:
    """The rows, as they are."""
    text = io.StringIO()
    writer = csv.DictWriter(text, outcome.experiment.columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: row.get(name) for name in writer.fieldnames} for row in outcome.rows)
    return text.getvalue()


def write(outcome: Outcome, folder: Path) -> list[Path]:
    """Write what can be written; a picture needs the plots extra and is left out without it."""
    name = outcome.experiment.name
    made = {f"{name}.md": markdown(outcome), f"{name}.csv": as_csv(outcome)}
    paths = []
    for file, text in made.items():
        path = folder / file
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    if outcome.experiment.chart is not None and outcome.rows:
        path = folder / f"{name}.svg"
        try:
            _draw(outcome.experiment, outcome.rows, path)
        except ImportError:
            return paths
        paths.append(path)
    return paths


def _draw(entry: Experiment, rows: tuple[Row, ...], path: Path) -> None:
    import altair as alt

    chart = entry.chart
    if chart is None:
        raise BadInput(f"{entry.name} has no picture")
    long = [
        {"x": row[chart.x], "records": row[name], "line": name, "panel": row.get(chart.panel or "")}
        for row in rows
        for name in chart.y
        if isinstance(row.get(name), int | float) and isinstance(row.get(chart.x), int | float)
    ]
    kind = "log" if chart.logarithmic else "linear"
    lines = (
        alt.Chart(alt.Data(values=long), width=300, height=220)
        .mark_line(point=True)
        .encode(
            x=alt.X("x:Q", title=chart.x, scale=alt.Scale(type=kind)),
            y=alt.Y("records:Q", title=None, scale=alt.Scale(type=kind)),
            color=alt.Color("line:N", title=None, sort=list(chart.y)),
        )
    )
    if chart.panel is not None:
        lines = lines.facet(facet=alt.Facet("panel:N", title=None), columns=2)
    lines.properties(title=entry.title).save(str(path))
