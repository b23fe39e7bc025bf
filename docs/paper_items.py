"""The statements of the papers one by one: ``paper_items.txt``, read and resolved."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tacit.core import ALGORITHMS, LOWER_BOUNDS, claims
from tacit.reproduce.experiment import named

DOCS = Path(__file__).resolve().parent
HOW_FAR = ("runs", "computed", "shown", "proof", "assumed", "replaced", "not here")
_KINDS = ("learner", "bound", "table", "attack", "erratum")


@dataclass(frozen=True)
class Item:
    """One statement, and where it is here."""

    paper: str
    name: str
    says: str
    how_far: str
    where: tuple[str, ...]

    @property
    def status(self) -> str:
        """How far it is here, and what the registry says of its claims."""
        found = {
            claim.status.value
            for claim in claims()
            if claim.paper == self.paper and claim.locator == self.name
        }
        return ", ".join([self.how_far, *sorted(found)])


def items() -> list[Item]:
    """Every line of the file."""
    found = []
    for line in (DOCS / "paper_items.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            paper, name, says, how_far, where = line.split(" | ")
            found.append(Item(paper, name, says, how_far, tuple(where.split("; "))))
    return found


@cache
def _errata() -> str:
    return (DOCS / "errata.md").read_text(encoding="utf-8")


def shown(where: str) -> str:
    """How to get at it; an error if there is no such thing."""
    kind, _, name = where.partition(" ")
    if kind not in _KINDS:
        module, _, last = where.rpartition(".")
        try:
            getattr(importlib.import_module(module), last)
        except AttributeError:
            importlib.import_module(where)
        return f"`{where}`"
    if kind == "learner":
        return f'`algorithm="{ALGORITHMS[name].name}"`'
    if kind == "bound":
        if not any(entry.name == name for entry in LOWER_BOUNDS):
            raise KeyError(name)
        return f'`tacit plan` ("{name}")'
    if kind == "table":
        return f"`tacit reproduce {named([name])[0].name}`"
    if kind == "attack":
        return f"`tacit attack {name}`"
    if not re.search(rf"^\| {name}(?: †)? \|", _errata(), re.MULTILINE):
        raise KeyError(name)
    return f"[erratum {name}](../errata.md)"


def section(paper: str) -> Iterator[str]:
    """The table of one paper."""
    rows = [item for item in items() if item.paper == paper]
    if not rows:
        return
    yield from (
        "## Item by item",
        "",
        "*Runs*: there is code that does it. *Computed*: a function gives the number, or an "
        "example that others can check. *Shown*: a table or an attack shows it. *Proof*: it is "
        "a step of a proof. *Proved*, *cited* and *idealised* are what the registry says of "
        "the statement.",
        "",
        "| item | what it is | here | where, and how to run it |",
        "|---|---|---|---|",
    )
    for item in rows:
        places = ", ".join(shown(where) for where in item.where)
        yield f"| **{item.name}** | {item.says} | {item.status} | {places} |"
    yield ""
