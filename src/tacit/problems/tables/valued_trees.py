"""Trees and rule lists whose leaves have one of several labels."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from tacit.problems.tables.trees import DEEPEST, RuleLists, Trees

_RECORDS_PER_NAT = 200


@dataclass(frozen=True)
class ValuedTrees(Trees):
    """All trees of at most ``depth`` levels with one of ``values`` labels a leaf.

    The public prior is that of ``Trees``, and every label of a leaf is equally likely.
    """

    values: int = 3

    def prepare(self) -> None:
        """Compile the loops that weigh trees of so many levels."""
        from tacit.problems.tables.warm import warm_values

        warm_values(self.depth)

    def describe(self) -> str:
        return f"{super().describe()}, {self.values} labels a leaf"


@dataclass(frozen=True)
class ValuedLists(RuleLists):
    """Rule lists of at most ``depth`` questions with one of ``values`` labels a leaf."""

    values: int = 3

    def prepare(self) -> None:
        """Compile the loops that weigh lists of so many questions."""
        from tacit.problems.tables.warm import warm_values

        warm_values(self.depth)

    def describe(self) -> str:
        return f"{super().describe()}, {self.values} labels a leaf"


def valued(trees: Trees, values: int) -> Trees:
    """The same trees or lists with so many labels a leaf."""
    kind = ValuedLists if trees.chain else ValuedTrees
    return kind(trees.schema, trees.depth, trees.leaf, values)


def fitting(trees: Trees, values: int, n: int | None) -> Trees:
    """Three levels where they can be weighed quickly and ``n`` records can carry them, else two.

    Public numbers only; ``trees`` says the schema, and whether lists are meant.
    """
    deep = valued(type(trees)(trees.schema, DEEPEST), values)
    if n is None or Trees.too_wide_for_three(trees.schema):
        return valued(type(trees)(trees.schema, 2), values)
    nats = -log(deep.least_prior())
    return deep if n >= _RECORDS_PER_NAT * nats else valued(type(trees)(trees.schema, 2), values)
