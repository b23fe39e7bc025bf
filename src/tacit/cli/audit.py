"""``tacit audit``: is a mechanism as private as it says? Ours, or any function."""

from __future__ import annotations

import importlib
import json
import os
import sys
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.common_options import AsJson, Force
from tacit.cli.outputs import Outputs
from tacit.core import BadInput
from tacit.core.numbers import exact as read_exact
from tacit.core.numbers import positive

if TYPE_CHECKING:
    from collections.abc import Callable

_LIST = "list"


def audit(
    *,
    name: Annotated[
        str,
        typer.Argument(
            help="A registered mechanism or algorithm (`list` names them all), or "
            "module:function of the data."
        ),
    ],
    epsilon: Annotated[str, typer.Option(help="The claim.")] = "1",
    delta: Annotated[str | None, typer.Option(help="The claim; default its own, or 0.")] = None,
    budget: Annotated[str, typer.Option(help="Time, such as 30s or 2m.")] = "30s",
    pairs: Annotated[
        str | None,
        typer.Option(
            help="module:function giving neighbouring (data, data') pairs; "
            "default: lists of zeros and ones."
        ),
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Write to .html or .json.")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Look for a violation: exactly on a tiny domain where the law is known, and by sampling.

    The exit code is 2 if the claim is certainly broken.
    """
    if name == _LIST:
        _list_names(as_json=as_json)
        return
    seconds = read_seconds(budget)
    if save is not None:
        _check_kind(save)
    with Outputs({"output": save}, inputs={}, force=force) as files:
        if ":" in name:
            found, notes = _anybodys(name, pairs, epsilon=epsilon, delta=delta, seconds=seconds)
        else:
            found, notes = _ours(name, epsilon=epsilon, delta=delta, seconds=seconds)
        if "output" in files:
            from tacit.checks.audit.report import write

            write(found, files["output"].draft, notes=notes)
            files["output"].publish()
    broken = any(one.violated for one in found)
    if as_json:
        record = {"audits": [one.to_dict() for one in found], "notes": notes, "violated": broken}
        typer.echo(json.dumps(record, indent=2))
    else:
        _show(found, notes)
        if save is not None:
            typer.echo(f"written: {save}")
    if broken:
        raise typer.Exit(2)


def _list_names(*, as_json: bool) -> None:
    """Print every name that can be audited, a line each."""
    from tacit.checks.audit.instances import everything

    names = sorted({one.name for one in everything()})
    typer.echo(json.dumps({"names": names}, indent=2) if as_json else "\n".join(names))


def read_seconds(text: str) -> float:
    """``30s``, ``2m`` or a bare number of seconds."""
    units = {"s": 1, "m": 60, "h": 3600}
    number, unit = (text[:-1], units[text[-1]]) if text and text[-1] in units else (text, 1)
    try:
        return float(positive(number, name="budget") * unit)
    except BadInput:
        raise BadInput("--budget must be a time above 0, such as 30s, 2m or 1h") from None


def _check_kind(path: Path) -> None:
    if path.suffix.lower() not in (".html", ".json"):
        raise BadInput("an audit is written as .html or .json")
    if path.suffix.lower() == ".html" and not all(map(find_spec, ("altair", "vl_convert"))):
        raise BadInput("pages need the plots extra: pip install 'tacit[plots]'; or name a .json")


def load(where: str) -> Callable[..., Any]:
    """The object behind ``module:name``; the present folder is searched as well."""
    module, _, attribute = where.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        found: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as reason:
        raise BadInput(f"there is no {where} ({reason}); name it as module:function") from None
    finally:
        sys.path.pop(0)
    return found


def _anybodys(
    name: str, pairs: str | None, *, epsilon: str, delta: str | None, seconds: float
) -> tuple[list[Any], list[str]]:
    from tacit.checks.audit import estimate

    # Whatever the function prints must not get between the lines of the report.
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), _watch() as progress:
        given = None if pairs is None else list(load(pairs)())
        found = estimate(
            load(name),
            given,
            epsilon=epsilon,
            delta=delta or 0,
            seconds=seconds,
            name=name,
            progress=progress,
        )
    notes = ["No exact law is known for a callable; samples cannot prove privacy."]
    if given is None:
        notes.append(
            "It was given lists of eight zeros and ones; --pairs names a function that gives "
            "other data."
        )
    return [found], notes


def _ours(
    name: str, *, epsilon: str, delta: str | None, seconds: float
) -> tuple[list[Any], list[str]]:
    from tacit.checks.audit.instances import named
    from tacit.checks.audit.registered import audit_target

    target = named(name)
    if target is None:
        raise BadInput(
            f"{name!r} cannot be audited by name: name one that `tacit audit list` prints, or "
            "module:function"
        )
    if delta is not None:
        raise BadInput("a registered mechanism states its own delta; leave --delta out")
    line = audit_target(
        target,
        epsilon=read_exact(epsilon, name="epsilon"),
        seconds=seconds / 2,
        exact_seconds=seconds / 2,
    )
    return [one for one in (line.exact, line.estimate) if one is not None], [
        note for note in (line.said,) if note
    ]


def _watch() -> Any:
    from contextlib import contextmanager

    from rich.console import Console

    @contextmanager
    def watching() -> Any:
        with Console(stderr=True).status("...") as status:
            yield status.update

    return watching()


def _show(found: list[Any], notes: list[str]) -> None:
    for one in found:
        typer.echo(str(one))
        if one.violated:
            typer.echo("THE CLAIM IS BROKEN")
    for note in notes:
        typer.echo(note)
