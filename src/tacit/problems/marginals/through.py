"""Learn rules on a synthetic table: what its certificate says about them on the real records.

Nothing is spent: a table was released, and rules are made from it. A rule that reads ``w - 1``
columns and a label errs on a set of cells of ``w`` columns, so its error on the table and on the
records differ by at most the certified distance of all ``w``-way marginals: for every such rule
and every label column at once (BNS19, Lemmas 35 and 36, for the columns of a table).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Claim
from tacit.core.numbers import show
from tacit.problems.marginals.impossible import declared_cells
from tacit.problems.marginals.table import SyntheticRows
from tacit.problems.tables.tree_nodes import Cut, Node, simpler
from tacit.problems.tables.trees import TreeRule

THROUGH = Claim(
    paper="BNS19",
    locator="Lemmas 35 and 36",
    statement="a rule that reads all but one column of a marginal errs on the records by at most "
    "the marginal's distance more, or less, than on the table",
    proof="problems/marginals/through.proof.md",
)
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThroughRule:
    """A rule learned on a released table.

    ``on_table``  its share of mistakes on the rows of the table.
    ``error``     with the certificate's probability, at most its share of mistakes on the records.
    ``excess``    and at most so much above the best rule that reads as many columns.
    """

    rule: TreeRule
    label: str
    on_table: Fraction
    error: Fraction
    excess: Fraction

    def describe(self) -> str:
        """The rule and what is certified, in words."""
        return (
            f"{self.rule.describe()}\n{self.label}: wrong on {show(round(self.on_table, 4))} of "
            f"the table, on at most {show(round(self.error, 4))} of the records, at most "
            f"{show(round(self.excess, 4))} more than the best rule of as many columns"
        )


def rule_through(
    table: SyntheticRows,
    *,
    distance: Fraction,
    ways: int,
    label: str,
    positive: Hashable | Sequence[Hashable],
) -> ThroughRule:
    """The best rule on a table that reads ``ways - 1`` columns, with what holds on the records.

    ``distance``  what the table's certificate says of all ``ways``-way marginals with the label:
                  ``release.certificate.error`` of a release for ``Marginals(schema, ways=ways)``,
                  or for ``Marginals(schema, ways=ways, about=label)``, then of this label alone.
    ``positive``  the value, or values, of the label column that mean 1. Where whole numbers or
                  dates share a cell, all of a cell are listed.

    The certificate of a table about no column serves any number of labels: call it once for each.
    """
    schema = table.schema
    if label not in schema.names:
        raise BadInput(f"there is no column {label!r}; there are {', '.join(schema.names)}")
    if not 2 <= ways <= schema.width:
        raise BadInput("a rule needs marginals of at least two ways: a column and the label")
    if not 0 <= distance <= 1:
        raise BadInput(
            "distance must be the certified error of all marginals of so many ways, from 0 to 1: "
            "release.certificate.error"
        )
    place = schema.names.index(label)
    wanted = list(positive) if isinstance(positive, (list, tuple, set)) else [positive]
    cells = declared_cells(schema.fields[place], wanted, name=label, what="positive")
    truth = np.isin(table.cells[:, place], cells)
    others = [column for column in range(schema.width) if column != place]
    best: tuple[int, tuple[int, ...], Counts] | None = None
    for columns in combinations(others, ways - 1):
        ones = _votes(table, columns, truth)
        wrong = int(np.minimum(ones[0], ones[1]).sum())
        if best is None or wrong < best[0]:
            best = (wrong, columns, (ones[1] > ones[0]).astype(np.int64))
    assert best is not None
    wrong, columns, answers = best
    shape = [schema.cells[column] for column in columns]
    root = simpler(_tree(table, columns, answers.reshape(shape)))
    on_table = Fraction(wrong, len(table))
    return ThroughRule(
        rule=TreeRule(schema=schema, root=root),
        label=label,
        on_table=on_table,
        error=min(Fraction(1), on_table + distance),
        excess=min(Fraction(1), 2 * distance),
    )


def _votes(table: SyntheticRows, columns: Sequence[int], truth: npt.NDArray[np.bool_]) -> Counts:
    """How many rows of each cell have label 0, and label 1."""
    sizes = [table.schema.cells[column] for column in columns]
    place = np.zeros(len(table), dtype=np.int64)
    for column, size in zip(columns, sizes, strict=True):
        place = place * size + table.cells[:, column]
    cells = int(np.prod(sizes))
    return np.stack([np.bincount(place[truth == one], minlength=cells) for one in (False, True)])


def _tree(table: SyntheticRows, columns: Sequence[int], answers: Counts) -> Node:
    """A tree that asks about the first column, cell by cell, then about the others."""
    if not columns:
        return bool(answers)
    column, rest = columns[0], columns[1:]
    ordered = table.schema.fields[column].ordered
    node = _tree(table, rest, answers[-1])
    for cell in reversed(range(len(answers) - 1)):
        cut = Cut(column=column, cell=cell, ordered=ordered)
        node = (cut, _tree(table, rest, answers[cell]), node)
    return node
