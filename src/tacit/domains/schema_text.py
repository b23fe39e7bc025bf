"""A schema as a TOML file: read, and written for its owner to fill in."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from tacit.core import BadInput
from tacit.core.said import LONGEST, MOST

_COMMA = re.compile(r"^[ \t]*[A-Za-z_]+[ \t]*=[ \t]*[-+]?\d+,\d+[ \t]*$", flags=re.MULTILINE)
"""A number as it is written where the decimal sign is a comma."""

_PARTS = ("columns", "impossible", "public")

UNDECLARED = "?"
"""Stands where the owner has still to declare something."""


def read_toml(path: Path) -> dict[str, object]:
    """A schema file as a mapping; its numbers are read as decimals, exactly."""
    try:
        return parse_toml(path.read_text(encoding="utf-8"), name=path.name)
    except OSError:
        raise BadInput(f"{path.name}: the schema file cannot be read") from None
    except UnicodeDecodeError as wrong:
        raise BadInput(f"{path.name} is not valid TOML: {wrong}") from None


def parse_toml(text: str, *, name: str) -> dict[str, object]:
    """The text of a schema file as a mapping; ``name`` is what errors call it."""
    try:
        read = tomllib.loads(text, parse_float=str)
    except (tomllib.TOMLDecodeError, RecursionError) as wrong:
        comma = _COMMA.search(text)
        hint = f". Write numbers with a point, not a comma: {comma[0].strip()}" if comma else ""
        raise BadInput(f"{name} is not valid TOML: {wrong}{hint}") from None
    for part in read if "columns" in read else ():  # without, each part is a column
        if part not in _PARTS:
            raise BadInput(
                f"{name} has a part {part!r}, which no schema has: a column is "
                "[columns.NAME], and a combination that cannot be is [[impossible]]"
            )
    return read


def write_toml(columns: Mapping[str, Mapping[str, object]], *, public: tuple[str, ...] = ()) -> str:
    """Column declarations as TOML, with a word on what is still open.

    ``public`` is what a release by this schema must call public.
    """
    lines = ["# Public schema: declare from public knowledge, never from the data."]
    lines += ["", f"public = {_toml(public)}"] if public else []
    for name, record in columns.items():
        lines += ["", f"[columns.{_quote(name)}]"]
        for key, value in record.items():
            mark = "  # declare this" if value in (UNDECLARED, [UNDECLARED]) else ""
            lines.append(f"{key} = {_toml(value)}{mark}")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    return _quote(str(value))


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def said_public(given: object) -> tuple[str, ...]:
    """Public facts from a file: a few short sentences, or a refusal."""
    if not isinstance(given, (list, tuple)) or len(given) > MOST:
        raise BadInput("what a schema calls public must be a short list of sentences")
    if not all(isinstance(one, str) and len(one) <= LONGEST for one in given):
        raise BadInput("what a schema calls public must be a short list of sentences")
    return tuple(given)
