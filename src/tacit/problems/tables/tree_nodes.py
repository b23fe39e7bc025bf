"""The questions and labels that a tree is made of, and what they say together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from tacit.core.records import Stored, below
from tacit.domains.schema import Schema

Tree: TypeAlias = "int | tuple[int, Tree, Tree]"
"""A leaf's label, or a cut's number with the trees of its two sides."""


@dataclass(frozen=True, slots=True)
class Cut:
    """One question: whether a record's cell of ``column`` is at most (or equal to) ``cell``.

    Without an order, ``others`` are further cells of the first side: a set of categories.
    """

    column: int
    cell: int
    ordered: bool
    others: tuple[int, ...] = ()

    @property
    def listed(self) -> frozenset[int]:
        """The cells of the first side, where they have no order."""
        return frozenset((self.cell, *self.others))

    def asks(self, cells: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Which placed rows go to the first side."""
        column = cells[:, self.column]
        if self.others:
            return np.isin(column, (self.cell, *self.others))
        return column <= self.cell if self.ordered else column == self.cell

    def sides(self, schema: Schema) -> tuple[str, str]:
        """The two answers, in words."""
        field, name = schema.fields[self.column], schema.told[self.column]
        if not self.others:
            return field.below(self.cell, name=name)
        rest = frozenset(range(field.cells)) - self.listed
        yes, no = (" and ".join(field.is_among(one, name=name)) for one in (self.listed, rest))
        return yes, no

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        if self.others:
            return {"column": self.column, "cells": [self.cell, *self.others]}
        return {"column": self.column, "cell": self.cell}


Node: TypeAlias = "int | tuple[Cut, Node, Node]"


def splits(tree: Tree | Node) -> int:
    """How many questions a tree asks."""
    return 0 if isinstance(tree, int) else 1 + splits(tree[1]) + splits(tree[2])


Answer: TypeAlias = tuple[Cut, bool]
"""A question, and whether a record goes to its first side."""


def simpler(node: Node, path: tuple[Answer, ...] = ()) -> Node:
    """The same function without questions whose answer changes nothing, or follows from the
    answers above, ``path``.
    """
    if isinstance(node, int):
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
    return not isinstance(node, int) and node[0].column == column


def implied(answer: Answer, cut: Cut) -> bool | None:
    """The answer to ``cut``, if an earlier one settles it."""
    asked, yes = answer
    if asked.column != cut.column:
        return None
    if not cut.ordered:
        if not yes:
            return False if cut.listed <= asked.listed else None
        return True if asked.listed <= cut.listed else None if asked.listed & cut.listed else False
    if yes:
        return True if asked.cell <= cut.cell else None
    return False if asked.cell >= cut.cell else None


def read_cut(record: Stored, schema: Schema) -> Cut:
    """A question that somebody else wrote; ``ValueError`` if it asks nothing of the schema."""
    column = below(schema.width, record["column"])
    field = schema.fields[column]
    if "cells" in record:
        first, *others = sorted({below(field.cells, cell) for cell in record["cells"]})
        if field.ordered or not others or len(others) + 1 == field.cells:
            raise ValueError("a set of some cells of a column without an order")
        return Cut(column=column, cell=first, ordered=False, others=tuple(others))
    # Whether a cell is at most the last one is no question: no words tell the other side.
    cell = below(field.cells - field.ordered, record["cell"])
    return Cut(column=column, cell=cell, ordered=field.ordered)


def path_words(path: tuple[Answer, ...], schema: Schema) -> list[str]:
    """What the answers on the way to a leaf say, column by column."""
    columns = dict.fromkeys(cut.column for cut, _ in path)
    return [word for column in columns for word in _said(column, path, schema)]


def _said(column: int, path: tuple[Answer, ...], schema: Schema) -> list[str]:
    """What the answers about one column say together."""
    field, name = schema.fields[column], schema.told[column]
    if any(cut.others for cut, _ in path if cut.column == column):
        return field.is_among(_left(column, path, field.cells), name=name)
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


def _left(column: int, path: tuple[Answer, ...], cells: int) -> frozenset[int]:
    """The cells of a column without an order that the answers on a path leave."""
    left = frozenset(range(cells))
    for cut, said in path:
        if cut.column == column:
            left = left & cut.listed if said else left - cut.listed
    return left
