"""Decision trees over a public schema, with a public prior that favours small ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log
from typing import ClassVar, Self, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Labels, hypothesis_kind
from tacit.core.numbers import counted, probability, whole
from tacit.core.records import Stored
from tacit.domains.schema import Schema
from tacit.problems.tables.records import OverTable

Tree: TypeAlias = "bool | tuple[int, Tree, Tree]"
"""A leaf's label, or a cut's number with the trees of its two sides."""

DEEPEST = 3
_DEEP_CELLS = 288
_RECORDS_PER_NAT = 200


@dataclass(frozen=True, slots=True)
class Cut:
    """One question: whether a record's cell of ``column`` is at most (or equal to) ``cell``."""

    column: int
    cell: int
    ordered: bool

    def asks(self, cells: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Which placed rows go to the first side."""
        column = cells[:, self.column]
        return column <= self.cell if self.ordered else column == self.cell


@dataclass(frozen=True)
class Trees(OverTable):
    """All trees of at most ``depth`` levels of cuts between neighbouring cells of a schema.

    The public prior: below the last level, a node is a leaf with probability ``leaf``, else
    it asks about a column, each equally likely, at one of its cuts, each equally likely.
    Both labels of a leaf are equally likely. ``size`` is how many trees there are.
    """

    schema: Schema
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
    def fitting_depth(schema: Schema, n: int | None) -> int:
        """Three levels where they can be weighed quickly and ``n`` records can carry them.

        Public numbers only: few cells, and at least 200 records for each nat of ``ln 1/prior``
        of the least likely tree of three levels. Otherwise, or if ``n`` is private, two.
        """
        if n is None or Trees.too_wide_for_three(schema):
            return 2
        nats = -log(Trees(schema, DEEPEST).least_prior())
        return DEEPEST if n >= _RECORDS_PER_NAT * nats else 2

    @staticmethod
    def too_wide_for_three(schema: Schema) -> bool:
        """Whether weighing three levels would take too long."""
        return sum(schema.cells) > _DEEP_CELLS

    def prepare(self) -> None:
        """Compile the loops that weigh trees of so many levels."""
        from tacit.problems.tables.warm import warm

        warm(self.depth)

    @property
    def domain(self) -> Schema:
        return self.schema

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

    def leaf_share(self, levels: int) -> Fraction:
        """The prior of being a leaf for a node with this many levels left."""
        return self.leaf if levels and self.cuts else Fraction(1)

    @property
    def size(self) -> int:
        size = 2
        for _ in range(self.depth):
            size = 2 + len(self.cuts) * size * size
        return size

    def least_prior(self, levels: int | None = None) -> Fraction:
        """The smallest prior of a tree with at most ``levels`` levels, inside this class."""
        wanted = self.depth if levels is None else min(levels, self.depth)
        return self._least(self.depth, wanted)

    def _least(self, left: int, wanted: int) -> Fraction:
        leaf = self.leaf_share(left) / 2
        if wanted == 0 or not self.cuts:
            return leaf
        below = self._least(left - 1, wanted - 1)
        return min(leaf, (1 - self.leaf) * self._least_share * below * below)

    def prior(self, tree: Tree, *, levels: int | None = None) -> Fraction:
        """The public prior of one tree."""
        left = self.depth if levels is None else levels
        if isinstance(tree, bool):
            return self.leaf_share(left) / 2
        cut, low, high = tree
        split = (1 - self.leaf_share(left)) * self.shares[cut]
        return split * self.prior(low, levels=left - 1) * self.prior(high, levels=left - 1)

    def number(self, node: Node) -> Tree:
        """A tree's questions as numbers into ``cuts``."""
        if isinstance(node, bool):
            return node
        return (self.cuts.index(node[0]), self.number(node[1]), self.number(node[2]))

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny())

    def describe(self) -> str:
        return f"trees of depth at most {self.depth} over {self.schema.describe()}"

    def hypothesis(self, tree: Tree) -> TreeRule:
        """The rule of one tree."""
        return TreeRule(schema=self.schema, root=_spell(tree, self.cuts))


@dataclass(frozen=True)
class Stumps(Trees):
    """One question about one column, or none."""

    depth: int = 1
    name: ClassVar[str] = "stumps"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.depth > 1:
            raise BadInput("stumps have at most one level")


