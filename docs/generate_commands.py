"""The command-line reference, read from the commands themselves."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperGroup


def page() -> str:
    """One section a command: what it does, its arguments, its options."""
    from tacit.cli import COMMANDS

    parts = ["# Command line\n", "Read from the commands of this version.\n"]
    for name, words in COMMANDS.items():
        function = getattr(importlib.import_module(f"tacit.cli.{name}"), name)
        app = function
        if not isinstance(function, typer.Typer):
            app = typer.Typer(add_completion=False)
            app.command(name)(function)
        parts.append(f"## tacit {name}\n\n{words}\n")
        parts += _command(typer.main.get_command(app), f"tacit {name}")
    return "\n".join(parts)


def _command(command: Any, name: str, *, inner: bool = False) -> Iterator[str]:
    if isinstance(command, TyperGroup):
        for word in sorted(command.commands):
            yield f"### {name} {word}\n"
            yield from _command(command.commands[word], f"{name} {word}", inner=True)
        return
    # The first sentence of a command stands above it already, in other words.
    words = (command.help or "").replace("\b", "")
    words = words if inner else words.partition("\n\n")[2]
    if words:
        yield _typed(words) + "\n"
    rows = [_row(parameter) for parameter in command.params if not getattr(parameter, "hidden", 0)]
    if rows:
        yield "| option | what it says | default |\n|---|---|---|"
        yield "\n".join(rows) + "\n"


def _row(parameter: Any) -> str:
    names = ", ".join(f"`{word}`" for word in (*parameter.opts, *parameter.secondary_opts))
    if parameter.param_type_name == "argument":
        names = f"`{(parameter.metavar or parameter.name).upper()}`"
    words = _typed(str(getattr(parameter, "help", None) or ""))
    words = words.replace("|", "\\|").replace("\n", " ")
    plain = isinstance(parameter.default, str | int | float) and parameter.default is not False
    default = f"`{parameter.default}`" if plain and parameter.default != "" else ""
    return f"| {names} | {words} | {default} |"


_OPTION = re.compile(r"(?<![\w`-])(--?[a-z][a-z-]*)(?![\w`])")


def _typed(words: str) -> str:
    """Options that are named in a text, as code: a page must not change their signs.

    >>> _typed("needs --negative, as `--schema s.toml` says")
    'needs `--negative`, as `--schema s.toml` says'
    """
    parts = re.split(r"(`[^`]*`)", words)
    return "".join(p if p.startswith("`") else _OPTION.sub(r"`\1`", p) for p in parts)
