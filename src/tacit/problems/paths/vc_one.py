"""VC dimension 1: every class is a set of paths of a tree; find a depth, then the node there."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    ConceptClass,
    Condition,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
    privacy_event,
    tiny_task,
)
from tacit.core.numbers import positive, probability, whole
from tacit.core.tiny import DELTA, RARE, labelled
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.mechanisms.robust_minimum import RobustMinimum
from tacit.mechanisms.stability import StabilityHistogram, StableMostFrequent
from tacit.problems.finite.listed import Table, TableRule
from tacit.problems.paths import vc_one_upper as bounds
from tacit.problems.paths.paths import PathRule, Paths
from tacit.tallies.distinct import distinct_labelled

_MOST_POINTS = 1 << 11
"""Of a listed class: its tree is found by comparing all pairs of points."""


class Tree(Protocol):
    """A class of VC dimension 1, seen from one base rule: each concept differs from it on a path.

    A node is a set of points that no concept tells apart; ``names`` numbers the nodes.
    """

    @property
    def depths(self) -> int:
        """How many depths there are."""
        ...

    @property
    def names(self) -> Integers: ...

    def base(self, x: Placed) -> npt.NDArray[np.bool_]:
        """What the base rule says."""
        ...

    def depth(self, x: Placed) -> npt.NDArray[np.int64]:
        """The depth of each value's node; -1 where every concept says what the base says."""
        ...

    def above(self, x: Placed, depth: int) -> Placed:
        """For values at this depth or deeper: the node at this depth on their path."""
        ...

    def rule(self, node: int | None) -> Hypothesis:
        """The base rule, changed on the path to a node."""
        ...


@dataclass(frozen=True, slots=True)
class PathTree:
    """``Paths`` as they are: the base rule says 0."""

    concept_class: Paths

    @property
    def depths(self) -> int:
        return self.concept_class.bits + 1

    @property
    def names(self) -> Integers:
        return self.concept_class.domain

    def base(self, x: Placed) -> npt.NDArray[np.bool_]:
        return np.zeros(len(x), dtype=bool)

    def depth(self, x: Placed) -> npt.NDArray[np.int64]:
        return np.array([int(node).bit_length() - 1 for node in x.tolist()], dtype=np.int64)

    def above(self, x: Placed, depth: int) -> Placed:
        found = [int(node) >> (int(node).bit_length() - 1 - depth) for node in x.tolist()]
        return np.array(found, dtype=x.dtype)

    def rule(self, node: int | None) -> Hypothesis:
        return PathRule(domain=self.concept_class.domain, node=node or 0)


