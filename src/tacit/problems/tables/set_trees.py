"""Trees that may ask whether a category is one of a set, with a public prior over sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Self

from tacit.core import BadInput
from tacit.core.numbers import counted, probability, whole
from tacit.core.respelled import respelled
from tacit.domains.schema import Schema
from tacit.problems.tables.records import OverTable
from tacit.problems.tables.tree_nodes import Cut, Node, simpler
from tacit.problems.tables.tree_priors import CONSTANT, levels_of
from tacit.problems.tables.trees import TreeRule
from tacit.problems.tables.valued_trees import ValuedTrees

DEEPEST = 2
FEWEST_CELLS = 4
"""Of three categories every set is one of them, or all but one."""
SMALLEST_PRIOR = Fraction(1, 10**180)
"""Below this no float weighs trees: balls do, which are slow."""
_MOST_STEPS = 40_000_000  # of the loop that weighs trees with sets


@respelled("depth", "leaf", "values", after=1)
@dataclass(frozen=True)
class SetTrees(OverTable):
    """Trees of at most two levels with questions about sets of categories.

    The public prior: below the last level, a node is a leaf with probability ``leaf``, else it
    asks about a column, each equally likely. A column of four categories or more is asked about
    a set with probability one half: its two sides are leaves with different labels, all such
    pairs equally likely, and each category is in the set with the same chance, independently;
    the chance is one half, a quarter, an eighth, ..., down to one category or more on average,
    all equally likely. Else, and about all other columns, the question is that of ``Trees``.
    """

    schema: Schema
    _: KW_ONLY
    depth: int = DEEPEST
    leaf: Fraction = Fraction(1, 5)
    values: int = 2
    name: ClassVar[str] = "trees with sets of categories"

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", whole(self.depth, name="depth", least=0))
        if self.depth > DEEPEST:
            raise BadInput(f"depth must be at most {DEEPEST} where sets of categories are asked")
        object.__setattr__(self, "leaf", probability(self.leaf, name="leaf"))
        object.__setattr__(self, "values", whole(self.values, name="values", least=2))

    @staticmethod
    def fitting(schema: Schema) -> SetTrees:
        """Two levels where they can be weighed quickly, else one; public numbers only."""
        deep = SetTrees(schema)
        return SetTrees(schema, depth=1) if deep.too_slow else deep

    @property
    def too_slow(self) -> bool:
        """Whether weighing trees of two levels would take too long; those of one are few."""
        many = self._steps > _MOST_STEPS or self.least_prior() < SMALLEST_PRIOR
        return self.depth > 1 and many

    @property
    def _steps(self) -> int:
        """About how many products of numbers are computed to weigh all trees."""
        pairs = self.values * (self.values - 1)
        cells = self.schema.cells
        each = sum(cells[column] * len(self.chances(column)) * pairs for column in self.sets)
        each += len(self.cuts) * self.values
        return each * (1 + 2 * len(self.cuts)) if self.depth > 1 else each

    def prepare(self) -> None:
        """Compile the loops that count records and weigh trees of so many levels."""
        from tacit.problems.tables.warm import warm_sets

        warm_sets(self.depth)

    @cached_property
    def plain(self) -> ValuedTrees:
        """The trees without questions about sets."""
        return ValuedTrees(self.schema, depth=self.depth, leaf=self.leaf, values=self.values)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """Every question that is not about a set."""
        return self.plain.cuts

    @cached_property
    def sets(self) -> tuple[int, ...]:
        """The columns that may be asked about a set."""
        fields = enumerate(self.schema.fields)
        return tuple(
            column for column, field in fields if not field.ordered and field.cells >= FEWEST_CELLS
        )

    @cached_property
    def _column_share(self) -> Fraction:
        """The prior of asking about each column, given that a node is not a leaf."""
        return Fraction(1, len({cut.column for cut in self.cuts}) or 1)

    @cached_property
    def shares(self) -> tuple[Fraction, ...]:
        """The prior of each cut, given that a node is not a leaf."""
        halved = set(self.sets)
        pairs = zip(self.cuts, self.plain.shares, strict=True)
        return tuple(share / 2 if cut.column in halved else share for cut, share in pairs)

    @property
    def set_share(self) -> Fraction:
        """The prior of asking one column about a set, given that a node is not a leaf."""
        return self._column_share / 2

    def chances(self, column: int) -> tuple[Fraction, ...]:
        """The chances of a category to be in a set, all equally likely."""
        return tuple(
            Fraction(1, 1 << place) for place in range(1, self.schema.cells[column].bit_length())
        )

    def leaf_share(self, levels: int) -> Fraction:
        """The prior of being a leaf for a node with this many levels left."""
        return self.plain.leaf_share(levels)

    @property
    def size(self) -> int:
        """How many trees there are; a set and its complement are one question."""
        pairs = self.values * (self.values - 1)
        cells = (self.schema.cells[column] for column in self.sets)
        sets = sum(pairs * ((1 << (many - 1)) - 1 - many) for many in cells)
        size = self.values
        for _ in range(self.depth):
            size = self.values + len(self.cuts) * size * size + sets
        return size

    # -- the prior -------------------------------------------------------------------------

    def set_prior(self, column: int, listed: int) -> Fraction:
        """The prior of one set of so many categories with its labels, and of its complement with
        the labels exchanged, given that a node is not a leaf.
        """
        rest = self.schema.cells[column] - listed
        chances = self.chances(column)
        both = sum(
            chance**listed * (1 - chance) ** rest + chance**rest * (1 - chance) ** listed
            for chance in chances
        )
        return self.set_share * both / (len(chances) * self.values * (self.values - 1))

    def prior(self, root: Node, *, levels: int | None = None) -> Fraction:
        """The public prior of one tree as it is released; 0 if it is none of these."""
        left = self.depth if levels is None else levels
        if isinstance(root, int):
            return self._leaf_prior(left)
        cut, low, high = root
        if left == 0:
            return Fraction(0)
        found = Fraction(0)
        if not cut.others and cut in self._places:
            sides = self.prior(low, levels=left - 1) * self.prior(high, levels=left - 1)
            found += self.shares[self._places[cut]] * sides
        leaves = isinstance(low, int) and isinstance(high, int) and low != high
        if leaves and cut.column in self.sets:
            found += self.set_prior(cut.column, len(cut.listed))
        return (1 - self.leaf_share(left)) * found

    @cached_property
    def _places(self) -> dict[Cut, int]:
        return {cut: place for place, cut in enumerate(self.cuts)}

    def _leaf_prior(self, levels: int) -> Fraction:
        """A leaf, or a set of no category or of all, which asks nothing."""
        share = self.leaf_share(levels)
        idle = sum(
            self.set_share
            * sum(chance**many + (1 - chance) ** many for chance in self.chances(column))
            / len(self.chances(column))
            for column, many in ((column, self.schema.cells[column]) for column in self.sets)
        )
        return (share + (1 - share) * idle) / self.values

    def rule_prior(self, rule: TreeRule) -> Fraction:
        """The prior of a tree, or of its simplified twin if that is larger."""
        roots = (rule.root, simpler(rule.root))
        found = [self.prior(root) for root in roots if levels_of(root) <= self.depth]
        return max(found, default=Fraction(0))

    def least_prior(self) -> Fraction:
        """Not above the prior of any tree."""
        return self._least_prior  # asked for at every node of every draw

    @cached_property
    def _least_prior(self) -> Fraction:
        return min(prior for _, prior in self.comparators())

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        """Trees by what they ask, and the least prior of each."""
        found = [(CONSTANT, self.leaf_share(self.depth) / self.values)]
        if not self.depth or not self.cuts:
            return tuple(found)
        split, least = 1 - self.leaf, min(self.shares)
        leaves = (self.leaf_share(self.depth - 1) / self.values) ** 2
        found.append(("one question about a number or one category", split * least * leaves))
        if self.sets:
            found.append(("one question about a set of categories", self._least_set))
        if self.depth > 1:
            below = min(
                self.leaf / self.values,
                split * least / self.values**2,
                *((self._least_set,) if self.sets else ()),
            )
            found.append(("trees of two levels", split * least * below * below))
        return tuple(found)

    @cached_property
    def _least_set(self) -> Fraction:
        """The prior of a set of half of the categories: any other has more."""
        halves = (self.set_prior(column, self.schema.cells[column] // 2) for column in self.sets)
        return (1 - self.leaf) * min(halves)

    # -- rules -----------------------------------------------------------------------------

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.of([(0, 1, 2, 3)]).declared_complete(), depth=1)

    def describe(self) -> str:
        """The class in a few words."""
        labels = "" if self.values == 2 else f", {self.values} labels a leaf"
        return (
            f"trees of at most {counted(self.depth, 'level')} with sets of categories over "
            f"{self.schema.describe()}{labels}"
        )

    def hypothesis(self, root: Node) -> TreeRule:
        """The rule of one tree."""
        return TreeRule(schema=self.schema, root=root, values=self.values)

    def labelled(self, label: int) -> int:
        """A leaf as rules have it: a truth value where there are two labels."""
        return bool(label) if self.values == 2 else label

    def question(self, column: int, inside: Sequence[bool], label: int, other: int) -> Node:
        """A set of categories with the label inside and the other one, as it is released.

        No category or all of them ask nothing; of a set and its complement the smaller is
        named, of two equal ones that with the first category.
        """
        many, some = len(inside), sum(inside)
        if some in (0, many):
            return self.labelled(label if some else other)
        named = 2 * some < many or (2 * some == many and inside[0])
        first, *others = (cell for cell, is_in in enumerate(inside) if is_in is named)
        cut = Cut(column=column, cell=first, ordered=False, others=tuple(others))
        yes, no = (label, other) if named else (other, label)
        return (cut, self.labelled(yes), self.labelled(no))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The labels inside and outside of a set: two different ones, in order."""
        every = range(self.values)
        return ((one, other) for one in every for other in every if one != other)
