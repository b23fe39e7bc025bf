"""Trees of several labels that ask the same questions, each leaf with a label of every kind."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import ClassVar, Self

from tacit.core import BadInput, ConceptClass
from tacit.core.numbers import whole
from tacit.core.respelled import respelled
from tacit.domains.schema import Schema
from tacit.problems.tables.fitting_trees import FittingTrees
from tacit.problems.tables.grown_trees import GrownTrees
from tacit.problems.tables.records import OverTable
from tacit.problems.tables.trees import Trees

MOST_LEVELS = 2


@respelled("depth", after=1)
@dataclass(frozen=True)
class SharedTrees(OverTable):
    """Trees of at most ``depth`` levels whose questions are the same for all labels.

    The prior of the questions is that of ``Trees``; each label of a leaf is its own. Errors are
    means over the labels, compared with the best questions for all of them. ``size`` is how many
    trees each label may have.
    """

    schema: Schema
    _: KW_ONLY
    depth: int = MOST_LEVELS
    name: ClassVar[str] = "shared trees"

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", whole(self.depth, name="depth", least=0))
        if self.depth > MOST_LEVELS:
            raise BadInput(f"questions that labels share have at most {MOST_LEVELS} levels")

    @property
    def trees(self) -> Trees:
        """The trees of one label."""
        return Trees(self.schema, depth=self.depth)

    @property
    def size(self) -> int:
        """How many trees each label may have."""
        return self.trees.size

    @property
    def leaves(self) -> int:
        """How many leaves there are at most."""
        return 1 << self.depth if self.trees.cuts else 1

    def least_questions(self) -> Fraction:
        """The smallest prior of the questions alone, without labels."""
        return self._least(self.depth)

    def _least(self, left: int) -> Fraction:
        trees = self.trees
        leaf = trees.leaf_share(left)
        if not left or not trees.cuts:
            return leaf
        return min(leaf, (1 - trees.leaf) * min(trees.shares) * self._least(left - 1) ** 2)

    @property
    def compared_by(self) -> str:
        """What rules are weighed by: ``ComparedOtherwise``."""
        return f"their mistakes {self.averaged}"

    @property
    def averaged(self) -> str:
        """Over what the error is a mean: ``Averaged``."""
        return "as a mean over the labels"

    def prepare(self) -> None:
        """Compile the loops that weigh questions of so many levels."""
        from tacit.problems.tables.warm import warm_shared

        warm_shared(self.depth)

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny())

    def describe(self) -> str:
        """The class in a few words."""
        return (
            f"trees of depth at most {self.depth} that ask the same questions for all labels, "
            f"errors as means over the labels, over {self.schema.describe()}"
        )


class EitherTrees(SharedTrees):
    """Trees of several labels with questions of their own, or shared: whichever the table asks for.

    Errors are means over the labels, compared with the best questions for all of them; what is
    proved against questions of their own stands in ``either_learner.proof.md``.
    """

    name: ClassVar[str] = "own or shared trees"

    @property
    def comparator(self) -> str:
        """What errors are compared with, in words."""
        return "the best trees that ask the same questions for all labels"

    def prepare(self) -> None:
        """Compile the loops that weigh trees of so many levels, and questions."""
        from tacit.problems.tables.warm import warm

        super().prepare()
        warm(self.depth)

    def describe(self) -> str:
        """The class in a few words."""
        return (
            f"trees of depth at most {self.depth}, with questions of their own or the same for all "
            f"labels, errors as means over the labels, over {self.schema.describe()}"
        )


def sharing(family: ConceptClass) -> SharedTrees:
    """The trees of a class, of two levels at most, with questions that all labels share."""
    if isinstance(family, FittingTrees) and not family.lists:
        return SharedTrees(family.schema)
    if isinstance(family, Trees) and not family.chain:
        return SharedTrees(family.schema, depth=family.depth)
    if isinstance(family, GrownTrees):  # refused as three levels are: for their number
        return SharedTrees(family.schema, depth=family.depth)
    raise BadInput("only trees share their questions among labels: --model tree or stump")