@dataclass(frozen=True, slots=True)
class TableTree:
    """A listed class of VC dimension 1; the base rule is its first row."""

    concept_class: Table

    @property
    def depths(self) -> int:
        return int(self._found[0].max(initial=0)) + 1

    @property
    def names(self) -> Integers:
        return self.concept_class.domain

    @property
    def _found(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        return _tree(self.concept_class)

    def base(self, x: Placed) -> npt.NDArray[np.bool_]:
        return np.asarray(self.concept_class.matrix[0][x.astype(np.int64)])

    def depth(self, x: Placed) -> npt.NDArray[np.int64]:
        return np.asarray(self._found[0][x.astype(np.int64)])

    def above(self, x: Placed, depth: int) -> Placed:
        depths, on_path = self._found
        # The first point of the node: equal points are on each other's paths.
        found = (on_path[x.astype(np.int64)] & (depths == depth)).argmax(axis=1)
        return np.asarray(found, dtype=np.uint64)

    def rule(self, node: int | None) -> Hypothesis:
        values = self.concept_class.matrix[0]
        if node is not None:
            values = values ^ self._found[1][node]
        return TableRule(values=tuple(values.tolist()))


@lru_cache(maxsize=16)
def _tree(table: Table) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Of each point its depth (-1 if no row differs from the first there), and the points on its
    path: those where all rows differ from the first that do so at the point.
    """
    rows = np.unique(table.matrix ^ table.matrix[0], axis=0)
    if rows.shape[1] > _MOST_POINTS:
        raise BadInput(f"this learner takes a Table of at most {_MOST_POINTS} points")
    counted = rows.astype(np.float64)
    both = (counted.T @ counted).astype(np.int64)
    size = np.diagonal(both)
    # Two points are shattered with the base rule unless their sets of rows nest or are apart.
    if ((both > 0) & (both < np.minimum(size[:, None], size))).any():
        raise BadInput("this Table has a VC dimension above 1")
    on_path = (both == size[:, None]) & (size[:, None] > 0)
    # A path holds one node of every greater size: count the sizes above.
    larger = [
        len(np.unique(size[path & (size > size[point])])) for point, path in enumerate(on_path)
    ]
    return np.where(size > 0, larger, -1), on_path


def has_tree(concept_class: object) -> bool:
    """Whether the learner knows that this class has VC dimension at most 1."""
    if isinstance(concept_class, Paths):
        return True
    if not isinstance(concept_class, Table) or concept_class.domain.size > _MOST_POINTS:
        return False
    try:
        _tree(concept_class)
    except BadInput:
        return False
    return True


def tree_of(concept_class: ConceptClass) -> Tree:
    """The tree of a class of VC dimension 1."""
    if isinstance(concept_class, Paths):
        return PathTree(concept_class)
    if isinstance(concept_class, Table) and has_tree(concept_class):
        return TableTree(concept_class)
    raise BadInput("this learner needs Paths or a Table of VC dimension 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class VcOneLearner(Mechanism[Sample, Hypothesis]):
    """Search a depth with many contradictions at or below it and few below, then its node.

    A record contradicts the base rule of the tree at a node of the target's path. A depth is
    selected by ranks, as thresholds are; the records at or below it name one node each.

    Privacy
    -------
    Requires  ``concept_class`` is public and has VC dimension at most 1; so are the ranks.
    Ensures   ``(epsilon, delta)``-DP, whatever the number of records.
    Proof     Theorem 2 of ``vc_one.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.paths.vc_one_upper``.

    Edge cases
    ----------
    No records, no contradiction, or too few: the base rule.
    """

    CLAIM: ClassVar[Claim] = bounds.CLAIM

    concept_class: ConceptClass
    epsilon: Fraction
    epsilon_depth: Fraction
    delta: Fraction
    low: int
    high: int
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive(self.epsilon, name="epsilon"))
        object.__setattr__(self, "epsilon_depth", positive(self.epsilon_depth, name="epsilon"))
        object.__setattr__(self, "delta", probability(self.delta, name="delta"))
        object.__setattr__(self, "relation", Relation.read(self.relation))
        low = whole(self.low, name="low", least=1)
        if whole(self.high, name="high", least=1) < low:
            raise BadInput("high must be at least low")
        if self.epsilon_depth >= self.epsilon:
            raise BadInput("the search for a depth must leave some epsilon for its node")
        tree_of(self.concept_class)

    def event(self) -> Event:
        return privacy_event(epsilon=self.epsilon, delta=self.delta, relation=self.relation)

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        tree = tree_of(self.concept_class)
        x, zeros, ones = distinct_labelled(data, self.concept_class.domain)
        depth, times = tree.depth(x), np.where(tree.base(x), zeros, ones)
        kept = (depth >= 0) & (times > 0)
        contradicting, depth, times = x[kept], depth[kept], times[kept]  # [P1]
        votes = bounds.votes_relation(self.relation)
        deepest = max(tree.depths, 2) - 1
        search = RobustMinimum(
            domain=Integers(size=deepest + 1),
            low=self.low,
            high=self.high,
            epsilon=self.epsilon_depth,
            relation=votes,
        )
        found = deepest - rng.part(search, np.repeat(deepest - depth, times))  # [P2]
        histogram = StabilityHistogram(
            domain=tree.names,
            epsilon=self.epsilon - self.epsilon_depth,
            delta=self.delta,
            relation=votes,
        )
        below = depth >= found
        nodes = np.repeat(tree.above(contradicting[below], found), times[below])  # [P3]
        return tree.rule(rng.part(StableMostFrequent(histogram=histogram), nodes))  # [P4]


def _samples(task: Task) -> SampleBound:
    return bounds.vc_one(
        depths=tree_of(task.concept_class).depths,
        **task.asked("alpha", "beta", "epsilon", "delta", "relation"),
    )


def _mechanism(task: Task, bound: SampleBound, _size: Size) -> VcOneLearner:
    choices = bound.choices
    return VcOneLearner(
        concept_class=task.concept_class,
        epsilon=task.privacy.epsilon,
        epsilon_depth=choices["epsilon_depth"],
        delta=task.privacy.delta,
        low=choices["low"],
        high=choices["high"],
        relation=task.privacy.relation,
    )


def _tiny(entry: Algorithm) -> Tiny:
    small = Paths(bits=1)
    sampled = tiny_task(
        entry,
        small,
        Paths(bits=6),
        records=labelled((2, 3), (1,)),
        usual=(5, 1),
        odd=(6, 1),
        delta=DELTA,
    )
    return sampled.exactly(
        lambda e: VcOneLearner(
            concept_class=small,
            epsilon=e,
            epsilon_depth=e / 4,
            delta=RARE,
            low=2,
            high=6,
        ),
        records=labelled((1, 2, 3), (1,)),
        n=16,
    )


VC_ONE = ALGORITHMS.add(
    Algorithm(
        name="vc-one",
        summary="find a depth in the tree of the class as thresholds are found, then the node "
        "that the records below it name",
        applies=Applies(
            proper=False,
            classes=(Paths, Table),
            settings=("realizable",),
            delta=True,
            further=(
                Condition(
                    f"a class of VC dimension 1, on at most {_MOST_POINTS} points if it is listed",
                    lambda task: has_tree(task.concept_class),
                ),
            ),
        ),
        claim=bounds.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)
