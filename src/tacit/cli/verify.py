"""``tacit verify``: check a release file without its data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.common_options import AsJson


def verify(
    release: Annotated[Path, typer.Argument(help="The release file.")],
    *,
    ledger: Annotated[str | None, typer.Option(help="The ledger that paid for it.")] = None,
    key: Annotated[Path | None, typer.Option(help="The signer's public key: NAME.pub.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compute every number of a certificate anew; say what holds and what is only claimed.

    No data are needed. The exit code is 0 if nothing failed, else 2.
    """
    from tacit.accounting import Ledger
    from tacit.report.signatures import read_public
    from tacit.report.verify import verify as check

    book = None if ledger is None else Ledger.open_existing(ledger)
    public = None if key is None else read_public(key)
    verdict = check(release, ledger=book, key=public)
    if as_json:
        typer.echo(json.dumps(verdict.to_dict(), indent=2))
    else:
        typer.echo(str(verdict))
        typer.echo("\nNothing failed." if verdict else "\nDO NOT RELY ON THIS RELEASE.")
    if not verdict:
        raise typer.Exit(2)
