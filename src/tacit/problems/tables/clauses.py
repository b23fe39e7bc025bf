"""Formulas of up to three clauses over a schema: 2-CNF and 2-DNF of tests on cells.

An atom is a one-sided test of an ordered column, or "is" and "is not" for a category. A clause
is one atom or an "or" of two; a formula is an "and" of clauses. Mistakes add over the
joint cells of the columns asked, so those of all formulas over a set of columns are products
of the clauses' tables of truth, weighted by the joint counts. More clauses than are counted
here are added one by one: ``tacit.problems.tables.grown_formulas``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import combinations
from math import comb, prod
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Hypothesis, Labels, hypothesis_kind
from tacit.core.numbers import counted, whole
from tacit.core.records import Stored
from tacit.core.respelled import respelled
from tacit.domains.schema import Field, Schema
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.problems.tables.equally_likely import EquallyLikely
from tacit.problems.tables.products import (
    MOST_CONCEPTS,
    Condition,
    check_sets,
    costs_in_all,
    joint_gains,
)
from tacit.problems.tables.table_rule import Cells, TableRule
from tacit.tallies.mistakes import AddsUp

MOST_ENTRIES = 20_000_000
MOST_PRODUCTS = 10**11
MOST_CLAUSES = 3
_BLOCK = 1 << 20  # entries of a product that are held at a time
FORMS = ("cnf", "dnf")

Clause = tuple[Condition, ...]


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseRule(TableRule):
    """1 where every clause has an atom that holds (``cnf``), or some term all (``dnf``)."""

    kind: ClassVar[str] = "clauses"
    schema: Schema
    form: str
    clauses: tuple[Clause, ...]

    @property
    def reads(self) -> tuple[int, ...]:
        """The columns of the schema that the rule asks about: all that it needs."""
        return tuple(sorted({atom.column for clause in self.clauses for atom in clause}))

    def of_cells(self, cells: Cells) -> npt.NDArray[np.bool_]:
        """The placed rows that get the label 1."""
        cnf = self.form == "cnf"
        answer = np.full(len(cells), cnf)
        for clause in self.clauses:
            part = np.full(len(cells), not cnf)
            for atom in clause:
                part = part | atom.holds(cells) if cnf else part & atom.holds(cells)
            answer = answer & part if cnf else answer | part
        return answer

    def paths(self) -> list[tuple[list[str], bool]]:
        """The cases: when each label is given."""
        cnf = self.form == "cnf"
        if not self.clauses or not all(self.clauses):
            return [([], cnf is not bool(self.clauses))]
        parts = [[w for atom in one for w in atom.words(self.schema)] for one in self.clauses]
        if cnf:
            words = [_any_of(one) for one in parts]
            return [(words, True), (["not so"], False)]
        return [*((words, True) for words in parts), (["not so"], False)]

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        del column
        *cases, (_, last) = self.paths()
        if not cases:
            return f"always: {labels[last]}"
        asked = "; or if ".join(" and ".join(words) for words, _ in cases)
        return f"if {asked}: {labels[1]}; else: {labels[0]}"

    def to_dict(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "schema": self.schema.to_dict(),
            "form": self.form,
            "clauses": [[atom.to_dict() for atom in clause] for clause in self.clauses],
        }

    @classmethod
    def from_dict(cls, record: Stored) -> ClauseRule:
        schema = Schema.of(record["schema"])
        if record["form"] not in FORMS:
            raise ValueError("an unknown form")
        clauses = tuple(
            tuple(Condition.from_dict(atom, schema=schema) for atom in clause)
            for clause in record["clauses"]
        )
        return cls(schema=schema, form=record["form"], clauses=clauses)


def _any_of(words: list[str]) -> str:
    """Conditions of which one must hold; one that has an "or" of its own in parentheses."""
    if len(words) == 1:
        return words[0]
    apart = [f"({word})" if " or " in word.split(" (or ")[0] else word for word in words]
    return f"({' or '.join(apart)})"


@respelled("form", "columns", "chosen", "clauses", after=1)
@dataclass(frozen=True)
class Formulas(EquallyLikely, AddsUp):
    """All formulas of at most ``clauses`` clauses of at most two atoms, and the two constants.

    ``form``     ``"cnf"`` (``(a or b) and (c or d)``) or ``"dnf"`` (``(a and b) or (c and d)``).
    ``columns``  how many columns a formula may ask, 1 to 4.
    ``chosen``   the sets of columns to ask together, by position; ``None`` is all.
    ``clauses``  how many clauses at most, 1 to 3.

    Landscapes are exact: ``clauses.proof.md``.
    """

    schema: Schema
    _: KW_ONLY
    form: str = "cnf"
    columns: int = 2
    chosen: tuple[tuple[int, ...], ...] | None = None
    clauses: int = 2

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise BadInput(f"form must be one of {', '.join(FORMS)}")
        for name in ("columns", "clauses"):
            object.__setattr__(self, name, whole(getattr(self, name), name=name, least=1))
        if self.columns > 4:
            raise BadInput("columns must be 1 to 4: the joint counts of more are not kept")
        if self.clauses > MOST_CLAUSES:
            raise BadInput(f"clauses must be 1 to {MOST_CLAUSES}: more are not counted at once")
        sets = check_sets(self.schema, self.chosen, most=self.columns)
        object.__setattr__(self, "chosen", sets)
        if self.size > MOST_CONCEPTS:
            raise BadInput(
                f"this class has more than {MOST_CONCEPTS} formulas, or takes more than "
                f"{MOST_ENTRIES} numbers or {MOST_PRODUCTS} products to count: use fewer bins, "
                "columns or clauses, or choose the sets of columns"
            )

    @cached_property
    def size(self) -> int:
        """How many candidates there are; beyond a public limit, counting stops."""
        wide = min(self.columns, self.schema.width)
        beyond = MOST_CONCEPTS + 1
        if self.chosen is None and comb(self.schema.width, wide) > MOST_CONCEPTS:
            return beyond
        total, products, each = 2, 0, self.schema.cells
        for group in self.groups():
            many, formulas = self._many(group), self._formulas(group)
            cells = prod(each[column] for column in group)
            total, products = total + formulas, products + formulas * cells
            if total > MOST_CONCEPTS or many * cells > MOST_ENTRIES or products > MOST_PRODUCTS:
                return beyond
        return total

    @property
    def name(self) -> str:
        words = ("one clause", "two clauses", "three clauses")
        return f"2-{self.form.upper()} formulas of {words[self.clauses - 1]}"

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny(), clauses=1)

    def describe(self) -> str:
        """The class in a few words."""
        sets = "all sets" if self.chosen is None else counted(len(self.chosen), "chosen set")
        wide = counted(self.columns, "column")
        return f"{self.name} over {sets} of {wide}, {self.schema.describe()}"

    def groups(self) -> Iterator[tuple[int, ...]]:
        """The sets of columns that are asked together."""
        wide = min(self.columns, self.schema.width)
        yield from self.chosen or combinations(range(self.schema.width), wide)

    @cached_property
    def _shapes(self) -> tuple[tuple[int, int], ...]:
        """Every column's number of atoms, and of clauses of two of its own atoms."""
        return tuple((_atom_count(f), _own_count(f)) for f in self.schema.fields)

    def _many(self, group: tuple[int, ...]) -> int:
        """How many clauses there are over some columns."""
        shapes = [self._shapes[column] for column in group]
        crossed = sum(a * b for (a, _), (b, _) in combinations(shapes, 2))
        return crossed + sum(atoms + own for atoms, own in shapes)

    def _formulas(self, group: tuple[int, ...]) -> int:
        """How many choices of ``clauses`` clauses, the same one allowed again."""
        return comb(self._many(group) + self.clauses - 1, self.clauses)

    def _clauses(self, group: tuple[int, ...]) -> tuple[list[Condition], npt.NDArray[np.int64]]:
        """The atoms of some columns, and the clauses as pairs of them; twice the same is one."""
        atoms: list[Condition] = []
        starts: list[int] = []
        pairs: list[tuple[int, int]] = []
        for column in group:
            field = self.schema.fields[column]
            starts.append(len(atoms))
            atoms.extend(_atoms(column, field))
            pairs.extend((place, place) for place in range(starts[-1], len(atoms)))
            pairs.extend((starts[-1] + a, starts[-1] + b) for a, b in _own_pairs(field))
        ends = [*starts[1:], len(atoms)]
        for one, other in combinations(range(len(group)), 2):
            pairs.extend(
                (a, b)
                for a in range(starts[one], ends[one])
                for b in range(starts[other], ends[other])
            )
        return atoms, np.array(pairs, dtype=np.int64).reshape(-1, 2)

    def hypothesis(self, candidate: int) -> ClauseRule:
        """The rule of one candidate: always 0, always 1, then the formulas."""
        if candidate < 2:
            always = self.form == "cnf"
            clauses: tuple[Clause, ...] = () if bool(candidate) is always else ((),)
            return ClauseRule(schema=self.schema, form=self.form, clauses=clauses)
        rank = candidate - 2
        for group in self.groups():
            if rank < self._formulas(group):
                break
            rank -= self._formulas(group)
        atoms, pairs = self._clauses(group)
        clauses = tuple(
            tuple(atoms[place] for place in dict.fromkeys(pairs[row].tolist()))
            for row in dict.fromkeys(_multiset(rank, many=len(pairs), size=self.clauses))
        )
        if self.form == "dnf":
            clauses = tuple(tuple(self._opposite(atom) for atom in one) for one in clauses)
        return ClauseRule(schema=self.schema, form=self.form, clauses=clauses)

    def has(self, rule: Hypothesis) -> bool:
        """Whether a rule is one of these; the order of its clauses plays no part."""
        if not isinstance(rule, ClauseRule) or rule.form != self.form:
            return False
        if rule.clauses in ((), ((),)):
            return True
        if not len(set(rule.clauses)) == len(rule.clauses) <= self.clauses:
            return False
        asked = {atom.column for clause in rule.clauses for atom in clause}
        group = next((one for one in self.groups() if asked <= set(one)), None)
        if group is None:
            return False
        atoms, pairs = self._clauses(group)
        rows = (tuple(atoms[place] for place in dict.fromkeys(row)) for row in pairs.tolist())
        if self.form == "dnf":
            rows = (tuple(self._opposite(atom) for atom in row) for row in rows)
        return set(rule.clauses) <= set(rows)

    def _opposite(self, atom: Condition) -> Condition:
        """The atom that holds where this one does not."""
        field, column = self.schema.fields[atom.column], atom.column
        if not field.ordered and field.cells > 2:
            return Condition(column, atom.first, atom.last, not atom.outside)
        if atom.first == 0:
            return Condition(column, atom.last + 1, field.cells - 1)
        return Condition(column, 0, atom.first - 1)

    def landscape(
        self, x: Placed, y: npt.NDArray[np.bool_], costs: tuple[int, int] = (1, 1)
    ) -> Flat:
        """Mistakes of every formula, each as often as it costs."""
        cells = np.asarray(x, dtype=np.int64)
        zeros, ones = costs_in_all(y, costs)
        errors = np.empty(self.size, dtype=np.int64)
        errors[:2] = ones, zeros
        start = 2
        for group in self.groups():
            gains = joint_gains(self.schema, group, cells, y, costs).ravel().astype(np.float64)
            for part in _sums(self._truths(group), gains, self.clauses):
                errors[start : start + len(part)] = ones - part
                start += len(part)
        if self.form == "dnf":
            # A formula of opposite terms says the opposite on every record.
            np.subtract(zeros + ones, errors[2:], out=errors[2:])
        return Flat(errors=errors)

    def _truths(self, group: tuple[int, ...]) -> npt.NDArray[np.float64]:
        """``truths[clause, joint cell]``: 1 where the clause holds."""
        sizes = [self.schema.cells[column] for column in group]
        axes = dict(zip(group, np.unravel_index(np.arange(prod(sizes)), sizes), strict=True))
        atoms, pairs = self._clauses(group)
        each = np.array([atom.meets(axes[atom.column]) for atom in atoms], dtype=bool)
        each = each.reshape(-1, prod(sizes))
        return np.asarray(each[pairs[:, 0]] | each[pairs[:, 1]], dtype=np.float64)


