"""The options of ``tacit plan``, in groups."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.common_options import MATRIX, AsJson, Concepts, Cost, Force, Orientation


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectOptions:
    """What is planned: a model over a schema, or a class."""

    schema: Annotated[
        Path | None,
        typer.Option(help="Public schema (TOML) of a table, for --model and classes of tables."),
    ] = None
    model: Annotated[
        str | None,
        typer.Option(help="With --schema: tree (default), rule-list, stump, interval, box, ..."),
    ] = None
    cost: Cost = None
    concepts: Concepts = None
    bits: Annotated[str | None, typer.Option(help="The domain is 0..2^bits-1.")] = None
    size: Annotated[str | None, typer.Option(help="The domain is 0..size-1.")] = None
    orientation: Orientation = None
    matrix: Annotated[str | None, MATRIX] = None

    def words(self) -> dict[str, str | None]:
        """What is said about the class itself."""
        return {
            "cost": self.cost,
            "bits": self.bits,
            "size": self.size,
            "orientation": self.orientation,
            "matrix": self.matrix,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAccuracy:
    """How good an answer is to be."""

    alpha: Annotated[str, typer.Option(help="Error, such as 0.05, 5% or 1/20.")] = "0.1"
    beta: Annotated[str, typer.Option(help="Failure probability.")] = "0.05"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOutput:
    """What is shown and written."""

    n: Annotated[int | None, typer.Option(help="Records at hand: also say what they can do.")] = (
        None
    )
    sweep: Annotated[
        list[str] | None,
        typer.Option(help="A parameter to vary: epsilon=0.1..4 or alpha=0.05,0.1,0.2."),
    ] = None
    save: Annotated[
        Path | None,
        typer.Option("--save", "-o", help="Write to .html, .svg, .png, .csv or .json."),
    ] = None
    force: Force = False
    verbose: Annotated[
        bool,
        typer.Option("--verbose", help="All algorithms and bounds, and why others are not used."),
    ] = False
    as_json: AsJson = False
