"""Charts of sweeps. Altair is an extra, so it is imported here and nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacit.core import BadInput
from tacit.planner.sweeps import Sweep

try:
    import altair
except ImportError:  # pragma: no cover - depends on the installation
    raise BadInput("charts need the plots extra: pip install 'tacit[plots]'") from None


def chart(sweep: Sweep) -> Any:
    """Upper and lower bounds as a band, one coloured line per algorithm, crossovers marked.

    A second parameter becomes one panel per value.
    """
    rows = [row.flat() for row in sweep.rows]
    if not rows:
        raise BadInput("no algorithm applies anywhere on this grid, so there is nothing to draw")
    if len(sweep.axes) > 2:
        raise BadInput("a chart shows at most two parameters; sweep fewer, or save as csv")
    x = sweep.axes[0]
    data = altair.Data(values=rows)
    along = altair.X(f"{x}:Q", scale=altair.Scale(type="log"), title=x)
    up = altair.Y("records:Q", scale=altair.Scale(type="log"), title="records")
    band = (
        altair.Chart(data)
        .transform_filter("datum.best && datum.needed != null")
        .mark_area(opacity=0.15, color="gray")
        .encode(x=along, y=up, y2="needed:Q")
    )
    lower = (
        altair.Chart(data)
        .transform_filter("datum.best && datum.needed != null")
        .mark_line(color="black", strokeDash=[4, 3])
        .encode(x=along, y=altair.Y("needed:Q", scale=altair.Scale(type="log")))
    )
    lines = (
        altair.Chart(data)
        .mark_line(point=True)
        .encode(
            x=along,
            y=up,
            color=altair.Color("algorithm:N", title="algorithm"),
            tooltip=[altair.Tooltip(f"{name}:N") for name in rows[0]],
        )
    )
    crossed = {tuple(row.at.values()) for row in sweep.crossovers}
    marks = (
        altair.Chart(
            altair.Data(
                values=[r.flat() for r in sweep.rows if r.best and tuple(r.at.values()) in crossed]
            )
        )
        .mark_point(shape="diamond", size=120, filled=True, color="black")
        .encode(x=along, y=up)
    )
    layers = [band, lower, lines, *([marks] if crossed and len(sweep.axes) == 1 else [])]
    picture = altair.layer(*layers).properties(title=sweep.task.describe(), width=520, height=320)
    if len(sweep.axes) == 1:
        return picture
    return picture.facet(column=altair.Column(f"{sweep.axes[1]}:O"), data=data)


def write(sweep: Sweep, target: Path) -> None:
    """Write the chart; the HTML page carries its scripts and needs no network."""
    picture = chart(sweep)
    if target.suffix.lower() == ".html":
        picture.save(str(target), inline=True)
    else:
        picture.save(str(target))
