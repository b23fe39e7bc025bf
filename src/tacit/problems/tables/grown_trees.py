"""Deeper trees: draw what one draw can hold, then grow its leaves with part of the budget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.bounds.upper.stages import mistakes_of_one_draw
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Composed,
    Drawer,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Selection,
    Size,
    Task,
)
from tacit.core.numbers import positive, whole
from tacit.core.respelled import respelled
from tacit.domains.schema import Schema
from tacit.exact.balls import Ball, ball
from tacit.exact.cells import BEYOND, ULP
from tacit.mechanisms.calibration import spread
from tacit.problems.tables.deep_tree_learner import SHALLOW, DeepTreeLearner
from tacit.problems.tables.deep_trees import DeepTrees
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.tables.records import OverTable, known, several_draws
from tacit.problems.tables.tiny_rules import tiny_rules
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.tree_nodes import Node
from tacit.problems.tables.tree_weights import Node as Counts
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import DEEPEST, TreeRule, Trees
from tacit.tallies.placed import placed

MOST_LEVELS = 2 * DEEPEST
ENOUGH = Fraction(1)
"""Up to this rate there is one draw; of a larger one the first draw has at least half."""
_SMALLEST = Fraction(1, 10**250)  # smaller priors leave the range of float64

Leaf = tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class GrownTreeLearner(Mechanism[Sample, Hypothesis], Drawer):
    """The tree of one draw; where the budget pays for a rate above 1, all its leaves grown.

    The first draw has a rate of 1, or half of ``epsilon`` if that is more, or all there
    is if that is less. The second, for the rest, keeps the tree or grows every leaf.

    Privacy
    -------
    Requires  schema, depth and ``four_levels`` are public.
    Ensures   one or two selections, ``epsilon`` together; hence ``epsilon``-DP.
    Proof     Theorem 1 of ``grown_trees.proof.md``.
    Numerics  exact.

    Utility
    -------
    Theorem 2: the first tree is drawn with at least half of the rate that one draw of three
    levels would have; growing adds ``k`` mistakes on the table with probability at most
    ``exp(-rate * k)``.

    Edge cases
    ----------
    As ``TreeLearner``. A leaf without records is grown by the prior alone.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Grown trees, Theorem 1",
        statement="drawing a tree and then keeping it or drawing trees for all its leaves, with "
        "weight prior * exp(-rate * mistakes), is two bounded-range selections",
        proof="problems/tables/grown_trees.proof.md",
    )

    schema: Schema
    depth: int
    epsilon: Fraction
    relation: Relation = Relation.REPLACE_ONE
    four_levels: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "relation", Relation.read(self.relation))
        object.__setattr__(self, "depth", whole(self.depth, name="depth", least=DEEPEST + 1))
        if self.depth > MOST_LEVELS:
            raise BadInput(f"depth must be at most {MOST_LEVELS}")

    @property
    def stages(self) -> tuple[Trees, Trees]:
        """The class of the first draw, and the class that each leaf is grown from."""
        first = DeepTrees(self.schema) if self.four_levels else Trees(self.schema, depth=DEEPEST)
        return first, Trees(self.schema, depth=self.depth - first.depth)

    @property
    def budgets(self) -> tuple[Fraction, Fraction]:
        """What the two draws cost; nothing for the second up to a rate of 1."""
        if self.stages[1].depth == 0:
            return self.epsilon, Fraction(0)
        enough = max(self.epsilon / 2, ENOUGH * spread(self.relation))
        first = min(self.epsilon, enough)
        return first, self.epsilon - first

    @property
    def least_prior(self) -> Fraction:
        """Not above the prior of any tree that can be released."""
        first, second = self.stages
        top = first.least_prior() * (1 - SHALLOW if self.four_levels else 1)
        if not self.budgets[1]:
            return top
        grown: Fraction = second.least_prior() ** (2**first.depth)
        return top * grown / 2

    @property
    def drawn_from(self) -> str:
        return f"{self.stages[0].describe()}, its leaves grown to {self.depth} levels"

    @property
    def compared_with(self) -> str:
        return Trees(self.schema, depth=DEEPEST).describe()

    def prior(self, rule: Hypothesis) -> Fraction:
        del rule
        return self.least_prior

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return ()  # a tree grown in two draws follows no single law

    def lost(self, beta: Fraction) -> Fraction:
        """Half of ``beta`` for each draw: Theorem 2 (3) of the proof for the second."""
        first, second = (epsilon / spread(self.relation) for epsilon in self.budgets)
        best = Trees(self.schema, depth=DEEPEST).least_prior() * (
            SHALLOW if self.four_levels else 1
        )
        gone = mistakes_of_one_draw(prior=best, rate=first, beta=beta / 2)
        if not second:
            return gone
        return gone + mistakes_of_one_draw(prior=Fraction(1), rate=second, beta=beta / 2)

    def event(self) -> Event:
        events = tuple(
            Selection(epsilon=epsilon, relation=self.relation)
            for epsilon in self.budgets
            if epsilon
        )
        return events[0] if len(events) == 1 else Composed(events=events, relation=self.relation)

    def prepare(self) -> None:
        from tacit.problems.tables.warm import warm

        warm(max(trees.depth for trees in self.stages))

    def _release(self, data: Sample, *, rng: Sampler) -> TreeRule:
        cells, labels = placed(data, self.schema)  # [P1]
        rates = [epsilon / spread(self.relation) for epsilon in self.budgets]
        root = self._first(cells, labels, rates[0], rng)  # [P2]
        if rates[1]:
            root = self._second(root, cells, labels, rates[1], rng)
        return TreeRule(schema=self.schema, root=root)

    def _first(
        self,
        cells: npt.NDArray[np.int32],
        labels: npt.NDArray[np.bool_],
        rate: Fraction,
        rng: Sampler,
    ) -> Node:
        if self.four_levels:
            epsilon = rate * spread(self.relation)
            learner = DeepTreeLearner(schema=self.schema, epsilon=epsilon, relation=self.relation)
            return learner.draw(cells, labels, rng)
        weigher = Weigher(self.stages[0], rate)
        tree = weigher.draw(weigher.root(cells, labels), levels=DEEPEST, rng=rng)
        return weigher.trees.hypothesis(tree).root

    def _second(
        self,
        top: Node,
        cells: npt.NDArray[np.int32],
        labels: npt.NDArray[np.bool_],
        rate: Fraction,
        rng: Sampler,
    ) -> Node:
        grower = Weigher(self.stages[1], rate)
        leaves = list(_leaves(top, cells, labels))
        nodes = [grower.root(rows, truths) for rows, truths, _ in leaves]
        mistakes = sum(int((truths != label).sum()) for _, truths, label in leaves)
        if keeps(grower, nodes, mistakes, rng):  # [P3]
            return top
        levels = grower.trees.depth
        drawn = (grower.draw(node, levels=levels, rng=rng) for node in nodes)  # [P4]
        grown = iter([grower.trees.hypothesis(tree).root for tree in drawn])
        return _replaced(top, grown)


