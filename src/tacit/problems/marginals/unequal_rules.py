"""One selection a label among the rules of a class that differ, each answer listed once.

Trees and lists over a table name many rules that answer alike on all its combinations of cells. A
selection pays for every candidate that it could have named, so of such rules one is listed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    Condition,
    Hypothesis,
    SampleBound,
    Size,
    Task,
    Tasks,
    Tiny,
)
from tacit.core.tiny import TWO_LABELS, labelled
from tacit.domains.placing import PlacedTable
from tacit.domains.schema import Schema
from tacit.exact.landscape import Flat
from tacit.problems.marginals.distinct_rules import MOST_ANSWERS, Family, distinct
from tacit.problems.tables.checked_rules import LABEL_FACTS
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.equally_likely import EquallyLikely
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals
from tacit.problems.tables.records import known, to_spend
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.side_by_side import SideBySide
from tacit.problems.tables.side_by_side_rules import (
    each_epsilon,
    label_samples,
    one_label,
    side_by_side,
    two_labels,
)
from tacit.problems.tables.table_rule import Cells
from tacit.problems.tables.tiny_rules import LARGE, TWO_CELLS
from tacit.problems.tables.tree_priors import tree_prior
from tacit.problems.tables.trees import Stumps, TreeRule, Trees
from tacit.tallies.combinations import combination_of, combinations
from tacit.tallies.mistakes import AddsUp

_PROOF = "problems/marginals/unequal_rules.proof.md"

UNEQUAL_RULES = Claim(
    paper="own",
    locator="Unequal rules, Theorem 2",
    statement="of all rules of a class over a table one for each function of the combinations of "
    "cells holds a best one, so that selections pay for the number of functions alone",
    proof=_PROOF,
)


@dataclass(frozen=True)
class UnequalRules(EquallyLikely, AddsUp):
    """The rules of a class that differ on some combination of cells, each function once.

    Their mistakes follow from how many records of each label every combination has.
    """

    family: Family

    @property
    def name(self) -> str:
        return self.family.name

    @property
    def domain(self) -> Schema:
        return self.family.schema

    @property
    def size(self) -> int:
        """How many functions of the combinations the class has."""
        return len(distinct(self.family))

    def describe(self) -> str:
        """The class in a few words."""
        return f"{self.size} rules that differ, of {self.family.describe()}"

    def hypothesis(self, candidate: int) -> Hypothesis:
        """The rule of the class that stands for one function."""
        return distinct(self.family).rule(candidate)

    def has(self, rule: Hypothesis) -> bool:
        """Whether a rule is of the class: some rule here is the same function."""
        if not isinstance(self.family, Trees):
            return self.family.has(rule)
        return isinstance(rule, TreeRule) and tree_prior(((self.family, Fraction(1)),), rule) > 0

    def landscape(self, x: Cells, y: npt.NDArray[np.bool_]) -> Flat:
        """Mistakes of every one of them."""
        place = combination_of(self.domain, PlacedTable(x, self.domain))
        return distinct(self.family).table.landscape(place, y)


def _family(task: Task) -> Family:
    family = task.concept_class
    assert isinstance(family, Family)
    return family


def _unequal(task: Task) -> Task:
    """The same task about the rules that differ."""
    return task.with_(concept_class=UnequalRules(_family(task)))


def _bound(task: Task) -> SampleBound:
    return label_samples(one_label(_unequal(task)), each_epsilon(task))


def _build(task: Task, bound: SampleBound, size: Size) -> SideBySide:
    listed = _unequal(task)
    one = one_label(listed).with_(epsilon=each_epsilon(task))
    return side_by_side(listed, to_spend(one, bound, size), known(size))


def _few(task: Task) -> bool:
    family = _family(task)
    return family.size * combinations(family.schema) <= MOST_ANSWERS


def _answer_alike(task: Task) -> bool:
    family = _family(task)
    return len(distinct(family)) < family.size


def _tiny(entry: Algorithm) -> Tiny:
    planned = two_labels(entry, Trees(TWO_CELLS, depth=1), Trees(LARGE, depth=2))
    return replace(planned, records=labelled([(0,), (1,)], TWO_LABELS))


UNEQUAL = ALGORITHMS.add(
    Algorithm(
        name="unequal rules side by side",
        summary="one exact draw a label from the rules of a class that differ on some combination "
        "of cells",
        applies=Applies(
            proper=True,
            classes=(Trees, Stumps, Intervals, Boxes, Conjunctions, Formulas, FewCuts, Totals),
            tasks=Tasks.SEVERAL,
            ignores=True,
            further=(
                Condition(
                    f"at most {MOST_ANSWERS:,} rules times combinations of cells",
                    _few,
                    "compares all rules on all combinations",
                ),
                Condition(
                    "a class of which some rules answer alike everywhere",
                    _answer_alike,
                    "lists rules that answer alike once",
                ),
            ),
        ),
        claim=UNEQUAL_RULES,
        bound=_bound,
        build=_build,
        certify=LABEL_FACTS,
        tiny=_tiny,
        counts=True,
    )
)
