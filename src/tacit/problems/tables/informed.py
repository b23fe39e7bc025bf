"""A public labelled table as a prior over rules: half of the prior is on what it suggests.

Rules that do well on records that are nobody's secret are listed first, without privacy. One draw
then takes its rule from this list, from the constants or from all trees of two levels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Hypothesis,
    SampleBound,
    Size,
    Task,
    Tiny,
    tiny_task,
)
from tacit.core.tiny import labelled
from tacit.domains.schema import Schema
from tacit.exact.arrays import Placed
from tacit.exact.landscape import Flat
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.tables.equally_likely import EquallyLikely
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.records import OverTable, one_draw
from tacit.problems.tables.tiny_rules import LARGE, TWO_CELLS
from tacit.problems.tables.tree_learner import too_many_pairs
from tacit.problems.tables.tree_nodes import Cut, Tree
from tacit.problems.tables.tree_nodes import Node as Root
from tacit.problems.tables.tree_weights import Node, Weigher
from tacit.problems.tables.trees import TreeRule, Trees

_CONSTANTS, _TREES, _KNOWN = Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)
MOST_KNOWN = 16
"""So many rules are taken from the public table, each with another first question."""


@dataclass(frozen=True)
class KnownRules(EquallyLikely):
    """A public list of trees, equally likely."""

    schema: Schema
    rules: tuple[TreeRule, ...]
    name: ClassVar[str] = "rules from public records"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", tuple(self.rules))
        if not self.rules or any(one.schema != self.schema for one in self.rules):
            raise BadInput("there must be rules, all of them over the one schema")

    @property
    def domain(self) -> Schema:
        return self.schema

    @property
    def size(self) -> int:
        return len(self.rules)

    def describe(self) -> str:
        return f"{self.size} rules that public records suggest, over {self.schema.describe()}"

    def hypothesis(self, candidate: int) -> TreeRule:
        """One of the rules."""
        return self.rules[candidate]

    def has(self, rule: Hypothesis) -> bool:
        """Whether a rule is one of these."""
        return rule in self.rules

    def landscape(
        self, x: Placed, y: npt.NDArray[np.bool_], costs: tuple[int, int] = (1, 1)
    ) -> Flat:
        """Mistakes of every rule, each as often as it costs."""
        weights = np.where(y, costs[1], costs[0])
        cells = np.asarray(x, dtype=np.int32)
        wrong = [weights[_said(rule.root, cells) != y].sum() for rule in self.rules]
        return Flat(np.array(wrong, dtype=np.int64))


def _said(node: Root, cells: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """What a tree says of placed rows."""
    if isinstance(node, int):
        return np.full(len(cells), bool(node))
    cut, low, high = node
    return np.where(cut.asks(cells), _said(low, cells), _said(high, cells))


def suggested(
    schema: Schema,
    cells: npt.NDArray[np.int32],
    y: npt.NDArray[np.bool_],
    *,
    most: int = MOST_KNOWN,
) -> tuple[TreeRule, ...]:
    """The trees of two levels with the fewest mistakes on public records, a first question each.

    Nothing here is private; ``cells`` are placed rows. A constant label where nothing can be asked.
    """
    trees = Trees(schema, depth=2)
    weigher = Weigher(trees, Fraction(1))
    labels = np.asarray(y, dtype=bool)
    root = weigher.root(cells, labels)
    least, _ = weigher.choices(root, 2)
    order = np.argsort(least[2:], kind="stable")[:most].tolist()
    found = [trees.hypothesis(_best_below(weigher, root, cut)) for cut in order]
    return tuple(dict.fromkeys(found)) or (trees.hypothesis(root.ones > root.zeros),)


def _best_below(weigher: Weigher, root: Node, cut: int) -> Tree:
    """The tree with this first question that errs least."""
    low, high = weigher.sides(root, 2, cut)
    return (cut, _best(weigher, low), _best(weigher, high))


def _best(weigher: Weigher, node: Node) -> Tree:
    """The least mistaken leaf or question of one level."""
    least, _ = weigher.choices(node, 1)
    choice = int(np.argmin(least))
    if choice < 2:
        return bool(choice)
    low, high = weigher.sides(node, 1, choice - 2)
    return (choice - 2, low.ones > low.zeros, high.ones > high.zeros)


@dataclass(frozen=True)
class InformedTrees(OverTable):
    """Trees of two levels, constants, and rules that public records suggest, with half the prior.

    ``rules``  the public list; ``suggested`` makes one from a public labelled table.
    """

    schema: Schema
    rules: tuple[TreeRule, ...]
    name: ClassVar[str] = "informed trees"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", self.known.rules)

    @property
    def known(self) -> KnownRules:
        """The list of rules from public records."""
        return KnownRules(self.schema, tuple(self.rules))

    @property
    def trees(self) -> Trees:
        """All trees of two levels."""
        return Trees(self.schema, depth=2)

    @property
    def depth(self) -> int:
        """How many levels the trees have."""
        return 2

    @property
    def domain(self) -> Schema:
        return self.schema

    @property
    def size(self) -> int:
        """How many rules errors are compared with."""
        return self.trees.size

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny(), (_first_question(Schema.tiny()),))

    def describe(self) -> str:
        told = f"trees of two levels over {self.schema.describe()}"
        return f"{told}, {len(self.rules)} of them favoured by public records"

    def learner(self, task: Task) -> KindsLearner:
        """The one draw."""
        return KindsLearner(
            schema=self.schema,
            trees=(Trees(self.schema, depth=0), self.trees),
            lists=(self.known,),
            shares=(_CONSTANTS, _TREES, _KNOWN),
            epsilon=task.privacy.epsilon,
            relation=task.privacy.relation,
        )


def _first_question(schema: Schema) -> TreeRule:
    return TreeRule(schema=schema, root=(Cut(0, 0, ordered=True), False, True))


def _samples(task: Task) -> SampleBound:
    """As for all trees of two levels with their part of the prior: public records may mislead.

    ``choices["suggested"]`` is how many records suffice against the best of the listed rules.
    """
    family = task.of(InformedTrees)
    least = family.learner(task).least_prior
    prior = _TREES * family.trees.least_prior()
    bound = one_draw(task, prior=prior, least_prior=least, gentle=False)
    listed = _KNOWN * family.known.least_prior()
    few = one_draw(task, prior=listed, least_prior=least, gentle=False)
    return replace(bound, choices={**bound.choices, "suggested": few.n})


def _mechanism(task: Task, _bound: SampleBound, _size: Size) -> KindsLearner:
    return task.of(InformedTrees).learner(task)


def _tiny(entry: Algorithm) -> Tiny:
    return tiny_task(
        entry,
        InformedTrees(TWO_CELLS, (_first_question(TWO_CELLS),)),
        InformedTrees(LARGE, (_first_question(LARGE),)),
        records=labelled([(0,), (1,)]),
        usual=((0.2, False), 1),
        odd=((0.8, True), 0),
    )


INFORMED = ALGORITHMS.add(
    Algorithm(
        name="informed trees",
        summary="one exact draw over trees of two levels, half of the prior on rules that a public "
        "labelled table suggests",
        applies=Applies(proper=True, classes=(InformedTrees,), ignores=True),
        claim=KindsLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        certify=DRAWN,
        tiny=_tiny,
        runs=too_many_pairs,
    )
)
