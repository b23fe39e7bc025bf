"""``tacit serve``: the page in a browser on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.core import BadInput


def serve(
    *,
    data: Annotated[
        Path | None,
        typer.Option(
            help="The folder with tables, schemas, ledgers and releases; no other is read."
        ),
    ] = None,
    port: Annotated[int, typer.Option(help="0 takes any that is free.", min=0, max=65535)] = 0,
) -> None:
    """Show the page to the browser of this machine, until Ctrl-C.

    It listens on this machine only, loads nothing from elsewhere, and needs the secret in the
    address that is printed. Every spend is shown first and confirmed.
    """
    try:
        from tacit.page.server import serve as start
    except ImportError:
        raise BadInput("the page needs an extra: pip install 'tacit[page]'") from None

    def tell(address: str) -> None:
        typer.echo(
            f"Open {address}\nThe address holds a secret: share it with nobody. Ctrl-C ends."
        )

    try:
        start(folder=data, port=port, tell=tell)
    except KeyboardInterrupt:  # a second time: whatever still ran was given up
        typer.echo("ended at once; the ledger shows what was spent", err=True)
        raise typer.Exit(130) from None
    typer.echo("ended")
