"""Options that several commands have: one declaration, one text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Force = Annotated[bool, typer.Option("--force", help="Overwrite output files that exist.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ReleaseAsJson = Annotated[
    bool, typer.Option("--json", help="Print the release as JSON, nothing else.")
]
SomeFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="Where to write; default: the screen.")
]
Epsilon = Annotated[str, typer.Option(help="Privacy, such as 0.5 or 1/2.")]
Delta = Annotated[str, typer.Option(help="0 for pure privacy.")]
RelationWord = Annotated[str, typer.Option(help="replace-one, add-remove or label.")]
CertifiedBeta = Annotated[str, typer.Option(help="Failure probability to certify.")]
Algorithm = Annotated[str | None, typer.Option(help="Default: the plan's best.")]
Concepts = Annotated[
    str | None,
    typer.Option("--class", help="points, thresholds, parities, trees, ...: any public class."),
]
Cost = Annotated[
    str | None,
    typer.Option(
        help="tree, rule, rule-list, stump, score, interval, box, conjunction: what a mistake on "
        "each label costs: yes=20,no=1; or balanced. Of more than two --classes not for interval, "
        "box and conjunction. In learn, of one of several --labels: "
        "smoker:yes=20. In plan an error, and --alpha, is then the mean cost of a record divided "
        "by the greatest cost."
    ),
]
Orientation = Annotated[str | None, typer.Option(help="Of thresholds: >= (default), < or <=.")]
MATRIX = typer.Option(help="CSV of 0s and 1s, one rule a line, for --class table.")
