"""The rules of a class over a table of few combinations of cells, each with its answers, once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tacit.core import Hypothesis
from tacit.domains.integers import Integers
from tacit.problems.finite.listed import Table
from tacit.problems.finite.some_concepts import SomeConcepts
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.several.sanitize_then_learn import divided
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.table_rule import Cells
from tacit.problems.tables.tree_nodes import Tree
from tacit.problems.tables.trees import Trees
from tacit.tallies.combinations import combinations

Listed = Intervals | Boxes | Conjunctions | Formulas | FewCuts | Totals
Family = Trees | Listed
Answers = npt.NDArray[np.bool_]
MOST_ANSWERS = 1 << 24
"""So many answers, of all rules on all combinations, are looked at."""
_AT_ONCE = 12


@dataclass(frozen=True, slots=True, eq=False)
class DistinctRules:
    """Rules of a class, no two with equal answers on all combinations of cells.

    ``table`` has a row for each: its answers on the combinations, by their numbers. ``members``
    are what the class makes the rules of; of several with equal answers it is the first.
    """

    family: Family
    table: Table
    members: Sequence[Tree] = field(repr=False)

    def __len__(self) -> int:
        return len(self.members)

    def rule(self, place: int) -> Hypothesis:
        """One of them."""
        member = self.members[place]
        if isinstance(self.family, Trees):
            return self.family.hypothesis(member)
        assert isinstance(member, int)
        return self.family.hypothesis(member)

    def told_apart(self, counts: npt.NDArray[np.int64]) -> SomeConcepts:
        """One rule for each way in which the rules divide the combinations of positive count."""
        found = np.flatnonzero(counts > 0).tolist()
        rows = tuple((value, int(counts[value])) for value in found)
        domain = Integers(size=len(counts))
        return divided(self.table, SyntheticTable(domain=domain, rows=rows))


@lru_cache(maxsize=16)
def distinct(family: Family) -> DistinctRules:
    """All rules of a class that differ on some combination of cells.

    Trees, and listed rules whose mistakes are listed too.
    """
    schema = family.schema
    every = np.unravel_index(np.arange(combinations(schema)), schema.cells)
    cells = np.stack(every, axis=1).astype(np.int32)
    if isinstance(family, Trees):
        answers, trees = _trees(family, cells)
        return DistinctRules(family, Table(answers), tuple(trees))
    answers = _listed(family, cells)
    first = _first(answers)
    return DistinctRules(family, Table(answers[first]), tuple(first.tolist()))


def _listed(family: Listed, cells: Cells) -> Answers:
    """The answers of every candidate, read off its mistakes on records of label 1.

    One record of the first combination, two of the next, four of the one after it: the mistakes
    are a number whose digits say where the answer is 0.
    """
    answers = np.empty((family.size, len(cells)), dtype=bool)
    for start in range(0, len(cells), _AT_ONCE):
        some = cells[start : start + _AT_ONCE]
        digits = np.arange(len(some))
        records = np.repeat(some, 1 << digits, axis=0)
        landscape = family.landscape(records, np.ones(len(records), dtype=bool))
        answers[:, start : start + len(some)] = (landscape.errors[:, None] >> digits & 1) == 0
    return answers


def _trees(family: Trees, cells: Cells) -> tuple[Answers, list[Tree]]:
    """The different answers of trees, shallow ones first, and a tree for each."""
    asked = [cut.asks(cells) for cut in family.cuts]
    answers = np.repeat([[False], [True]], len(cells), axis=1)
    trees: list[Tree] = [False, True]
    for _ in range(family.depth):
        below, shallow = answers, trees
        for cut, low_side in enumerate(asked):
            both = np.where(low_side, below[:, None], below[None]).reshape(-1, len(cells))
            found, held = np.concatenate((answers, both)), len(answers)
            kept = _first(found)
            answers = found[kept]
            sides = [divmod(place - held, len(shallow)) for place in kept.tolist() if place >= held]
            trees = trees + [(cut, shallow[low], shallow[high]) for low, high in sides]
    return answers, trees


def _first(answers: Answers) -> npt.NDArray[np.int64]:
    """The places of the first rows with each answers, ascending."""
    packed = np.ascontiguousarray(np.packbits(answers, axis=1))
    # One piece of memory a row: compared as such, not bit by bit.
    rows = packed.view(np.dtype((np.void, packed.shape[1])))[:, 0]
    return np.sort(np.unique(rows, return_index=True)[1])
