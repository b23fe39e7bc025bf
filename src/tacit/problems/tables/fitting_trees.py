"""Trees of as many levels as the records can pay for: two, three or four, by public numbers."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import ClassVar, Self

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Relation,
    SampleBound,
    Size,
    Task,
)
from tacit.core.respelled import respelled
from tacit.domains.schema import Schema
from tacit.mechanisms.calibration import spread
from tacit.problems.tables.deep_tree_learner import SHALLOW, DeepTreeLearner
from tacit.problems.tables.deep_trees import DeepTrees
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.tables.records import OverTable, known, one_draw, pays
from tacit.problems.tables.tiny_rules import tiny_rules
from tacit.problems.tables.tree_learner import TreeLearner, too_many_pairs
from tacit.problems.tables.tree_priors import Parts, least_of
from tacit.problems.tables.trees import DEEPEST, RuleLists, Trees

_ALWAYS = 2


@respelled("lists", after=1)
@dataclass(frozen=True)
class FittingTrees(OverTable):
    """Trees whose depth is chosen by the public number of records: two levels, three or four.

    With ``lists`` rule lists of two or three questions. Errors are compared with the best tree
    or list of two levels, which is always among them.
    """

    schema: Schema
    _: KW_ONLY
    lists: bool = False
    name: ClassVar[str] = "fitting trees"

    @property
    def depth(self) -> int:
        """How many levels there are at least."""
        return _ALWAYS

    @property
    def size(self) -> int:
        """How many trees or lists of two levels there are."""
        return self._trees(_ALWAYS).size

    @property
    def comparator(self) -> str:
        """What errors are compared with, in words."""
        return f"the best {'rule list of two questions' if self.lists else 'tree of two levels'}"

    def describe(self) -> str:
        what = "rule lists" if self.lists else "trees"
        most = "three questions" if self.lists else "four levels"
        return f"{what} of two to {most}, as the records can carry, over {self.schema.describe()}"

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny())

    def _trees(self, depth: int) -> Trees:
        return (
            RuleLists(self.schema, depth=depth) if self.lists else Trees(self.schema, depth=depth)
        )

    def parts(self, n: int | None, rate: Fraction) -> Parts:
        """The classes of the draw for ``n`` records: the deepest that could pay (``pays``).

        ``n`` is ``None`` where their number is private; then there are two levels.
        """
        three = self._trees(DEEPEST)
        wide = n is None or Trees.too_wide_for_three(self.schema)
        if wide or not pays(three.least_prior(), n=n, rate=rate):
            return ((self._trees(_ALWAYS), Fraction(1)),)
        if not self.lists and DeepTrees.can_be_weighed(self.schema, n):
            four = DeepTrees(self.schema)
            if pays(four.least_prior(), n=n, rate=rate):
                return (three, SHALLOW), (four, 1 - SHALLOW)
        return ((three, Fraction(1)),)

    def every(self) -> list[Parts]:
        """The classes for all numbers of records."""
        found: list[Parts] = [((self._trees(_ALWAYS), Fraction(1)),)]
        if not Trees.too_wide_for_three(self.schema):
            found.append(((self._trees(DEEPEST), Fraction(1)),))
            if not self.lists and DeepTrees.can_be_weighed(self.schema, 0):
                deep = DeepTrees(self.schema)
                found.append(((Trees(self.schema, depth=DEEPEST), SHALLOW), (deep, 1 - SHALLOW)))
        return found

    def learner(
        self, *, epsilon: Fraction, relation: Relation, n: int | None
    ) -> TreeLearner | DeepTreeLearner:
        """The draw for ``n`` records."""
        parts = self.parts(n, epsilon / spread(relation))
        if len(parts) > 1:
            return DeepTreeLearner(schema=self.schema, epsilon=epsilon, relation=relation)
        return TreeLearner(trees=parts[0][0], epsilon=epsilon, relation=relation)


def _fitting(task: Task) -> FittingTrees:
    family = task.concept_class
    assert isinstance(family, FittingTrees)
    return family


def _samples(task: Task) -> SampleBound:
    bounds = [
        one_draw(
            task,
            prior=max(part * trees.least_prior(_ALWAYS) for trees, part in parts),
            least_prior=least_of(parts),
            gentle=False,
        )
        for parts in _fitting(task).every()
    ]
    return max(bounds, key=lambda bound: bound.n)


def _mechanism(task: Task, _bound: SampleBound, size: Size) -> TreeLearner | DeepTreeLearner:
    privacy = task.privacy
    return _fitting(task).learner(epsilon=privacy.epsilon, relation=privacy.relation, n=known(size))


FITTING_TREES = ALGORITHMS.add(
    Algorithm(
        name="fitting trees",
        summary="one exact draw over trees of as many levels as the records can carry",
        applies=Applies(proper=True, classes=(FittingTrees,), ignores=True),
        claim=TreeLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        certify=DRAWN,
        tiny=lambda entry: tiny_rules(entry, FittingTrees),
        runs=too_many_pairs,
    )
)
