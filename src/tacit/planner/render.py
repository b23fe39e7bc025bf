"""A plan for terminals, notebooks and plain text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from rich.box import SIMPLE_HEAD
from rich.table import Table

from tacit.planner.plans import Needed, Option, Plan

_COLUMNS = ("", "records", "printed", "by", "theorem", "largest part")
_NUMBERS = ("records", "printed")


def rows(plan: Plan) -> list[tuple[str, ...]]:
    """One row per option, then one per lower bound.

    Beside our number of records stands what the paper's printed constants give, if it has
    some.
    """
    return [
        *_ranked(plan.options, first="suffices"),
        *_ranked(plan.lower_bounds, first="needed"),
    ]


def _ranked(entries: Sequence[Option | Needed], *, first: str) -> Iterator[tuple[str, ...]]:
    for index, entry in enumerate(entries):
        printed = entry.bound.printed
        yield (
            first if index == 0 else "",
            "no number" if entry.bound.impossible else str(entry.n),
            "" if printed is None else str(printed),
            entry.name if _runs(entry) else f"{entry.name} (records only)",
            entry.claim.cite,
            _top(entry.terms),
        )


def _runs(entry: Option | Needed) -> bool:
    """Whether a computer can run it: an algorithm may be a statement about records alone."""
    return isinstance(entry, Needed) or entry.runs


def _top(terms: object) -> str:
    parts = dict(terms)  # type: ignore[call-overload]
    return str(max(parts, key=parts.get)) if parts else ""


def _caption(plan: Plan) -> str:
    if plan.best is None:
        return "no algorithm applies; see explain()"
    return f"gap: a factor {plan.gap:.2f}" if plan.gap is not None else "no lower bound is known"


def table(plan: Plan) -> Table:
    """A Rich table for terminals; the largest parts are in ``explain`` and ``str``."""
    view = Table(
        title=plan.task.describe(),
        caption=_caption(plan),
        box=SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
    )
    shown = _COLUMNS[:-1]
    for name in shown:
        # A name that is cut short cannot be passed to learn(algorithm=...).
        whole = name != "theorem"
        view.add_column(name, justify="right" if name in _NUMBERS else "left", no_wrap=whole)
    for row in rows(plan):
        view.add_row(*row[: len(shown)])
    return view


def text(plan: Plan) -> str:
    """Plain text, aligned."""
    body = [_COLUMNS, *rows(plan)]
    widths = [max(len(row[i]) for row in body) for i in range(len(_COLUMNS))]
    lines = [plan.task.describe()]
    for row in body:
        cells = [
            cell.rjust(width) if name in _NUMBERS else cell.ljust(width)
            for name, cell, width in zip(_COLUMNS, row, widths, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join([*lines, _caption(plan)])


def html(plan: Plan) -> str:
    """The answer in two lines, a picture of the gap, and a small table; for notebooks."""
    head = "".join(f"<th>{escape(name)}</th>" for name in _COLUMNS)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows(plan)
    )
    title, caption = escape(plan.task.describe()), escape(_caption(plan))
    told = "".join(f"<p>{escape(line)}</p>" for line in plan.summary().splitlines())
    return (
        f"<div>{told}{_picture(plan)}"
        f"<table><caption>{title}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table><p>{caption}</p></div>"
    )


def _picture(plan: Plan) -> str:
    """A line of records, growing tenfold from mark to mark: needed by any, and sufficient."""
    lower = [one.n for one in plan.lower_bounds if not one.bound.impossible and one.n > 0]
    if plan.best is None or not lower:
        return ""
    needed, enough = lower[0], max(plan.best.n, 1)
    first, last = len(str(needed)) - 1, len(str(max(enough, needed)))

    def place(n: int) -> float:
        shift = len(str(n)) - 1
        power = shift + math.log10(n / 10**shift)
        return 20 + 400 * (power - first) / (last - first)

    marks = "".join(
        f'<line x1="{place(10**power):.1f}" x2="{place(10**power):.1f}" y1="26" y2="34" '
        f'stroke="#6b7280"/><text x="{place(10**power):.1f}" y="50" text-anchor="middle">'
        f"{f'{10**power:,}' if power < 7 else f'1e{power}'}</text>"
        for power in range(first, last + 1, max(1, (last - first) // 4))
    )
    words = f"{needed} records are needed by any algorithm, {enough} suffice"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 440 60" width="440" height="60" '
        'role="img" font-family="system-ui, sans-serif" font-size="11">'
        f'<title>{words}</title><rect width="440" height="60" fill="#ffffff"/>'
        '<line x1="20" x2="420" y1="30" y2="30" stroke="#6b7280"/>'
        f'<line x1="{place(needed):.1f}" x2="{place(enough):.1f}" y1="30" y2="30" '
        f'stroke="#1b6ca8" stroke-width="6"/>{marks}'
        f'<text x="{place(needed):.1f}" y="18" text-anchor="middle">needed</text>'
        f'<text x="{place(enough):.1f}" y="18" text-anchor="middle">enough</text></svg>'
    )
