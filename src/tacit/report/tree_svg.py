"""A tree as an SVG drawing: plain, readable in black and white, no script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from tacit.problems.tables.trees import Node, TreeRule, simpler
from tacit.report.tree_text import sides

_WIDE, _HIGH = 190, 96
_BOX_WIDE, _BOX_HIGH = 168, 34


def tree_svg(rule: TreeRule, *, labels: Sequence[str] = ("0", "1")) -> str:
    """The simplified tree; the left branch is the question's "yes"."""
    root = simpler(rule.root)
    leaves = _leaves(root)
    width, height = leaves * _WIDE + 20, _depth(root) * _HIGH + _BOX_HIGH + 20
    body = "\n".join(_draw(root, rule, labels, left=0, level=0))
    title = escape("; ".join(rule.describe().splitlines()))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="13">\n'
        f"<title>{title}</title>\n"
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _leaves(node: Node) -> int:
    return 1 if isinstance(node, bool) else _leaves(node[1]) + _leaves(node[2])


def _depth(node: Node) -> int:
    return 0 if isinstance(node, bool) else 1 + max(_depth(node[1]), _depth(node[2]))


def _place(node: Node, left: int, level: int) -> tuple[float, float]:
    return 10 + (left + _leaves(node) / 2) * _WIDE, 10 + level * _HIGH + _BOX_HIGH / 2


def _draw(
    node: Node, rule: TreeRule, labels: Sequence[str], *, left: int, level: int
) -> Iterator[str]:
    x, y = _place(node, left, level)
    if isinstance(node, bool):
        fill = "#1b6ca8" if node else "#f3f4f6"
        ink = "#ffffff" if node else "#111827"
        yield _box(x, y, labels[int(node)], fill=fill, ink=ink, round_=17)
        return
    words = sides(node, rule)
    starts = (left, left + _leaves(node[1]))
    for below, start, word in zip(node[1:], starts, ("yes", "no"), strict=True):
        child: Any = below
        to_x, to_y = _place(child, start, level + 1)
        yield (
            f'<line x1="{x:g}" y1="{y:g}" x2="{to_x:g}" y2="{to_y:g}" stroke="#6b7280" '
            'stroke-width="1.5"/>'
        )
        yield (
            f'<text x="{(x + to_x) / 2:g}" y="{(y + to_y) / 2:g}" text-anchor="middle" '
            f'fill="#374151" stroke="#ffffff" stroke-width="4" paint-order="stroke">{word}</text>'
        )
        yield from _draw(child, rule, labels, left=start, level=level + 1)
    yield _box(x, y, words[0] + "?", fill="#ffffff", ink="#111827", round_=4)


def _box(x: float, y: float, text: str, *, fill: str, ink: str, round_: int) -> str:
    # The end holds the number, so the middle of a long name gives way.
    shown = text if len(text) <= 26 else f"{text[:10]}…{text[-14:]}"
    return (
        f'<g><title>{escape(text)}</title><rect x="{x - _BOX_WIDE / 2:g}" '
        f'y="{y - _BOX_HIGH / 2:g}" width="{_BOX_WIDE}" height="{_BOX_HIGH}" rx="{round_}" '
        f'fill="{fill}" stroke="#374151"/><text x="{x:g}" y="{y + 5:g}" text-anchor="middle" '
        f'fill="{ink}">{escape(shown)}</text></g>'
    )
