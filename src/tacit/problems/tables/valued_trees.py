"""Trees and rule lists whose leaves have one of several labels."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.problems.tables.records import pays
from tacit.problems.tables.trees import DEEPEST, RuleLists, Trees


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
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
    return kind(trees.schema, depth=trees.depth, leaf=trees.leaf, values=values)


def fitting(trees: Trees, values: int, n: int | None, rate: Fraction) -> Trees:
    """Three levels where they can be weighed quickly and could pay with ``n`` records, else two.

    Public numbers only; ``trees`` says the schema, and whether lists are meant.
    """
    deep = valued(type(trees)(trees.schema, depth=DEEPEST), values)
    if n is None or Trees.too_wide_for_three(trees.schema):
        return valued(type(trees)(trees.schema, depth=2), values)
    paid = pays(deep.least_prior(), n=n, rate=rate)
    return deep if paid else valued(type(trees)(trees.schema, depth=2), values)
