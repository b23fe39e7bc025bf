"""A tree as indented text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tacit.core import PLAIN, Labels
from tacit.problems.tables.tree_nodes import Node, simpler
from tacit.problems.tables.trees import TreeRule


def tree_text(rule: TreeRule, *, labels: Labels = PLAIN) -> str:
    """One line per question and per leaf, indented by level."""
    return "\n".join(_lines(simpler(rule.root), rule, rule.told(labels), 0))


def _lines(node: Node, rule: TreeRule, labels: Labels, level: int) -> Iterator[str]:
    if isinstance(node, int):
        yield f"{'|   ' * level}|--- class: {labels[node]}"
        return
    for words, below in zip(sides(node, rule), node[1:], strict=True):
        yield f"{'|   ' * level}|--- {words}"
        yield from _lines(below, rule, labels, level + 1)


def sides(node: Any, rule: TreeRule) -> tuple[str, str]:
    """The two answers of a question, in words."""
    words: tuple[str, str] = node[0].sides(rule.schema)
    return words