def keeps(grower: Weigher, nodes: list[Counts], mistakes: int, rng: Sampler) -> bool:
    """Keep a tree with this many mistakes, or grow all its leaves: by their weights."""
    levels = grower.trees.depth
    m, z = [mistakes], [0.5]
    best, product, terms = 0, 0.5, 0
    for node in nodes:
        each_m, each_z = grower.choices(node, levels)
        best += int(each_m.min())
        product *= float(grower.scaled(node, each_m, each_z).sum())
        terms = len(each_m)
    m.append(best)
    z.append(product)
    everyone = Counts(sum(node.zeros for node in nodes), sum(node.ones for node in nodes))
    relative = 2 * len(nodes) * (grower.relative_error(levels) + (terms + 8) * ULP)
    if grower.trees.least_prior() ** len(nodes) < _SMALLEST:
        relative = float("inf")

    def balls() -> tuple[Ball, Ball]:
        grown = ball(1)
        for node in nodes:
            grown *= grower.total(node, levels)
        return (-ball(grower.rate) * mistakes).exp(), grown

    weights = grower.scaled(everyone, np.array(m), np.array(z))
    choice = rng.cell(weights, relative=relative, absolute=BEYOND, balls=balls)
    return choice == 0


def _leaves(
    node: Node, cells: npt.NDArray[np.int32], labels: npt.NDArray[np.bool_]
) -> Iterator[Leaf]:
    """Each leaf's records, their labels, and its own label."""
    if isinstance(node, int):
        yield cells, labels, node
        return
    low = node[0].asks(cells)
    yield from _leaves(node[1], cells[low], labels[low])
    yield from _leaves(node[2], cells[~low], labels[~low])


