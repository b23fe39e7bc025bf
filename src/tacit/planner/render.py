"""A plan for terminals, notebooks and plain text."""

from __future__ import annotations

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
    """A small table for notebooks."""
    head = "".join(f"<th>{escape(name)}</th>" for name in _COLUMNS)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows(plan)
    )
    title, caption = escape(plan.task.describe()), escape(_caption(plan))
    return (
        f"<table><caption>{title}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table><p>{caption}</p>"
    )
