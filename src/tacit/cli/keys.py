"""``tacit keys``: make a pair of keys, and sign a release with one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.common_options import Force
from tacit.cli.outputs import Outputs, one_output
from tacit.core import BadInput

keys = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


@keys.callback()
def _about() -> None:
    """Make a pair of Ed25519 keys, and sign a release with one."""


@keys.command()
def create(
    name: Annotated[Path, typer.Argument(help="NAME.key and NAME.pub are written.")],
) -> None:
    """Make NAME.key, which you keep to yourself, and NAME.pub, which others verify with."""
    from tacit.report.signatures import fingerprint, new_keys, read_public

    private, public = new_keys()
    files = {"key": Path(f"{name}.key"), "public key": Path(f"{name}.pub")}
    for path in files.values():
        if os.path.lexists(path):  # whoever trusts it could not be told: no --force here
            raise BadInput(f"{path.name} exists, and a key is never overwritten: name another")
    with Outputs(files, inputs={}, force=False) as made:
        old = os.umask(0o077)  # from the first moment on, nobody else may read it
        try:
            made["key"].write(private)
        finally:
            os.umask(old)
        made["public key"].write(public)
    typer.echo(f"written: {name}.key (keep it to yourself), {name}.pub (give it to readers)")
    told = fingerprint(read_public(files["public key"]))
    typer.echo(f"tell readers the fingerprint of {name}.pub by another way: {told}")


@keys.command()
def sign(
    release: Annotated[Path, typer.Argument(help="The release file.")],
    *,
    key: Annotated[Path, typer.Option(help="The private key: NAME.key.")],
    force: Force = False,
) -> None:
    """Write the signature RELEASE.sig beside a release; it says who vouches for the file."""
    from tacit.report.release_file import load
    from tacit.report.signatures import read_private, signature_path
    from tacit.report.signatures import sign as make

    load(release).check_whole()  # only what can be read and is whole is signed
    text = make(release.read_bytes(), read_private(key))
    beside = signature_path(release)
    inputs: dict[str, Path | None] = {"release": release, "key": key}
    with one_output(beside, inputs=inputs, force=force) as files:
        files["output"].write(text)
    typer.echo(f"written: {beside}")