def _replaced(node: Node, grown: Iterator[Node]) -> Node:
    """The tree with its leaves, in order, replaced."""
    if isinstance(node, int):
        return next(grown)
    return (node[0], _replaced(node[1], grown), _replaced(node[2], grown))


@respelled("depth", after=1)
@dataclass(frozen=True)
class GrownTrees(OverTable):
    """Trees of four to six levels: one draw, and where the budget pays, its leaves grown.

    Errors are compared with the best tree of three levels.
    """

    schema: Schema
    _: KW_ONLY
    depth: int = MOST_LEVELS
    name: ClassVar[str] = "grown trees"
    comparator: ClassVar[str] = "the best tree of three levels"

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", whole(self.depth, name="depth", least=DEEPEST + 1))
        if self.depth > MOST_LEVELS:
            raise BadInput(f"depth must be at most {MOST_LEVELS}")
        if Trees.too_wide_for_three(self.schema):
            raise BadInput(
                f"the schema has too many cells to weigh {DEEPEST} levels: depth must be at most "
                f"{DEEPEST}, or the bins fewer"
            )

    @property
    def size(self) -> int:
        """How many trees of three levels there are."""
        return Trees(self.schema, depth=DEEPEST).size

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny(), depth=DEEPEST + 1)

    def describe(self) -> str:
        return f"trees grown to {self.depth} levels over {self.schema.describe()}"

    def learner(
        self, *, epsilon: Fraction, relation: Relation, four_levels: bool
    ) -> TreeLearner | DeepTreeLearner | GrownTreeLearner:
        """Two draws where the budget pays for both; else one, which can use it all."""
        grown = GrownTreeLearner(
            schema=self.schema,
            depth=self.depth,
            epsilon=epsilon,
            relation=relation,
            four_levels=four_levels,
        )
        if grown.budgets[1]:
            return grown
        if four_levels:
            return DeepTreeLearner(schema=self.schema, epsilon=epsilon, relation=relation)
        return TreeLearner(
            trees=Trees(self.schema, depth=DEEPEST), epsilon=epsilon, relation=relation
        )


def _learner(task: Task, *, four_levels: bool) -> TreeLearner | DeepTreeLearner | GrownTreeLearner:
    family, privacy = task.concept_class, task.privacy
    assert isinstance(family, GrownTrees)
    return family.learner(
        epsilon=privacy.epsilon, relation=privacy.relation, four_levels=four_levels
    )


def _samples(task: Task) -> SampleBound:
    schema = task.concept_class.domain
    ways = [False, True] if DeepTrees.can_be_weighed(schema, 0) else [False]
    return several_draws(task, [_learner(task, four_levels=way) for way in ways])


def _mechanism(
    task: Task, _bound: SampleBound, size: Size
) -> TreeLearner | DeepTreeLearner | GrownTreeLearner:
    four = DeepTrees.can_be_weighed(task.concept_class.domain, known(size))
    return _learner(task, four_levels=four)


GROWN_TREES = ALGORITHMS.add(
    Algorithm(
        name="grown trees",
        summary="one exact draw over trees of three or four levels, then its leaves grown",
        applies=Applies(proper=True, classes=(GrownTrees,), ignores=True),
        claim=GrownTreeLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        certify=DRAWN,
        tiny=lambda entry: tiny_rules(entry, GrownTrees, cells=1),
    )
)
