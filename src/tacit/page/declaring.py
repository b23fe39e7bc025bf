"""The schema editor: from the fields of a form to declared columns, and back."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass

from tacit.core import BadInput
from tacit.domains.schema import KINDS
from tacit.domains.schema_text import UNDECLARED

Declared = dict[str, dict[str, object]]

_PLAIN = ("low", "high", "format", "cells")
_TAKEN = {
    "number": ("low", "high", "bins"),
    "integer": ("low", "high", "bins"),
    "date": ("low", "high", "cells", "format"),
    "category": ("values", "ordered"),
    "boolean": (),
}
KIND_NAMES = tuple(KINDS)
MISSING = {
    "": "share a cell with anything undeclared",
    "own": "have a cell of their own",
    "complete": "cannot occur, nor anything undeclared",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One column in the editor: its name, what its type says, and what stands in its fields."""

    place: int
    name: str
    type: str
    used: bool
    fields: Mapping[str, str]

    def key(self, field: str) -> str:
        """The name of one of its fields in the form."""
        return f"{field}.{self.place}"


def rows(
    types: Mapping[str, object],
    form: Mapping[str, str],
    proposed: Mapping[str, Mapping[str, object]],
) -> list[Row]:
    """The columns of a header, filled in from the form or else from a proposal."""
    sent = any(name.startswith("kind.") for name in form)
    found = []
    for place, (name, kind) in enumerate(types.items()):
        given = proposed.get(name, {})
        start = {key: _written(value) for key, value in given.items()}
        if given.get("complete"):
            start["missing"] = "complete"
        keys = ("kind", *_PLAIN, "bins", "values", "ordered", "missing")
        fields = {
            key: form.get(f"{key}.{place}", "") if sent else start.get(key, "") for key in keys
        }
        used = form.get(f"use.{place}") == "yes" if sent else bool(given) or not proposed
        words = "" if kind is None else str(kind)
        found.append(Row(place=place, name=name, type=words, used=used, fields=fields))
    return found


def _written(value: object) -> str:
    if value == UNDECLARED or value == [UNDECLARED]:
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, (list, tuple)):
        return ", ".join(str(one) for one in value)
    return str(value)


def declared(rows: list[Row], *, without: tuple[str | None, ...]) -> Declared:
    """The columns that a rule may ask about, as a schema file declares them.

    ``without``  the label, and the column that tells persons apart.
    """
    found = {row.name: _column(row) for row in rows if row.used and row.name not in without}
    if not found:
        raise BadInput("use at least one column besides the label")
    return found


def _column(row: Row) -> dict[str, object]:
    kind = row.fields["kind"]
    if kind not in _TAKEN:
        raise BadInput(f"column {row.name!r}: declare its kind, or do not use it")
    column: dict[str, object] = {"kind": kind}
    for key in _TAKEN[kind]:
        word = row.fields[key]
        if key == "values":
            column[key] = _listed(word, name=row.name)
        elif key == "ordered":
            column |= {key: True} if word == "yes" else {}
        elif word:
            column[key] = int(word) if key == "bins" and word.isdecimal() else _number(word, key)
        elif key in ("low", "high"):
            column[key] = UNDECLARED
    if row.fields["missing"] == "own":
        column["missing"] = "own"
    elif row.fields["missing"] == "complete":
        column["complete"] = True
    return column


def _number(word: str, key: str) -> object:
    whole = word.removeprefix("-").isdecimal() and len(word) < 40
    return int(word) if key in ("low", "high") and whole else word


def _listed(text: str, *, name: str) -> list[object]:
    """Values with commas between them; quoted as in a CSV file if one has a comma itself."""
    lines = text.splitlines() or [""]
    found = [one.strip() for line in csv.reader(lines, skipinitialspace=True) for one in line]
    values = [one for one in found if one]
    if not values:
        raise BadInput(f"column {name!r}: list its values, with commas between them")
    return list(values)
