"""Decision trees over a public schema, with a public prior that favours small ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.label_values import MOST_VALUES
from tacit.core.numbers import counted, probability, whole
from tacit.core.records import Stored, below
from tacit.core.respelled import respelled
from tacit.domains.schema import Schema
from tacit.problems.tables.records import OverTable
from tacit.problems.tables.table_rule import Cells, TableRule, label_words
from tacit.problems.tables.tree_nodes import Answer, Cut, Node, Tree, path_words, read_cut, simpler

DEEPEST = 3  # levels of a tree that is drawn at once
_DEEP_CELLS = 288  # more cells make three levels slow to weigh


@respelled("depth", "leaf", after=1)
@dataclass(frozen=True)
class Trees(OverTable):
    """All trees of at most ``depth`` levels of cuts between neighbouring cells of a schema.

    The public prior: below the last level, a node is a leaf with probability ``leaf``, else
    it asks about a column, each equally likely, at one of its cuts, each equally likely.
    All labels of a leaf are equally likely. ``size`` is how many trees there are.
    """

    schema: Schema
    _: KW_ONLY
    depth: int = 2
    leaf: Fraction = Fraction(1, 5)
    name: ClassVar[str] = "trees"
    chain: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", whole(self.depth, name="depth", least=0))
        if self.depth > DEEPEST:
            raise BadInput(f"depth must be at most {DEEPEST}: more are grown by further draws")
        object.__setattr__(self, "leaf", probability(self.leaf, name="leaf"))

    @staticmethod
    def too_wide_for_three(schema: Schema) -> bool:
        """Whether weighing three levels would take too long."""
        return sum(schema.cells) > _DEEP_CELLS

    def prepare(self) -> None:
        """Compile the loops that weigh trees of so many levels."""
        from tacit.problems.tables.warm import warm

        warm(self.depth)

    @cached_property
    def cuts(self) -> tuple[Cut, ...]:
        """Every question, column by column; the order is part of the law's definition."""
        return tuple(_cuts(self.schema))

    @cached_property
    def shares(self) -> tuple[Fraction, ...]:
        """The prior of each cut, given that a node is not a leaf."""
        places = Counter(cut.column for cut in self.cuts)
        share = {column: Fraction(1, len(places) * count) for column, count in places.items()}
        return tuple(share[cut.column] for cut in self.cuts)

    @cached_property
    def _least_share(self) -> Fraction:
        return min(set(self.shares))

    @cached_property
    def layout(self) -> tuple[Any, ...]:
        """Starts of the columns; column, cell, kind and share of every cut; how many cells."""
        cells = np.array(self.schema.cells, dtype=np.int64)
        starts = np.concatenate(([0], np.cumsum(cells)[:-1])).astype(np.int64)
        column = np.array([cut.column for cut in self.cuts], dtype=np.int64)
        inside = np.array([cut.cell for cut in self.cuts], dtype=np.int64)
        cell = starts[column] + inside if len(column) else column
        ordered = np.array([cut.ordered for cut in self.cuts], dtype=bool)
        share = np.array([float(s * (1 - self.leaf)) for s in self.shares])
        return starts, column, cell, ordered, share.astype(np.float64), int(cells.sum())

    def leaf_share(self, levels: int) -> Fraction:
        """The prior of being a leaf for a node with this many levels left."""
        return self.leaf if levels and self.cuts else Fraction(1)

    @property
    def values(self) -> int:
        """How many labels a leaf may have; ``valued_trees`` has classes with more than two."""
        return 2

    @property
    def size(self) -> int:
        """How many concepts there are; ``None`` if infinitely many."""
        size = self.values
        for _ in range(self.depth):
            size = self.values + len(self.cuts) * size * size
        return size

    def least_prior(self, levels: int | None = None) -> Fraction:
        """The smallest prior of a tree with at most ``levels`` levels, inside this class."""
        if levels is None or levels >= self.depth:
            return self._least_prior  # asked for at every node of every draw
        return self._least(self.depth, levels)

    @cached_property
    def _least_prior(self) -> Fraction:
        return self._least(self.depth, self.depth)

    def _least(self, left: int, wanted: int) -> Fraction:
        leaf = self.leaf_share(left) / self.values
        if wanted == 0 or not self.cuts:
            return leaf
        below = self._least(left - 1, wanted - 1)
        return min(leaf, (1 - self.leaf) * self._least_share * below * below)

    def prior(self, tree: Tree, *, levels: int | None = None) -> Fraction:
        """The public prior of one tree."""
        left = self.depth if levels is None else levels
        if isinstance(tree, int):
            return self.leaf_share(left) / self.values
        cut, low, high = tree
        split = (1 - self.leaf_share(left)) * self.shares[cut]
        return split * self.prior(low, levels=left - 1) * self.prior(high, levels=left - 1)

    def number(self, node: Node) -> Tree:
        """A tree's questions as numbers into ``cuts``."""
        if isinstance(node, int):
            return node
        return (self.cuts.index(node[0]), self.number(node[1]), self.number(node[2]))

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny())

    def describe(self) -> str:
        """The class in a few words."""
        return f"trees of depth at most {self.depth} over {self.schema.describe()}"

    def hypothesis(self, tree: Tree) -> TreeRule:
        """The rule of one tree."""
        return TreeRule(schema=self.schema, root=_spell(tree, self.cuts), values=self.values)


@respelled("depth", "leaf", after=1)
@dataclass(frozen=True, kw_only=True)
class Stumps(Trees):
    """All trees of at most one question about one column."""

    depth: int = 1
    name: ClassVar[str] = "stumps"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.depth > 1:
            raise BadInput("stumps have at most one level")