def _multiset(rank: int, *, many: int, size: int) -> list[int]:
    """The choice of this rank out of ``many`` rows, in ascending order, repeats allowed."""
    rows: list[int] = []
    row = 0
    for left in range(size - 1, -1, -1):
        # With this row chosen, the others are taken from it and the rows after it.
        while rank >= (behind := comb(many - row + left - 1, left)):
            rank -= behind
            row += 1
        rows.append(row)
    return rows


def _sums(
    truths: npt.NDArray[np.float64], gains: npt.NDArray[np.float64], clauses: int
) -> Iterator[npt.NDArray[np.int64]]:
    """Gains where some clauses all hold, for each choice in the order of ``_multiset``."""
    many = len(truths)
    if clauses == 1:
        yield np.rint(truths @ gains).astype(np.int64)
    elif clauses > 2:
        for first in range(many):
            yield from _sums(truths[first:], gains * truths[first], clauses - 1)
    else:
        height = max(1, _BLOCK // max(1, many, len(gains)))
        for start in range(0, many, height):
            block = truths[start : start + height]
            sums = (block * gains) @ truths[start:].T
            later = np.arange(many - start)[None, :] >= np.arange(len(block))[:, None]
            yield np.rint(sums[later]).astype(np.int64)


def _atoms(column: int, field: Field) -> Iterator[Condition]:
    """All cells below each cut, then all above; single categories, then all but one."""
    last = field.cells - 1
    if field.ordered:
        yield from (Condition(column, 0, cut) for cut in range(last))
        yield from (Condition(column, cut + 1, last) for cut in range(last))
    elif field.cells > 1:
        yield from (Condition(column, cell, cell) for cell in range(field.cells))
        if field.cells > 2:
            yield from (Condition(column, c, c, outside=True) for c in range(field.cells))


def _atom_count(field: Field) -> int:
    if field.ordered:
        return 2 * (field.cells - 1)
    return 2 * field.cells if field.cells > 2 else 2 * (field.cells - 1)


def _own_pairs(field: Field) -> Iterator[tuple[int, int]]:
    """Pairs of a column's atoms whose "or" is neither an atom nor always true."""
    if field.ordered:
        cuts = field.cells - 1
        yield from ((low, cuts + high) for low, high in combinations(range(cuts), 2))
    elif field.cells > 3:
        yield from combinations(range(field.cells), 2)


def _own_count(field: Field) -> int:
    if field.ordered:
        return comb(field.cells - 1, 2)
    return comb(field.cells, 2) if field.cells > 3 else 0
