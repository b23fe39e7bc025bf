"""Rules that add up the points of several small trees, and the class of all such rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from tacit.core import PLAIN, BadInput, Hypothesis, Labels, hypothesis_kind
from tacit.core.numbers import counted, whole
from tacit.core.respelled import respelled
from tacit.domains.schema import Schema
from tacit.problems.tables.points_rule import (
    MOST_POINTS,
    MOST_START,
    POINTS,
    PointsRule,
    read_points,
)
from tacit.problems.tables.records import OverTable
from tacit.problems.tables.table_rule import Cells
from tacit.problems.tables.tree_nodes import Answer, Cut, implied, path_words, read_cut
from tacit.problems.tables.trees import Trees

MOST_ROUNDS = 64
LEAF = Fraction(3, 20)  # the prior of a leaf above the last level

Card: TypeAlias = "int | tuple[Cut, Card, Card]"
"""A leaf's points, or a question with the cards of its two sides."""


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class BoostedRule(PointsRule):
    """1 where the points of all trees, and of the start, add up to more than the threshold.

    ``capped`` says how the points were made, which decides what odds they stand for.
    """

    kind: ClassVar[str] = "boosted"
    schema: Schema
    start: int
    trees: tuple[Card, ...]
    threshold: int = 0
    capped: bool = False

    @property
    def range(self) -> tuple[int, int]:
        points = [[points for _, points in _leaves(tree, ())] for tree in self.trees]
        return self.start + sum(map(min, points)), self.start + sum(map(max, points))

    def points(self, cells: Cells) -> npt.NDArray[np.int64]:
        total = np.full(len(cells), self.start, dtype=np.int64)
        for tree in self.trees:
            total += points_of(tree, cells)
        return total

    def log_odds(self, x: Any) -> npt.NDArray[np.float64]:
        """The estimated logarithm of the odds of label 1: Theorem 4 of ``odds_steps.proof.md``."""
        score = np.asarray(self.score(x) / POINTS)
        if not self.capped:
            return score
        return np.asarray(np.sign(score) * (np.logaddexp(0, np.abs(score)) - np.log(2)))

    @property
    def reads(self) -> tuple[int, ...]:
        """The columns of the schema that the rule asks about: all that it needs."""
        return tuple(sorted({cut.column for tree in self.trees for cut in _asked(_simpler(tree))}))

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        """The score card: every tree's leaves with their points."""
        del column
        lines = self.headed(labels, ranks=bool(self.trees))
        for number, tree in enumerate(self.trees, start=1):
            lines.append(f"card {number}:")
            for path, points in _leaves(_simpler(tree), ()):
                words = " and ".join(path_words(path, self.schema)) or "always"
                lines.append(f"  {points:+d} if {words}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "schema": self.schema.to_dict(),
            "start": self.start,
            "trees": [_write(tree) for tree in self.trees],
            "threshold": self.threshold,
            **({"capped": True} if self.capped else {}),
        }

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> BoostedRule:
        schema = Schema.of(record["schema"])
        trees = tuple(_read(tree, schema) for tree in record["trees"])
        return cls(
            schema=schema,
            start=read_points(record["start"]),
            trees=trees,
            threshold=read_points(record.get("threshold", 0)),
            capped=record.get("capped", False) is True,
        )


def points_of(tree: Card, cells: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """The points that one tree gives to every placed row."""
    if isinstance(tree, int):
        return np.full(len(cells), tree, dtype=np.int64)
    cut, low, high = tree
    return np.where(cut.asks(cells), points_of(low, cells), points_of(high, cells))


def _simpler(tree: Card, path: tuple[Answer, ...] = ()) -> Card:
    """The same points without questions that change nothing or are answered above."""
    if isinstance(tree, int):
        return tree
    cut = tree[0]
    for answer in path:
        known = implied(answer, cut)
        if known is not None:
            return _simpler(tree[1] if known else tree[2], path)
    low = _simpler(tree[1], (*path, (cut, True)))
    high = _simpler(tree[2], (*path, (cut, False)))
    return low if low == high else (cut, low, high)


def levels_of_card(tree: Card) -> int:
    """How many questions one after another a tree asks at most."""
    return 0 if isinstance(tree, int) else 1 + max(levels_of_card(side) for side in tree[1:])


def leaves_of_card(tree: Card) -> int:
    """How many leaves a tree has."""
    return 1 if isinstance(tree, int) else sum(leaves_of_card(side) for side in tree[1:])


def _asked(tree: Card) -> Iterator[Cut]:
    if not isinstance(tree, int):
        yield tree[0]
        yield from _asked(tree[1])
        yield from _asked(tree[2])


def _leaves(tree: Card, path: tuple[Answer, ...]) -> Iterator[tuple[tuple[Answer, ...], int]]:
    if isinstance(tree, int):
        yield path, tree
        return
    cut, low, high = tree
    yield from _leaves(low, (*path, (cut, True)))
    yield from _leaves(high, (*path, (cut, False)))


def _write(tree: Card) -> dict[str, Any]:
    if isinstance(tree, int):
        return {"points": tree}
    cut, low, high = tree
    return {**cut.to_dict(), "low": _write(low), "high": _write(high)}


def _read(record: dict[str, Any], schema: Schema) -> Card:
    if "points" in record:
        return read_points(record["points"])
    cut = read_cut(record, schema)
    return (cut, _read(record["low"], schema), _read(record["high"], schema))


@respelled("rounds", after=1)
@dataclass(frozen=True)
class BoostedTrees(OverTable):
    """Sums of the points of small trees of two levels, or a constant label.

    ``rounds`` is how many trees; with 0 public numbers say it. Errors are compared with
    the better constant label.
    """

    schema: Schema
    _: KW_ONLY
    rounds: int = 0
    name: ClassVar[str] = "boosted trees"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rounds", whole(self.rounds, name="rounds", least=0))
        if self.rounds > MOST_ROUNDS:
            raise BadInput(f"rounds must be at most {MOST_ROUNDS}")

    @property
    def depth(self) -> int:
        """How many levels each tree has at most."""
        return 2

    @property
    def size(self) -> int:
        """How many rules errors are compared with: both constant labels."""
        return 2

    @property
    def comparator(self) -> str:
        """What errors are compared with, in words."""
        return "the better constant label"

    @property
    def trees(self) -> Trees:
        """The trees of every round."""
        return Trees(self.schema, depth=self.depth, leaf=LEAF)

    def least_prior(self, rounds: int) -> Fraction:
        """Not above the prior of any sum of so many trees, half of which has no trees at all."""
        each = self.trees.least_prior() / (2 * MOST_POINTS + 1) ** 4
        return each**rounds / (2 * (2 * MOST_START + 1))

    def has(self, rule: Hypothesis, *, rounds: int) -> bool:
        """Whether a rule is a sum of so many of the trees, with points as they are given."""
        if not isinstance(rule, BoostedRule) or len(rule.trees) != rounds or rule.threshold:
            return False
        cuts = set(self.trees.cuts)
        return abs(rule.start) <= MOST_START and all(
            levels_of_card(tree) <= self.depth
            and cuts.issuperset(_asked(tree))
            and all(abs(points) <= MOST_POINTS for _, points in _leaves(tree, ()))
            for tree in rule.trees
        )

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny(), rounds=1)

    def describe(self) -> str:
        many = counted(self.rounds, "small tree") if self.rounds else "several small trees"
        return f"points of {many} added up, over {self.schema.describe()}"
