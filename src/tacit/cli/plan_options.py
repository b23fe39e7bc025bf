"""The options of ``tacit plan``, one name each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.outputs import FORCE

Epsilon = Annotated[str, typer.Option(help="Privacy, such as 0.5 or 1/2.")]
SchemaFile = Annotated[
    Path | None,
    typer.Option(help="Public schema (TOML) of a table, for --model and classes of tables."),
]
Model = Annotated[
    str | None,
    typer.Option(help="With --schema: tree (default), rule-list, stump, interval, box, ..."),
]
Concepts = Annotated[
    str | None,
    typer.Option("--class", help="points, thresholds, parities, trees, ...: any public class."),
]
Bits = Annotated[str | None, typer.Option(help="The domain is 0..2^bits-1.")]
Size = Annotated[str | None, typer.Option(help="The domain is 0..size-1.")]
Orientation = Annotated[str | None, typer.Option(help="Of thresholds: >= (default), < or <=.")]
Matrix = Annotated[
    str | None, typer.Option(help="CSV of 0s and 1s, one rule a line, for --class table.")
]
Alpha = Annotated[str, typer.Option(help="Error, such as 0.05, 5% or 1/20.")]
Beta = Annotated[str, typer.Option(help="Failure probability.")]
Delta = Annotated[str, typer.Option(help="0 for pure privacy.")]
Relation = Annotated[str, typer.Option(help="replace-one, add-remove or label.")]
Setting = Annotated[str, typer.Option(help="agnostic or realizable.")]
OutputKind = Annotated[str, typer.Option("--output-kind", help="any, proper or improper.")]
Goal = Annotated[str, typer.Option(help="learn, or sanitize.")]
Tasks = Annotated[int, typer.Option(help="Concepts to learn from the same records.")]
Questions = Annotated[
    int | None,
    typer.Option(help="Questions about sets of values, asked one by one, that are to be answered."),
]
Marginal = Annotated[
    str,
    typer.Option(
        help="The features' law: any, uniform, or of reals kappa=2, spike=0.01, band=0.3, caps=0.9."
    ),
]
Public = Annotated[
    int | None,
    typer.Option(help="How many public records without labels there are, of the same law."),
]
Records = Annotated[int | None, typer.Option(help="Records at hand: also say what they can do.")]
Sweep = Annotated[
    list[str] | None,
    typer.Option(help="A parameter to vary: epsilon=0.1..4 or alpha=0.05,0.1,0.2."),
]
Save = Annotated[
    Path | None,
    typer.Option("--save", "-o", help="Write to .html, .svg, .png, .csv or .json."),
]
Force = Annotated[bool, typer.Option("--force", help=FORCE)]
Verbose = Annotated[
    bool,
    typer.Option("--verbose", help="All algorithms and bounds, and why others are not used."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
