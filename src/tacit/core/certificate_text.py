"""A certificate as text: a summary, a page in Markdown, and HTML."""

from __future__ import annotations

from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from tacit.core.printable import in_html, in_markdown, one_line
from tacit.core.words import annex, rows

if TYPE_CHECKING:
    from tacit.core.certificate import Certificate

_WIDE = 79
_MOST_LINES = 12


def summary(of: Certificate) -> str:
    """What a reader must know, on half a screen; the certificate says the rest."""
    told = dict(rows(of))
    kept = [name for name in ("Privacy", "Error", "Accuracy", "Budget") if name in told]
    lines = [line for name in kept for line in wrap(one_line(f"{name}: {told[name]}"), _WIDE)]
    return "\n".join(lines)


def shortened(text: str) -> list[str]:
    """The lines of a rule's or table's words for a screen: long ones broken, and not many.

    >>> shortened("a rule")
    ['a rule']
    """
    lines = []
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()))
        lines += wrap(line, _WIDE, initial_indent="", subsequent_indent=f"{indent}  ") or [""]
    if len(lines) > _MOST_LINES:
        left = len(lines) - _MOST_LINES + 1
        lines = [*lines[: _MOST_LINES - 1], f"... {left} more lines"]
    return lines


def page(of: Certificate) -> str:
    """The certificate in Markdown."""
    lines = ["## Certificate", ""]
    lines += [f"- **{name}.** {in_markdown(text)}" for name, text in rows(of)]
    lines += ["", "### For specialists", ""]
    lines += [f"- {in_markdown(line)}" for line in annex(of)]
    return "\n".join(lines)


def html(of: Certificate) -> str:
    """The certificate in HTML, for notebooks and pages."""
    items = "".join(f"<li><b>{escape(name)}.</b> {in_html(text)}</li>" for name, text in rows(of))
    more = "".join(f"<li>{in_html(line)}</li>" for line in annex(of))
    return (
        f"<div><b>Certificate</b><ul>{items}</ul>"
        f"<details><summary>For specialists</summary><ul>{more}</ul></details></div>"
    )
