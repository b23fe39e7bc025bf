"""Panels of experts: fixed rules whose votes are asked for one point at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Hypothesis
from tacit.core.concept import Numbered, WrittenOut, first_number
from tacit.problems.points.hashes import HashedPoints

Members = npt.NDArray[np.int64]
Votes = npt.NDArray[np.bool_]

MOST_EXPERTS = 1 << 22
"""Beyond this a panel is not written out: every round takes time in its size."""


@runtime_checkable
class Panel(Protocol):
    """Finitely many experts, numbered from 0."""

    @property
    def size(self) -> int: ...

    def votes(self, point: object, members: Members) -> Votes:
        """What these experts say about ``point``, in the order of ``members``."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class TablePanel:
    """The rows of a 0/1 table; points are column numbers."""

    matrix: npt.NDArray[np.bool_]

    @property
    def size(self) -> int:
        return len(self.matrix)

    def votes(self, point: Any, members: Members) -> Votes:
        said: Votes = self.matrix[members, point]
        return said


@dataclass(frozen=True, slots=True)
class RulePanel:
    """Some rules, each counted once; points are whatever the rules predict on."""

    rules: tuple[Hypothesis, ...]

    @property
    def size(self) -> int:
        return len(self.rules)

    def votes(self, point: object, members: Members) -> Votes:
        said = (bool(self.rules[i].predict([point])[0]) for i in members.tolist())
        return np.fromiter(said, dtype=bool, count=len(members))


@dataclass(frozen=True, slots=True)
class BucketPanel:
    """Every bucket of every hash, which a point settles with one hash each."""

    hashed: HashedPoints

    @property
    def size(self) -> int:
        return self.hashed.size

    def votes(self, point: object, members: Members) -> Votes:
        cell = self.hashed.domain.coerce([point])
        # The rules that are right about a single record of label 1 are those that say 1.
        errors = self.hashed.landscape(cell, np.array([True])).errors
        return np.asarray(errors[members] == 0)


def panel(experts: object) -> Panel:
    """A panel of a class (its concepts), of a 0/1 table (its rows) or of a list of rules.

    Equal rules count once. A class must be finite and small enough to be written out.

    >>> panel([[0, 1], [1, 1]]).votes(0, np.array([0, 1])).tolist()
    [False, True]
    """
    if isinstance(experts, Panel):
        return experts
    if isinstance(experts, HashedPoints):
        found: Panel = BucketPanel(experts)
    elif isinstance(experts, WrittenOut):
        found = TablePanel(np.unique(experts.matrix, axis=0))
    elif isinstance(experts, Numbered):
        if experts.size is None or experts.size > MOST_EXPERTS:
            raise BadInput(f"a class of experts may have at most {MOST_EXPERTS} concepts")
        first = first_number(experts)
        found = RulePanel(tuple(experts.hypothesis(first + i) for i in range(experts.size)))
    elif isinstance(experts, Iterable):
        found = _listed(experts)
    else:
        raise BadInput("experts must be a class, a list of rules or a table of 0 and 1")
    if found.size == 0:
        raise BadInput("a panel needs at least one expert")
    return found


def _listed(experts: Iterable[Any]) -> Panel:
    given = experts if isinstance(experts, np.ndarray) else list(experts)
    if len(given) and isinstance(given[0], Hypothesis):
        return RulePanel(tuple(dict.fromkeys(given)))
    try:
        table = np.array(given)
    except ValueError:
        table = np.empty(0)
    if table.ndim != 2 or not np.isin(table, (0, 1)).all():
        raise BadInput("experts must be a class, a list of rules or a table of 0 and 1")
    return TablePanel(np.unique(table.astype(bool), axis=0))
