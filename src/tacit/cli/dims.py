"""``tacit dims``: dimensions of a class, with witnesses that can be checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.common_options import AsJson, Force
from tacit.cli.outputs import one_output
from tacit.core import BadInput
from tacit.core.numbers import exact, probability

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.theory.dimensions import Measured, Witness

_FAST = ("vc", "littlestone", "thresholds")
_ALL = (*_FAST, "deterministic", "probabilistic", "public", "private", "doubling")


def dims(
    *,
    table: Annotated[Path, typer.Argument(help="CSV of 0s and 1s, one rule a line.")],
    everything: Annotated[
        bool, typer.Option("--all", help="Also representation, communication, doubling.")
    ] = False,
    only: Annotated[
        list[str] | None, typer.Option(help=f"Some of: {', '.join(_ALL)}. May be repeated.")
    ] = None,
    alpha: Annotated[str, typer.Option(help="Error of representations and protocols.")] = "1/3",
    beta: Annotated[str, typer.Option(help="Failure of random representations.")] = "1/3",
    epsilon: Annotated[str, typer.Option(help="Privacy, for the records that follow.")] = "1",
    time_limit: Annotated[
        float, typer.Option(help="Seconds for each; then a proved interval is shown.")
    ] = 30.0,
    save: Annotated[
        Path | None, typer.Option(help="Write the witnesses to this JSON file.")
    ] = None,
    verify: Annotated[
        Path | None, typer.Option(help="Check the witnesses in this file instead.")
    ] = None,
    draw: Annotated[Path | None, typer.Option(help="Write SVG pictures into this folder.")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Compute dimensions of a class, or check witnesses of them."""
    from tacit.theory.dimensions.incidence import read

    matrix = read(table)
    if verify is not None:
        _check(verify, matrix)
        return
    names = tuple(only) if only else (_ALL if everything else _FAST)
    unknown = set(names) - set(_ALL)
    if unknown:
        raise BadInput(f"--only must be one of {', '.join(_ALL)}")
    runs = searches(alpha=alpha, beta=beta, time_limit=time_limit)
    found = {name: _watched(name, runs[name], matrix) for name in names}
    witnesses = [c for one in found.values() for c in one.witnesses]
    if save is not None:
        with one_output(save, inputs={"class": table}, force=force) as files:
            files["output"].write(json.dumps([c.to_dict() for c in witnesses], indent=1) + "\n")
    if draw is not None:
        _pictures(draw, witnesses, matrix, force=force)
    consequences = _consequences(found, matrix, epsilon=epsilon, alpha=alpha, beta=beta)
    if as_json:
        typer.echo(json.dumps(_record(found, consequences), indent=1))
    else:
        _print(found, consequences, matrix)


def searches(*, alpha: str, beta: str, time_limit: float) -> dict[str, Callable[..., Measured]]:
    """The searches by the names that ``--only`` takes."""
    from tacit import dimensions as d

    error, failure = probability(alpha, name="alpha"), probability(beta, name="beta")
    limit: dict[str, Any] = {"time_limit": time_limit}
    return {
        "vc": lambda m, **w: d.vc(m, **limit, **w),
        "littlestone": lambda m, **w: d.littlestone(m, **limit, **w),
        "thresholds": lambda m, **w: d.thresholds_within(m, **limit, **w),
        "deterministic": lambda m, **w: d.representation(m, alpha=error, **limit, **w),
        "probabilistic": lambda m, **w: d.representation(
            m, alpha=error, beta=failure, **limit, **w
        ),
        "public": lambda m, **w: d.communication(m, error=error, **limit, **w),
        "private": lambda m, **w: d.communication(m, error=error, coins="private", **limit, **w),
        "doubling": lambda m, **w: d.doubling(m, **limit, **w),
    }


def _watched(name: str, run: Callable[..., Measured], matrix: Any) -> Measured:
    """Run a search; a terminal sees how far it got."""
    from rich.console import Console

    console = Console(stderr=True)
    with console.status(f"{name} ...") as status:
        return run(matrix, progress=lambda line: status.update(f"{name}: {line}"))


def _check(path: Path, matrix: Any) -> None:
    """Read and verify every witness; one that fails makes the command fail."""
    from tacit.theory.dimensions import why_not, witness_from_dict

    try:
        listed = json.loads(path.read_text())
        records = listed if isinstance(listed, list) else [listed]
        witnesses = [witness_from_dict(record) for record in records]
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, AttributeError):
        raise BadInput(f"cannot read witnesses from {path}") from None
    refused = 0
    for witness in witnesses:
        reason = why_not(witness, matrix)
        refused += reason is not None
        typer.echo(f"{witness.says()}: {'proved' if reason is None else f'REFUSED: {reason}'}")
    if refused:
        raise BadInput(f"{refused} of {len(witnesses)} witnesses do not prove what they say")


def _pictures(folder: Path, witnesses: list[Witness], matrix: Any, *, force: bool) -> None:
    from tacit.theory.dimensions.draw import svg
    from tacit.theory.dimensions.witnesses import MistakeTree, ShatteredSet

    folder.mkdir(parents=True, exist_ok=True)
    for witness in witnesses:
        if isinstance(witness, (MistakeTree, ShatteredSet)):
            name = "mistake_tree" if isinstance(witness, MistakeTree) else "shattered_set"
            with one_output(folder / f"{name}.svg", inputs={}, force=force) as files:
                files["output"].write(svg(witness, matrix))


def _consequences(
    found: dict[str, Measured], matrix: Any, *, epsilon: str, alpha: str, beta: str
) -> list[Any]:
    """The records that follow, if VC and Littlestone dimension were computed."""
    from tacit.theory.dimensions.implied import records

    if not {"vc", "littlestone"} <= set(found):
        return []
    return records(
        concepts=len(matrix.distinct),
        vc=found["vc"].most,
        littlestone=found["littlestone"].least,
        epsilon=exact(epsilon, name="epsilon"),
        alpha=exact(alpha, name="alpha"),
        beta=exact(beta, name="beta"),
        hypotheses=found["probabilistic"].least if "probabilistic" in found else None,
    )


def _record(found: dict[str, Measured], consequences: list[Any]) -> dict[str, Any]:
    return {
        "dimensions": {
            name: {
                "quantity": one.quantity,
                "lower": one.lower,
                "upper": one.upper,
                "unit": one.unit,
                "seconds": round(one.seconds, 3),
                "proved": [witness.says() for witness in one.witnesses],
            }
            for name, one in found.items()
        },
        "records": [
            {"what": row.what, "n": row.bound.n, "by": row.bound.claim.cite} for row in consequences
        ],
    }


def _print(found: dict[str, Measured], consequences: list[Any], matrix: Any) -> None:
    from rich.console import Console
    from rich.table import Table

    shape = f"{matrix.concepts} concepts on {matrix.points} points"
    sheet = Table(title=f"{shape} ({len(matrix.distinct)} different)")
    for heading in ("dimension", "value", "proved by witness", "seconds"):
        sheet.add_column(heading)
    for one in found.values():
        quantity, _, value = str(one).partition(" = ")
        proved = "\n".join(witness.says() for witness in one.witnesses)
        if one.decided and one.upper_by in ("search", "counting"):
            proved += f"\n(above: {one.upper_by})"
        sheet.add_row(quantity, value, proved, f"{one.seconds:.2f}")
    console = Console()
    console.print(sheet)
    for row in consequences:
        console.print(f"{row.what}: {row.bound.n} records ({row.bound.claim.cite})")
