"""Plans over a grid of parameters: a table, a chart, a file."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tacit.core import BadInput, Task
from tacit.core.numbers import Number, exact
from tacit.planner.plans import Plan

if TYPE_CHECKING:
    import altair


class Plans(Protocol):
    def __call__(self, task: Task) -> Plan: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One algorithm at one point of the grid; ``needed`` is the best lower bound there."""

    at: Mapping[str, float]
    algorithm: str
    records: int
    needed: int | None
    best: bool

    def flat(self) -> dict[str, Any]:
        """For tables: parameters first."""
        return {
            **self.at,
            "algorithm": self.algorithm,
            "records": self.records,
            "needed": self.needed,
            "best": self.best,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Plans over a grid. ``axes`` names the parameters, the first one runs along the chart."""

    task: Task
    axes: tuple[str, ...]
    plans: tuple[tuple[Mapping[str, float], Plan], ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every option at every grid point."""
        return tuple(
            Row(
                at=at,
                algorithm=option.name,
                records=option.n,
                needed=plan.lower_bounds[0].n if plan.lower_bounds else None,
                best=option is plan.best,
            )
            for at, plan in self.plans
            for option in plan.options
        )

    @property
    def crossovers(self) -> tuple[Row, ...]:
        """Best rows whose algorithm differs from the best one a step before."""
        found = []
        last: dict[tuple[float, ...], str] = {}
        for row in self.rows:
            if not row.best:
                continue
            group = tuple(row.at[name] for name in self.axes[1:])
            if last.get(group, row.algorithm) != row.algorithm:
                found.append(row)
            last[group] = row.algorithm
        return tuple(found)

    def chart(self) -> altair.Chart | altair.LayerChart | altair.FacetChart:
        """Records against the first parameter; needs the ``plots`` extra."""
        from tacit.planner.charts import chart

        return chart(self)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        return {
            "task": self.task.describe(),
            "axes": list(self.axes),
            "rows": [row.flat() for row in self.rows],
        }

    def save(self, path: str | Path) -> Path:
        """Write html, svg or png (the chart), csv or json (the rows), by the suffix."""
        target = Path(path)
        kind = target.suffix.lower()
        if kind == ".json":
            target.write_text(json.dumps(self.to_dict(), indent=1) + "\n", encoding="utf-8")
        elif kind == ".csv":
            names = [*self.axes, "algorithm", "records", "needed", "best"]
            with target.open("w", newline="", encoding="utf-8") as stream:
                writer = csv.DictWriter(stream, fieldnames=names)
                writer.writeheader()
                writer.writerows(row.flat() for row in self.rows)
        elif kind in (".html", ".svg", ".png"):
            from tacit.planner.charts import write

            write(self, target)
        else:
            raise BadInput("a sweep is saved as .html, .svg, .png, .csv or .json")
        return target


def sweep(task: Task, *, axes: Mapping[str, Sequence[Number]], planner: Plans) -> Sweep:
    """Plan at every point of the grid; values are read exactly and put in order."""
    grid = {name: sorted({exact(v, name=name) for v in values}) for name, values in axes.items()}
    names = tuple(grid)
    plans = []
    for values in product(*grid.values()):
        changes: dict[str, Any] = dict(zip(names, values, strict=True))
        at = {name: float(value) for name, value in changes.items()}
        plans.append((at, planner(task.with_(**changes))))
    return Sweep(task=task, axes=names, plans=tuple(plans))
