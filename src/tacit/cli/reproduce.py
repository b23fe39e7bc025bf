"""``tacit reproduce``: the tables and separations of the five papers, made again."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer


def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(help="Names from --list, or all.", show_default=False)
    ] = None,
    *,
    listed: Annotated[bool, typer.Option("--list", help="List what can be made again.")] = False,
    planned: Annotated[
        bool, typer.Option("--planned", help="Planned numbers only: under a minute.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Few simulations (the default): minutes.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Many simulations: hours.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="The folder for tables, pictures and parts. [default: reproduced; with --planned "
            "none]",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes at a time.", min=1)] = 2,
) -> None:
    """Make tables and separating examples of the papers again: planned, needed, measured.

    Results are Markdown, CSV and (with the plots extra) SVG in the folder. Finished parts are
    kept there: the same command goes on where an interrupted one stopped. --planned prints, and
    writes only where --out is given.
    """
    from tacit.core import BadInput
    from tacit.reproduce import reproduce as make
    from tacit.reproduce.render import markdown, write

    if listed or not names:
        _list()
        return
    chosen = [word for word, on in (("planned", planned), ("quick", quick), ("full", full)) if on]
    if len(chosen) > 1:
        raise BadInput(f"give one of {', '.join(f'--{word}' for word in chosen)}")

    effort = chosen[0] if chosen else "quick"
    folder = Path("reproduced") if out is None and not planned else out
    if folder is not None:
        typer.echo(f"tables and parts go to the folder {folder}", err=True)
    with TemporaryDirectory() as nowhere:
        parts = Path(nowhere) if folder is None else folder
        outcomes = make(names, effort=effort, folder=parts, workers=workers, progress=_tell)
    for outcome in outcomes:
        typer.echo(markdown(outcome, pictures=None if folder is None else folder.name))
        if folder is not None:
            write(outcome, folder)
    failed = [outcome.experiment.name for outcome in outcomes if outcome.missing]
    if failed:
        raise BadInput(
            f"not finished: {', '.join(failed)}; what is done is kept, run the command again"
        )


def _list() -> None:
    from tacit.reproduce import experiments

    width = max(len(entry.name) for entry in experiments())
    for entry in experiments():
        typer.echo(f"{entry.name:<{width}}  {entry.title}")


def _tell(words: str) -> None:
    if sys.stderr.isatty():
        typer.echo(words, err=True)
