"""Compile what drawing trees and scoring rules needs, before anything is charged."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np

from tacit.domains.schema import Schema
from tacit.problems.tables import pair_counts
from tacit.problems.tables.banded_scores import BandedScores
from tacit.problems.tables.banded_weights import BandWeigher
from tacit.problems.tables.deep_trees import DeepTrees
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.set_trees import SetTrees
from tacit.problems.tables.set_weights import SetWeigher
from tacit.problems.tables.shared_weights import SharedWeigher
from tacit.problems.tables.tree_weights import Rows, Weigher
from tacit.problems.tables.trees import DEEPEST, Trees
from tacit.problems.tables.valued_trees import ValuedTrees
from tacit.problems.tables.valued_weights import ValueWeigher
from tacit.tallies import few_cells


@cache
def warm(depth: int) -> None:
    """Compile every loop that trees of this many levels use."""
    few_cells.warm()
    pair_counts.warm()
    schema = Schema.of([(0, 1), (0, 1)], bins=2)
    trees = DeepTrees(schema) if depth > DEEPEST else Trees(schema, depth=depth)
    weigher = Weigher(trees, Fraction(1))
    cells = np.array([[0, 1], [1, 0]], dtype=np.int32)
    rows = Rows(np.ascontiguousarray(cells.T), np.array([0, 1], dtype=np.int64))
    for levels in range(1, depth + 1):
        node = weigher.node(rows, levels)
        weigher.choices(node, levels)
        weigher.sides(node, levels, 0)


@cache
def warm_weighted() -> None:
    """Compile the loop that counts records by their weights."""
    weigher = Weigher(Trees(Schema.of([(0, 1), (0, 1)], bins=2), depth=2), Fraction(1))
    cells = np.array([[0, 1], [1, 0]], dtype=np.int32)
    rows = Rows(np.ascontiguousarray(cells.T), np.array([0, 1], dtype=np.int64))
    weigher.weighted(rows, np.array([1, 2], dtype=np.int64))


@cache
def warm_values(depth: int) -> None:
    """Compile every loop that trees of this many levels with several labels use."""
    few_cells.warm()
    weigher = ValueWeigher(
        ValuedTrees(Schema.of([(0, 1), (0, 1)], bins=2), depth=depth), Fraction(1)
    )
    cells = np.array([[0, 1], [1, 0]], dtype=np.int32)
    rows = Rows(np.ascontiguousarray(cells.T), np.array([0, 1], dtype=np.int64))
    for levels in range(1, depth + 1):
        node = weigher.node(rows, levels)
        weigher.choices(node, levels)
        weigher.sides(node, levels, 0)


@cache
def warm_sets(depth: int) -> None:
    """Compile every loop that trees of this many levels with sets of categories use."""
    warm_values(depth)
    schema = Schema.of([("a", "b", "c", "d"), (0, 1)], bins=2)
    weigher = SetWeigher(SetTrees(schema, depth=depth), Fraction(1))
    cells = np.array([[0, 1], [1, 0]], dtype=np.int32)
    rows = Rows(np.ascontiguousarray(cells.T), np.array([0, 1], dtype=np.int64))
    for levels in range(1, depth + 1):
        weigher.choices(weigher.plain.node(rows, levels), levels)


@cache
def warm_shared(depth: int) -> None:
    """Compile every loop that trees with shared questions of this many levels use."""
    weigher = SharedWeigher(Trees(Schema.of([(0, 1), (0, 1)], bins=2), depth=depth), Fraction(1))
    cells = np.array([[0, 1], [1, 0]], dtype=np.int32)
    node = weigher.root(cells, np.array([[1, -1], [-1, -1]], dtype=np.int64))
    for levels in range(depth, 0, -1):
        weigher.choices(node, levels)
        node = weigher.sides(node, levels, 0)[0]


@cache
def warm_bands() -> None:
    """Compile every loop that bands of totals use."""
    few_cells.warm()
    rules = BandedScores(Scores(Schema.of([(0, 1)], bins=2), columns=1, most=1), 3)
    weigher = BandWeigher(rules, Fraction(1))
    cells, labels = np.array([[0], [1]], dtype=np.int32), np.array([0, 2], dtype=np.int64)
    held = weigher.held(cells, labels)
    weigher.choices(held)
    weigher.counts(held, weigher.totals[0])


@cache
def warm_scores() -> None:
    """Compile the loop that counts the mistakes of scoring rules."""
    scores = Scores(Schema.of([(0, 1)], bins=2), columns=1, most=1)
    scores.landscape(np.array([[0], [1]], dtype=np.int32), np.array([False, True]))
