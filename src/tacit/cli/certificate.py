"""``tacit certificate``: the certificate of a release, for people and for registries."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.common_options import Force, SomeFile
from tacit.cli.outputs import one_output
from tacit.core import BadInput


def certificate(
    release: Annotated[Path, typer.Argument(help="The release file.")],
    *,
    form: Annotated[
        str, typer.Option("--format", help="markdown, html, json, registry or in-toto.")
    ] = "markdown",
    key: Annotated[
        Path | None, typer.Option(help="in-toto: sign the envelope with this private key.")
    ] = None,
    output: SomeFile = None,
    force: Force = False,
) -> None:
    """Print the certificate of a release file: one screen, then an annex for specialists.

    The words are made from the file's numbers; `tacit verify` checks the numbers. A file that was
    changed after it was written has no certificate: exit code 2.
    """
    from tacit.report.formats import FORMATS
    from tacit.report.release_file import load
    from tacit.report.signatures import read_private

    if form not in FORMATS:
        raise BadInput(f"--format must be one of {', '.join(FORMATS)}")
    if key is not None and form != "in-toto":
        raise BadInput("--key signs an in-toto envelope: use it with --format in-toto")
    found = load(release)
    found.check_whole()
    text = FORMATS[form](found, None if key is None else read_private(key))
    if output is None:
        typer.echo(text, nl=False)
        return
    with one_output(output, inputs={"release": release, "key": key}, force=force) as files:
        files["output"].write(text)
    typer.echo(f"written: {output}")
