"""Read JSON that somebody else wrote: nothing in it can run, hang or exhaust anything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tacit.core.errors import BadInput

Stored = Mapping[str, Any]
"""A JSON object that a file held, as ``json`` types it: each part is checked where it is read."""

DEEPEST = 100
"""More levels than any rule, event or certificate of ours has."""

LARGEST = 1 << 26
"""Bytes of the longest file that is read: 64 MiB."""


def check_depth(record: object) -> None:
    """Refuse a record with more than ``DEEPEST`` levels of lists and objects."""
    level, depth = [record], 0
    while level:
        if depth > DEEPEST:
            raise BadInput(f"this record is nested more than {DEEPEST} levels deep")
        inner: list[object] = []
        for part in level:
            if isinstance(part, dict):
                inner += part.values()
            elif isinstance(part, (list, tuple)):
                inner += part
        level, depth = inner, depth + 1


def kinds(record: object) -> set[str]:
    """The kinds that a record and everything in it name, however deep."""
    found, left = set(), [record]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            left += part.values()
            found.add(str(part.get("kind")))
        elif isinstance(part, (list, tuple)):
            left += part
    return found


def below(limit: int, value: object) -> int:
    """A whole number from 0 to ``limit - 1``, maybe as text; ``ValueError`` for any other."""
    number = int(str(value))
    if not 0 <= number < limit:
        raise ValueError("a number out of range")
    return number


def parse(text: str | bytes, *, name: str) -> dict[str, Any]:
    """Read a JSON object; ``name`` is the file that errors speak of.

    Refused: what is no JSON by the standard (``NaN``), a key given twice, too many
    levels, more than 64 MiB, text that is not UTF-8.
    """
    if len(text) > LARGEST:
        raise BadInput(f"{name} is longer than {LARGEST >> 20} MiB; it is no file of ours")
    try:
        record = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise BadInput(f"{name} is not a JSON file that Tacit wrote") from None
    if not isinstance(record, dict):
        raise BadInput(f"{name} is not a JSON file that Tacit wrote")
    check_depth(record)
    return record


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a key stands twice")
    return record


def _refuse(constant: str) -> object:
    raise ValueError(constant)
