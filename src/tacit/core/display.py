"""How released things look in a notebook: their words, and their drawing where they have one.

Everything shown is public or was released; all of it is escaped.
"""

from __future__ import annotations

import importlib
from html import escape
from typing import Protocol, runtime_checkable


@runtime_checkable
class Described(Protocol):
    """Something that says in words what it is."""

    def describe(self) -> str: ...


def drawing_of(released: object) -> str | None:
    """The drawing of a rule or table, as SVG; ``None`` if it has none."""
    # By name: the report draws what the layers above this one define.
    found = importlib.import_module("tacit.report.drawing").drawing(released)
    return None if found is None else str(found)


def html_of(released: Described) -> str:
    """A rule or a table for a notebook: its words, then its drawing."""
    drawn = drawing_of(released)
    words = f"<pre style='white-space:pre-wrap'>{escape(released.describe())}</pre>"
    return f"<div>{words}{drawn or ''}</div>"