@respelled("depth", "leaf", after=1)
@dataclass(frozen=True, kw_only=True)
class RuleLists(Trees):
    """``if q1: a, else if q2: b, ..., else: c``: trees in which one side of a cut is a leaf.

    The public prior: as for trees, and while a further question may follow, either side of
    a cut is equally likely to be the leaf.
    """

    name: ClassVar[str] = "rule lists"
    chain: ClassVar[bool] = True

    @property
    def size(self) -> int:
        labels = size = self.values
        for level in range(self.depth):
            lists = 2 * labels * size - labels * labels if level else labels * labels
            size = labels + len(self.cuts) * lists
        return size

    def _least(self, left: int, wanted: int) -> Fraction:
        leaf = self.leaf_share(left) / self.values
        if wanted == 0 or not self.cuts:
            return leaf
        split = (1 - self.leaf) * self._least_share
        if left == 1:
            return min(leaf, split / self.values**2)
        return min(leaf, split / (2 * self.values) * self._least(left - 1, wanted - 1))

    def prior(self, tree: Tree, *, levels: int | None = None) -> Fraction:
        """The public prior of one list: both ways to draw it, where there are two."""
        left = self.depth if levels is None else levels
        if isinstance(tree, int) or left < 2:
            return super().prior(tree, levels=left)
        cut, low, high = tree
        ways = sum(
            (self.prior(rest, levels=left - 1) / (2 * self.values))
            for exit_, rest in ((low, high), (high, low))
            if isinstance(exit_, int)
        )
        return (1 - self.leaf_share(left)) * self.shares[cut] * ways

    def describe(self) -> str:
        return (
            f"rule lists of at most {counted(self.depth, 'question')} over {self.schema.describe()}"
        )


def _cuts(schema: Schema) -> Iterator[Cut]:
    for column, field in enumerate(schema.fields):
        cells, ordered = field.cells, field.ordered
        # Of two categories one question tells them apart; of one, none is needed.
        many = cells - 1 if ordered or cells <= 2 else cells
        for cell in range(many):
            yield Cut(column=column, cell=cell, ordered=ordered)


def _spell(tree: Tree, cuts: tuple[Cut, ...]) -> Node:
    if isinstance(tree, int):
        return tree
    cut, low, high = tree
    return (cuts[cut], _spell(low, cuts), _spell(high, cuts))


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class TreeRule(TableRule):
    """A decision tree with its schema; it reads raw records.

    With more than two label ``values`` a leaf holds the number of one, from 0 on.
    """

    kind: ClassVar[str] = "tree"
    schema: Schema
    root: Node
    values: int = 2

    def of_cells(self, cells: Cells) -> npt.NDArray[Any]:
        out = np.zeros(len(cells), dtype=bool if self.values == 2 else np.int64)
        _fill(self.root, cells, np.arange(len(cells)), out)
        return out

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        """The rule in words, one line per leaf."""
        del column
        told = self.told(labels)
        lines = [
            ("if " + " and ".join(path) + ": " if path else "always: ") + told[label]
            for path, label in self.paths()
        ]
        return "\n".join(lines)

    def told(self, labels: Labels) -> Labels:
        """The words for all labels: their numbers, where none were given."""
        return label_words(labels, self.values)

    @property
    def label_count(self) -> int:
        """How many labels it may give."""
        return self.values

    @property
    def reads(self) -> tuple[int, ...]:
        """The columns of the schema that the rule asks about, as its words do: all it needs."""
        return tuple(sorted(_columns(simpler(self.root))))

    def paths(self) -> list[tuple[list[str], int]]:
        """Every leaf of the simplified tree: the answers that lead there, and its label."""
        return list(_paths(simpler(self.root), self.schema, ()))

    def to_dict(self) -> dict[str, object]:
        told = {"kind": self.kind, "schema": self.schema.to_dict(), "root": _write(self.root)}
        return told if self.values == 2 else told | {"values": self.values}

    @classmethod
    def from_dict(cls, record: Stored) -> TreeRule:
        schema = Schema.of(record["schema"])
        values = below(MOST_VALUES + 1, record.get("values", 2))
        return cls(schema=schema, root=_read(record["root"], schema, values), values=values)


def _columns(node: Node) -> set[int]:
    if isinstance(node, int):
        return set()
    return {node[0].column} | _columns(node[1]) | _columns(node[2])


def _fill(
    node: Node,
    cells: npt.NDArray[np.int32],
    rows: npt.NDArray[np.int64],
    out: npt.NDArray[Any],
) -> None:
    if isinstance(node, int):
        out[rows] = node
        return
    low = node[0].asks(cells[rows])
    _fill(node[1], cells, rows[low], out)
    _fill(node[2], cells, rows[~low], out)


def _paths(node: Node, schema: Schema, path: tuple[Answer, ...]) -> Iterator[tuple[list[str], int]]:
    if isinstance(node, int):
        yield path_words(path, schema), node
        return
    cut, low, high = node
    yield from _paths(low, schema, (*path, (cut, True)))
    yield from _paths(high, schema, (*path, (cut, False)))


def _write(node: Node) -> object:
    if isinstance(node, int):
        return {"label": int(node)}
    cut, low, high = node
    return {**cut.to_dict(), "low": _write(low), "high": _write(high)}


def _read(record: Stored, schema: Schema, values: int) -> Node:
    if "label" in record:
        label = below(values, int(record["label"]))
        return bool(label) if values == 2 else label
    cut = read_cut(record, schema)
    return (cut, _read(record["low"], schema, values), _read(record["high"], schema, values))
