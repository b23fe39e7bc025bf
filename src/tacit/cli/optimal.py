"""``tacit optimal``: how well the best private learner of a tiny class can do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.common_options import AsJson, RelationWord
from tacit.cli.task import read_class
from tacit.core import BadInput, Relation
from tacit.core.numbers import exact, probability, show

if TYPE_CHECKING:
    from tacit.checks.optimal import Optimum


def optimal(
    *,
    concepts: Annotated[str, typer.Option("--class", help="points, thresholds or table.")],
    n: Annotated[int, typer.Option(help="Number of records.")],
    epsilon: Annotated[str, typer.Option(help="Privacy.")] = "1",
    delta: Annotated[str, typer.Option(help="Privacy.")] = "0",
    alpha: Annotated[str, typer.Option(help="The error that still counts as good.")] = "3/10",
    size: Annotated[int | None, typer.Option(help="How many values the domain has.")] = None,
    matrix: Annotated[Path | None, typer.Option(help="CSV of 0s and 1s, for table.")] = None,
    orientation: Annotated[str, typer.Option(help="Of thresholds: >=, < or <=.")] = ">=",
    relation: RelationWord = "replace-one",
    setting: Annotated[str, typer.Option(help="realizable or agnostic.")] = "realizable",
    output: Annotated[str, typer.Option(help="proper, or any: every labelling.")] = "proper",
    grid: Annotated[str, typer.Option(help="Laws give every value a multiple of this.")] = "1/10",
    learner: Annotated[bool, typer.Option("--learner", help="Also print the learner.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find the least failure that any private learner of a tiny class can promise.

    A linear program over all private mechanisms; its dual, checked in rationals, proves that
    no learner does better, on any law.
    """
    from tacit.checks.optimal import Question, concepts_of
    from tacit.checks.optimal import optimal as solve
    from tacit.theory.dimensions.incidence import read

    if output not in ("proper", "any", "improper"):
        raise BadInput("--output must be proper or any")
    named = read_class(concepts=concepts, size=size, orientation=orientation, matrix=matrix)
    table = read(named)
    rows: Any = [[row >> x & 1 for x in range(table.points)] for row in table.rows]
    found = solve(
        Question(
            concepts=concepts_of(rows),
            n=n,
            epsilon=exact(epsilon, name="epsilon"),
            delta=exact(delta, name="delta"),
            alpha=probability(alpha, name="alpha"),
            grid=probability(grid, name="grid"),
            relation=Relation.read(relation),
            setting=setting,
            proper=output == "proper",
        )
    )
    if as_json:
        typer.echo(json.dumps(_record(found), indent=1))
        return
    typer.echo(
        f"No private learner fails less often than {float(found.certified):.6f} on every law:\n"
        f"  proved in rationals, from {len(found.weights)} of {found.laws} laws.\n"
        f"The best learner on these laws fails with probability {found.failure:.6f}\n"
        f"  (floating point; on laws between those of the grid it may fail more often)."
    )
    if learner:
        for data, chances in found.learner:
            shown = ", ".join(f"{x}:{y}" for x, y in data) or "no records"
            typer.echo(f"  {shown}  ->  " + "  ".join(f"{chance:.4f}" for chance in chances))


def _record(found: Optimum) -> dict[str, Any]:
    return {
        "failure": found.failure,
        "certified": show(found.certified),
        "certified_float": float(found.certified),
        "laws": found.laws,
        "hardest": [
            {"masses": [show(m) for m in law], "weight": show(weight)}
            for law, weight in found.weights
        ],
        "answers": [[int(said) for said in answer] for answer in found.answers],
        "learner": [
            {"records": [list(record) for record in data], "chances": list(chances)}
            for data, chances in found.learner
        ],
    }