@dataclass(frozen=True)
class RuleLists(Trees):
    """``if q1: a, else if q2: b, ..., else: c``: trees in which one side of a cut is a leaf.

    The public prior: as for trees, and while a further question may follow, either side of
    a cut is equally likely to be the leaf.
    """

    name: ClassVar[str] = "rule lists"
    chain: ClassVar[bool] = True

    @property
    def size(self) -> int:
        size = 2
        for level in range(self.depth):
            size = 2 + len(self.cuts) * (4 * size - 4 if level else 4)
        return size

    def _least(self, left: int, wanted: int) -> Fraction:
        leaf = self.leaf_share(left) / 2
        if wanted == 0 or not self.cuts:
            return leaf
        split = (1 - self.leaf) * self._least_share
        if left == 1:
            return min(leaf, split / 4)
        return min(leaf, split / 4 * self._least(left - 1, wanted - 1))

    def prior(self, tree: Tree, *, levels: int | None = None) -> Fraction:
        """The public prior of one list: both ways to draw it, where there are two."""
        left = self.depth if levels is None else levels
        if isinstance(tree, bool) or left < 2:
            return super().prior(tree, levels=left)
        cut, low, high = tree
        ways = sum(
            (self.prior(rest, levels=left - 1) / 4)
            for exit_, rest in ((low, high), (high, low))
            if isinstance(exit_, bool)
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


Node: TypeAlias = "bool | tuple[Cut, Node, Node]"


def _spell(tree: Tree, cuts: tuple[Cut, ...]) -> Node:
    if isinstance(tree, bool):
        return tree
    cut, low, high = tree
    return (cuts[cut], _spell(low, cuts), _spell(high, cuts))


def splits(tree: Tree | Node) -> int:
    """How many questions a tree asks."""
    return 0 if isinstance(tree, bool) else 1 + splits(tree[1]) + splits(tree[2])


Answer: TypeAlias = tuple[Cut, bool]
"""A question, and whether a record goes to its first side."""


def simpler(node: Node, path: tuple[Answer, ...] = ()) -> Node:
    """The same function without questions whose answer changes nothing, or follows from the
    answers above, ``path``.
    """
    if isinstance(node, bool):
        return node
    cut = node[0]
    for answer in path:
        known = implied(answer, cut)
        if known is not None:
            return simpler(node[1] if known else node[2], path)
    low = simpler(node[1], (*path, (cut, True)))
    high = simpler(node[2], (*path, (cut, False)))
    return _joined(cut, low, high)


def _joined(cut: Cut, low: Node, high: Node) -> Node:
    """A question, unless both sides are alike or a neighbouring one has the answer."""
    if low == high:
        return low
    if cut.ordered and _asks(low, cut.column) and low[2] == high:
        return low[0], low[1], high  # the part between two cuts is as the part above both
    if cut.ordered and _asks(high, cut.column) and high[1] == low:
        return high[0], low, high[2]
    return cut, low, high


def _asks(node: Node, column: int) -> TypeGuard[tuple[Cut, Node, Node]]:
    return not isinstance(node, bool) and node[0].column == column


def implied(answer: Answer, cut: Cut) -> bool | None:
    """The answer to ``cut``, if an earlier one settles it."""
    asked, yes = answer
    if asked.column != cut.column:
        return None
    if not cut.ordered:
        return asked.cell == cut.cell if yes else (False if asked.cell == cut.cell else None)
    if yes:
        return True if asked.cell <= cut.cell else None
    return False if asked.cell >= cut.cell else None


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class TreeRule:
    """A decision tree with its schema; it reads raw records."""

    kind: ClassVar[str] = "tree"
    schema: Schema
    root: Node

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        """The label of every row, placed by the public schema."""
        cells = self.schema.coerce(x, only=self.reads)
        out = np.zeros(len(cells), dtype=bool)
        _fill(self.root, cells, np.arange(len(cells)), out)
        return out

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        """The rule in words, one line per leaf."""
        del column
        lines = [
            ("if " + " and ".join(path) + ": " if path else "always: ") + labels[label]
            for path, label in self.paths()
        ]
        return "\n".join(lines)

    @property
    def reads(self) -> tuple[int, ...]:
        """The columns of the schema that the rule asks about, as its words do: all it needs."""
        return tuple(sorted(_columns(simpler(self.root))))

    def paths(self) -> list[tuple[list[str], bool]]:
        """Every leaf of the simplified tree: the answers that lead there, and its label."""
        return list(_paths(simpler(self.root), self.schema, ()))

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, "schema": self.schema.to_dict(), "root": _write(self.root)}

    @classmethod
    def from_dict(cls, record: Stored) -> TreeRule:
        schema = Schema.of(record["schema"])
        return cls(schema=schema, root=_read(record["root"], schema))


def _columns(node: Node) -> set[int]:
    if isinstance(node, bool):
        return set()
    return {node[0].column} | _columns(node[1]) | _columns(node[2])


def _fill(
    node: Node,
    cells: npt.NDArray[np.int32],
    rows: npt.NDArray[np.int64],
    out: npt.NDArray[np.bool_],
) -> None:
    if isinstance(node, bool):
        out[rows] = node
        return
    low = node[0].asks(cells[rows])
    _fill(node[1], cells, rows[low], out)
    _fill(node[2], cells, rows[~low], out)


def _paths(
    node: Node, schema: Schema, path: tuple[Answer, ...]
) -> Iterator[tuple[list[str], bool]]:
    if isinstance(node, bool):
        yield path_words(path, schema), node
        return
    cut, low, high = node
    yield from _paths(low, schema, (*path, (cut, True)))
    yield from _paths(high, schema, (*path, (cut, False)))


def path_words(path: tuple[Answer, ...], schema: Schema) -> list[str]:
    """What the answers on the way to a leaf say, column by column."""
    columns = dict.fromkeys(cut.column for cut, _ in path)
    return [word for column in columns for word in _said(column, path, schema)]


def _said(column: int, path: tuple[Answer, ...], schema: Schema) -> list[str]:
    """What the answers about one column say together."""
    field, name = schema.fields[column], schema.names[column]
    yes = [cut.cell for cut, said in path if cut.column == column and said]
    no = [cut.cell for cut, said in path if cut.column == column and not said]
    if field.ordered:
        return field.is_in(
            max((cell + 1 for cell in no), default=0),
            min(yes, default=field.cells - 1),
            name=name,
        )
    if yes:  # one category rules out all the rest
        return [field.below(yes[0], name=name)[0]]
    return [field.is_not(cell, name=name) for cell in no]


def _write(node: Node) -> object:
    if isinstance(node, bool):
        return {"label": int(node)}
    cut, low, high = node
    return {"column": cut.column, "cell": cut.cell, "low": _write(low), "high": _write(high)}


def _read(record: Stored, schema: Schema) -> Node:
    if "label" in record:
        return bool(record["label"])
    column, cell = int(record["column"]), int(record["cell"])
    field = schema.fields[column]
    if column < 0 or not 0 <= cell < field.cells:
        raise ValueError("a cut outside the schema")
    cut = Cut(column=column, cell=cell, ordered=field.ordered)
    return (cut, _read(record["low"], schema), _read(record["high"], schema))
