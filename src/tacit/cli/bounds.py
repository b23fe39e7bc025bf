"""``tacit bounds``: every theorem of the package, as a list or at numbers of your own."""

from __future__ import annotations

import difflib
import inspect
import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.classes import EXTRA_OPTIONS, extra_options
from tacit.cli.common_options import AsJson
from tacit.core import BadInput, SampleBound
from tacit.core.numbers import show, whole

if TYPE_CHECKING:
    from tacit.core import Theorem

SETTINGS = EXTRA_OPTIONS
"""What Typer is told about this command."""
_USUAL = {"epsilon": "1", "delta": "0", "beta": "0.05"}
"""What is taken where a theorem needs it and nothing is said."""
_SIZES = ("size", "domain_size")
_MOST_BITS = 4096


def bounds(
    context: typer.Context,
    theorem: Annotated[
        str | None, typer.Argument(help='A citation, such as "BBKN13 Lemma 3.9", or a part of one.')
    ] = None,
    *,
    kind: Annotated[
        str | None, typer.Option(help="Only upper, lower or fact.", rich_help_panel="List")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the theorems, or evaluate one at your numbers.

    For example: tacit bounds "BBKN13 Lemma 3.9" --bits 64 --alpha 0.1. The options of a theorem
    are the parameters of its function; without them it is shown. --bits stands for a size of
    2^bits. What is left out of epsilon, delta and beta is 1, 0 and 0.05.
    """
    from tacit.core import theorems

    kinds = sorted({entry.kind for entry in theorems()})
    if kind not in (None, *kinds):
        raise BadInput(f"--kind must be one of {', '.join(kinds)}")
    found = [entry for entry in theorems() if kind is None or entry.kind == kind]
    if theorem is None:
        _list(found, as_json=as_json)
        return
    chosen = _named(theorem, found)
    takes = {one for entry in chosen for one in _parameters(entry)} | {"bits"}
    given = extra_options(context.args, known=lambda: takes)
    if not given:
        _list(chosen, as_json=as_json, parameters=True)
        return
    asked = [(entry, _asked(entry, given)) for entry in chosen]
    fitting = [(entry, words) for entry, words in asked if set(words) <= set(_parameters(entry))]
    if not fitting:
        raise BadInput(f"{theorem} takes {'; or '.join(_takes(entry) for entry in chosen)}")
    rows = [_evaluated(entry, words) for entry, words in fitting]
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    for row in rows:
        usual = "".join(f", {name} {word}" for name, word in row["usual"].items())
        said = f" (at the usual{usual[1:]})" if usual else ""
        typer.echo(f"{row['theorem']} ({row['function']}): {row['value']}{said}")


def _named(word: str, found: list[Theorem]) -> list[Theorem]:
    exactly = [entry for entry in found if entry.claim.cite == word]
    partly = [entry for entry in found if word.lower() in entry.claim.cite.lower()]
    if exactly or partly:
        return exactly or partly
    near = difflib.get_close_matches(word, [entry.claim.cite for entry in found], n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise BadInput(f"there is no theorem {word!r}{hint}; `tacit bounds` lists them all")


def _parameters(entry: Theorem) -> list[str]:
    return list(inspect.signature(entry.function).parameters)


def _takes(entry: Theorem) -> str:
    return ", ".join(f"--{name.replace('_', '-')}" for name in _parameters(entry))


def _asked(entry: Theorem, given: dict[str, str | None]) -> dict[str, str | None]:
    """The options as this theorem names them: bits are those of its size."""
    known = _parameters(entry)
    sizes = [name for name in _SIZES if name in known]
    if "bits" not in given or "bits" in known or not sizes:
        return given
    if sizes[0] in given:
        size = sizes[0].replace("_", "-")
        raise BadInput(f"--bits and --{size} are one number: give one of them")
    bits = whole(_number(given["bits"] or ""), name="bits", least=1)
    if bits > _MOST_BITS:
        raise BadInput(f"--bits is at most {_MOST_BITS}")
    rest = {name: word for name, word in given.items() if name != "bits"}
    return {sizes[0]: str(1 << bits)} | rest


def _usual(entry: Theorem, given: dict[str, str | None]) -> dict[str, str]:
    """What the theorem needs, has no value for and was not told, as far as it is usual."""
    needed = inspect.signature(entry.function).parameters.values()
    return {
        one.name: _USUAL[one.name]
        for one in needed
        if one.default is one.empty and one.name in _USUAL and one.name not in given
    }


def _evaluated(entry: Theorem, given: dict[str, str | None]) -> dict[str, Any]:
    usual = _usual(entry, given)
    words: dict[str, Any] = {name: _number(word or "") for name, word in (given | usual).items()}
    try:
        value = entry.function(**words)
    except TypeError:
        raise BadInput(f"{entry.claim.cite} takes {_takes(entry)}") from None
    shown = f"{value.n} records" if isinstance(value, SampleBound) else _plain(value)
    return {
        "theorem": entry.claim.cite,
        "function": entry.function.__name__,
        "kind": entry.kind,
        "status": entry.claim.status.value,
        "value": shown,
        "usual": usual,
    }


def _number(word: str) -> Any:
    """Whole numbers as such, other numbers exactly, anything else as a word."""
    if word.isdecimal():
        return int(word)
    from tacit.core.numbers import exact

    try:
        return exact(word, name="number")
    except BadInput:
        return word


def _plain(value: object) -> str:
    from fractions import Fraction

    return show(value) if isinstance(value, Fraction) else str(value)


def _list(found: list[Theorem], *, as_json: bool, parameters: bool = False) -> None:
    if as_json:
        rows = [entry.claim.to_dict() | {"kind": entry.kind} for entry in found]
        typer.echo(json.dumps(rows, indent=2))
        return
    for entry in found:
        typer.echo(f"{entry.claim.cite} [{entry.kind}, {entry.claim.status.value}]")
        typer.echo(f"    {entry.claim.statement}")
        if parameters:
            typer.echo(f"    {entry.function.__name__}: {_takes(entry)}")
