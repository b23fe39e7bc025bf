"""Pictures of witnesses, as SVG text."""

from __future__ import annotations

from collections.abc import Iterable

from tacit.core import BadInput
from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.witnesses import MistakeTree, ShatteredSet, Witness

_DEEPEST = 6
_STEP = 34
_INK = {
    "edge": 'stroke="#888" fill="none"',
    "ask": 'fill="#e8eef7" stroke="#456"',
    "leaf": 'fill="#f3f3f3" stroke="#999"',
    "one": 'fill="#2b5797"',
    "zero": 'fill="#fff" stroke="#bbb"',
}
"""Colours as attributes: a page that allows no styles within it can show the picture."""


def svg(witness: Witness, concept_class: object) -> str:
    """Draw a mistake tree or a shattered set; other witnesses have no picture.

    Deep trees are cut at six levels.
    """
    if isinstance(witness, MistakeTree):
        return _tree(witness)
    if isinstance(witness, ShatteredSet):
        return _shattered(witness, concept_class)
    raise BadInput("only mistake trees and shattered sets can be drawn")


def _page(width: int, height: int, title: str, body: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="sans-serif" font-size="11" '
        f'text-anchor="middle" fill="#222"><title>{title}</title>{"".join(body)}</svg>'
    )


def _tree(tree: MistakeTree) -> str:
    """Left means that the learner said 1 and was told 0; right the other way round."""
    depth = min(tree.depth, _DEEPEST)
    width = _STEP * (1 << depth)
    below = [[f"c{f}" for f in tree.leaves]]
    if depth < tree.depth:
        below = [["..."] * (1 << depth)]
    levels = [
        [f"x{x}" for x in tree.points[(1 << level) - 1 : (2 << level) - 1]]
        for level in range(depth)
    ]
    body: list[str] = []
    for level, names in enumerate([*levels, *below]):
        for i, name in enumerate(names):
            x, y = _place(level, i, width)
            if level:
                px, py = _place(level - 1, i // 2, width)
                body.insert(0, f'<path {_INK["edge"]} d="M{px} {py}L{x} {y}"/>')
                body.append(f'<text x="{(x + px) // 2}" y="{(y + py) // 2 - 2}">{i & 1}</text>')
            kind = "leaf" if level == depth else "ask"
            body.append(f'<ellipse {_INK[kind]} cx="{x}" cy="{y}" rx="15" ry="11"/>')
            body.append(f'<text x="{x}" y="{y + 4}">{name}</text>')
    return _page(width, 60 * depth + 40, f"mistake tree of depth {tree.depth}", body)


def _place(level: int, i: int, width: int) -> tuple[int, int]:
    return (2 * i + 1) * width // (2 << level), 20 + 60 * level


def _shattered(witness: ShatteredSet, concept_class: object) -> str:
    table = read(concept_class)
    body = [f'<text x="{60 + 20 * i}" y="18">x{x}</text>' for i, x in enumerate(witness.points)]
    for row, f in enumerate(witness.witnesses):
        body.append(f'<text x="24" y="{38 + 20 * row}">c{f}</text>')
        for i, x in enumerate(witness.points):
            kind = "one" if table.label(f, x) else "zero"
            place = f'x="{52 + 20 * i}" y="{26 + 20 * row}"'
            body.append(f'<rect {_INK[kind]} {place} width="16" height="16"/>')
    size = len(witness.points)
    height = 44 + 20 * len(witness.witnesses)
    return _page(80 + 20 * size, height, f"{size} shattered points", body)
