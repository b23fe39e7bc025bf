"""A tree as an SVG drawing: plain, readable in black and white, no script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from tacit.core import PLAIN, Labels
from tacit.problems.tables.tree_nodes import Node, simpler
from tacit.problems.tables.trees import TreeRule
from tacit.report.tree_text import sides

_WIDE, _BOX_WIDE, _LINE, _GAP = 210, 190, 17, 58
_LETTERS = 25
"""Letters of a line in a box: no word of a question or label is ever cut short."""

_YES = ("#1b6ca8", "#ffffff")
_FILLS = tuple(
    (fill, "#111827")
    for fill in ("#f3f4f6", "#dbeafe", "#dcfce7", "#fef9c3", "#fee2e2", "#ede9fe", "#ffedd5")
)
"""Paper and ink of leaves: light ones, a colour for each label."""


def tree_svg(rule: TreeRule, *, labels: Labels = PLAIN) -> str:
    """The simplified tree; the left branch is where the question's words hold."""
    root, labels = simpler(rule.root), rule.told(labels)
    page = _Page(rule, labels, _LINE * max(map(len, _texts(root, rule, labels))) + 14)
    width, height = _leaves(root) * _WIDE + 20, _depth(root) * page.step + page.high + 20
    body = "\n".join(page.draw(root, left=0, level=0))
    title = escape("; ".join(rule.describe(labels=labels).splitlines()))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="13">\n'
        f"<title>{title}</title>\n"
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _texts(node: Node, rule: TreeRule, labels: Labels) -> Iterator[list[str]]:
    """The lines of every box."""
    if isinstance(node, int):
        yield _lines(labels[node])
        return
    yield _lines(sides(node, rule)[0])
    yield from _texts(node[1], rule, labels)
    yield from _texts(node[2], rule, labels)


def _lines(text: str) -> list[str]:
    return wrap(text, _LETTERS) or [""]


def _leaves(node: Node) -> int:
    return 1 if isinstance(node, int) else _leaves(node[1]) + _leaves(node[2])


def _depth(node: Node) -> int:
    return 0 if isinstance(node, int) else 1 + max(_depth(node[1]), _depth(node[2]))


@dataclass(frozen=True, slots=True)
class _Page:
    """Where the boxes of a tree stand; all of them are ``high``."""

    rule: TreeRule
    labels: Labels
    high: int

    @property
    def step(self) -> int:
        return self.high + _GAP

    def _place(self, node: Node, left: int, level: int) -> tuple[float, float]:
        return 10 + (left + _leaves(node) / 2) * _WIDE, 10 + level * self.step + self.high / 2

    def draw(self, node: Node, *, left: int, level: int) -> Iterator[str]:
        """A node's lines to its sides, the sides themselves, then its box."""
        x, y = self._place(node, left, level)
        if isinstance(node, int):
            fill, ink = _YES if self.rule.values == 2 and node else _FILLS[node % len(_FILLS)]
            yield self._box(x, y, _lines(self.labels[node]), fill=fill, ink=ink, round_=17)
            return
        _, low, high = node
        starts = ((low, left, "if so"), (high, left + _leaves(low), "else"))
        for child, start, word in starts:
            to_x, to_y = self._place(child, start, level + 1)
            yield (
                f'<line x1="{x:g}" y1="{y:g}" x2="{to_x:g}" y2="{to_y:g}" stroke="#6b7280" '
                'stroke-width="1.5"/>'
            )
            yield (
                f'<text x="{(x + to_x) / 2:g}" y="{(y + to_y) / 2:g}" text-anchor="middle" '
                f'fill="#374151" stroke="#ffffff" stroke-width="4" paint-order="stroke">'
                f"{word}</text>"
            )
            yield from self.draw(child, left=start, level=level + 1)
        asked = _lines(sides(node, self.rule)[0])
        yield self._box(x, y, asked, fill="#ffffff", ink="#111827", round_=4)

    def _box(
        self, x: float, y: float, lines: Sequence[str], *, fill: str, ink: str, round_: int
    ) -> str:
        first = y + 5 - _LINE * (len(lines) - 1) / 2
        text = "".join(
            f'<tspan x="{x:g}" y="{first + _LINE * place:g}">{escape(line)}</tspan>'
            for place, line in enumerate(lines)
        )
        return (
            f'<g><rect x="{x - _BOX_WIDE / 2:g}" y="{y - self.high / 2:g}" width="{_BOX_WIDE}" '
            f'height="{self.high}" rx="{round_}" fill="{fill}" stroke="#374151"/>'
            f'<text text-anchor="middle" fill="{ink}">{text}</text></g>'
        )
