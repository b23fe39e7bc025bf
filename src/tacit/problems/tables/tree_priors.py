"""What the public prior says about trees: of a released one, and of those it is compared with."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from tacit.core import Hypothesis
from tacit.core.numbers import counted
from tacit.problems.tables.tree_nodes import Node, simpler
from tacit.problems.tables.trees import TreeRule, Trees

Parts: TypeAlias = tuple[tuple[Trees, Fraction], ...]
"""What one draw is over: classes, the deepest last, each with its part of the prior."""

CONSTANT = "a constant label"
_LEVELS = (
    CONSTANT,
    "trees of one cut",
    "trees of two levels",
    "trees of three levels",
    "trees of four levels",
)


def levels_of(node: Node) -> int:
    """How many questions a record is asked at most."""
    return 0 if isinstance(node, int) else 1 + max(levels_of(node[1]), levels_of(node[2]))


def tree_prior(parts: Parts, rule: Hypothesis) -> Fraction:
    """The prior of a tree, or of its simplified twin if that is larger; 0 if it is too deep.

    A bound that holds for all trees at once holds for the twin, which is the same function.
    """
    assert isinstance(rule, TreeRule)
    roots = (rule.root, simpler(rule.root))
    priors = [
        part * trees.prior(trees.number(root))
        for trees, part in parts
        for root in roots
        if levels_of(root) <= trees.depth
    ]
    return max(priors, default=Fraction(0))


def tree_comparators(parts: Parts) -> tuple[tuple[str, Fraction], ...]:
    """Trees by their number of levels, and the least prior of each."""
    deepest = parts[-1][0]
    if deepest.chain:
        return tuple(
            (f"rule lists of at most {counted(n, 'question')}", deepest.least_prior(n))
            for n in range(1, deepest.depth + 1)
        )
    return tuple(
        (
            _LEVELS[levels],
            max(part * trees.least_prior(levels) for trees, part in parts if trees.depth >= levels),
        )
        for levels in range(deepest.depth + 1)
    )


def least_of(parts: Parts) -> Fraction:
    """Not above the prior of any tree of these classes."""
    return min(part * trees.least_prior() for trees, part in parts)
