"""Mutated schema files: a schema, or clear words, and soon."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

from tacit.core import BadInput
from tacit.domains.schema import Schema


class Wrong(AssertionError):
    """Something happened that must not happen, whatever the file holds."""


SCHEMA = """\
[columns.age]
kind = "number"
low = 0
high = 120.5
bins = 16

[columns."a b"]
kind = "integer"
low = -3
high = 3
missing = true

[columns.ward]
kind = "category"
values = ["north", "süd", 3]

[columns.ok]
kind = "boolean"
"""
_BITS = ["[", "]", '"', "=", "\n", ".", "columns", "kind", "low", "high", "values", "bins", "cuts"]
_BITS += [
    "missing",
    "1e999",
    "-1",
    "0",
    "99999999999",
    "1e99999999",
    "nan",
    "inf",
    "true",
    "{}",
    "[]",
]
_BITS += [
    '"?"',
    '"category"',
    '"number"',
    '"date"',
    "2024-05-01",
    "'x'",
    "[[1]]",
    "\0",
    "\ud7ff",
    "#",
]


def fuzz_schema(draw: random.Random, folder: Path) -> str:
    """One mutated schema file: a schema, or clear words."""
    text = bytearray(SCHEMA.encode())
    for _ in range(draw.choice([1, 1, 2, 3, 6])):
        place = draw.randrange(len(text) + 1)
        kind = draw.randrange(4)
        if kind == 0:
            text[place:place] = draw.choice(_BITS).encode()
        elif kind == 1:
            del text[place : place + draw.choice([1, 1, 3, 10])]
        elif kind == 2:
            text[place : place + 1] = draw.randbytes(1)
        else:
            words = list(re.finditer(rb"[\w.\-]+|\"[^\"\n]*\"", bytes(text)))
            if words:
                word = draw.choice(words)
                text[word.start() : word.end()] = draw.choice(_BITS).encode()
    path = folder / "s.toml"
    path.write_bytes(text)
    started = time.monotonic()
    try:
        schema = Schema.of(path)
        if any(cells < 1 for cells in schema.cells):
            raise Wrong("a column without cells")
        outcome = "read"
    except BadInput as refused:
        if len(str(refused)) < 10 or "Error" in str(refused):
            raise Wrong(f"not clear: {refused}") from None
        outcome = "refused"
    if time.monotonic() - started > 5:
        raise Wrong("reading a schema took more than five seconds")
    return outcome
